/// Functions that scan XML tokens.
extension XMLParser {
  func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

  mutating func skipSpace() { while index < bytes.count, isSpace(bytes[index]) { index += 1 } }

  func starts(with text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard index + count <= bytes.count else { return false }
    return text.withUTF8Buffer { text in
      for offset in 0..<count where unsafe bytes[index + offset] != text[offset] { return false }
      return true
    }
  }

  func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Returns the offset of the first occurrence of a delimiter at or after `start`. Throws if there is none.
  func find(_ mark: StaticString, from start: Int, within what: String) throws(XMLStop) -> Int {
    let mark = Array(mark.description.utf8)
    let span = bytes.span
    var place = start
    while place + mark.count <= span.count {
      var offset = 0
      while offset < mark.count, span[place + offset] == mark[offset] { offset += 1 }
      if offset == mark.count { return place }
      place += 1
    }
    throw XMLStop(
      kind: .truncated, offset: bytes.count, message: "the file ends within \(what)",
      hint: "the file is incomplete; copy it again or check it out again")
  }

  mutating func name(_ what: String) throws(XMLStop) -> Range<Int> {
    let start = index
    guard index < bytes.count else { throw endOfFile() }
    guard Self.startsName(bytes[index]) else {
      throw XMLStop(
        offset: index, message: "expected the name of \(what), found \(JSONScan.name(bytes[index]))",
        hint: what == "an element" ? "write a '<' in text as '&lt;'" : nil)
    }
    index = Self.endOfName(bytes.span, from: start)
    return start..<index
  }

  @inline(__always)
  private static func startsName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }

  private static func endOfName(_ bytes: Span<UInt8>, from start: Int) -> Int {
    var place = start
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"): place += 1
      case let byte where startsName(byte): place += 1
      default: return place
      }
    }
    return place
  }

  /// Returns the offset of the next byte of a text that, alone or as the start of a sequence, must be checked. Returns the end of the file if
  /// there is no such byte.
  static func endOfPlainText(_ bytes: Span<UInt8>, from start: Int) -> Int {
    var place = start
    while place < bytes.count {
      while let word = WordScan.load(bytes, place) {
        let plain = WordScan.plainXMLText(word)
        place += plain
        if plain < WordScan.width { break }
      }
      guard place < bytes.count else { break }
      switch bytes[place] {
      case UInt8(ascii: "<"), UInt8(ascii: "&"), UInt8(ascii: "]"): return place
      case 0x09, 0x0A: place += 1
      case let byte where byte < 0x20: return place
      default: place += 1
      }
    }
    return place
  }

  /// Returns the offset of the next byte of an attribute's value that must be checked; the end of the file if there is no such byte.
  static func endOfPlainValue(_ bytes: Span<UInt8>, from start: Int) -> Int {
    var place = start
    while place < bytes.count {
      while let word = WordScan.load(bytes, place) {
        let plain = WordScan.plainXMLValue(word)
        place += plain
        if plain < WordScan.width { break }
      }
      guard place < bytes.count else { break }
      switch bytes[place] {
      case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"), UInt8(ascii: "&"), ..<0x20: return place
      default: place += 1
      }
    }
    return place
  }

  /// Checks the reference at the current offset.
  /// - Returns: the offset after the reference.
  func checkedReference() throws(XMLStop) -> Int {
    if let (scalar, next) = XMLText.reference(bytes, index, bytes.count),
      options.allowsControls || XMLText.isCharacter(scalar)
    {
      return next
    }
    let rest = bytes[index + 1..<min(bytes.count, index + 40)]
    let end = rest.firstIndex { !(isNamePart($0) || $0 == UInt8(ascii: "#")) }
    guard let end else {
      if index + 40 >= bytes.count { throw endOfFile() }
      throw XMLStop(offset: index, message: "'&' without a reference", hint: "write it as '&amp;'")
    }
    guard end > index + 1, bytes[end] == UInt8(ascii: ";") else {
      throw XMLStop(offset: index, message: "'&' without a reference", hint: "write it as '&amp;'")
    }
    let name = string(index + 1..<end)
    if name.hasPrefix("#") {
      throw XMLStop(offset: index, message: "'&\(name);' is a character that XML does not allow")
    }
    throw XMLStop(
      kind: .forbidden, offset: index,
      message: "unknown entity '&\(name);'; only &amp; &lt; &gt; &quot; &apos; are allowed",
      hint: "write the character itself")
  }

  private func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), 0x80...:
      true
    default: false
    }
  }

  func control(_ byte: UInt8, at offset: Int? = nil) -> XMLStop {
    XMLStop(offset: offset ?? index, message: "the control character \(JSONScan.name(byte)) is not allowed in XML")
  }

  func checkControls(_ range: Range<Int>) throws(XMLStop) {
    guard !options.allowsControls else { return }
    for offset in range where bytes[offset] < 0x20 && !isSpace(bytes[offset]) {
      throw control(bytes[offset], at: offset)
    }
  }
}

/// The namespaces in scope at a position in the document.
struct XMLNamespaceScope {
  /// The maximum number of declarations in scope at once, and of namespaces in a document. The limit is low, because namespaces are searched for
  /// linearly.
  static let most = 256

  /// All namespaces of the document. The first value means that there is no namespace.
  private(set) var names = ["", "http://www.w3.org/XML/1998/namespace"]
  private var declarations: [(prefix: [UInt8], namespace: UInt16)] = [(Array("xml".utf8), 1)]
  /// The number of declarations in each open element.
  private var counts: [Int] = []

  /// The default namespace. It is updated at every declaration, because every element without a prefix needs it.
  private(set) var defaultNamespace: UInt16 = 0

  func namespace(of prefix: ArraySlice<UInt8>) -> UInt16? {
    declarations.last { $0.prefix.elementsEqual(prefix) }?.namespace
  }

  /// Adds the declarations of an element.
  /// - Returns: `false` if there are too many declarations or namespaces; otherwise `true`.
  mutating func open(_ attributes: [XMLDocument.Attribute], since first: Int, _ bytes: [UInt8]) -> Bool {
    var count = 0
    for position in first..<attributes.count {
      let attribute = attributes[position]
      guard attribute.nameEnd - attribute.nameStart >= 5, bytes[Int(attribute.nameStart)] == UInt8(ascii: "x") else {
        continue
      }
      let name = bytes[Int(attribute.nameStart)..<Int(attribute.nameEnd)]
      guard name.starts(with: "xmlns".utf8), name.count == 5 || name[name.startIndex + 5] == UInt8(ascii: ":") else {
        continue
      }
      let value = XMLText.attributeValue(bytes, Int(attribute.valueStart)..<Int(attribute.valueEnd))
      guard declarations.count < Self.most, let number = number(of: value) else { return false }
      declarations.append((Array(name.dropFirst(6)), number))
      count += 1
    }
    counts.append(count)
    if count > 0 { tellDefault() }
    return true
  }

  mutating func close() {
    guard let count = counts.popLast(), count > 0 else { return }
    declarations.removeLast(count)
    tellDefault()
  }

  private mutating func tellDefault() {
    defaultNamespace = declarations.last { $0.prefix.isEmpty }?.namespace ?? 0
  }

  private mutating func number(of namespace: String) -> UInt16? {
    if let known = names.firstIndex(of: namespace) { return UInt16(clamping: known) }
    guard names.count < Self.most else { return nil }
    names.append(namespace)
    return UInt16(clamping: names.count - 1)
  }
}
