import Foundation
import TestSupport
import Testing

/// Commands that write, if the project file or the manifest cannot be read because it has merge conflicts or is cut off.
@Suite("Unreadable project files")
struct UnreadProjectTests {
  private static let conflict = """
    // !$*UTF8*$!
    { archiveVersion = 1; objectVersion = 56; rootObject = R; objects = {
    <<<<<<< HEAD
      R = { isa = PBXProject; mainGroup = M; };
    =======
      R = { isa = PBXProject; mainGroup = N; };
    >>>>>>> branch
    }; }

    """
  private static let empty = "{\n  \"sourceLanguage\" : \"en\",\n  \"strings\" : {\n\n  },\n  \"version\" : \"1.0\"\n}"
  private static let manifest = """
    // swift-tools-version: 6.0
    import PackageDescription
    let package = Package(name: "Kit", defaultLocalization: "en", targets: [.target(name: "Kit")])

    """

  /// Returns an app with a `.strings` table and an extension with a catalog.
  private func app(_ project: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(project, to: "App.xcodeproj/project.pbxproj")
    try folder.write("import SwiftUI\nlet hello = Text(\"Hello\")\n", to: "App/App.swift")
    try folder.write("\"Hello\" = \"Hello\";\n", to: "App/en.lproj/Localizable.strings")
    try folder.write("\"Hello\" = \"Hallo\";\n", to: "App/de.lproj/Localizable.strings")
    try folder.write("import SwiftUI\nlet widget = Text(\"Widget\")\n", to: "Widget/Widget.swift")
    try folder.write(Self.empty, to: "Widget/Localizable.xcstrings")
    return folder
  }

  @Test("convert keeps every table if the project file cannot be read", arguments: [conflict, "// !$*UTF8*$!\n{ "])
  func convert(project: String) throws {
    let folder = try app(project)
    for arguments in [["convert", "--dry-run"], ["convert"]] {
      let end = try dragoman(arguments, in: folder.path)
      #expect(end.status == 65 && end.output == "")
      #expect(end.errors.contains("App.xcodeproj/project.pbxproj: error: table Localizable was not converted"))
      // The file's fault is reported once.
      #expect(end.errors.components(separatedBy: "folders are used as targets instead").count == 2, "\(end.errors)")
    }
    #expect(try folder.read("App/de.lproj/Localizable.strings") == Array("\"Hello\" = \"Hallo\";\n".utf8))
    #expect(!FileManager.default.fileExists(atPath: folder.file("App/Localizable.xcstrings")))
  }

  @Test("convert fails if a manifest cannot be read")
  func convertPackage() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.manifest + ")\n", to: "Package.swift")
    try folder.write("\"a\" = \"A\";\n", to: "Sources/Kit/en.lproj/Localizable.strings")
    #expect(try dragoman(["convert"], in: folder.path).status == 65)
  }

  @Test("an XcodeGen file with merge conflicts fails the gate, and sync removes no key")
  func generator() throws {
    let folder = try TemporaryFolder()
    let conflict = "<<<<<<< HEAD\n    sources: [App]\n=======\n    sources: [App, More]\n>>>>>>> branch\n"
    try folder.write("name: App\ntargets:\n  App:\n    platform: iOS\n" + conflict, to: "App/project.yml")
    try folder.write("import SwiftUI\nlet hello = Text(\"Hello\")\n", to: "App/App.swift")
    try folder.write(
      Self.empty.replacing("{\n\n  }", with: "{\n    \"Gone\" : {\n\n    },\n    \"Hello\" : {\n\n    }\n  }"),
      to: "App/Localizable.xcstrings")
    let gate = try dragoman(["status", "--require", "0"], in: folder.path)
    #expect(gate.status == 65 && gate.errors.contains("App/project.yml:5:1: error: conflict markers"), "\(gate)")
    let sync = try dragoman(["sync"], in: folder.path)
    #expect(sync.errors.contains("App/project.yml:5:1: error: conflict markers"), "\(sync)")
    func keepsKey() throws -> Bool {
      String(decoding: try folder.read("App/Localizable.xcstrings"), as: UTF8.self).contains("\"Gone\"")
    }
    #expect(try keepsKey())
    try folder.write("name: App\ntargets:\n  App:\n    platform: iOS\n    sources: [App]\n", to: "App/project.yml")
    #expect(try dragoman(["sync"], in: folder.path).status == 0)
    #expect(try !keepsKey())
  }

  @Test("sync fails without changing the catalogs if their project file cannot be read")
  func sync() throws {
    let folder = try app(Self.conflict)
    for arguments in [["sync", "--dry-run"], ["sync"]] {
      let end = try dragoman(arguments, in: folder.path)
      #expect(end.status == 65 && end.output == "", "\(end.output)")
      #expect(
        end.errors.contains(
          "Widget/Localizable.xcstrings: error: this catalog was not changed: App.xcodeproj/project.pbxproj cannot be read"
        ))
    }
    #expect(try folder.read("Widget/Localizable.xcstrings") == Array(Self.empty.utf8))
    let check = try dragoman(["sync", "--check"], in: folder.path)
    #expect(check.status == 65 && check.output.hasPrefix("FAIL the project is unreadable: App.xcodeproj/"))
    #expect(!check.output.contains("in no catalog"))
  }

  @Test("sync updates a package's catalogs next to an unreadable project file, and fails")
  func syncBeside() throws {
    let folder = try app(Self.conflict)
    try folder.write(Self.manifest, to: "Kit/Package.swift")
    try folder.write(
      "import Foundation\nlet a = String(localized: \"Kit\", bundle: .module)\n", to: "Kit/Sources/Kit/Kit.swift")
    try folder.write(Self.empty, to: "Kit/Sources/Kit/Localizable.xcstrings")
    let end = try dragoman(["sync"], in: folder.path)
    #expect(end.status == 65 && end.output == "Kit/Sources/Kit/Localizable.xcstrings: added: \"Kit\"\n")
  }

  @Test("sync and export fail if a manifest cannot be read, but export --catalogs-only exports the catalogs")
  func manifest() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.manifest + ")\n", to: "Package.swift")
    try folder.write("let a = 1\n", to: "Sources/Kit/Kit.swift")
    try folder.write(
      GateTests.catalog([GateTests.entry("Hello", ["de": "Hallo"])]), to: "Sources/Kit/Localizable.xcstrings")
    let before = try folder.read("Sources/Kit/Localizable.xcstrings")
    #expect(try dragoman(["sync"], in: folder.path).status == 65)
    #expect(try folder.read("Sources/Kit/Localizable.xcstrings") == before)
    let refused = try dragoman(["export", "--output", "out"], in: folder.path)
    #expect(refused.status == 65 && refused.errors.contains("Package.swift is unreadable"))
    #expect(!FileManager.default.fileExists(atPath: folder.file("out")))
    #expect(try dragoman(["export", "--catalogs-only", "--output", "out"], in: folder.path).status == 0)
    #expect(FileManager.default.fileExists(atPath: folder.file("out/de.xcloc")))
  }

  @Test("export writes no files if a project file cannot be read")
  func export() throws {
    let folder = try app(Self.conflict)
    let end = try dragoman(["export", "--output", "out"], in: folder.path)
    #expect(end.status == 65 && end.errors.contains("App.xcodeproj/project.pbxproj is unreadable"))
    #expect(!FileManager.default.fileExists(atPath: folder.file("out")))
  }
}
