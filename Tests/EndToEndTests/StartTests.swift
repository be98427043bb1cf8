import Daemon
import Foundation
import Localization
import TestSupport
import Testing
import Workspace

/// `init` and `add-language`, up to the first round.
struct StartTests {
  static let manifest = """
    // swift-tools-version: 6.0
    import PackageDescription

    let package = Package(
      name: "Kit",
      targets: [
        .target(name: "Kit"),
        .target(name: "Plain"),
      ]
    )

    """

  /// The expected manifest after `init`.
  static let localized =
    manifest.replacing("\"Kit\",\n  targets", with: "\"Kit\",\n  defaultLocalization: \"en\",\n  targets")
    .replacing("(name: \"Kit\")", with: "(name: \"Kit\", resources: [.process(\"Resources\")])")

  /// Returns a repository with a package that uses two tables and has no catalog.
  func kit(_ files: [String: String] = [:]) throws -> TemporaryRepository {
    let repository = try TemporaryRepository()
    try repository.commit(
      [
        "Package.swift": Self.manifest,
        "Sources/Kit/Kit.swift":
          "import Foundation\nlet a = String(localized: \"Hello\", bundle: .module)\nlet b = String(localized: \"Bye\", table: \"Other\", bundle: .module)\n",
        "Sources/Plain/Plain.swift": "let x = 1\n",
      ].merging(files) { $1 })
    return repository
  }

  @Test("without a catalog, export and import both suggest init, after which the bundle can be imported")
  func packageWithoutCatalog() throws {
    let repository = try kit([
      "Sources/Kit/More.swift": "import Foundation\nlet c = String(localized: \"C\", bundle: .module)\n"
    ])
    let export = try dragoman(["export", "--language", "de", "--output", "out"], in: repository.path)
    #expect(export.status == 0, "\(export.errors)")
    let table = "Sources/Kit/Localizable.xcstrings"
    #expect(
      export.errors.contains(
        "\(table): warning: the project does not have this table, so translations of its 2 strings cannot be imported yet"
      ),
      "\(export.errors)")
    #expect(export.errors.contains("dragoman init"))
    let xliff = repository.path + "/out/de.xcloc/Localized Contents/de.xliff"
    let text = try String(contentsOfFile: xliff, encoding: .utf8).replacing(
      "<source>Hello</source>", with: "<source>Hello</source><target state=\"translated\">Hallo</target>")
    try text.write(toFile: xliff, atomically: true, encoding: .utf8)
    let early = try dragoman(["import", "out/de.xcloc"], in: repository.path)
    #expect(
      early.status == 1 && early.output.contains("\"Hello\": the project does not have this catalog"), "\(early.output)"
    )
    #expect(early.errors.contains("dragoman init"), "\(early.errors)")
    #expect(try dragoman(["init"], in: repository.path).status == 0)
    let late = try dragoman(["import", "out/de.xcloc"], in: repository.path)
    #expect(
      late.output.contains("Sources/Kit/Resources/Localizable.xcstrings: de: taken: \"Hello\""),
      "\(late.output)\(late.errors)")
    #expect(
      !(try dragoman(["export", "--language", "de", "--output", "out"], in: repository.path)).errors.contains(
        "dragoman init"))
  }

  @Test("the strings of a missing table that are not to be translated are not counted")
  func untranslatableStrings() throws {
    var snapshot = try ProjectSnapshot(InMemoryTree([:]), for: .exchange, with: .standard())
    let path: TreePath = "App/Localizable.xcstrings"
    let name = CatalogEntry(shouldTranslate: false)
    snapshot.catalogs[path] = Catalog(path: path, sourceLanguage: "en", entries: ["Bird": CatalogEntry(), "App": name])
    #expect(snapshot.missingTables.map(\.path) == [path.text])
    #expect(snapshot.missingTables.allSatisfy { $0.message.contains("translations of its 1 string cannot") })
    snapshot.catalogs[path] = Catalog(path: path, sourceLanguage: "en", entries: ["App": name])
    #expect(snapshot.missingTables.isEmpty)
  }

  @Test("init creates a package's catalogs with its strings, its resource rules, and a pipeline file that can be run")
  func package() throws {
    let repository = try kit()
    let arguments = ["init", "--language", "de", "--pipeline", "kit.yaml"]
    let dry = try dragoman(arguments + ["--dry-run"], in: repository.path)
    #expect(dry.status == 0 && dry.output.contains("Localizable.xcstrings: created, with 1 string"), "\(dry.errors)")
    #expect(try repository.git("status", "--porcelain").isEmpty, "a dry run writes no files")
    let end = try dragoman(arguments, in: repository.path)
    #expect(end.status == 0, "\(end.errors)")
    #expect(
      end.output == """
        Sources/Kit/Resources/Localizable.xcstrings: created, with 1 string
        Sources/Kit/Resources/Other.xcstrings: created, with 1 string
        Package.swift: changed
        kit.yaml: created
        .gitignore: created

        """)
    let manifest = String(
      decoding: try Data(contentsOf: URL(filePath: repository.path + "/Package.swift")), as: UTF8.self)
    #expect(manifest == Self.localized)
    #expect(try dragoman(["sync", "--check"], in: repository.path).status == 0)
    let again = try dragoman(["init"], in: repository.path)
    #expect(again.status == 0 && again.output.isEmpty, "\(again.output)\(again.errors)")
    #expect(try dragoman(arguments, in: repository.path).status == 64, "the pipeline file is kept")
    // The pipeline reads committed files, so the strings are committed first.
    try repository.git("add", "-A")
    try repository.git("commit", "-q", "-m", "Start localization")
    let round = try dragoman(["run", "kit.yaml", "--once"], in: repository.path)
    #expect(round.status == 0, "\(round.output)\(round.errors)")
    #expect(
      try Translator(drop: repository.path + "/translations/" + URL(filePath: repository.path).lastPathComponent)
        .translate("de") == 2)
  }

  @Test(
    "init does not change a manifest that it cannot edit, creates no files in its package, and reports the missing lines",
    arguments: [
      (
        """
        // swift-tools-version: 6.0
        import PackageDescription
        let name = "Kit"
        let package = Package(name: name, targets: [.target(name: name), .target(name: "Plain")])

        """, "add defaultLocalization: \"en\" to the package and resources: [.process(\"Resources\")] to the target"
      ),
      (
        """
        // swift-tools-version:5.2
        import PackageDescription
        let package = Package(name: "Kit", targets: [.target(name: "Kit"), .target(name: "Plain")])

        """, "raise swift-tools-version to 5.3"
      ),
    ])
  func unchangeable(_ text: String, _ hint: String) throws {
    let repository = try kit(["Package.swift": text])
    for _ in 1...2 {
      let end = try dragoman(["init"], in: repository.path)
      #expect(end.status == 0 && end.errors.contains(hint), "\(end.errors)")
      #expect(end.errors.contains("Nothing was changed") && end.output.isEmpty, "\(end.output)")
    }
    #expect(try repository.git("status", "--porcelain").isEmpty)
  }

  @Test("the pipeline file has the remote's URL or the repository's path, and never a secret")
  func pipelineAddress() throws {
    for (origin, wanted) in [
      ("https://user:hunter2@git.example.com/a/birds.git", "https://git.example.com/a/birds.git"),
      ("ssh://git:hunter2@git.example.com/a/birds.git", "ssh://git@git.example.com/a/birds.git"),
      ("git@git.example.com:a/birds.git", "git@git.example.com:a/birds.git"), ("", ""), ("../birds.git", "/birds.git"),
    ] {
      let repository = try kit([
        "Other/Package.swift": Self.manifest, "Other/Sources/Kit/Kit.swift": "let x = 1\n",
        "Other/Sources/Plain/Plain.swift": "let x = 1\n",
      ])
      if !origin.isEmpty { try repository.git("remote", "add", "origin", origin) }
      let end = try dragoman(["init", "--language", "de", "--pipeline", "p.yaml"], in: repository.path + "/Other")
      #expect(end.status == 0, "\(end)")
      let text = String(
        decoding: try Data(contentsOf: URL(filePath: repository.path + "/Other/p.yaml")), as: UTF8.self)
      #expect(!text.contains("hunter2"))
      let url = text.split(separator: "\n").first { $0.hasPrefix("  url: ") }.map {
        $0.dropFirst(7).filter { $0 != "\"" }
      }
      if origin.isEmpty {
        #expect(url?.hasSuffix("/Other") == false && url?.hasPrefix("/") == true, "\(text)")
      } else {
        #expect(url?.hasSuffix(wanted) == true && (url == wanted || url?.hasPrefix("/") == true), "\(text)")
      }
    }
    let repository = try kit()
    let nowhere = try dragoman(["init", "--language", "de", "--pipeline", "no/p.yaml"], in: repository.path)
    #expect(nowhere.status == 66 && nowhere.errors.contains("no such folder"), "\(nowhere)")
    #expect(try dragoman(["init", "--language", "de"], in: repository.path).status == 64)
    #expect(try repository.git("status", "--porcelain").isEmpty)
  }

  @Test("a project that cannot be read is not changed")
  func unreadable() throws {
    let repository = try kit(["Package.swift": Self.manifest + "\nlet broken = (\n"])
    let end = try dragoman(["init"], in: repository.path)
    #expect(end.status == 65, "\(end.output)\(end.errors)")
    #expect(try repository.git("status", "--porcelain").isEmpty)
    #expect(try dragoman(["init", "--language", "klingon"], in: repository.path).status == 64)
    let other = try kit()
    let noLanguage = try dragoman(["init", "--pipeline", "kit.yaml"], in: other.path)
    #expect(noLanguage.status == 64 && noLanguage.errors.contains("--language"), "\(noLanguage.errors)")
    #expect(try other.git("status", "--porcelain").isEmpty)
  }

  @Test("add-language adds a language to the pipeline file once, and warns if no vendor translates it")
  func addLanguage() throws {
    let repository = try kit()
    #expect(try dragoman(["init", "--language", "de", "--pipeline", "kit.yaml"], in: repository.path).status == 0)
    let add = ["add-language", "uk", "--pipeline", "kit.yaml"]
    let dry = try dragoman(add + ["--dry-run"], in: repository.path)
    #expect(dry.status == 0 && dry.output == "kit.yaml: uk added\n", "\(dry.output)\(dry.errors)")
    let end = try dragoman(add, in: repository.path)
    #expect(end.status == 0 && end.errors.contains("Nothing was written") == false)
    let text = String(decoding: try Data(contentsOf: URL(filePath: repository.path + "/kit.yaml")), as: UTF8.self)
    #expect(text.contains("\nlanguages: [de, uk]\n"), "\(text)")
    let again = try dragoman(add, in: repository.path)
    #expect(again.status == 0 && again.output.isEmpty, "\(again.output)")
    #expect(try dragoman(["add-language", "en"], in: repository.path).status == 64)
    try repository.write(text.replacing("path: ", with: "languages: [de]\n    path: "), to: "kit.yaml")
    let warned = try dragoman(["add-language", "fr", "--pipeline", "kit.yaml"], in: repository.path)
    #expect(warned.status == 0 && warned.errors.contains("no vendor accepts fr yet"), "\(warned.errors)")
  }

  @Test("add-language adds the language to knownRegions of an Xcode project, and changes no other line")
  func xcodeProject() throws {
    let folder = try TemporaryFolder()
    let project = """
      // !$*UTF8*$!
      {
      \tarchiveVersion = 1;
      \tobjectVersion = 77;
      \tobjects = {
      \t\t0A = {isa = PBXProject; buildConfigurationList = 0B; developmentRegion = en; knownRegions = (
      \t\t\ten,
      \t\t\tBase,
      \t\t); mainGroup = 0C; targets = (0D); };
      \t\t0B = {isa = XCConfigurationList; buildConfigurations = (); };
      \t\t0C = {isa = PBXGroup; children = (0E); sourceTree = "<group>"; };
      \t\t0D = {isa = PBXNativeTarget; name = App; productType = "com.apple.product-type.application"; buildConfigurationList = 0B; buildPhases = (); fileSystemSynchronizedGroups = (0E); };
      \t\t0E = {isa = PBXFileSystemSynchronizedRootGroup; path = App; sourceTree = "<group>"; };
      \t};
      \trootObject = 0A;
      }

      """
    try folder.write(project, to: "App.xcodeproj/project.pbxproj")
    try folder.write(
      "import SwiftUI\nstruct V: View { var body: some View { Text(\"Hello\") } }\n", to: "App/V.swift")
    let end = try dragoman(["init", "--language", "de"], in: folder.path)
    #expect(end.status == 0, "\(end.errors)")
    #expect(end.output.contains("App/Localizable.xcstrings: created, with 1 string"), "\(end.output)\(end.errors)")
    let text = { String(decoding: try folder.read("App.xcodeproj/project.pbxproj"), as: UTF8.self) }
    #expect(try text() == project.replacing("\t\t\tBase,\n", with: "\t\t\tBase,\n\t\t\tde,\n"))
    let added = try dragoman(["add-language", "pt-BR"], in: folder.path)
    #expect(added.output == "App.xcodeproj/project.pbxproj: pt-BR added\n", "\(added.output)\(added.errors)")
    #expect(try text() == project.replacing("\t\t\tBase,\n", with: "\t\t\tBase,\n\t\t\tde,\n\t\t\t\"pt-BR\",\n"))
  }

  @Test("init does not change existing catalogs, and reports catalogs that differ from the code")
  func existingCatalog() throws {
    let old =
      #"{"sourceLanguage":"en","strings":{"Gone":{},"Bye":{"localizations":{"de":{"stringUnit":{"state":"translated","value":"Tschüss"}}}}},"version":"1.0"}"#
    let repository = try kit([
      "Package.swift": Self.localized,
      "Sources/Kit/Resources/Other.xcstrings": old,
    ])
    let end = try dragoman(["init"], in: repository.path)
    #expect(end.status == 0 && end.output == "Sources/Kit/Resources/Localizable.xcstrings: created, with 1 string\n")
    #expect(end.errors.contains("Other.xcstrings: warning: this catalog is not in step with the code"), "\(end.errors)")
    #expect(
      try String(contentsOfFile: repository.path + "/Sources/Kit/Resources/Other.xcstrings", encoding: .utf8) == old)
  }

  @Test("init refuses a folder without a project, and a folder inside a larger project")
  func noProject() throws {
    let empty = try TemporaryFolder()
    let nothing = try dragoman(["init"], in: empty.path)
    #expect(nothing.status == 65 && nothing.errors.contains("no project found"), "\(nothing.errors)")
    let repository = try kit()
    let part = try dragoman(["init"], in: repository.path + "/Sources/Kit")
    #expect(part.status == 64 && part.errors.contains("run `dragoman init \(repository.path)`"), "\(part.errors)")
    #expect(try repository.git("status", "--porcelain").isEmpty)
  }

  @Test(
    "an unusual spelling of a language is refused, and the hint shows the usual spelling",
    arguments: [("pt-br", "pt-BR"), ("DE", "de"), ("zh-hans-hk", "zh-Hans-HK")])
  func unusualLetters(given: String, usual: String) throws {
    let repository = try kit()
    for arguments in [["add-language", given], ["init", "--language", given, "--pipeline", "kit.yaml"]] {
      let end = try dragoman(arguments, in: repository.path)
      #expect(end.status == 64 && end.errors.contains("did you mean \(usual)?"), "\(end.errors)")
    }
    #expect(try dragoman(["add-language", "und"], in: repository.path).status == 64)
    #expect(try repository.git("status", "--porcelain").isEmpty)
  }
}
