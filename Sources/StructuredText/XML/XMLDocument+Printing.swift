/// Accessors for printers of the whole document.
extension XMLDocument {
  /// The nodes at the top level in file order: the root element, and the comments and instructions around it.
  package var topLevel: Children { Children(nodes: nodes, position: 0, end: nodes.count) }

  /// Returns the name of an element with its prefix, in the file's spelling.
  package func qualifiedName(of node: XMLNode) -> String {
    let node = nodes[node.index]
    return String(decoding: bytes[Int(node.contentStart)..<Int(node.contentEnd)], as: UTF8.self)
  }

  /// Returns whether a text contains more than white space, or a CDATA section is not empty; `false` for any other node.
  package func isVisibleText(_ node: XMLNode) -> Bool {
    let node = nodes[node.index]
    switch node.kind {
    case .characterData: return node.contentEnd > node.contentStart
    case .text:
      return bytes[Int(node.contentStart)..<Int(node.contentEnd)].contains { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    case .element, .comment, .instruction: return false
    }
  }

  /// The value of `standalone` in the XML declaration; `nil` if it is missing.
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
