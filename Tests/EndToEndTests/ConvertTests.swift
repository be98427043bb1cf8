import Foundation
import Localization
import TestSupport
import Testing

/// `dragoman convert` for a package in a folder.
@Suite("Converting tables to a String Catalog")
struct ConvertTests {
  private static let width = """
    \t<key>w</key>
    \t<dict>
    \t\t<key>NSStringVariableWidthRuleType</key>
    \t\t<dict>
    \t\t\t<key>20</key>
    \t\t\t<string>x</string>
    \t\t</dict>
    \t</dict>

    """
  private static let birds = """
    \t<key>birds</key>
    \t<dict>
    \t\t<key>NSStringLocalizedFormatKey</key>
    \t\t<string>%#@n@</string>
    \t\t<key>n</key>
    \t\t<dict>
    \t\t\t<key>NSStringFormatSpecTypeKey</key>
    \t\t\t<string>NSStringPluralRuleType</string>
    \t\t\t<key>other</key>
    \t\t\t<string>%ld birds</string>
    \t\t</dict>
    \t</dict>

    """

  private static func list(_ entries: String) -> String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\n<dict>\n\(entries)</dict>\n</plist>\n"
  }

  private func project() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(name: "Kit", defaultLocalization: "en", targets: [.target(name: "Kit")])
      """, to: "Package.swift")
    try folder.write(
      "import Foundation\nlet hello = String(localized: \"Hello\", bundle: .module)\n", to: "Sources/Kit/Kit.swift")
    try folder.write(
      "/* Localizable.strings */\n\n/* greets */\n\"Hello\" = \"Hello\";\n\n\"old\" = \"Old\";\n",
      to: "Sources/Kit/en.lproj/Localizable.strings")
    try folder.write("\"Hello\" = \"Hallo\";\n\"nur\" = \"Nur\";\n", to: "Sources/Kit/de.lproj/Localizable.strings")
    try folder.write(Self.list(Self.birds + Self.width), to: "Sources/Kit/en.lproj/Localizable.stringsdict")
    try folder.write("\"a\" = \"A\";\n", to: "Sources/Kit/en.lproj/Other.strings")
    return folder
  }

  private func convert(_ arguments: [String], in folder: TemporaryFolder) throws -> String {
    try run(dragomanPath(), ["convert", "."] + arguments, in: folder.path)
  }

  @Test("convert combines all languages; texts that a catalog cannot express stay in their file")
  func converts() throws {
    let folder = try project()
    let told = try convert(["--table", "Localizable"], in: folder)
    #expect(
      told.split(separator: "\n").sorted() == [
        "removed Sources/Kit/de.lproj/Localizable.strings", "removed Sources/Kit/en.lproj/Localizable.strings",
        "wrote Sources/Kit/Localizable.xcstrings", "wrote Sources/Kit/en.lproj/Localizable.stringsdict",
      ])
    #expect(try folder.read("Sources/Kit/en.lproj/Localizable.stringsdict") == Array(Self.list(Self.width).utf8))
    #expect(try folder.read("Sources/Kit/en.lproj/Other.strings") == Array("\"a\" = \"A\";\n".utf8))
    let catalog = String(decoding: try folder.read("Sources/Kit/Localizable.xcstrings"), as: UTF8.self)
    #expect(
      catalog.contains(
        """
            "Hello" : {
              "comment" : "greets",
              "localizations" : {
                "de" : {
        """))
    for text in ["\"nur\" : {", "\"old\" : {", "\"value\" : \"%ld birds\"", "\"extractionState\" : \"manual\""] {
      #expect(catalog.contains(text))
    }
    // A second run finds no table to convert, and a file that was added again does not replace the catalog.
    #expect(try convert(["--table", "Localizable"], in: folder) == "")
    try folder.write("\"x\" = \"X\";\n", to: "Sources/Kit/en.lproj/Localizable.strings")
    #expect(throws: TestSupport.CommandFailure.self) { try convert(["--table", "Localizable"], in: folder) }
  }

  @Test("--dry-run changes no file, and a missing table is reported")
  func refuses() throws {
    let folder = try project()
    #expect(try convert(["--dry-run"], in: folder).contains("would write Sources/Kit/Other.xcstrings"))
    #expect(!FileManager.default.fileExists(atPath: folder.file("Sources/Kit/Other.xcstrings")))
    let failure = #expect(throws: TestSupport.CommandFailure.self) { try convert(["--table", "None"], in: folder) }
    #expect(failure?.description.contains("exit 66") == true)
    #expect(failure?.description.contains("None") == true)
  }

  /// Returns a project file with one target that has the table's variant group. `other` is the table name of the second file in that group.
  private static func xcode(other: String) -> String {
    """
    // !$*UTF8*$!
    { archiveVersion = 1; objectVersion = 56; rootObject = R; objects = {
      R = { isa = PBXProject; mainGroup = M; targets = (T); developmentRegion = en; knownRegions = (en, Base); };
      M = { isa = PBXGroup; children = (V); sourceTree = "<group>"; };
      V = { isa = PBXVariantGroup; children = (E, O); name = Localizable.strings; sourceTree = "<group>"; };
      E = { isa = PBXFileReference; name = en; path = en.lproj/Localizable.strings; sourceTree = "<group>"; };
      O = { isa = PBXFileReference; name = fr; path = fr.lproj/\(other).strings; sourceTree = "<group>"; };
      T = { isa = PBXNativeTarget; name = App; buildPhases = (P); productType = "com.apple.product-type.application"; };
      P = { isa = PBXResourcesBuildPhase; files = (B); };
      B = { isa = PBXBuildFile; fileRef = V; };
    }; }

    """
  }

  @Test(
    "convert replaces the table with the catalog in a project file; if it cannot, it keeps the table and exits with 65"
  )
  func projects() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.xcode(other: "Localizable"), to: "App.xcodeproj/project.pbxproj")
    try folder.write("\"a\" = \"A\";\n", to: "en.lproj/Localizable.strings")
    #expect(try convert([], in: folder).contains("wrote App.xcodeproj/project.pbxproj"))
    let project = String(decoding: try folder.read("App.xcodeproj/project.pbxproj"), as: UTF8.self)
    #expect(project.contains("path = Localizable.xcstrings;"))
    #expect(!project.contains("lproj"))

    let other = try TemporaryFolder()
    let text = Self.xcode(other: "Other")
    try other.write(text, to: "App.xcodeproj/project.pbxproj")
    try other.write("\"a\" = \"A\";\n", to: "en.lproj/Localizable.strings")
    let failure = #expect(throws: TestSupport.CommandFailure.self) { try convert([], in: other) }
    #expect(failure?.description.contains("exit 65") == true)
    #expect(try other.read("App.xcodeproj/project.pbxproj") == Array(text.utf8))
    #expect(try other.read("en.lproj/Localizable.strings") == Array("\"a\" = \"A\";\n".utf8))
    #expect(!FileManager.default.fileExists(atPath: other.file("Localizable.xcstrings")))
  }

  @Test(
    "files that a merge brought back in other languages are removed if the catalog has their texts; others are named",
    arguments: [false, true])
  func leftovers(hasRules: Bool) throws {
    let folder = try project()
    let (name, catalog) = ("Sources/Kit/de.lproj/Localizable.strings", "Sources/Kit/Localizable.xcstrings")
    if !hasRules {
      try FileManager.default.removeItem(atPath: folder.file("Sources/Kit/en.lproj/Localizable.stringsdict"))
    }
    let german = try folder.read(name)
    _ = try convert([], in: folder)
    let converted = try folder.read(catalog)
    try folder.write("\"Hello\" = \"Moin\";\n\"nur\" = \"Nur\";\n\"weg\" = \"Weg\";\n", to: name)
    let end = try dragoman(["convert"], in: folder.path)
    #expect(end.status == 65 && end.output == "", "\(end)")
    for words in ["a different text in 'de' for the key \"Hello\"", "without the key \"weg\"", "`dragoman convert`"] {
      #expect(end.errors.contains(words), "\(end.errors)")
    }
    #expect(!end.errors.contains("\"nur\""))
    #expect(FileManager.default.fileExists(atPath: folder.file(name)))
    for bytes in [german, Array("\n".utf8)] {
      try folder.write(bytes, to: name)
      #expect(try convert([], in: folder).split(separator: "\n") == ["removed \(name)"])
      #expect(try folder.read(catalog) == converted)
    }
    #expect(try convert([], in: folder) == "")
  }

  @Test(
    "an interrupted conversion continues: files whose texts are in the catalog are removed, and the catalog is unchanged"
  )
  func continues() throws {
    let folder = try project()
    let table = ["--table", "Localizable"]
    let names = ["en", "de"].map { "Sources/Kit/\($0).lproj/Localizable.strings" }
    let files = try names.map { try folder.read($0) }
    _ = try convert(table, in: folder)
    let catalog = try folder.read("Sources/Kit/Localizable.xcstrings")
    for (name, bytes) in zip(names, files) { try folder.write(bytes, to: name) }
    #expect(
      try convert(table, in: folder).split(separator: "\n").sorted() == names.map { "removed \($0)" }.sorted())
    #expect(try folder.read("Sources/Kit/Localizable.xcstrings") == catalog)
    #expect(!FileManager.default.fileExists(atPath: folder.file(names[1])))

    // The text in the file differs from that in the catalog, so the conversion fails and the file is kept.
    try folder.write(files[0], to: names[0])
    try folder.write("\"Hello\" = \"Moin\";\n", to: names[1])
    let failure = #expect(throws: TestSupport.CommandFailure.self) { try convert(table, in: folder) }
    #expect(
      failure?.description.contains("a different text in 'de' for the key \"Hello\"") == true, "\(failure as Any)")
    #expect(failure?.description.contains("exit 65") == true)
    #expect(try folder.read("Sources/Kit/Localizable.xcstrings") == catalog)
    #expect(FileManager.default.fileExists(atPath: folder.file(names[0])))
  }
}
