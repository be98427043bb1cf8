/// A node of an XML document: an index that is valid only for this document.
package struct XMLNode: Hashable, Sendable {
  let index: Int
}

/// An attribute of an element: an index that is valid only for the element's document.
package struct XMLAttribute: Hashable, Sendable {
  let index: Int
}

/// An XML file as a tree with positions: elements, texts, CDATA sections, comments and processing instructions.
///
/// The namespaces of names are resolved. Nodes store no text. Text is decoded on demand.
package struct XMLDocument: Sendable {
  package enum Kind: UInt8, Sendable {
    case element, text, characterData, comment, instruction
  }

  struct Node: Sendable {
    /// The offset of the first byte of the markup or the text.
    var start: UInt32
    /// The offset after the last byte of the node; for an element, after its end tag.
    var end: UInt32
    /// The start of the name of an element or an instruction, or of the content of any other node.
    var contentStart: UInt32
    var contentEnd: UInt32
    /// The index of the first node after this node and its content.
    var next: UInt32
    var firstAttribute: UInt32
    var attributeEnd: UInt32
    /// An index into `namespaces`; 0 if there is none.
    var namespace: UInt16
    /// The length of the prefix with its colon; 0 if there is none.
    var prefixLength: UInt16
    var kind: Kind
    /// Whether the text equals its bytes, because it contains no references and no CR.
    var isPlain = false
  }

  struct Attribute: Sendable {
    var nameStart: UInt32
    var nameEnd: UInt32
    var valueStart: UInt32
    var valueEnd: UInt32
    var namespace: UInt16
    var prefixLength: UInt16
    /// Whether the value equals its bytes, because it contains no references and no white space except U+0020.
    var isPlain: Bool
  }

  package let bytes: [UInt8]
  let nodes: [Node]
  let attributes: [Attribute]
  let namespaces: [String]
  private let rootIndex: Int
  /// Whether the file has a document type. This is possible only if the options allow it.
  package let hasDocumentType: Bool

  init(parser: XMLParser, bytes: [UInt8], rootIndex: Int) {
    self.bytes = bytes
    self.rootIndex = rootIndex
    nodes = parser.nodes
    attributes = parser.attributes
    namespaces = parser.scope.names
    hasDocumentType = parser.hasDocumentType
  }

  /// The root element.
  package var root: XMLNode { XMLNode(index: rootIndex) }

  package func kind(of node: XMLNode) -> Kind { nodes[node.index].kind }

  /// Returns the byte range of a node, including its content.
  package func range(of node: XMLNode) -> Range<Int> { Int(nodes[node.index].start)..<Int(nodes[node.index].end) }

  package func position(of node: XMLNode) -> TextPosition {
    TextPosition(offset: Int(nodes[node.index].start), in: bytes)
  }

  /// Returns the name of an element without its prefix.
  package func localName(of node: XMLNode) -> String {
    let node = nodes[node.index]
    return String(
      decoding: bytes[Int(node.contentStart) + Int(node.prefixLength)..<Int(node.contentEnd)], as: UTF8.self)
  }

  /// Returns whether an element has this name, ignoring its prefix.
  package func isElement(_ node: XMLNode, _ name: StaticString) -> Bool {
    let node = nodes[node.index]
    return node.kind == .element && equals(Int(node.contentStart) + Int(node.prefixLength)..<Int(node.contentEnd), name)
  }

  /// Returns whether an element's name has a prefix.
  package func isPrefixed(_ node: XMLNode) -> Bool { nodes[node.index].prefixLength > 0 }

  /// Returns the namespace of an element; `nil` if the element has none.
  package func namespace(of node: XMLNode) -> String? {
    let namespace = Int(nodes[node.index].namespace)
    return namespace == 0 ? nil : namespaces[namespace]
  }

  /// Returns the direct children of an element, in file order.
  package func children(of node: XMLNode) -> Children {
    let head = nodes[node.index]
    return Children(nodes: nodes, position: node.index + 1, end: head.kind == .element ? Int(head.next) : 0)
  }

  /// Returns the child elements of an element.
  package func elements(of node: XMLNode) -> [XMLNode] { children(of: node).filter { kind(of: $0) == .element } }

  /// Returns the first child element with this name; `nil` if there is none.
  package func firstElement(_ name: StaticString, of node: XMLNode) -> XMLNode? {
    children(of: node).first { isElement($0, name) }
  }

  /// Returns the attributes of an element in file order, including namespace declarations.
  package func attributes(of node: XMLNode) -> [XMLAttribute] {
    let node = nodes[node.index]
    return (Int(node.firstAttribute)..<Int(node.attributeEnd)).map(XMLAttribute.init(index:))
  }

  /// Returns the name of an attribute with its prefix.
  package func name(of attribute: XMLAttribute) -> String {
    let attribute = attributes[attribute.index]
    return String(decoding: bytes[Int(attribute.nameStart)..<Int(attribute.nameEnd)], as: UTF8.self)
  }

  package func value(of attribute: XMLAttribute) -> String {
    let attribute = attributes[attribute.index]
    let range = Int(attribute.valueStart)..<Int(attribute.valueEnd)
    return attribute.isPlain ? plain(range) : XMLText.attributeValue(bytes, range)
  }

  package func position(of attribute: XMLAttribute) -> TextPosition {
    TextPosition(offset: Int(attributes[attribute.index].nameStart), in: bytes)
  }

  /// Returns the value of an attribute by its name in the file, including the prefix; `nil` if there is none.
  package func attribute(_ name: StaticString, of node: XMLNode) -> String? {
    let node = nodes[node.index]
    for index in Int(node.firstAttribute)..<Int(node.attributeEnd) {
      let attribute = attributes[index]
      if equals(Int(attribute.nameStart)..<Int(attribute.nameEnd), name) {
        return value(of: XMLAttribute(index: index))
      }
    }
    return nil
  }

  /// Returns all text in a node, with references resolved and line breaks converted to LF. Comments and instructions are omitted.
  package func text(of node: XMLNode) -> String {
    var index = node.index
    let end = Int(nodes[node.index].next)
    if index + 2 == end || nodes[index].kind == .text, nodes[end - 1].kind == .text, nodes[end - 1].isPlain {
      // Most elements that contain text contain only a single text.
      return plain(Int(nodes[end - 1].contentStart)..<Int(nodes[end - 1].contentEnd))
    }
    var text: [UInt8] = []
    while index < end {
      let entry = nodes[index]
      switch entry.kind {
      case .text: XMLText.decode(bytes, Int(entry.contentStart)..<Int(entry.contentEnd), into: &text)
      case .characterData: XMLText.normalize(bytes, Int(entry.contentStart)..<Int(entry.contentEnd), into: &text)
      case .element, .comment, .instruction: break
      }
      index += 1
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the content of a comment, without its delimiters; empty for any other node.
  package func comment(_ node: XMLNode) -> String {
    let node = nodes[node.index]
    return node.kind == .comment
      ? String(decoding: bytes[Int(node.contentStart)..<Int(node.contentEnd)], as: UTF8.self) : ""
  }

  private func plain(_ range: Range<Int>) -> String {
    // `parse` has checked that the whole file is UTF-8, and XML markup is never part of a multibyte character.
    unsafe String(copying: UTF8Span(unchecked: bytes.span.extracting(range)))
  }

  private func equals(_ range: Range<Int>, _ name: StaticString) -> Bool {
    guard range.count == name.utf8CodeUnitCount else { return false }
    let span = bytes.span
    return name.withUTF8Buffer { name in
      for offset in 0..<name.count where unsafe span[range.lowerBound + offset] != name[offset] { return false }
      return true
    }
  }

  /// The direct children of an element, iterated without allocating memory.
  package struct Children: Sequence, IteratorProtocol {
    let nodes: [Node]
    var position: Int
    let end: Int

    package mutating func next() -> XMLNode? {
      guard position < end else { return nil }
      let node = XMLNode(index: position)
      position = Int(nodes[position].next)
      return node
    }
  }
}
