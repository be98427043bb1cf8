import CatalogFormats
import Localization
import Testing

@Suite("Audit of delivered files")
struct CatalogAuditTests {
  private static let german = [TranslationID(key: "a", language: "de")] as Set

  private static func files(_ path: TreePath, _ bytes: [TreePath: String]) -> CatalogFiles {
    CatalogFiles(
      path: path, sourceLanguage: "en",
      localizations: path.ending == "xcstrings"
        ? [:]
        : ["de": TreePath(trusted: "App/de.lproj/\(path.name)"), "fr": TreePath(trusted: "App/fr.lproj/\(path.name)")],
      bytes: bytes.mapValues { Array($0.utf8) })
  }

  private static func catalog(_ de: String, _ comment: String = "c") -> String {
    """
    {
      "sourceLanguage" : "en",
      "strings" : {
        "a" : {
          "comment" : "\(comment)",
          "localizations" : {
            "de" : {
              "stringUnit" : {
                "state" : "translated",
                "value" : "\(de)"
              }
            }
          }
        }
      },
      "version" : "1.0"
    }
    """
  }

  private static func rules(_ a: String, _ b: String = "B") -> String {
    "<plist version=\"1.0\">\n<dict>\n\t<key>a</key>\n\t<string>\(a)</string>\n\t<key>b</key>\n\t<string>\(b)</string>\n</dict>\n</plist>\n"
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var path: TreePath
    var old: [TreePath: String]
    var new: [TreePath: String]
    /// A part of the finding's description; `nil` if no finding is expected.
    var finding: String?
    var testDescription: String { name }
  }

  private static let table: TreePath = "App/en.lproj/L.strings"
  private static let dictionary: TreePath = "App/en.lproj/L.stringsdict"
  private static let board: TreePath = "App/Base.lproj/Main.storyboard"

  static let cases = [
    Case(
      name: "a returned translation in a catalog", path: "L.xcstrings", old: ["L.xcstrings": catalog("x")],
      new: ["L.xcstrings": catalog("y")], finding: nil),
    Case(
      name: "a changed comment in a catalog", path: "L.xcstrings", old: ["L.xcstrings": catalog("x")],
      new: ["L.xcstrings": catalog("y", "d")], finding: "L.xcstrings"),
    Case(
      name: "a returned translation in a table", path: table, old: ["App/de.lproj/L.strings": "\"a\" = \"x\";\n"],
      new: ["App/de.lproj/L.strings": "\"a\" = \"y\";\n"], finding: nil),
    Case(
      name: "a new file with a returned translation", path: table, old: [:],
      new: ["App/de.lproj/L.strings": "\"a\" = \"y\";\n"],
      finding: nil),
    Case(
      name: "another key of a table", path: table, old: ["App/de.lproj/L.strings": "\"a\" = \"x\";\n\"b\" = \"x\";\n"],
      new: ["App/de.lproj/L.strings": "\"a\" = \"x\";\n\"b\" = \"y\";\n"], finding: "the key \"b\" changed"),
    Case(
      name: "the same key in another language", path: table, old: ["App/fr.lproj/L.strings": "\"a\" = \"x\";\n"],
      new: ["App/fr.lproj/L.strings": "\"a\" = \"y\";\n"], finding: "the key \"a\" changed"),
    Case(
      name: "the file of the source language", path: table, old: [table: "\"a\" = \"x\";\n"],
      new: [table: "\"a\" = \"y\";\n"],
      finding: "this file changed"),
    Case(
      name: "a file that does not belong to the table", path: table, old: [:],
      new: ["App/it.lproj/L.strings": "\"a\" = \"y\";"],
      finding: "this file changed"),
    Case(
      name: "a returned plural rule", path: dictionary, old: ["App/de.lproj/L.stringsdict": rules("x")],
      new: ["App/de.lproj/L.stringsdict": rules("y")], finding: nil),
    Case(
      name: "a plural rule that was not returned", path: dictionary, old: ["App/de.lproj/L.stringsdict": rules("x")],
      new: ["App/de.lproj/L.stringsdict": rules("x", "y")], finding: "the key \"b\" changed"),
    Case(
      name: "an interface file", path: board, old: [board: "x"], new: [board: "y"], finding: "this file changed"),
    Case(
      name: "a file that cannot be read", path: table, old: ["App/de.lproj/L.strings": "\"a\" = "],
      new: ["App/de.lproj/L.strings": "\"a\" = \"y\";\n"], finding: "App/de.lproj/L.strings"),
    Case(
      name: "a returned new key, and an empty line that moved", path: table,
      old: ["App/de.lproj/L.strings": "\"b\" = \"x\";\n\n/* end */\n"],
      new: ["App/de.lproj/L.strings": "\"b\" = \"x\";\n\"a\" = \"y\";\n\n/* end */\n"], finding: nil),
    Case(
      name: "a returned new key, and other white space", path: table,
      old: ["App/de.lproj/L.strings": "\"b\"  =  \"x\";\n"],
      new: ["App/de.lproj/L.strings": "\"b\" = \"x\";\n\"a\" = \"y\";\n"], finding: "differ, first at 1:7"),
    Case(
      name: "a returned value, and other white space", path: table,
      old: ["App/de.lproj/L.strings": "\"a\" = \"x\";\n\"b\"  = \"x\";\n"],
      new: ["App/de.lproj/L.strings": "\"a\" = \"y\";\n\"b\" = \"x\";\n"], finding: "differ, first at"),
    Case(
      name: "a returned new key, and a removed comment", path: table,
      old: ["App/de.lproj/L.strings": "\"b\" = \"x\";\n\n/* end */\n"],
      new: ["App/de.lproj/L.strings": "\"b\" = \"x\";\n\"a\" = \"y\";\n"], finding: "differ, first at"),
    Case(
      name: "a removed file", path: table,
      old: [table: "x", "App/de.lproj/L.strings": "\"b\" = \"x\";\n"], new: [table: "x"],
      finding: "this file was removed"),
    Case(name: "no change", path: table, old: [table: "x"], new: [table: "x"], finding: nil),
  ]

  @Test(
    "the audit of each format allows only changes of returned units in the returned language", arguments: cases
  )
  func dispatch(_ example: Case) {
    let findings = CatalogAudit().unexplainedChanges(
      of: Self.files(example.path, example.old), to: Self.files(example.path, example.new), translations: Self.german)
    guard let finding = example.finding else {
      #expect(findings.isEmpty, "\(findings)")
      return
    }
    #expect(findings.contains { $0.description.contains(finding) && $0.severity == .error }, "\(findings)")
  }
}
