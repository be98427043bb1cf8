import Foundation
import Localization
import TestSupport
import Testing

/// Runs of `dragoman export` on small projects: the exported texts, ids and paths, the warnings, and the import of exported texts.
@Suite("The command export")
struct ExportTests {
  private static let project = """
    // !$*UTF8*$!
    { archiveVersion = 1; objectVersion = 56; rootObject = ROOT; objects = {
      ROOT = { isa = PBXProject; buildConfigurationList = LIST; mainGroup = MAIN; targets = (APP); developmentRegion = en;
        knownRegions = (en, Base, de); };
      LIST = { isa = XCConfigurationList; buildConfigurations = (DEBUG); };
      DEBUG = { isa = XCBuildConfiguration; name = Debug; buildSettings = { SDKROOT = iphoneos; }; };
      MAIN = { isa = PBXGroup; children = (SWIFT, TABLE); sourceTree = "<group>"; };
      SWIFT = { isa = PBXFileReference; lastKnownFileType = sourcecode.swift; path = App/App.swift; sourceTree = "<group>"; };
      TABLE = { isa = PBXVariantGroup; name = Localizable.strings; path = App; children = (GERMAN); sourceTree = "<group>"; };
      GERMAN = { isa = PBXFileReference; name = de; path = de.lproj/Localizable.strings; sourceTree = "<group>"; };
      INSWIFT = { isa = PBXBuildFile; fileRef = SWIFT; };
      INTABLE = { isa = PBXBuildFile; fileRef = TABLE; };
      APP = { isa = PBXNativeTarget; name = App; productType = "com.apple.product-type.application"; buildConfigurationList = LIST;
        buildPhases = (SOURCES, RESOURCES); dependencies = (); };
      SOURCES = { isa = PBXSourcesBuildPhase; files = (INSWIFT); };
      RESOURCES = { isa = PBXResourcesBuildPhase; files = (INTABLE); };
    }; }
    """

  private func export(_ folder: TemporaryFolder, _ arguments: String...) throws -> (text: String, errors: String) {
    let end = try dragoman(
      ["export", folder.path, "--language", "de", "--xcode", "15.4/1", "--output", folder.file("out")] + arguments,
      in: folder.path)
    #expect(end.status == 0, "\(end.errors)")
    return (
      String(decoding: try folder.read("out/de.xcloc/Localized Contents/de.xliff"), as: UTF8.self), end.errors
    )
  }

  @Test(
    "a table that exists only in other languages is exported with its texts in these languages (Photo-Club-Hub, Xcode 15.4)"
  )
  func translatedOnly() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.project, to: "App.xcodeproj/project.pbxproj")
    try folder.write(
      "import Foundation\nlet hello = NSLocalizedString(\"Hello\", comment: \"A\")\n", to: "App/App.swift")
    try folder.write("\"Hello\" = \"Hallo\";\n\"Gone\" = \"Weg\";\n", to: "App/de.lproj/Localizable.strings")
    let text = try export(folder).text
    #expect(text.contains("<file original=\"App/en.lproj/Localizable.strings\""))
    #expect(text.contains("<source>Hello</source>\n        <target>Hallo</target>\n        <note>A</note>"))
    #expect(!text.contains("Gone"))
  }

  @Test("a language is exported with the project's spelling, and an invalid language is refused")
  func spelling() throws {
    let folder = try GateTests().project()
    func export(_ languages: String...) throws -> (status: Int32, names: [String], errors: String) {
      let output = folder.file("out-" + languages.joined(separator: "-"))
      let end = try dragoman(
        ["export", "--output", output] + languages.flatMap { ["--language", $0] }, in: folder.path)
      return (end.status, (try? FileManager.default.contentsOfDirectory(atPath: output).sorted()) ?? [], end.errors)
    }
    #expect(try export("DE", "de").names == ["de.xcloc"])
    #expect(try export("uk", "pt-BR").names == ["pt-BR.xcloc", "uk.xcloc"])
    for (language, words) in [("German", "no language German"), ("pt-br", "did you mean pt-BR?")] {
      let end = try export(language)
      #expect(end.status == 64 && end.names == [] && end.errors.contains(words), "\(end)")
    }
  }

  @Test("keys that differ only in their Unicode normalization get different ids")
  func unicodeForms() throws {
    let strings = #""e\u0301":{"extractionState":"manual"},"\u00e9":{"extractionState":"manual"}"#
    let folder = try GateTests().project([
      "Sources/Kit/Resources/T.xcstrings": #"{"sourceLanguage":"en","strings":{\#(strings)},"version":"1.0"}"#
    ])
    let end = try dragoman(
      ["export", "--language", "de", "--table", "T", "--output", folder.file("out")], in: folder.path)
    #expect(end.status == 0 && !end.errors.contains("several units"), "\(end.errors)")
  }

  @Test("paths are relative to the project's folder, and --xcode-project selects one of several projects")
  func subfolder() throws {
    let folder = try TemporaryFolder()
    for name in ["ios", "mac"] {
      try folder.write(Self.project, to: "\(name)/App.xcodeproj/project.pbxproj")
      try folder.write(
        "import Foundation\nlet a = NSLocalizedString(\"\(name)\", comment: \"A\")\n", to: "\(name)/App/App.swift")
      try folder.write("\"\(name)\" = \"x\";\n", to: "\(name)/App/de.lproj/Localizable.strings")
    }
    let both = try export(folder)
    #expect(both.text.contains("original=\"ios/App/en.lproj/Localizable.strings\""))
    #expect(both.text.contains("original=\"mac/App/en.lproj/Localizable.strings\""))
    #expect(both.errors.contains("--xcode-project"))
    let one = try export(folder, "--xcode-project", "mac/App.xcodeproj")
    #expect(one.text.contains("original=\"App/en.lproj/Localizable.strings\""))
    #expect(!one.text.contains("ios"))
    let absent = try dragoman(
      ["export", folder.path, "--xcode-project", "x.xcodeproj", "--output", folder.file("o")], in: folder.path)
    #expect(absent.status == 66 && absent.errors.contains("x.xcodeproj"))
  }

  @Test("an export over an older bundle equals a first export, and files that are not part of the bundle stay")
  func older() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.project, to: "App.xcodeproj/project.pbxproj")
    try folder.write("import Foundation\nlet a = NSLocalizedString(\"Hello\", comment: \"A\")\n", to: "App/App.swift")
    try folder.write("\"Hello\" = \"Hallo\";\n", to: "App/de.lproj/Localizable.strings")
    try folder.write(Self.kit, to: "Kit/Package.swift")
    try folder.write("let a = 1\n", to: "Kit/Sources/Kit/Kit.swift")
    let table = "Kit/Sources/Kit/Resources/en.lproj/Kit.strings"
    try folder.write("\"Bye\" = \"Bye\";\n", to: table)
    _ = try export(folder)
    let exported = "out/de.xcloc/Source Contents/\(table)"
    #expect(FileManager.default.fileExists(atPath: folder.file(exported)))
    let others = [
      "de.xcloc/read me.txt", "de.xcloc/Source Contents/.hidden", "de.xcloc/Notes/By hand.txt",
      "uk.xcloc/Source Contents/A.strings", "read me.txt",
    ]
    for path in others { try folder.write("kept", to: "out/" + path) }
    try FileManager.default.removeItem(atPath: folder.file(table))
    _ = try export(folder)
    #expect(!FileManager.default.fileExists(atPath: folder.file(exported)))
    for path in others { #expect(try folder.read("out/" + path) == Array("kept".utf8)) }
    for path in others { try FileManager.default.removeItem(atPath: folder.file("out/" + path)) }
    for name in ["out/de.xcloc/Notes", "out/uk.xcloc"] { try FileManager.default.removeItem(atPath: folder.file(name)) }
    try FileManager.default.moveItem(atPath: folder.file("out"), toPath: folder.file("again"))
    _ = try export(folder)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.file("out")).sorted()
    #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.file("again")).sorted() == paths)
    for path in paths where path.contains(".xliff") || path.hasSuffix(".strings") || path.hasSuffix(".json") {
      #expect(try folder.read("again/" + path) == folder.read("out/" + path), "\(path)")
    }
  }

  @Test("an export that cannot read a file of the project removes nothing from an older bundle")
  func incomplete() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.project, to: "App.xcodeproj/project.pbxproj")
    try folder.write("import Foundation\nlet a = NSLocalizedString(\"Hello\", comment: \"A\")\n", to: "App/App.swift")
    try folder.write("\"Hello\" = \"Hallo\";\n", to: "App/de.lproj/Localizable.strings")
    let set = "App/Assets.xcassets/2.imageset"
    try folder.write(
      #"{ "images" : [ { "filename" : "2.png", "idiom" : "universal" } ], "properties" : { "localizable" : true } }"#,
      to: "\(set)/Contents.json")
    try folder.write("image", to: "\(set)/2.png")
    _ = try export(folder)
    let exported = "out/de.xcloc/Source Contents/\(set)/2.png"
    #expect(FileManager.default.fileExists(atPath: folder.file(exported)))
    try FileManager.default.removeItem(atPath: folder.file("\(set)/2.png"))
    try FileManager.default.createSymbolicLink(atPath: folder.file("\(set)/2.png"), withDestinationPath: "none")
    _ = try export(folder)
    #expect(FileManager.default.fileExists(atPath: folder.file(exported)))
    try FileManager.default.removeItem(atPath: folder.file(set))
    _ = try export(folder)
    #expect(!FileManager.default.fileExists(atPath: folder.file(exported)))
  }

  private static let kit = """
    // swift-tools-version: 5.9
    import PackageDescription
    let package = Package(name: "Kit", defaultLocalization: "en", targets: [.target(name: "Kit")])
    """

  @Test("a resource bundle has no InfoPlist.strings for the Info.plist that Xcode generates")
  func resourceBundle() throws {
    let folder = try TemporaryFolder()
    let settings = "SDKROOT = iphoneos; GENERATE_INFOPLIST_FILE = YES; PRODUCT_NAME = App;"
    let application = Self.project.replacing("SDKROOT = iphoneos;", with: settings)
    try folder.write("import Foundation\nlet a = NSLocalizedString(\"Hello\", comment: \"A\")\n", to: "App/App.swift")
    try folder.write("\"Hello\" = \"Hallo\";\n", to: "App/de.lproj/Localizable.strings")
    try folder.write(application, to: "App.xcodeproj/project.pbxproj")
    #expect(try export(folder).text.contains("InfoPlist.strings"))
    let bundle = application.replacing("product-type.application", with: "product-type.bundle")
      .replacing("files = (INSWIFT)", with: "files = ()")
    try folder.write(bundle, to: "App.xcodeproj/project.pbxproj")
    try FileManager.default.removeItem(atPath: folder.file("out"))
    #expect(try !export(folder).text.contains("InfoPlist.strings"))
  }

  @Test("imported translations of keys that are only in code are added only to the file of that language")
  func keysOfCode() throws {
    let folder = try TemporaryFolder()
    let english = "/* Known */\n\"Known\" = \"Known\";\n"
    try folder.write(
      Self.project.replacing(
        "children = (GERMAN);", with: "children = (GERMAN, ENGLISH);"
      ).replacing(
        "GERMAN = {",
        with: """
          ENGLISH = { isa = PBXFileReference; name = en; path = en.lproj/Localizable.strings; sourceTree = "<group>"; };
                GERMAN = {
          """), to: "App.xcodeproj/project.pbxproj")
    try folder.write(english, to: "App/en.lproj/Localizable.strings")
    try folder.write("\"Known\" = \"Bekannt\";\n", to: "App/de.lproj/Localizable.strings")
    try folder.write(
      """
      import Foundation
      let a = NSLocalizedString("Hello", comment: "A") + NSLocalizedString("Known", comment: "")
        + NSLocalizedString("Later", comment: "")
      """, to: "App/App.swift")
    let text = try export(folder).text
    let gone = "<trans-unit id=\"Gone\"><source>Gone</source><target>Weg</target></trans-unit></body>"
    try folder.write(
      text.replacing("<source>Hello</source>", with: "<source>Hello</source><target>Hallo</target>")
        .replacing("</body>", with: gone), to: "de.xliff")
    let end = try dragoman(["import", "de.xliff"], in: folder.path)
    #expect(end.status == 1 && end.errors.contains("1 taken, 1 unchanged, 1 without a translation"), "\(end.errors)")
    #expect(end.output.contains("\"Gone\": the catalog does not have this key [unknownKey]"), "\(end.output)")
    #expect(try String(decoding: folder.read("App/en.lproj/Localizable.strings"), as: UTF8.self) == english)
    let german = String(decoding: try folder.read("App/de.lproj/Localizable.strings"), as: UTF8.self)
    #expect(german.contains("/* A */\n\"Hello\" = \"Hallo\";") && german.contains("Bekannt"), "\(german)")
    #expect(!german.contains("Later"))
  }

  @Test("a catalog in a merge ends an export with 65: other catalogs are exported, and no bundle becomes empty")
  func merging() throws {
    let folder = try GateTests().project()
    let (bundle, text) = ("out/de.xcloc", "out/de.xcloc/Localized Contents/de.xliff")
    func export(_ arguments: String...) throws -> ProgramEnd {
      try dragoman(["export", "--language", "de", "--output", "out"] + arguments, in: folder.path)
    }
    #expect(try export().status == 0)
    let before = try folder.read(text)
    let catalog = String(decoding: try folder.read(GateTests.catalog), as: UTF8.self)
    try folder.write("<<<<<<< HEAD\n" + catalog, to: GateTests.catalog)
    for arguments in [["--table", "Localizable"], ["--table", "Localizable", "--catalogs-only"]] {
      let end = try dragoman(["export", "--language", "de", "--output", "out"] + arguments, in: folder.path)
      #expect(end.status == 65 && !end.output.contains("de.xcloc"), "\(end)")
      #expect(end.errors.contains("error: de.xcloc was not written"), "\(end.errors)")
      #expect(try folder.read(text) == before)
    }
    // The table Tools can be read.
    #expect(try export("--table", "Tools").status == 0)
    try FileManager.default.removeItem(atPath: folder.file(bundle))
    let rest = try export()
    #expect(rest.status == 65 && rest.output.contains("de.xcloc: 1 file, 1 unit"), "\(rest)")
    #expect(rest.errors.contains("conflict markers of an unfinished merge"))
  }

  @Test("an unreadable file of an exported language ends the export with 65; the other languages are not affected")
  func unreadLanguage() throws {
    let folder = try TemporaryFolder()
    try folder.write("\"Hello\" = \"Hello\";\n", to: "App/en.lproj/Localizable.strings")
    try folder.write("<<<<<<< HEAD\n\"Hello\" = \"Hallo\";\n", to: "App/de.lproj/Localizable.strings")
    try folder.write("\"Hello\" = \"Bonjour\";\n", to: "App/fr.lproj/Localizable.strings")
    for (language, status) in [("de", 65), ("fr", 0)] as [(String, Int32)] {
      let end = try dragoman(
        ["export", "--catalogs-only", "--language", language, "--output", "out"], in: folder.path)
      #expect(end.status == status && end.output.contains("\(language).xcloc: 1 file, 1 unit"), "\(end)")
    }
  }

  @Test("export warns if several units have the same id")
  func sharedIDs() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      { "sourceLanguage" : "en", "strings" : {
        "a" : { "extractionState" : "manual", "localizations" : { "en" : { "variations" : { "plural" : {
          "one" : { "stringUnit" : { "state" : "translated", "value" : "%lld a" } },
          "other" : { "stringUnit" : { "state" : "translated", "value" : "%lld as" } } } } } } },
        "a|==|plural.one" : { "extractionState" : "manual", "localizations" : {
          "de" : { "stringUnit" : { "state" : "translated", "value" : "x" } } } }
      }, "version" : "1.0" }
      """, to: "App/Localizable.xcstrings")
    let errors = try export(folder, "--catalogs-only", "--language", "fr").errors
    let words = "App/Localizable.xcstrings: warning: several units have the id “a|==|plural.one”"
    #expect(errors.components(separatedBy: words).count == 2, "\(errors)")
  }
}
