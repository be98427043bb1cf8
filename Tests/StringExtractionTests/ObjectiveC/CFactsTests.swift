import Localization
import Synchronization
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

  @Test("facts contain all calls as written, whichever functions localize their arguments")
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

  @Test("binary literals of other functions do not hide an error")
  func manyFaults() {
    let noise = String(repeating: "memcmp(x, \"\\xff\", 1);\n", count: 300)
    let facts = CFileFacts.compile(Array((noise + "NSLocalizedString(@\"A, nil);").utf8))
    #expect(facts.faults.count == 102)
    #expect(facts.faults.contains { $0.kind == .openLiteral && $0.name == "NSLocalizedString" })
  }

  @Test("facts are the same after encoding and decoding")
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

  @Test("facts are cached by blob and version, and compiled again only if the cached value is damaged")
  func cache() throws {
    let blob = BlobID(rawValue: String(repeating: "a", count: 40))
    var fixture = ExtractionFixture(["A.m": "NSLocalizedString(@\"A\", nil)"])
    fixture.project.targets[0].otherSources = [TreeEntry(path: "A.m", kind: .file, blob: blob)]
    let cache = Kept()
    #expect(try fixture.extract(cache: cache).strings.map(\.key.text) == ["A"])
    fixture.tree = InMemoryTree(texts: [:])
    #expect(try fixture.extract(cache: cache).strings.map(\.key.text) == ["A"])
    cache.held.withLock { held in held = held.mapValues { Array($0.dropLast()) } }
    #expect(try fixture.extract(cache: cache).strings.isEmpty)
  }

  private final class Kept: FactCache {
    let held = Mutex<[String: [UInt8]]>([:])
    func facts(for blobs: [BlobID], version: String) -> [BlobID: [UInt8]] {
      held.withLock { held in
        Dictionary(uniqueKeysWithValues: blobs.compactMap { blob in held[version + blob.rawValue].map { (blob, $0) } })
      }
    }
    func store(_ facts: [BlobID: [UInt8]], version: String) {
      held.withLock { held in for (blob, bytes) in facts { held[version + blob.rawValue] = bytes } }
    }
    func keep(_ bytes: [UInt8], as name: String) {}
  }

  @Test("a changed file never crashes the scanner, and its facts are the same after encoding")
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
