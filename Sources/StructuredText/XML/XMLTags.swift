/// The tags of elements, their attributes and namespaces.
extension XMLParser {
  mutating func startTag() throws(XMLStop) {
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
}
