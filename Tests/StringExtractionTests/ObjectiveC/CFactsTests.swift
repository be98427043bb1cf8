import Localization
import Testing

@testable import StringExtraction

@Suite("Facts of C-family files")
struct CFactsTests {
  private static let source = #"""
    #define TABLE @"Birds"
    #import "A.h"
    /* NSLocalizedString(@"Old", nil) */
    - (void)f:(NSString *)s {
    #if DEBUG
      NSLog(@"%@", [s g:NSLocalizedString(@"Wren \"é\" \u2026", @"A bird" @".")]);
    #else
      L(CFSTR("k"), TABLE, nil, x + 1, 'c', 6);
    #endif
      NSLocalizedStringWithDefaultValue(@"wren", TABLE, nil, @"Wren", nil);
      NSLocalizedString(s, @"computed");
    }
    """#

  @Test("hold what is written, whatever localizes")
  func calls() {
    let facts = CFileFacts.compile(Array(Self.source.utf8))
    #expect(
      facts.calls.map(\.name)
        == ["NSLocalizedString", "NSLog", "CFSTR", "L", "NSLocalizedStringWithDefaultValue", "NSLocalizedString"])
    #expect(
      facts.calls.first { $0.name == "L" }?.arguments
        == [.literal("k"), .name("TABLE"), .absent, .expression, .name("'c'")])
    #expect(facts.calls.last?.isCommentedOut == true)
    #expect(facts.constants == [CConstant(name: "TABLE", value: "Birds")])
    #expect(facts.faults.map(\.kind) == [.computedKey])
  }

  @Test("are the same after encoding and decoding")
  func roundTrip() {
    let facts = CFileFacts.compile(Array(Self.source.utf8))
    let bytes = CFactsEncoding.encode(facts)
    #expect(CFactsEncoding.decode(bytes) == facts)
    #expect(CFactsEncoding.decode(CFactsEncoding.encode(.empty)) == .empty)
    for cut in bytes.indices { #expect(CFactsEncoding.decode(Array(bytes[..<cut])) == nil) }
    for index in bytes.indices {
      var changed = bytes
      changed[index] ^= 0xFF
      _ = CFactsEncoding.decode(changed)
    }
  }

  @Test("a changed file never crashes the scanner, and what it says survives encoding")
  func mutations() {
    let original = Array(Self.source.utf8)
    let inserts: [[UInt8]] =
      [
        "\"", "'", "(", ")", "{", "}", ";", ",", "/*", "*/", "\n#if 0\n", "\n#else\n", "\n#endif\n", "\\", "\\\n",
        "@\"",
        "R\"(", "\n#define X(", "\r", "CFSTR(", "NSLocalizedString(@\"k\", ",
      ].map { Array($0.utf8) } + [[0xFF], [0x00], [0xED, 0xA0, 0x80]]
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    func random(_ bound: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(max(1, bound)))
    }
    for _ in 0..<1500 {
      var bytes = original
      for _ in 0...random(4) {
        let at = random(bytes.count + 1)
        switch random(4) {
        case 0: bytes.removeSubrange(at..<min(bytes.count, at + random(20)))
        case 1: bytes.insert(contentsOf: inserts[random(inserts.count)], at: at)
        case 2 where at < bytes.count: bytes[at] = UInt8(random(256))
        default: bytes.insert(contentsOf: bytes[at..<min(bytes.count, at + random(60))], at: random(bytes.count))
        }
      }
      let facts = CFileFacts.compile(bytes)
      #expect(CFactsEncoding.decode(CFactsEncoding.encode(facts)) == facts)
    }
  }
}
