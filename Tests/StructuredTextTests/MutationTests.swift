import StructuredText
import Testing

@Suite struct MutationTests {
  @Test("a file with bytes changed, removed or doubled is read or refused, without a crash")
  func mutations() {
    let json = Array(#"{"a" : ["x\n\u00e9\ud83d\ude00", 1.5e-3, true, null, {}], "é😀" : {"b" : []}}"#.utf8)
    let xml = Array(
      "<?xml version='1.0' encoding='UTF-8'?><!-- x --><a xmlns:p='u' p:b='&lt;é'>&#233;<p:c/><![CDATA[x]]><?p i?><b>t</b></a>"
        .utf8)
    var random = SeededGenerator(11)
    let pool = Array("{}[]\"\\<>&;/!?-=' \n:,u0x".utf8) + [0, 0x80, 0xC3, 0xE2, 0xF0, 0xFF]
    for _ in 0..<4_000 {
      if let document = try? JSONDocument.parse(Self.mutated(json, pool, &random)) {
        var output: [UInt8] = []
        JSONPrinter(.detected(in: document)).print(document, into: &output) { _, _ in nil }
        _ = document.duplicateKeys()
        #expect(throws: Never.self) { try JSONDocument.parse(output) }
      }
      if let document = try? XMLDocument.parse(Self.mutated(xml, pool, &random)) {
        _ = document.text(of: document.root)
        for attribute in document.attributes(of: document.root) { _ = document.value(of: attribute) }
        for child in document.children(of: document.root) {
          _ = (document.localName(of: child), document.comment(child), document.position(of: child))
        }
      }
    }
  }

  private static func mutated(_ bytes: [UInt8], _ pool: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes[place] = pool[Int.random(in: 0..<pool.count, using: &random)]
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(pool[Int.random(in: 0..<pool.count, using: &random)], at: place)
      default:
        bytes.insert(
          contentsOf: bytes[place..<min(bytes.count, place + 9)], at: Int.random(in: 0...bytes.count, using: &random))
      }
    }
    return bytes
  }
}
