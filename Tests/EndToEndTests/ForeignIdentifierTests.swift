import Foundation
import TestSupport
import Testing

/// `import` of units with ids that an export never writes.
struct ForeignIdentifierTests {
  @Test("a unit of a .stringsdict is reported with its id in the bundle")
  func rules() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>%d files</key><dict>
      <key>NSStringLocalizedFormatKey</key><string>%#@files@</string>
      <key>files</key><dict><key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string>
      <key>NSStringFormatValueTypeKey</key><string>d</string><key>other</key><string>%d files</string></dict>
      </dict></dict></plist>
      """, to: "App/en.lproj/Counts.stringsdict")
    let id = "/%d files:dict/files:dict/other:string"
    try folder.write(
      """
      <xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2">
        <file original="App/en.lproj/Counts.stringsdict" source-language="en" target-language="de" datatype="plaintext">
          <body><trans-unit id="\(id)"><source>%d files</source><target>%d Dateien</target></trans-unit></body>
        </file>
      </xliff>
      """, to: "de.xliff")
    let text = try dragoman(["import", "de.xliff", "--dry-run"], in: folder.path)
    #expect(text.status == 1 && text.output.contains("held: \"\(id)\":"), "\(text)")
    let json = try dragoman(["import", "de.xliff", "--dry-run", "--format", "json"], in: folder.path)
    let report = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    #expect((report["units"] as? [[String: Any]])?.map { $0["id"] as? String } == [id], "\(json)")
  }
}
