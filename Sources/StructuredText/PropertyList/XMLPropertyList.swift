extension PropertyListValue {
  /// Reads a property list in XML.
  ///
  /// A document type is skipped, but an internal subset in it is rejected. All entities except the five that XML predefines are rejected, and no
  /// other file is read.
  /// - Throws: `SyntaxError` with the faults of the XML; if there are none, with the first fault of the property list, such as an unknown element, a
  ///   key without a value or an invalid number.
  package static func xml(_ bytes: [UInt8], limits: PropertyListLimits = PropertyListLimits()) throws(SyntaxError)
    -> PropertyListValue
  {
    try XMLPropertyListReader(document(bytes, limits: limits)).value()
  }
}

extension PropertyListValue {
  /// Parses the XML of a property list. Content that is not XML 1.0 is accepted if Apple's reader accepts it.
  package static func document(
    _ bytes: [UInt8], limits: PropertyListLimits = PropertyListLimits()
  ) throws(SyntaxError) -> XMLDocument {
    try XMLDocument.parse(
      bytes,
      options: XMLOptions(depth: limits.depth, size: limits.size, allowsDocumentType: true, allowsControls: true))
  }
}

private struct XMLPropertyListReader {
  let document: XMLDocument
  let lines: LineMap

  init(_ document: XMLDocument) {
    self.document = document
    lines = LineMap(document.bytes)
  }

  func value() throws(SyntaxError) -> PropertyListValue {
    // Apple's readers also accept a value without an enclosing `<plist>`.
    guard document.isElement(document.root, "plist") else { return try value(of: document.root) }
    let children = try elements(of: document.root)
    guard let first = children.first else { throw fault(document.root, "<plist> has no value") }
    if children.count > 1 { throw fault(children[1], "<plist> has more than one value") }
    return try value(of: first)
  }

  private func value(of node: XMLNode) throws(SyntaxError) -> PropertyListValue {
    let content: PropertyListValue.Content
    switch document.localName(of: node) {
    case "dict": content = .dictionary(try members(of: node))
    case "array":
      var elements: [PropertyListValue] = []
      for child in try self.elements(of: node) { elements.append(try value(of: child)) }
      content = .array(elements)
    case "string": content = .string(try text(of: node))
    case "true": content = .boolean(true)
    case "false": content = .boolean(false)
    case "integer": content = try number(of: node, PropertyListNumber.integer)
    case "real": content = try number(of: node, PropertyListNumber.real)
    case "date": content = try number(of: node) { PropertyListDate.seconds($0).map { .date($0) } }
    case "data":
      guard let bytes = Base64.decode(try text(of: node).utf8) else {
        throw fault(node, "the content of <data> is not base64")
      }
      content = .data(bytes)
    case let name: throw fault(node, "property lists have no element <\(name)>")
    }
    return PropertyListValue(content, at: position(of: node))
  }

  private func members(of node: XMLNode) throws(SyntaxError) -> [PropertyListMember] {
    var members: [PropertyListMember] = []
    var key: (text: String, node: XMLNode)?
    for child in try elements(of: node) {
      if let open = key {
        guard !document.isElement(child, "key") else { throw fault(open.node, "the key '\(open.text)' has no value") }
        members.append(PropertyListMember(key: open.text, at: position(of: open.node), value: try value(of: child)))
        key = nil
      } else {
        guard document.isElement(child, "key") else { throw fault(child, "a value in <dict> has no key") }
        key = (try text(of: child), child)
      }
    }
    if let open = key { throw fault(open.node, "the key '\(open.text)' has no value") }
    return members
  }

  /// Returns the elements of a container. Text between them other than white space is a fault.
  private func elements(of node: XMLNode) throws(SyntaxError) -> [XMLNode] {
    var elements: [XMLNode] = []
    for child in document.children(of: node) {
      switch document.kind(of: child) {
      case .element: elements.append(child)
      case .text where document.text(of: child).utf8.allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) }): break
      case .text, .characterData: throw fault(child, "unexpected text between elements")
      case .comment, .instruction: break
      }
    }
    return elements
  }

  private func text(of node: XMLNode) throws(SyntaxError) -> String {
    for child in document.children(of: node) where document.kind(of: child) == .element {
      throw fault(child, "unexpected element in <\(document.localName(of: node))>")
    }
    return document.text(of: node)
  }

  private func number(of node: XMLNode, _ read: (String) -> PropertyListValue.Content?) throws(SyntaxError)
    -> PropertyListValue.Content
  {
    let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
    let bytes = Array(try self.text(of: node).utf8.drop(while: isSpace))
    let text = String(decoding: bytes.reversed().drop(while: isSpace).reversed(), as: UTF8.self)
    guard let content = read(text) else {
      throw fault(node, "'\(text.prefix(40))' is not a valid \(document.localName(of: node))")
    }
    return content
  }

  private func position(of node: XMLNode) -> TextPosition {
    lines.position(at: document.range(of: node).lowerBound)
  }

  private func fault(_ node: XMLNode, _ message: String) -> SyntaxError {
    SyntaxError(SyntaxFault(kind: .syntax, position: position(of: node), message: message))
  }
}
