/// Functions that parse tags with their attributes and namespaces.
extension XMLParser {
  mutating func startTag() throws(XMLStop) {
    let start = index
    guard !open.isEmpty || root == nil else {
      throw XMLStop(offset: start, message: "unexpected second root element")
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
    guard scope.open(attributes, since: first, bytes) else {
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
    for position in first..<attributes.count where attributes[position].prefixLength > 0 {
      let range = Int(attributes[position].nameStart)..<Int(attributes[position].nameEnd)
      (attributes[position].namespace, attributes[position].prefixLength) = try resolve(range, isAttribute: true)
    }
    if isEmpty { scope.close() } else { open.append(element) }
  }

  private mutating func attribute(since first: Int) throws(XMLStop) {
    let name = try self.name("an attribute")
    for position in first..<attributes.count {
      let other = attributes[position]
      guard isSame(Int(other.nameStart)..<Int(other.nameEnd), name) else { continue }
      throw XMLStop(offset: name.lowerBound, message: "duplicate attribute '\(string(name))'")
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
      throw XMLStop(offset: index, message: "the value of '\(string(name))' is not in quotes")
    }
    index += 1
    let start = index
    var isPlain = true
    var place = index
    while true {
      place = Self.endOfPlainValue(bytes.span, from: place)
      guard place < bytes.count, bytes[place] != quote else { break }
      let byte = bytes[place]
      if byte == UInt8(ascii: "&") {
        isPlain = false
        index = place
        place = try checkedReference()
        continue
      }
      if byte == UInt8(ascii: "<") {
        throw XMLStop(
          offset: place, message: "'<' is not allowed in the value of '\(string(name))'", hint: "write it as '&lt;'")
      }
      if byte < 0x20 {
        guard isSpace(byte) || options.allowsControls else { throw control(byte, at: place) }
        isPlain = false
      }
      place += 1
    }
    index = place
    guard index < bytes.count else { throw endOfFile() }
    attributes.append(
      XMLDocument.Attribute(
        nameStart: UInt32(truncatingIfNeeded: name.lowerBound), nameEnd: UInt32(truncatingIfNeeded: name.upperBound),
        valueStart: UInt32(truncatingIfNeeded: start), valueEnd: UInt32(truncatingIfNeeded: index), namespace: 0,
        prefixLength: prefixLength(name), isPlain: isPlain))
    index += 1
  }

  mutating func endTag() throws(XMLStop) {
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
      throw XMLStop(offset: start, message: "'</\(string(name))>' has no opening tag")
    }
    let expected = Int(nodes[element].contentStart)..<Int(nodes[element].contentEnd)
    guard isSame(expected, name) else {
      let place = TextPosition(offset: Int(nodes[element].start), in: bytes)
      throw XMLStop(
        offset: start,
        message:
          "expected '</\(string(expected))>' for the tag at \(place.line):\(place.column), found '</\(string(name))>'"
      )
    }
    nodes[element].end = UInt32(truncatingIfNeeded: index)
    nodes[element].next = UInt32(truncatingIfNeeded: nodes.count)
    scope.close()
  }

  /// Returns the length of a name's prefix with its colon; 0 if there is no prefix. A prefix of 64 KB or more, which no real file has, counts
  /// as undeclared.
  private func prefixLength(_ name: Range<Int>) -> UInt16 {
    let span = bytes.span
    for place in name where span[place] == UInt8(ascii: ":") { return UInt16(clamping: place - name.lowerBound + 1) }
    return 0
  }

  /// Returns whether two parts of the file have the same bytes.
  private func isSame(_ a: Range<Int>, _ b: Range<Int>) -> Bool {
    guard a.count == b.count else { return false }
    let span = bytes.span
    for offset in 0..<a.count where span[a.lowerBound + offset] != span[b.lowerBound + offset] { return false }
    return true
  }

  private func resolve(_ name: Range<Int>, isAttribute: Bool) throws(XMLStop) -> (
    namespace: UInt16, prefixLength: UInt16
  ) {
    let length = prefixLength(name)
    guard length > 0 else { return (isAttribute ? 0 : scope.defaultNamespace, 0) }
    let colon = name.lowerBound + Int(length) - 1
    if bytes[name.lowerBound..<colon].elementsEqual("xmlns".utf8) { return (0, length) }
    guard let namespace = scope.namespace(of: bytes[name.lowerBound..<colon]) else {
      throw XMLStop(offset: name.lowerBound, message: "the prefix of '\(string(name))' is not declared")
    }
    return (namespace, length)
  }
}
