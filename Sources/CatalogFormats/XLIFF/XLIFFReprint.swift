internal import Localization
internal import StructuredText

extension XLIFF {
  /// Prints a file again from its parsed tree, in Xcode's layout of XLIFF (xcode-formats.md B1). No content is lost. Inline tags, comments,
  /// attributes and elements that Xcode never writes are kept; such attributes, and such elements of a unit, follow those that Xcode writes.
  ///
  /// Only these parts of the original layout are kept: the order of files and units, the position of `datatype` before or after the
  /// languages, `standalone`, and the final newline. No content is added.
  /// - Throws: `InputFault` if the file cannot be read.
  static func reprint(_ bytes: [UInt8], at path: String) throws(InputFault) -> [UInt8] {
    let document = try parse(bytes, at: path)
    var layout = XLIFFLayout(document: document)
    return layout.print(endsWithNewline: bytes.last == UInt8(ascii: "\n"))
  }
}

/// Prints a parsed tree. The recursion is bounded by the parser's depth limit.
private struct XLIFFLayout {
  private let document: XMLDocument
  private var output: [UInt8] = []

  /// The elements that contain only other elements. White space in them is layout.
  private static let containers: Set<String> = ["xliff", "file", "header", "body", "group", "trans-unit"]
  /// The elements that contain text. White space in them is content.
  private static let texts: Set<String> = [
    "source", "target", "note", "seg-source", "mrk", "g", "ph", "it", "bpt", "ept", "sub",
  ]

  init(document: XMLDocument) {
    self.document = document
    output.reserveCapacity(document.bytes.count + 64)
  }

  mutating func print(endsWithNewline: Bool) -> [UInt8] {
    raw("<?xml version=\"1.0\" encoding=\"UTF-8\"")
    if let standalone = document.standalone { raw(" standalone=\"\(standalone)\"") }
    raw("?>\n")
    for node in document.topLevel { line(node, level: 0) }
    if !endsWithNewline { output.removeLast() }
    return output
  }

  private mutating func raw(_ text: String) { output.append(contentsOf: text.utf8) }

  /// Prints a comment, an instruction or an element on its own line. Text, which is only white space here, is dropped.
  private mutating func line(_ node: XMLNode, level: Int) {
    switch document.kind(of: node) {
    case .text, .characterData: return
    case .comment, .instruction:
      indent(level)
      output.append(contentsOf: document.bytes[document.range(of: node)])
    case .element:
      indent(level)
      element(node, level: level)
    }
    output.append(UInt8(ascii: "\n"))
  }

  private mutating func indent(_ level: Int) { output.append(contentsOf: repeatElement(0x20, count: level * 2)) }

  private mutating func element(_ node: XMLNode, level: Int) {
    let name = document.qualifiedName(of: node)
    let local = document.localName(of: node)
    raw("<\(name)")
    for attribute in attributes(of: node, local) {
      raw(" \(document.name(of: attribute))=\"")
      XMLText.printAttribute(document.value(of: attribute), into: &output)
      raw("\"")
    }
    let isLaidOut = isLaidOut(node, local)
    let children = document.children(of: node).filter { !isLaidOut || document.kind(of: $0) != .text }
    guard !children.isEmpty else { return raw("/>") }
    raw(">")
    if isLaidOut {
      raw("\n")
      for child in local == "trans-unit" ? inOrder(children) : children { line(child, level: level + 1) }
      indent(level)
    } else {
      for child in children { inline(child) }
    }
    raw("</\(name)>")
  }

  /// Prints a node within a text.
  private mutating func inline(_ node: XMLNode) {
    switch document.kind(of: node) {
    case .text, .characterData: XMLText.print(document.text(of: node), into: &output)
    case .comment, .instruction: output.append(contentsOf: document.bytes[document.range(of: node)])
    case .element: element(node, level: 0)
    }
  }

  /// Returns whether the content of an element is printed on separate lines. This is the case if it consists only of elements, or of the
  /// phrases of an App Shortcut.
  private func isLaidOut(_ node: XMLNode, _ local: String) -> Bool {
    var holdsElements = false
    for child in document.children(of: node) {
      if document.isVisibleText(child) { return false }
      guard document.kind(of: child) != .text, document.kind(of: child) != .characterData else { continue }
      if Self.texts.contains(local), !isPhrase(child) { return false }
      holdsElements = true
    }
    return holdsElements || Self.containers.contains(local)
  }

  private func isPhrase(_ node: XMLNode) -> Bool {
    document.isElement(node, "mrk") && document.attribute("mtype", of: node) == "x-set"
  }

  /// Returns the children of a unit in Xcode's order: `source`, `target`, `note`, then other elements. A comment stays before the element that
  /// it precedes.
  private func inOrder(_ children: [XMLNode]) -> [XMLNode] {
    var parts: [(rank: Int, nodes: [XMLNode])] = []
    var waiting: [XMLNode] = []
    for node in children {
      waiting.append(node)
      guard document.kind(of: node) == .element else { continue }
      let rank = ["source", "target", "note"].firstIndex(of: document.localName(of: node)) ?? 3
      parts.append((rank, waiting))
      waiting = []
    }
    // The offset keeps parts of equal rank in order, because the standard library does not guarantee a stable sort.
    let sorted = parts.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
    return sorted.flatMap(\.element.nodes) + waiting
  }

  /// Returns the attributes in Xcode's order. Attributes that Xcode never writes are last, in file order.
  private func attributes(of node: XMLNode, _ local: String) -> [XMLAttribute] {
    let attributes = document.attributes(of: node)
    let names = attributes.map(document.name(of:))
    guard let order = Self.order(of: local, names) else { return attributes }
    let ranked = zip(attributes.indices, names).map { (order.firstIndex(of: $1) ?? order.count, $0) }
    return ranked.sorted { $0 < $1 }.map { attributes[$0.1] }
  }

  private static func order(of element: String, _ names: [String]) -> [String]? {
    switch element {
    case "xliff": return ["xmlns", "xmlns:xsi", "version", "xsi:schemaLocation"]
    case "file":
      let isDatatypeFirst =
        names.firstIndex(of: "datatype").map { $0 < names.firstIndex(of: "source-language") ?? 0 } ?? false
      return isDatatypeFirst
        ? ["original", "datatype", "source-language", "target-language"]
        : ["original", "source-language", "target-language", "datatype"]
    case "tool": return ["tool-id", "tool-name", "tool-version", "build-num"]
    case "trans-unit": return ["id", "translate", "xml:space"]
    case "target": return ["state", "state-qualifier"]
    case "mrk": return ["mtype", "mid"]
    default: return nil
    }
  }
}
