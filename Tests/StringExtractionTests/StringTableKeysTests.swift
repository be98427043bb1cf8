import Localization
import Testing

@Suite("Keys of .strings tables")
struct StringTableKeysTests {
  @Test("decide an ambiguous specifier, in every encoding of the table")
  func oracle() throws {
    let table = "/* c */\n\"Total: %lld\" = \"Total: %lld\";\n"
    let utf16: [UInt8] =
      [0xFF, 0xFE] + table.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] as [UInt8] }
    for (bytes, key) in [
      (Array(table.utf8), "Total: %lld"), (utf16, "Total: %lld"), (Array("{ broken".utf8), "Total: %@"),
    ] {
      var fixture = ExtractionFixture(bytes: [
        "A.swift": Array(#"let a = String(localized: "Total: \(thing.count)")"#.utf8),
        "en.lproj/Localizable.strings": bytes,
      ])
      fixture.project.targets[0].catalogs = ["Localizable": "en.lproj/Localizable.strings"]
      fixture.project.catalogs = []
      let strings = try fixture.extract().strings
      #expect(strings.map(\.key.text) == [key])
      #expect(strings.map(\.catalog) == ["en.lproj/Localizable.strings"])
    }
  }
}
