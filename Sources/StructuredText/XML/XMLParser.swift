/// The limits of an XML file, and the optional content that is accepted.
package struct XMLOptions: Hashable, Sendable {
  /// The maximum nesting depth of elements.
  package var depth: Int
  /// The maximum size in bytes, less than 4 GiB.
  package var size: Int
  /// The maximum number of attributes of one element.
  package var attributes: Int
  /// The maximum number of nodes (elements, texts and others), and the maximum number of attributes in the file. Each node takes 36 bytes of
  /// memory. An XLIFF file has about one node per 24 bytes.
  package var nodes: Int
  /// Whether a `<!DOCTYPE …>` without an internal subset is skipped instead of rejected; property lists need this. A file that the document type
  /// references is never read. An internal subset, which can declare entities, is always rejected.
  package var allowsDocumentType: Bool
  /// Whether control characters that XML 1.0 does not allow are accepted, both unescaped and as references. Apple's property list reader
  /// accepts them, and Apple's writer writes them unescaped.
  package var allowsControls: Bool

  package init(
    depth: Int = 256, size: Int = 1 << 28, attributes: Int = 256, nodes: Int = 1 << 24,
    allowsDocumentType: Bool = false, allowsControls: Bool = false
  ) {
    self.depth = depth
    self.size = min(size, Int(UInt32.max) - 1)
    self.attributes = min(attributes, 10_000)
    self.nodes = nodes
    self.allowsDocumentType = allowsDocumentType
    self.allowsControls = allowsControls
  }
}

extension XMLDocument {
  /// Parses a well-formed XML 1.0 file in UTF-8. Only the five entities that XML predefines are expanded, and no other file is read.
  ///
  /// The time is linear in the size for any content, and the stack does not grow with the depth.
  /// - Throws: `SyntaxError`. It contains one fault if the file is too large or in UTF-16, and otherwise a fault for each position that is not UTF-8
  ///   (at most twenty). If the syntax is wrong or another limit is exceeded, it contains the conflicts of an unfinished merge, or else the first
  ///   fault.
  package static func parse(_ bytes: [UInt8], options: XMLOptions = XMLOptions()) throws(SyntaxError) -> XMLDocument {
    guard bytes.count <= options.size else {
      throw SyntaxError(
        SyntaxFault(
          kind: .tooLarge, position: TextPosition(offset: 0, line: 1, column: 1),
          message: "the file has \(bytes.count) bytes; the limit is \(options.size)"))
    }
    guard TextSurvey(bytes.span).firstInvalid == nil else { throw SyntaxError(TextChecks.utf8Faults(in: bytes)) }
    var parser = XMLParser(bytes, options)
    do {
      let root = try parser.parse()
      return XMLDocument(parser: parser, bytes: bytes, rootIndex: root)
    } catch {
      if let fault = TextChecks.wideFault(in: bytes) { throw SyntaxError(fault) }
      let conflicts = TextChecks.conflictFaults(in: bytes)
      guard conflicts.isEmpty else { throw SyntaxError(conflicts) }
      throw SyntaxError(
        SyntaxFault(
          kind: error.kind, position: TextPosition(offset: error.offset, in: bytes), message: error.message,
          hint: error.hint))
    }
  }
}

/// A fault without its line and column.
struct XMLStop: Error {
  var kind = SyntaxFault.Kind.syntax
  var offset: Int
  var message: String
  var hint: String?
}

/// The parser: one loop over the bytes, with its own stack of open elements.
struct XMLParser {
  let bytes: [UInt8]
  let options: XMLOptions
  var nodes: [XMLDocument.Node] = []
  var attributes: [XMLDocument.Attribute] = []
  var scope = XMLNamespaceScope()
  var hasDocumentType = false
  var index = 0
  /// The node indices of the open elements.
  var open: [Int] = []
  /// The node index of the root element.
  var root: Int?

  init(_ bytes: [UInt8], _ options: XMLOptions) {
    self.bytes = bytes
    self.options = options
    // Xcode's XLIFF files need less capacity. Reserving too much memory is cheaper than copying the nodes once.
    nodes.reserveCapacity(min(bytes.count / 16 + 16, options.nodes))
    attributes.reserveCapacity(min(bytes.count / 64 + 16, options.nodes))
  }

  mutating func parse() throws(XMLStop) -> Int {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    if starts(with: "<?xml"), index + 5 < bytes.count, isSpace(bytes[index + 5]) { try declaration() }
    while index < bytes.count {
      guard nodes.count < options.nodes, attributes.count < options.nodes else {
        throw XMLStop(kind: .tooLarge, offset: index, message: "more than \(options.nodes) elements and texts")
      }
      if bytes[index] != UInt8(ascii: "<") {
        try text()
      } else if index + 1 >= bytes.count {
        throw endOfFile()
      } else {
        switch bytes[index + 1] {
        case UInt8(ascii: "/"): try endTag()
        case UInt8(ascii: "!"): try bang()
        case UInt8(ascii: "?"): try instruction()
        default: try startTag()
        }
      }
    }
    guard open.isEmpty, let root else { throw endOfFile() }
    return root
  }

  private mutating func declaration() throws(XMLStop) {
    let start = index
    let end = try find("?>", from: index, within: "the XML declaration")
    let words = bytes[start..<end].split(separator: UInt8(ascii: "=")).map {
      string($0.startIndex..<$0.endIndex).lowercased()
    }
    if let mark = words.firstIndex(where: { $0.utf8.reversed().drop(while: isSpace).starts(with: "gnidocne".utf8) }),
      mark + 1 < words.count
    {
      let parts = words[mark + 1].split(omittingEmptySubsequences: false) { $0 == "\"" || $0 == "'" }
      let value = parts.count > 1 ? parts[1] : ""
      guard ["utf-8", "utf8", "us-ascii", "ascii"].contains(value) else {
        throw XMLStop(
          kind: .notUTF8, offset: start, message: "the encoding '\(value)' is not supported",
          hint: "save the file as UTF-8")
      }
    }
    index = end + 2
  }

  private mutating func text() throws(XMLStop) {
    let start = index
    var isPlain = true
    var place = index
    while true {
      place = Self.endOfPlainText(bytes.span, from: place)
      guard place < bytes.count, bytes[place] != UInt8(ascii: "<") else { break }
      let byte = bytes[place]
      if byte == UInt8(ascii: "&") {
        isPlain = false
        index = place
        place = try checkedReference()
        continue
      }
      if byte < 0x20 {
        guard isSpace(byte) || options.allowsControls else { throw control(byte, at: place) }
        if byte == 0x0D { isPlain = false }
      } else if byte == UInt8(ascii: "]") {
        index = place
        guard !starts(with: "]]>") else {
          throw XMLStop(
            offset: place, message: "unexpected ']]>' outside a CDATA section", hint: "write it as ']]&gt;'")
        }
      }
      place += 1
    }
    index = place
    if open.isEmpty {
      if let first = (start..<index).first(where: { !isSpace(bytes[$0]) }) {
        throw XMLStop(
          offset: first,
          message: root == nil ? "this is not XML: text before the first element" : "text after the end of the document"
        )
      }
      return
    }
    append(.text, start, index, content: start..<index)
    nodes[nodes.count - 1].isPlain = isPlain
  }

  private mutating func bang() throws(XMLStop) {
    let start = index
    if starts(with: "<!--") {
      let end = try find("--", from: index + 4, within: "a comment")
      guard end + 2 < bytes.count else { throw endOfFile() }
      guard bytes[end + 2] == UInt8(ascii: ">") else {
        throw XMLStop(offset: end, message: "'--' is not allowed in a comment")
      }
      try checkControls(start + 4..<end)
      index = end + 3
      append(.comment, start, index, content: start + 4..<end)
    } else if starts(with: "<![CDATA[") {
      let end = try find("]]>", from: index + 9, within: "a CDATA section")
      guard !open.isEmpty else {
        throw XMLStop(offset: start, message: "unexpected CDATA section outside the root element")
      }
      try checkControls(start + 9..<end)
      index = end + 3
      append(.characterData, start, index, content: start + 9..<end)
    } else if starts(with: "<!DOCTYPE") {
      try documentType()
    } else {
      if bytes.count - start < 9 { throw endOfFile() }
      throw XMLStop(offset: start, message: "unknown markup after '<!'")
    }
  }

  private mutating func documentType() throws(XMLStop) {
    let start = index
    guard options.allowsDocumentType else {
      throw XMLStop(
        kind: .forbidden, offset: start,
        message: "document type definitions are not allowed, because they can declare entities",
        hint: "remove <!DOCTYPE …> from the file")
    }
    guard root == nil, open.isEmpty, !hasDocumentType else {
      throw XMLStop(offset: start, message: "unexpected <!DOCTYPE>")
    }
    var quote: UInt8?
    while index < bytes.count {
      let byte = bytes[index]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: "[") {
        throw XMLStop(
          kind: .forbidden, offset: index,
          message: "internal declarations in a document type are not allowed, because they can declare entities",
          hint: "remove everything between [ and ]")
      } else if byte == UInt8(ascii: ">") {
        index += 1
        hasDocumentType = true
        return
      }
      index += 1
    }
    throw endOfFile()
  }

  private mutating func instruction() throws(XMLStop) {
    let start = index
    let end = try find("?>", from: index + 2, within: "a processing instruction")
    let nameEnd = bytes[start + 2..<end].firstIndex(where: isSpace) ?? end
    if String(decoding: bytes[start + 2..<nameEnd], as: UTF8.self).lowercased() == "xml" {
      throw XMLStop(offset: start, message: "the XML declaration is not at the start of the file")
    }
    try checkControls(start + 2..<end)
    index = end + 2
    append(.instruction, start, index, content: start + 2..<nameEnd)
  }

  mutating func append(_ kind: XMLDocument.Kind, _ start: Int, _ end: Int, content: Range<Int>) {
    nodes.append(
      XMLDocument.Node(
        start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end),
        contentStart: UInt32(truncatingIfNeeded: content.lowerBound),
        contentEnd: UInt32(truncatingIfNeeded: content.upperBound),
        next: UInt32(truncatingIfNeeded: nodes.count + 1), firstAttribute: 0, attributeEnd: 0, namespace: 0,
        prefixLength: 0,
        kind: kind))
  }

  func endOfFile() -> XMLStop {
    guard root != nil || !nodes.isEmpty || bytes.contains(where: { !isSpace($0) }) else {
      return XMLStop(kind: .empty, offset: bytes.count, message: "the file is empty")
    }
    let hint = "the file is incomplete; copy it again or check it out again"
    guard let element = open.last else {
      return XMLStop(
        kind: .truncated, offset: bytes.count, message: "the file ends before the root element", hint: hint)
    }
    let place = TextPosition(offset: Int(nodes[element].start), in: bytes)
    let name = string(Int(nodes[element].contentStart)..<Int(nodes[element].contentEnd))
    return XMLStop(
      kind: .truncated, offset: bytes.count,
      message: "the file ends within <\(name)>, opened at \(place.line):\(place.column)",
      hint: hint)
  }
}
