/// What a printer of a whole document needs besides its elements.
extension XMLDocument {
  /// What stands at the outermost level, in the order of the file: comments and instructions before and behind the outermost element,
  /// and that element.
  package var topLevel: Children { Children(nodes: nodes, position: 0, end: nodes.count) }

  /// The name of an element with its prefix, as the file has it.
  package func qualifiedName(of node: XMLNode) -> String {
    let node = nodes[node.index]
    return String(decoding: bytes[Int(node.contentStart)..<Int(node.contentEnd)], as: UTF8.self)
  }

  /// Whether a text holds more than white space; `false` for a node that is no text.
  package func isVisibleText(_ node: XMLNode) -> Bool {
    let node = nodes[node.index]
    switch node.kind {
    case .characterData: return node.contentEnd > node.contentStart
    case .text:
      return bytes[Int(node.contentStart)..<Int(node.contentEnd)].contains { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    case .element, .comment, .instruction: return false
    }
  }

  /// What the XML declaration says of `standalone`; `nil` where it says nothing, or there is none.
  package var standalone: String? {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    guard bytes[start...].starts(with: "<?xml".utf8), let end = bytes[start...].firstIndex(of: UInt8(ascii: ">")) else {
      return nil
    }
    let words = String(decoding: bytes[start..<end], as: UTF8.self).split {
      " \t\r\n=\"'?".utf8.contains($0.utf8.first ?? 0)
    }
    guard let name = words.firstIndex(of: "standalone"), name + 1 < words.count else { return nil }
    return ["yes", "no"].first { $0 == words[name + 1] }
  }
}
