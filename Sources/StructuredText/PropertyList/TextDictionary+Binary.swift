extension TextDictionary {
  /// The list in Apple's binary form (`bplist00`). Each distinct text is stored once, ASCII as bytes and other texts as UTF-16. All numbers
  /// are big-endian.
  package var binary: [UInt8] { binary(sortingKeys: true) }

  /// Returns the list in binary form, with the keys in code point order if `sortingKeys` is `true`, and otherwise in their current order.
  package func binary(sortingKeys: Bool) -> [UInt8] {
    var writer = BinaryTextWriter(sortsKeys: sortingKeys)
    let root = writer.add(self)
    return writer.finished(root: root)
  }
}

/// A writer of binary property lists. All objects are numbered, and a dictionary references its keys and values by their numbers.
private struct BinaryTextWriter {
  private enum Object {
    case text(String)
    case dictionary(keys: [Int], values: [Int])
  }

  private let sortsKeys: Bool
  private var objects: [Object] = []
  /// The numbers of the texts, by UTF-8 bytes. The keys are not strings, because equal strings can have different code points.
  private var texts: [[UInt8]: Int] = [:]

  init(sortsKeys: Bool) { self.sortsKeys = sortsKeys }

  mutating func add(_ value: TextDictionary) -> Int {
    switch value {
    case .text(let text): return add(text)
    case .dictionary(let members):
      let index = objects.count
      objects.append(.dictionary(keys: [], values: []))
      let members = sortsKeys ? TextDictionary.sorted(members) : members
      let keys = members.map { add($0.key) }
      objects[index] = .dictionary(keys: keys, values: members.map { add($0.value) })
      return index
    }
  }

  private mutating func add(_ text: String) -> Int {
    let bytes = Array(text.utf8)
    if let known = texts[bytes] { return known }
    objects.append(.text(text))
    texts[bytes] = objects.count - 1
    return objects.count - 1
  }

  func finished(root: Int) -> [UInt8] {
    var output = Array("bplist00".utf8)
    let referenceSize = Self.size(objects.count)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(output.count)
      switch object {
      case .text(let text) where text.utf8.allSatisfy({ $0 < 0x80 }):
        Self.appendMarker(0x50, count: text.utf8.count, to: &output)
        output.append(contentsOf: text.utf8)
      case .text(let text):
        Self.appendMarker(0x60, count: text.utf16.count, to: &output)
        for unit in text.utf16 { Self.append(Int(unit), size: 2, to: &output) }
      case .dictionary(let keys, let values):
        Self.appendMarker(0xD0, count: keys.count, to: &output)
        for reference in keys + values { Self.append(reference, size: referenceSize, to: &output) }
      }
    }
    let table = output.count
    let offsetSize = Self.size(table)
    for offset in offsets { Self.append(offset, size: offsetSize, to: &output) }
    output.append(contentsOf: [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)])
    for number in [objects.count, root, table] { Self.append(number, size: 8, to: &output) }
    return output
  }

  /// Returns the number of bytes for numbers up to a maximum: 1, 2, 4 or 8.
  private static func size(_ most: Int) -> Int { most < 1 << 8 ? 1 : most < 1 << 16 ? 2 : most < 1 << 32 ? 4 : 8 }

  private static func append(_ number: Int, size: Int, to output: inout [UInt8]) {
    for byte in (0..<size).reversed() { output.append(UInt8(truncatingIfNeeded: number >> (8 * byte))) }
  }

  /// Appends an object's kind and count, in one byte for counts up to 14.
  private static func appendMarker(_ kind: UInt8, count: Int, to output: inout [UInt8]) {
    guard count >= 15 else {
      output.append(kind | UInt8(count))
      return
    }
    let size = size(count)
    output.append(kind | 0x0F)
    output.append(0x10 | UInt8(size.trailingZeroBitCount))
    append(count, size: size, to: &output)
  }
}
