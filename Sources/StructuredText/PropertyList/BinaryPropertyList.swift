extension PropertyListValue {
  /// Reads a property list in Apple's binary form (`bplist00`).
  ///
  /// Every offset, count and reference is checked against the file. An object that contains itself is rejected, as is a file with more than
  /// `BinaryPropertyListReader.mostValues` values, or more than `mostBytes` bytes of texts and data. A shared value counts at each use, because n
  /// shared arrays could create 2^n values. A UID of a keyed archive becomes the dictionary `CF$UID`, as in XML. Sets become arrays.
  package static func binary(_ bytes: [UInt8], limits: PropertyListLimits = PropertyListLimits()) throws(SyntaxError)
    -> PropertyListValue
  {
    guard bytes.count <= limits.size else {
      throw BinaryPropertyListReader.error(
        .tooLarge, 0, "the file has \(bytes.count) bytes; the limit is \(limits.size)")
    }
    var reader = try BinaryPropertyListReader(bytes, depth: limits.depth)
    return try reader.root()
  }
}

struct BinaryPropertyListReader {
  /// The maximum number of values in a file. A shared value counts at each use.
  static let mostValues = 4_000_000
  /// The maximum size of a file's texts and data in bytes. A text counts at each use, because one text can be the value of every key.
  static let mostBytes = 64 << 20

  private struct Object {
    var value: PropertyListValue
    /// The number of values in the object, including itself.
    var size: Int
    /// The size of the texts and data in the object, in bytes.
    var bytes: Int
    /// The number of levels below the object.
    var height: Int
  }

  private let bytes: [UInt8]
  private let depth: Int
  private let offsetSize: Int
  private let referenceSize: Int
  private let count: Int
  private let top: Int
  /// The offset of the offset table, which follows the objects.
  private let table: Int
  /// The objects that were read so far, by index.
  private var read: [Int: Object] = [:]
  /// The objects that contain the object that is being read.
  private var open: Set<Int> = []

  init(_ bytes: [UInt8], depth: Int) throws(SyntaxError) {
    self.bytes = bytes
    self.depth = depth
    guard bytes.starts(with: "bplist0".utf8), bytes.count >= 8 + 1 + 1 + 32 else {
      throw Self.error(
        bytes.starts(with: "bplist0".utf8) ? .truncated : .syntax, 0, "this is not a binary property list")
    }
    let trailer = bytes.count - 32
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = Self.number(bytes[...], trailer + 8, 8), let top = Self.number(bytes[...], trailer + 16, 8),
      let table = Self.number(bytes[...], trailer + 24, 8), count >= 1, count <= bytes.count, top < count, table >= 9,
      table <= trailer, count * offsetSize <= trailer - table
    else { throw Self.error(.truncated, trailer, "the table of objects is outside the file") }
    self.count = count
    self.top = top
    self.table = table
  }

  mutating func root() throws(SyntaxError) -> PropertyListValue { try object(top, level: 0).value }

  private mutating func object(_ index: Int, level: Int) throws(SyntaxError) -> Object {
    guard let offset = Self.number(bytes[...], table + index * offsetSize, offsetSize), (8..<table).contains(offset)
    else {
      throw Self.error(.syntax, table + index * offsetSize, "object \(index) is outside the file")
    }
    let known = read[index]
    // An object that was read near the top can be used again at a deeper level.
    guard level + (known?.height ?? 0) < depth else {
      throw Self.error(.tooDeep, offset, "nested deeper than \(depth) levels")
    }
    if let known { return known }
    guard open.insert(index).inserted else { throw Self.error(.syntax, offset, "object \(index) contains itself") }
    var object = Object(
      value: PropertyListValue(.boolean(false), at: Self.position(offset)), size: 1, bytes: 0, height: 0)
    let content = try content(at: offset, level: level, &object)
    open.remove(index)
    object.value = PropertyListValue(content, at: Self.position(offset))
    read[index] = object
    return object
  }

  /// Reads the content of an object.
  /// - Parameter object: receives the number of values, the size in bytes and the height.
  private mutating func content(at offset: Int, level: Int, _ object: inout Object) throws(SyntaxError)
    -> PropertyListValue.Content
  {
    let kind = bytes[offset] >> 4
    let low = Int(bytes[offset] & 0x0F)
    switch kind {
    case 0x0:
      if bytes[offset] == 0x08 { return .boolean(false) }
      if bytes[offset] == 0x09 { return .boolean(true) }
    case 0x1 where low <= 4: return try integer(at: offset, bytes: 1 << low)
    case 0x2 where low == 2:
      return .real(Double(Float(bitPattern: UInt32(truncatingIfNeeded: try bits(at: offset + 1, 4)))))
    case 0x2 where low == 3: return .real(Double(bitPattern: try bits(at: offset + 1, 8)))
    case 0x3 where low == 3: return .date(Double(bitPattern: try bits(at: offset + 1, 8)))
    case 0x4:
      let range = try run(at: offset, unit: 1)
      object.bytes = range.count
      return .data(Array(bytes[range]))
    case 0x5:
      let range = try run(at: offset, unit: 1)
      object.bytes = range.count
      guard bytes[range].allSatisfy({ $0 < 0x80 }) else {
        throw Self.error(.syntax, offset, "a string marked as ASCII has other characters")
      }
      return .string(String(decoding: bytes[range], as: UTF8.self))
    case 0x6:
      let range = try run(at: offset, unit: 2)
      object.bytes = range.count
      let units = stride(from: range.lowerBound, to: range.upperBound, by: 2).map {
        UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
      }
      guard let text = String(validating: units, as: UTF16.self) else {
        throw Self.error(.syntax, offset, "a string has an unpaired surrogate")
      }
      return .string(text)
    case 0x8:
      guard let number = Self.number(bytes[..<table], offset + 1, low + 1) else { break }
      let place = Self.position(offset)
      return .dictionary([
        PropertyListMember(key: "CF$UID", at: place, value: PropertyListValue(.integer(number), at: place))
      ])
    case 0xA, 0xB, 0xC:
      let range = try run(at: offset, unit: referenceSize)
      var elements: [PropertyListValue] = []
      for place in stride(from: range.lowerBound, to: range.upperBound, by: referenceSize) {
        elements.append(try element(at: place, level: level, &object))
      }
      return .array(elements)
    case 0xD:
      let keys = try run(at: offset, unit: 2 * referenceSize)
      let half = keys.count / 2
      var members: [PropertyListMember] = []
      for place in stride(from: keys.lowerBound, to: keys.lowerBound + half, by: referenceSize) {
        let key = try element(at: place, level: level, &object)
        guard let text = key.string else { throw Self.error(.syntax, place, "a key is not a string") }
        let value = try element(at: place + half, level: level, &object)
        members.append(PropertyListMember(key: text, at: key.position, value: value))
      }
      return .dictionary(members)
    default: break
    }
    throw Self.error(.syntax, offset, "an object has an unknown type")
  }

  /// Reads an element of an array or a dictionary.
  /// - Parameter whole: the object that contains the element.
  private mutating func element(at place: Int, level: Int, _ whole: inout Object) throws(SyntaxError)
    -> PropertyListValue
  {
    guard let reference = Self.number(bytes[...], place, referenceSize), reference < count else {
      throw Self.error(.syntax, place, "an object references a missing object")
    }
    let element = try object(reference, level: level + 1)
    whole.size += element.size
    whole.bytes += element.bytes
    whole.height = max(whole.height, element.height + 1)
    guard whole.size <= Self.mostValues else {
      throw Self.error(.tooLarge, place, "the file has more than \(Self.mostValues) values")
    }
    guard whole.bytes <= Self.mostBytes else {
      throw Self.error(
        .tooLarge, place, "the expanded texts of the file exceed \(Self.mostBytes >> 20) MiB")
    }
    return element.value
  }

  // MARK: Bytes

  private func integer(at offset: Int, bytes length: Int) throws(SyntaxError) -> PropertyListValue.Content {
    guard length <= 8 else {
      // Numbers of at least 2^63 do not fit in eight signed bytes, so they are stored in sixteen bytes.
      let high = try bits(at: offset + 1, 8)
      let low = try bits(at: offset + 9, 8)
      if high == 0, let number = Int(exactly: low) { return .integer(number) }
      return .real(Double(Int64(bitPattern: high)) * 0x1p64 + Double(low))
    }
    let bits = try bits(at: offset + 1, length)
    return .integer(Int(Int64(bitPattern: bits)))
  }

  /// Returns the range of the bytes that follow an object's marker and count.
  private func run(at offset: Int, unit: Int) throws(SyntaxError) -> Range<Int> {
    var start = offset + 1
    var count = Int(bytes[offset] & 0x0F)
    if count == 0x0F {
      guard start < table, bytes[start] >> 4 == 0x1, bytes[start] & 0x0F <= 3,
        let number = Self.number(bytes[..<table], start + 1, 1 << Int(bytes[start] & 0x0F))
      else { throw Self.error(.syntax, offset, "the length of an object is outside the file") }
      start += 1 + 1 << Int(bytes[start] & 0x0F)
      count = number
    }
    guard count <= (table - start) / unit else {
      throw Self.error(.syntax, offset, "an object is longer than the file")
    }
    return start..<start + count * unit
  }

  private func bits(at offset: Int, _ length: Int) throws(SyntaxError) -> UInt64 {
    guard offset + length <= table else { throw Self.error(.syntax, offset, "an object is longer than the file") }
    return bytes[offset..<offset + length].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Returns a big-endian number; `nil` if its range is outside the bytes or the number does not fit in `Int`.
  private static func number(_ bytes: ArraySlice<UInt8>, _ offset: Int, _ length: Int) -> Int? {
    guard offset >= bytes.startIndex, offset <= bytes.endIndex - length else { return nil }
    let bits = bytes[offset..<offset + length].suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return length > 8 ? nil : Int(exactly: bits)
  }

  private static func position(_ offset: Int) -> TextPosition {
    TextPosition(offset: offset, line: 1, column: offset + 1)
  }

  static func error(_ kind: SyntaxFault.Kind, _ offset: Int, _ message: String) -> SyntaxError {
    SyntaxError(SyntaxFault(kind: kind, position: position(offset), message: message))
  }
}
