import Localization
import Testing

@Suite("Broken Objective-C")
struct ObjectiveCFaultTests {
  @Test(
    "unread code is reported with its location",
    arguments: [
      (
        "a = NSLocalizedString(@\"A, nil);\nNSLocalizedString(@\"B\", nil);", ["B"],
        "A.m:1:23: warning: this string literal is not closed"
      ),
      (
        "NSLocalizedString(@\"A\", nil); /* NSLocalizedString(@\"B\", nil);", ["A"],
        "A.m:1:31: warning: this comment is not closed"
      ),
      (
        "f(NSLocalizedString(@\"A\", @\"c\";\n}\nNSLocalizedString(@\"B\", nil);", ["A", "B"],
        "A.m:1:3: warning: this call of NSLocalizedString is not closed"
      ),
      (
        "{ NSLocalizedString(@\"A\" } NSLocalizedString(@\"B\", nil);", ["A", "B"],
        "A.m:1:3: warning: this call of NSLocalizedString is not closed"
      ),
      (
        "NSLocalizedString(@\"A\"", ["A"], "A.m:1:1: warning: this call of NSLocalizedString is not closed"
      ),
      (
        "NSLocalizedString(@\"\\xff\", nil); NSLocalizedString(@\"B\", nil)", ["B"],
        "A.m:1:19: warning: this literal is not UTF-8"
      ),
      (
        "NSLocalizedString(@\"a\0b\", nil); NSLocalizedString(@\"B\", nil)", ["B"],
        "A.m:1:19: warning: this literal is not UTF-8 or contains a NUL"
      ),
      (
        "NSLocalizedString(@\"A\", nil);\n<<<<<<< HEAD\nNSLocalizedString(@\"No\", nil);\n=======\n{\n>>>>>>> b\n"
          + "/*\n<<<<<<< HEAD\n*/ NSLocalizedString(@\"B\", nil);", ["A", "B"],
        "A.m:2:1: warning: conflict markers of an unfinished merge, lines 2 to 6; the code around them was read"
      ),
      (
        "NSLocalizedString(@\"A\",\n>>>>>>> b\n nil);", ["A"],
        "A.m:2:1: warning: conflict markers of an unfinished merge, lines 2 to 2"
      ),
      (
        "NSLocalizedString(key, nil); NSLocalizedString(@\"B\", nil)", ["B"],
        "A.m:1:1: note: the first argument of NSLocalizedString"
      ),
      (
        "#define L(k) NSLocalizedString(k, nil)\nNSLocalizedString(@\"B\", nil)", ["B"],
        "A.m:1:14: note: macro L localizes"
      ),
    ])
  func faults(_ source: String, _ keys: [String], _ diagnostic: String) throws {
    let extraction = try ExtractionFixture(["A.m": source]).extract()
    #expect(extraction.strings.map(\.key.text) == keys)
    let told = extraction.diagnostics.map(\.description)
    #expect(told.contains { $0.hasPrefix(diagnostic) }, "\(told)")
    #expect(told.count <= 2, "\(told)")
  }

  @Test("bytes that are not UTF-8 are ignored if the file localizes no text")
  func invalidBytes() throws {
    var bytes = Array("// caf\u{e9}\nNSLog(@\"x\"); NSLocalizedString(@\"A\", nil);".utf8)
    bytes.insert(contentsOf: [0xE9, 0xFF, 0x00], at: 3)
    let extraction = try ExtractionFixture(bytes: ["A.m": bytes]).extract()
    #expect(extraction.strings.map(\.key.text) == ["A"])
    #expect(extraction.diagnostics.isEmpty)
  }

  @Test("UTF-16 in both byte orders, byte order marks, and every kind of line ending are read")
  func encodings() throws {
    let text = "// é\r\nNSLocalizedString(@\"A…😀\", @\"c\");\rNSLocalizedString(@\"B\", nil);"
    let units = Array(text.utf16)
    let little: [UInt8] = [0xFF, 0xFE] + units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    let big: [UInt8] = [0xFE, 0xFF] + units.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    for bytes in [Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8), little, big] {
      let extraction = try ExtractionFixture(bytes: ["A.m": bytes]).extract()
      #expect(extraction.strings.map(\.key.text) == ["A…😀", "B"])
      #expect(extraction.strings.flatMap(\.sites).map { "\($0.line):\($0.column)" } == ["2:19", "3:19"])
    }
    let broken: [UInt8] = little + [0x00, 0xD8]
    let extraction = try ExtractionFixture(bytes: ["A.m": broken]).extract()
    #expect(extraction.strings.isEmpty)
    #expect(extraction.diagnostics.count == 1)
    #expect(extraction.incompleteCatalogs["Localizable.xcstrings"]?.isEmpty == false)
  }

  @Test("deep nesting, long chains and many errors take linear time and little memory")
  func hostile() throws {
    let size = 200_000
    let keyed = "NSLocalizedString(@\"A\", nil);"
    let cases: [(String, [String])] = [
      (keyed + String(repeating: "(", count: size), ["A"]),
      (keyed + String(repeating: "f(@\"x\"", count: size / 6), ["A"]),
      (keyed + String(repeating: "[({", count: size / 3) + String(repeating: "})]", count: size / 3), ["A"]),
      (keyed + String(repeating: ")]}", count: size / 3) + "NSLocalizedString(@\"B\", nil)", ["A", "B"]),
      (keyed + "NSLocalizedString(" + String(repeating: "@\"x\" ", count: size / 5) + ", nil)", ["A", "x"]),
      (keyed + String(repeating: "f(\"\n", count: size / 4), ["A"]),
      (keyed + "\n" + String(repeating: "#if 0\n", count: size / 6), ["A"]),
      (keyed + "\n" + String(repeating: "#define F(\n", count: size / 11), ["A"]),
      (keyed + String(repeating: "R\"a(", count: size / 4), ["A"]),
      (keyed + "\n" + String(repeating: "// \"(\n", count: size / 6) + "/*", ["A"]),
    ]
    for (source, keys) in cases {
      let found = try ExtractionFixture(["A.m": source]).extract().strings.map { String($0.key.text.prefix(1)) }
      #expect(found == keys, "\(source.prefix(60))")
    }
    let told = try ExtractionFixture(["A.m": cases[0].0]).extract().diagnostics.map(\.description)
    #expect(told.contains { $0.contains("brackets are nested more") })
  }
}
