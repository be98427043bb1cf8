import Foundation
import Localization
import TestSupport
import Testing
import ZipArchive

@Suite struct HostileArchiveTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var entries: [HostileZip.Entry]
    var kind: ArchiveError.Kind
    /// The expected parts of the message, including the entry's name.
    var words: [String]
  }

  static let cases: [Case] = [
    Case(
      testDescription: "../", entries: [.init("uk.xcloc/../../etc/passwd")], kind: .unsafeName,
      words: ["uk.xcloc/../../etc/passwd", ".."]),
    Case(
      testDescription: "absolute", entries: [.init("/etc/passwd")], kind: .unsafeName,
      words: ["/etc/passwd", "absolute"]),
    Case(testDescription: "drive", entries: [.init("C:/a")], kind: .unsafeName, words: ["C:/a", "absolute"]),
    Case(
      testDescription: "../ before a combining mark", entries: [.init("../\u{301}x")], kind: .unsafeName, words: [".."]),
    Case(testDescription: "backslash", entries: [.init("..\\..\\a")], kind: .unsafeName, words: ["backslash"]),
    Case(
      testDescription: "NUL", entries: [.init("a.txt\u{0}/../../b")], kind: .unsafeName, words: ["NUL", "a.txt\\u{0}"]),
    Case(testDescription: "line break", entries: [.init("a\nb")], kind: .unsafeName, words: ["control", "a\\u{a}b"]),
    Case(testDescription: "no name", entries: [.init("")], kind: .unsafeName, words: ["no name"]),
    Case(
      testDescription: "duplicate", entries: [.init("a"), .init("b"), .init("a")], kind: .duplicateName,
      words: ["“a”", "twice"]),
    Case(
      testDescription: "duplicate by folding", entries: [.init("a/b"), .init("./a//b")], kind: .duplicateName,
      words: ["a/b"]),
    Case(
      testDescription: "file and folder", entries: [.init("a"), .init("a/b")], kind: .duplicateName,
      words: ["“a”", "a file and a folder"]),
    Case(
      testDescription: "symbolic link", entries: [entry("link") { $0.mode = 0o120777 }], kind: .symbolicLink,
      words: ["link", "symbolic link"]),
    Case(testDescription: "device", entries: [entry("dev") { $0.mode = 0o020666 }], kind: .unsafeName, words: ["dev"]),
    Case(
      testDescription: "encrypted", entries: [entry("secret") { $0.flags |= 1 }], kind: .encrypted,
      words: ["secret", "encrypted"]),
    Case(
      testDescription: "two names", entries: [entry("a") { $0.localName = Array("b".utf8) }], kind: .contradiction,
      words: ["“a”", "its name differs"]),
    Case(
      testDescription: "size too small", entries: [entry("lie") { $0.declaredSize = 2 }], kind: .contradiction,
      words: ["lie"]),
    Case(
      testDescription: "size too large", entries: [entry("lie") { $0.declaredSize = 200 }], kind: .contradiction,
      words: ["lie"]),
    Case(
      testDescription: "not UTF-8", entries: [entry("x") { $0.name = [0xFF, 0xFE] }], kind: .unsafeName,
      words: ["not UTF-8"]),
    Case(
      testDescription: "shared bytes",
      entries: [
        entry("a") { _ in },
        entry("b") {
          $0.sharesPlace = true
          $0.localName = Array("a".utf8)
        },
      ], kind: .contradiction, words: ["“b”"]),
    Case(
      testDescription: "long name", entries: [.init(String(repeating: "abc/", count: 300) + "x")], kind: .tooLarge,
      words: ["longer"]),
    Case(
      testDescription: "long component", entries: [.init(String(repeating: "x", count: 256))], kind: .tooLarge,
      words: ["255"]),
    Case(
      testDescription: "deep", entries: [.init(String(repeating: "d/", count: 40) + "x")], kind: .tooLarge,
      words: ["deeper"]),
    Case(
      testDescription: "many entries", entries: (0..<10_001).map { HostileZip.Entry("f\($0)") }, kind: .tooLarge,
      words: ["10001 entries"]),
    Case(
      testDescription: "declared thousandfold", entries: [entry("bomb") { $0.declaredSize = 400 << 20 }],
      kind: .tooLarge, words: ["bomb", "100 times"]),
  ]

  static func entry(_ name: String, _ change: (inout HostileZip.Entry) -> Void) -> HostileZip.Entry {
    var entry = HostileZip.Entry(name)
    change(&entry)
    return entry
  }

  @Test("a hostile archive is refused, and the message names the entry", arguments: cases)
  func refused(_ hostile: Case) throws {
    let error = try #require(throws: ArchiveError.self) { try ZipArchive.read(HostileZip.bytes(hostile.entries)) }
    #expect(
      error.kind == hostile.kind || (hostile.testDescription.hasPrefix("size") && error.kind == .unreadable), "\(error)"
    )
    for word in hostile.words { #expect("\(error)".contains(word), "\(error)") }
  }

  @Test("a zip that unpacks to a thousand times its size is refused")
  func bomb() throws {
    let folder = try TemporaryFolder()
    _ = try python(
      "import sys,zipfile\nz=zipfile.ZipFile(sys.argv[1],'w',zipfile.ZIP_DEFLATED)\nz.writestr('bomb.xliff',b'\\0'*10_000_000); z.close()",
      [folder.file("a.zip")])
    let error = try #require(throws: ArchiveError.self) { try ZipArchive.read(try folder.read("a.zip")) }
    #expect(error.kind == .tooLarge)
    #expect("\(error)".contains("bomb.xliff"))
  }

  @Test("extraction of a zip bomb that declares a small size stops at the declared size")
  func lyingBomb() throws {
    let folder = try TemporaryFolder()
    _ = try python(
      """
      import sys,zipfile,struct
      z=zipfile.ZipFile(sys.argv[1],'w',zipfile.ZIP_DEFLATED); z.writestr('bomb.xliff',b'\\0'*10_000_000); z.close()
      b=open(sys.argv[1],'rb').read().replace(struct.pack('<I',10_000_000),struct.pack('<I',1000)); open(sys.argv[1],'wb').write(b)
      """, [folder.file("a.zip")])
    let error = try #require(throws: ArchiveError.self) { try ZipArchive.read(try folder.read("a.zip")) }
    #expect("\(error)".contains("bomb.xliff"))
  }

  @Test("many entries are refused if their total size is too large")
  func total() throws {
    let limits = ArchiveLimits(totalBytes: 1_000)
    let entries = (0..<300).map { HostileZip.Entry("f\($0)") }
    let error = try #require(throws: ArchiveError.self) {
      try ZipArchive.read(HostileZip.bytes(entries), limits: limits)
    }
    #expect(error.kind == .tooLarge)
    #expect("\(error)".contains("1000 bytes"))
  }

  @Test("an archive truncated at any byte is refused")
  func cutOff() throws {
    let whole = try ZipArchive.write(
      [("uk.xcloc/contents.json", Array("{ }".utf8)), ("b", [1, 2, 3])],
      modified: Date(timeIntervalSince1970: 1_770_091_506))
    for count in 0..<whole.count {
      #expect(throws: ArchiveError.self) { try ZipArchive.read(Array(whole[..<count])) }
    }
  }

  @Test("an archive with one changed byte is read or refused without a crash")
  func damaged() throws {
    let whole = try ZipArchive.write(
      [("a", Array("some text some text some text".utf8))], modified: Date(timeIntervalSince1970: 1_770_091_506))
    for index in whole.indices {
      for bit in 0..<8 {
        var bytes = whole
        bytes[index] ^= 1 << UInt8(bit)
        _ = try? ZipArchive.read(bytes)
      }
    }
  }

  @Test(
    "a file that is not a zip is reported as such", arguments: [[], [0x50, 0x4B], Array("<xliff/>".utf8)] as [[UInt8]])
  func notAZip(_ bytes: [UInt8]) throws {
    let error = try #require(throws: ArchiveError.self) { try ZipArchive.read(bytes) }
    #expect("\(error)".hasPrefix("the zip is incomplete"))
  }
}
