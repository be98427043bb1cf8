/// What an XML file may hold and ask for.
package struct XMLOptions: Hashable, Sendable {
  /// Levels of elements.
  package var depth: Int
  /// In bytes; at most 4 GB can be held.
  package var size: Int
  /// Attributes of one element.
  package var attributes: Int
  /// Whether `<!DOCTYPE …>` without an internal subset is stepped over, as property lists have it; the named file is never read.
  /// An internal subset, which can declare entities, is always refused.
  package var allowsDocumentType: Bool

  package init(depth: Int = 256, size: Int = 1 << 28, attributes: Int = 256, allowsDocumentType: Bool = false) {
    self.depth = depth
    self.size = min(size, Int(UInt32.max) - 1)
    self.attributes = min(attributes, 10_000)
    self.allowsDocumentType = allowsDocumentType
  }
}

extension XMLDocument {
  /// Reads a well-formed XML 1.0 file in UTF-8. No entity is ever expanded but the five of XML itself, and nothing outside is read.
  ///
  /// Time is linear in the size, whatever the content, and the stack does not grow with the depth.
  /// - Throws: every place that is not UTF-8; else every region of conflict markers; else the first fault.
  package static func parse(_ bytes: [UInt8], options: XMLOptions = XMLOptions()) throws(SyntaxError) -> XMLDocument {
    guard bytes.count <= options.size else {
      throw SyntaxError(
        SyntaxFault(
          kind: .tooLarge, position: TextPosition(offset: 0, line: 1, column: 1),
          message: "the file has \(bytes.count) bytes; at most \(options.size) are read"))
    }
    guard TextSurvey(bytes.span).firstInvalid == nil else { throw SyntaxError(TextChecks.utf8Faults(in: bytes)) }
    var parser = XMLParser(bytes, options)
    do {
      let root = try parser.parse()
      return XMLDocument(parser: parser, bytes: bytes, rootIndex: root)
    } catch {
      let conflicts = TextChecks.conflictFaults(in: bytes)
      guard conflicts.isEmpty else { throw SyntaxError(conflicts) }
      throw SyntaxError(
        SyntaxFault(
          kind: error.kind, position: TextPosition(offset: error.offset, in: bytes), message: error.message,
          hint: error.hint))
    }
  }
}

/// A fault before its line is known.
struct XMLStop: Error {
  var kind = SyntaxFault.Kind.syntax
  var offset: Int
  var message: String
  var hint: String?
}

/// The reader: one loop over the bytes, with the open elements on a stack of its own.
struct XMLParser {
  let bytes: [UInt8]
  let options: XMLOptions
  var nodes: [XMLDocument.Node] = []
  var attributes: [XMLDocument.Attribute] = []
  var scope = XMLNamespaceScope()
  var hasDocumentType = false
  var index = 0
  /// The node indices of the open elements.
  private var open: [Int] = []
  private var root: Int?

  init(_ bytes: [UInt8], _ options: XMLOptions) {
    self.bytes = bytes
    self.options = options
    nodes.reserveCapacity(bytes.count / 40)
    attributes.reserveCapacity(bytes.count / 100)
  }

  mutating func parse() throws(XMLStop) -> Int {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    if starts(with: "<?xml"), index + 5 < bytes.count, isSpace(bytes[index + 5]) { try declaration() }
    while index < bytes.count {
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
          kind: .notUTF8, offset: start, message: "the encoding '\(value)' is not read", hint: "save the file as UTF-8")
      }
    }
    index = end + 2
  }

  private mutating func text() throws(XMLStop) {
    let start = index
    while index < bytes.count, bytes[index] != UInt8(ascii: "<") {
      let byte = bytes[index]
      if byte == UInt8(ascii: "&") {
        index = try checkedReference()
        continue
      }
      if byte < 0x20, !isSpace(byte) { throw control(byte) }
      if byte == UInt8(ascii: "]"), starts(with: "]]>") {
        throw XMLStop(offset: index, message: "']]>' stands outside of a CDATA section", hint: "write it as ']]&gt;'")
      }
      index += 1
    }
    if open.isEmpty {
      if let first = (start..<index).first(where: { !isSpace(bytes[$0]) }) {
        throw XMLStop(
          offset: first,
          message: root == nil ? "this is no XML: text before the first element" : "text after the end of the document")
      }
      return
    }
    append(.text, start, index, content: start..<index)
  }

  private mutating func bang() throws(XMLStop) {
    let start = index
    if starts(with: "<!--") {
      let end = try find("--", from: index + 4, within: "a comment")
      guard end + 2 < bytes.count else { throw endOfFile() }
      guard bytes[end + 2] == UInt8(ascii: ">") else {
        throw XMLStop(offset: end, message: "'--' stands within a comment")
      }
      try checkControls(start + 4..<end)
      index = end + 3
      append(.comment, start, index, content: start + 4..<end)
    } else if starts(with: "<![CDATA[") {
      let end = try find("]]>", from: index + 9, within: "a CDATA section")
      guard !open.isEmpty else {
        throw XMLStop(offset: start, message: "a CDATA section stands outside of the document")
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
        kind: .forbidden, offset: start, message: "document type definitions are refused: they can declare entities",
        hint: "remove <!DOCTYPE …> from the file")
    }
    guard root == nil, open.isEmpty, !hasDocumentType else {
      throw XMLStop(offset: start, message: "<!DOCTYPE> stands in a wrong place")
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
          message: "a document type with declarations of its own is refused: they can be entities",
          hint: "remove what stands between [ and ]")
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
      throw XMLStop(offset: start, message: "an XML declaration stands after the start of the file")
    }
    try checkControls(start + 2..<end)
    index = end + 2
    append(.instruction, start, index, content: start + 2..<nameEnd)
  }

  private mutating func startTag() throws(XMLStop) {
    let start = index
    guard !open.isEmpty || root == nil else {
      throw XMLStop(offset: start, message: "a second element follows the outermost one")
    }
    guard open.count < options.depth else {
      throw XMLStop(kind: .tooDeep, offset: start, message: "nested deeper than \(options.depth) levels")
    }
    index += 1
    let name = try self.name("an element")
    let first = attributes.count
    var isEmpty = false
    while true {
      let gap = index
      skipSpace()
      guard index < bytes.count else { throw endOfFile() }
      if bytes[index] == UInt8(ascii: ">") {
        index += 1
        break
      }
      if bytes[index] == UInt8(ascii: "/") {
        guard index + 1 < bytes.count else { throw endOfFile() }
        guard bytes[index + 1] == UInt8(ascii: ">") else {
          throw XMLStop(offset: index, message: "expected '>' after '/'")
        }
        index += 2
        isEmpty = true
        break
      }
      guard index > gap else { throw XMLStop(offset: index, message: "expected a space before an attribute") }
      guard attributes.count - first < options.attributes else {
        throw XMLStop(
          kind: .tooLarge, offset: index, message: "an element has more than \(options.attributes) attributes")
      }
      try attribute(since: first)
    }
    guard scope.open(attributes[first...], bytes) else {
      throw XMLStop(
        kind: .tooLarge, offset: start, message: "more than \(XMLNamespaceScope.most) namespaces are declared")
    }
    let element = nodes.count
    if open.isEmpty { root = element }
    append(.element, start, index, content: name)
    let (namespace, prefixLength) = try resolve(name, isAttribute: false)
    nodes[element].namespace = namespace
    nodes[element].prefixLength = prefixLength
    nodes[element].firstAttribute = UInt32(truncatingIfNeeded: first)
    nodes[element].attributeEnd = UInt32(truncatingIfNeeded: attributes.count)
    for position in first..<attributes.count {
      let range = Int(attributes[position].nameStart)..<Int(attributes[position].nameEnd)
      (attributes[position].namespace, attributes[position].prefixLength) = try resolve(range, isAttribute: true)
    }
    if isEmpty { scope.close() } else { open.append(element) }
  }

  private mutating func attribute(since first: Int) throws(XMLStop) {
    let name = try self.name("an attribute")
    for other in attributes[first...] where bytes[Int(other.nameStart)..<Int(other.nameEnd)] == bytes[name] {
      throw XMLStop(offset: name.lowerBound, message: "the attribute '\(string(name))' stands twice")
    }
    skipSpace()
    guard index < bytes.count else { throw endOfFile() }
    guard bytes[index] == UInt8(ascii: "=") else {
      throw XMLStop(offset: index, message: "expected '=' after the attribute '\(string(name))'")
    }
    index += 1
    skipSpace()
    guard index < bytes.count else { throw endOfFile() }
    let quote = bytes[index]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw XMLStop(offset: index, message: "the value of '\(string(name))' does not stand in quotes")
    }
    index += 1
    let start = index
    while index < bytes.count, bytes[index] != quote {
      let byte = bytes[index]
      if byte == UInt8(ascii: "&") {
        index = try checkedReference()
        continue
      }
      if byte == UInt8(ascii: "<") {
        throw XMLStop(
          offset: index, message: "'<' stands in the value of '\(string(name))'", hint: "write it as '&lt;'")
      }
      if byte < 0x20, !isSpace(byte) { throw control(byte) }
      index += 1
    }
    guard index < bytes.count else { throw endOfFile() }
    attributes.append(
      XMLDocument.Attribute(
        nameStart: UInt32(truncatingIfNeeded: name.lowerBound), nameEnd: UInt32(truncatingIfNeeded: name.upperBound),
        valueStart: UInt32(truncatingIfNeeded: start), valueEnd: UInt32(truncatingIfNeeded: index), namespace: 0,
        prefixLength: 0))
    index += 1
  }

  private mutating func endTag() throws(XMLStop) {
    let start = index
    index += 2
    let name = try self.name("an element")
    skipSpace()
    guard index < bytes.count else { throw endOfFile() }
    guard bytes[index] == UInt8(ascii: ">") else {
      throw XMLStop(offset: index, message: "expected '>' after '</\(string(name))'")
    }
    index += 1
    guard let element = open.popLast() else {
      throw XMLStop(offset: start, message: "'</\(string(name))>' closes nothing")
    }
    let expected = Int(nodes[element].contentStart)..<Int(nodes[element].contentEnd)
    guard bytes[expected] == bytes[name] else {
      let place = TextPosition(offset: Int(nodes[element].start), in: bytes)
      throw XMLStop(
        offset: start,
        message:
          "expected '</\(string(expected))>', which opened at \(place.line):\(place.column), found '</\(string(name))>'"
      )
    }
    nodes[element].end = UInt32(truncatingIfNeeded: index)
    nodes[element].next = UInt32(truncatingIfNeeded: nodes.count)
    scope.close()
  }

  private mutating func append(_ kind: XMLDocument.Kind, _ start: Int, _ end: Int, content: Range<Int>) {
    nodes.append(
      XMLDocument.Node(
        start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end),
        contentStart: UInt32(truncatingIfNeeded: content.lowerBound),
        contentEnd: UInt32(truncatingIfNeeded: content.upperBound),
        next: UInt32(truncatingIfNeeded: nodes.count + 1), firstAttribute: 0, attributeEnd: 0, namespace: 0,
        prefixLength: 0,
        kind: kind))
  }

  private func resolve(_ name: Range<Int>, isAttribute: Bool) throws(XMLStop) -> (
    namespace: UInt16, prefixLength: UInt16
  ) {
    guard let colon = bytes[name].firstIndex(of: UInt8(ascii: ":")) else {
      return (isAttribute ? 0 : scope.defaultNamespace, 0)
    }
    let length = UInt16(clamping: colon - name.lowerBound + 1)
    if bytes[name.lowerBound..<colon].elementsEqual("xmlns".utf8) { return (0, length) }
    guard let namespace = scope.namespace(of: bytes[name.lowerBound..<colon]) else {
      throw XMLStop(offset: name.lowerBound, message: "the prefix of '\(string(name))' is not declared")
    }
    return (namespace, length)
  }

  func endOfFile() -> XMLStop {
    guard root != nil || !nodes.isEmpty || bytes.contains(where: { !isSpace($0) }) else {
      return XMLStop(kind: .empty, offset: bytes.count, message: "the file is empty")
    }
    let hint = "it was cut off; take it from its source again"
    guard let element = open.last else {
      return XMLStop(
        kind: .truncated, offset: bytes.count, message: "the file ends before its outermost element", hint: hint)
    }
    let place = TextPosition(offset: Int(nodes[element].start), in: bytes)
    let name = string(Int(nodes[element].contentStart)..<Int(nodes[element].contentEnd))
    return XMLStop(
      kind: .truncated, offset: bytes.count,
      message: "the file ends within <\(name)>, which opened at \(place.line):\(place.column)",
      hint: hint)
  }
}
