import StructuredText
import Testing

@Suite("Objects that a binary property list uses many times")
struct SharedObjectTests {
  /// Returns a binary property list with one dictionary, in which all keys have the same text object as their value.
  private func list(keys: Int, text length: Int) -> [UInt8] {
    func word(_ number: Int) -> [UInt8] { (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
    var objects: [[UInt8]] = [
      [0xDF, 0x12] + word(keys) + (0..<keys).flatMap { word($0 + 1) } + (0..<keys).flatMap { _ in word(keys + 1) }
    ]
    for key in 0..<keys { objects.append([0x5F, 0x12] + word(8) + Array(String(key + 10_000_000).utf8)) }
    objects.append([0x5F, 0x12] + word(length) + Array(repeating: UInt8(ascii: "x"), count: length))
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets += word(bytes.count)
      bytes += object
    }
    let table = bytes.count
    return bytes + offsets + [0, 0, 0, 0, 0, 0, 4, 4] + word(0) + word(objects.count) + word(0) + word(0) + word(0)
      + word(table)
  }

  @Test("a text shared by many keys is refused with its location if the result would be huge")
  func vast() throws {
    let error = #expect(throws: SyntaxError.self) { try PropertyListValue.binary(list(keys: 2_000, text: 100_000)) }
    #expect(error?.faults.first?.kind == .tooLarge)
    #expect(error?.faults.first?.message.contains("MiB") == true)
  }

  @Test("a text shared by many keys is read if the result stays small")
  func small() throws {
    let value = try PropertyListValue.binary(list(keys: 2_000, text: 1_000))
    guard case .dictionary(let members) = value.content else {
      Issue.record("no dictionary")
      return
    }
    #expect(members.count == 2_000)
    #expect(members.allSatisfy { $0.value.string?.utf8.count == 1_000 })
  }
}
