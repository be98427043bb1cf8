import Foundation
import TestSupport
import Testing

/// The texts with which the system asks for a permission. `status` counts these texts even if they are in no string table.
@Suite("Usage descriptions of Info.plist files")
struct UsageDescriptionTests {
  private static let project = """
    // !$*UTF8*$!
    { archiveVersion = 1; objectVersion = 77; rootObject = R; objects = {
      R = { isa = PBXProject; mainGroup = M; targets = (T); developmentRegion = en; knownRegions = (en, Base, de, fr); };
      M = { isa = PBXGroup; children = (A); sourceTree = "<group>"; };
      A = { isa = PBXFileSystemSynchronizedRootGroup; path = App; sourceTree = "<group>"; };
      T = { isa = PBXNativeTarget; name = App; buildPhases = (S, P); buildConfigurationList = L;
        productType = "com.apple.product-type.application"; fileSystemSynchronizedGroups = (A); };
      L = { isa = XCConfigurationList; buildConfigurations = (D); };
      D = { isa = XCBuildConfiguration; name = Debug; buildSettings = { SWIFT_EMIT_LOC_STRINGS = YES;
        INFOPLIST_FILE = App/Info.plist; SDKROOT = iphoneos; }; };
      S = { isa = PBXSourcesBuildPhase; files = (); };
      P = { isa = PBXResourcesBuildPhase; files = (); };
    }; }

    """

  private static func list(_ texts: [String: String]) -> String {
    let members = texts.sorted { $0.key < $1.key }.map { "<key>\($0.key)</key>\n<string>\($0.value)</string>\n" }
    return "<plist version=\"1.0\"><dict>\n\(members.joined())</dict></plist>\n"
  }

  private static let names = ["CFBundleName": "Birds", "CFBundleDisplayName": "Birds", "NSHumanReadableCopyright": "©"]
  private static let camera = ["NSCameraUsageDescription": "To photograph birds"]

  /// Returns an app with one string, which is translated into German and French.
  private func app(_ texts: [String: String], _ files: [String: String] = [:]) throws -> TemporaryRepository {
    let repository = try TemporaryRepository()
    try repository.commit(
      [
        "App.xcodeproj/project.pbxproj": Self.project, "App/Info.plist": Self.list(Self.names.merging(texts) { $1 }),
        "App/App.swift": "import SwiftUI\nlet hello = Text(\"Hello\")\n",
        "App/Localizable.xcstrings": GateTests.catalog([
          GateTests.entry("Hello", ["de": "Hallo", "fr": "Bonjour"])
        ]),
      ].merging(files) { $1 })
    return repository
  }

  private func status(_ repository: TemporaryRepository, _ arguments: String...) throws -> ProgramEnd {
    try dragoman(["status", "--require", "100"] + arguments, in: repository.path)
  }

  @Test("an Info.plist that cannot be read fails a gate, because it may contain usage descriptions")
  func unreadable() throws {
    let conflict = Self.list(Self.camera).replacing("<dict>", with: "<dict>\n<<<<<<< HEAD\n=======\n>>>>>>> other")
    let repository = try app([:], ["App/Info.plist": conflict])
    let end = try status(repository)
    let reason = "1 Info.plist that is unreadable may have usage descriptions: App/Info.plist"
    #expect(end.status == 1 && end.output.contains(reason), "\(end)")
    #expect(end.errors.contains("App/Info.plist:2:1: "), "\(end)")
  }

  @Test("an Info.plist that is missing from the repository fails a gate")
  func missing() throws {
    let repository = try app([:])
    try repository.commit([:], removing: ["App/Info.plist"])
    let end = try status(repository)
    let reason = "FAIL 1 Info.plist that is unreadable may have usage descriptions: App.xcodeproj/project.pbxproj:"
    #expect(end.status == 1 && end.output.contains(reason), "\(end)")
    #expect(end.output.contains("the file 'App/Info.plist' is not in the repository"), "\(end)")
  }

  @Test(
    "a usage description without a table is missing in every language, and init creates the table"
  )
  func withoutTable() throws {
    let repository = try app(Self.camera)
    let end = try status(repository)
    let note =
      "; 1 usage description of an Info.plist is in no string table: App/Info.plist:7: NSCameraUsageDescription; "
      + "`dragoman init` creates the table, or prints the steps to create it\n"
    #expect(
      end.output.hasPrefix(
        "FAIL de 50 % (1/2), needs 100 %: 1 string missing; fr 50 % (1/2), needs 100 %: 1 string missing" + note),
      "\(end)")
    #expect(end.status == 1)
    #expect(end.errors.contains("App/en.lproj/InfoPlist.strings: de: new: \"NSCameraUsageDescription\""), "\(end)")
    #expect(
      end.errors.contains(
        "App/Info.plist:7:1: warning: the usage description NSCameraUsageDescription is in no string table, so no round "
          + "sends it"), "\(end.errors)")
    #expect(
      try dragoman(["status", "--require", "50"], in: repository.path).status == 0,
      "usage descriptions count like any string")
    #expect(try status(repository, "--table", "Localizable").status == 0)
    #expect(try !status(repository, "--details").errors.contains("not committed"))
    // The texts were missing before too, so --since does not count them.
    #expect(try status(repository, "--since", "HEAD").status == 0)
    let start = try dragoman(["init"], in: repository.path)
    #expect(start.output == "App/InfoPlist.xcstrings: created, with 4 strings\n", "\(start)")
    #expect(try dragoman(["init"], in: repository.path).output.isEmpty)
    let after = try status(repository)
    #expect(after.output.hasPrefix("FAIL de 20 % (1/5)") && !after.output.contains("string table"), "\(after)")
    #expect(try status(repository, "--table", "InfoPlist", "--since", "HEAD").output.contains("(0/3)"), "\(after)")
  }

  @Test("usage descriptions in build settings and titles of quick actions also count")
  func settingsAndQuickActions() throws {
    let generated = Self.project.replacing(
      "INFOPLIST_FILE = App/Info.plist;",
      with: "GENERATE_INFOPLIST_FILE = YES; INFOPLIST_KEY_NSCameraUsageDescription = \"To photograph birds\";")
    let built = try app([:], ["App.xcodeproj/project.pbxproj": generated])
    try FileManager.default.removeItem(atPath: built.path + "/App/Info.plist")
    let settings = try status(built)
    #expect(
      settings.output.hasPrefix("FAIL de 50 % (1/2)")
        && settings.output.contains("1 usage description of an Info.plist is in no string table"), "\(settings)")
    let list = """
      <plist version="1.0"><dict>
      <key>UIApplicationShortcutItems</key>
      <array><dict><key>UIApplicationShortcutItemTitle</key><string>New walk</string></dict></array>
      </dict></plist>

      """
    let action = try status(app([:], ["App/Info.plist": list]))
    #expect(
      action.output.hasPrefix("FAIL de 50 % (1/2)")
        && action.output.contains(
          "1 quick action title of an Info.plist is in no string table: App/Info.plist:3: New walk;"),
      "\(action)")
    let tables = Dictionary(
      uniqueKeysWithValues: ["en", "de", "fr"].map {
        ("App/\($0).lproj/InfoPlist.strings", "\"New walk\" = \"\($0)\";\n")
      })
    #expect(try status(app([:], tables.merging(["App/Info.plist": list]) { $1 })).status == 0)
  }

  @Test("without tables, usage descriptions count in the project's languages if there are any")
  func noTables() throws {
    func bare(_ project: String) throws -> TemporaryRepository {
      let repository = try app(Self.camera, ["App.xcodeproj/project.pbxproj": project])
      for file in ["App/Localizable.xcstrings", "App/App.swift"] {
        try FileManager.default.removeItem(atPath: repository.path + "/" + file)
      }
      return repository
    }
    let end = try status(bare(Self.project))
    #expect(end.output.hasPrefix("FAIL de 0 % (0/1), needs 100 %: 1 string missing; fr 0 % (0/1)"), "\(end)")
    for regions in ["en, Base", "English, Japanese, French, German, en"] {
      let none = try status(bare(Self.project.replacing("en, Base, de, fr", with: regions)))
      #expect(none.output.hasPrefix("FAIL no catalog found"), "\(none)")
    }
  }

  @Test("app names, empty descriptions and keys that the system does not know are not counted as missing")
  func names() throws {
    #expect(try status(app([:])).status == 0)
    #expect(try status(app(["NSCameraUsageDescription": " "])).status == 0)
    #expect(try status(app(["NSCustomUsageDescription": "Custom"])).status == 0)
  }

  @Test(
    ".strings tables count in the languages that have the text, even without the source language's file")
  func stringsFiles() throws {
    let translated = [
      "App/de.lproj/InfoPlist.strings": "NSCameraUsageDescription = \"Für Fotos\";\n",
      "App/fr.lproj/InfoPlist.strings": "NSCameraUsageDescription = \"Pour des photos\";\n",
    ]
    #expect(try status(app(Self.camera, translated)).status == 0)
    var files = translated
    files["App/fr.lproj/InfoPlist.strings"] = "CFBundleName = \"Oiseaux\";\n"
    let end = try status(app(Self.camera, files))
    #expect(
      end.output.hasPrefix(
        "FAIL fr 50 % (1/2), needs 100 %: 1 string missing; 1 usage description of an Info.plist is in no string table: "
          + "App/Info.plist:7: NSCameraUsageDescription; create App/en.lproj/InfoPlist.strings with them\n"), "\(end)")
    files["App/en.lproj/InfoPlist.strings"] = "CFBundleName = \"Birds\";\n"
    files["App/de.lproj/InfoPlist.strings"]? += "CFBundleName = \"Vögel\";\n"
    let lacking = try status(app(Self.camera, files))
    #expect(
      lacking.output.hasPrefix("FAIL fr 66.6 % (2/3)") && lacking.output.contains("add them to App/en.lproj/Info"),
      "\(lacking)")
    files["App/en.lproj/InfoPlist.strings"]? += "NSCameraUsageDescription = \"For photos\";\n"
    let held = try status(app(Self.camera, files))
    #expect(held.output.hasPrefix("FAIL fr 66.6 % (2/3)") && !held.output.contains("no string table"), "\(held)")
  }

  @Test("the verdict of a run also counts usage descriptions, although no round sends them")
  func round() throws {
    let repository = try app(
      Self.camera,
      [
        "birds.yaml": """
        pipeline: birds
        repository: { url: . }
        vendors: [{ vendor: folder, path: drop, languages: [de, fr] }]
        require: 100

        """
      ])
    let end = try dragoman(["run", "birds.yaml", "--once", "--format", "json"], in: repository.path)
    #expect(end.status == 0, "\(end)")
    #expect(end.output.contains("FAIL de 50 % (1/2), needs 100 %: 1 string missing"), "\(end.output)")
    #expect(
      end.output.contains("in no string table")
        && !FileManager.default.fileExists(atPath: repository.path + "/drop/birds/to-translate/de"))
  }
}
