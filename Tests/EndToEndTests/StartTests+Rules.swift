import Foundation
import TestSupport
import Testing

/// The resource rules that `init` adds to manifests.
extension StartTests {
  @Test(
    "init adds no rules to a folder with rules or exclusions, and uses an existing rule",
    arguments: [
      ("resources: [.copy(\"Resources/Data\")]", "Localization", ", .process(\"Localization\")"),
      ("exclude: [\"Resources\"]", "Localization", "resources: [.process(\"Localization\")]"),
      ("resources: [.process(\"Resources/a.txt\")]", "Localization", ", .process(\"Localization\")"),
      ("resources: [.process(\"Resources\")]", "Resources", "[.process(\"Resources\")]"),
      ("resources: [.process(\"./Resources\")]", "Resources", "[.process(\"./Resources\")]"),
      ("resources: [.process(\"Resources/\")]", "Resources", "[.process(\"Resources/\")]"),
      ("resources: [.process(\"../Kit/\")]", "Resources", "[.process(\"../Kit/\")]"),
      ("resources: [.copy(\"./Resources/Data/\")]", "Localization", ", .process(\"Localization\")"),
      ("exclude: [\"./Resources\"]", "Localization", "resources: [.process(\"Localization\")]"),
    ])
  func folders(_ argument: String, _ folder: String, _ rule: String) throws {
    let repository = try kit([
      "Package.swift": Self.manifest.replacing("(name: \"Kit\")", with: "(name: \"Kit\", \(argument))"),
      "Sources/Kit/Resources/a.txt": "a", "Sources/Kit/Resources/Data/b.txt": "b",
      "Package@swift-9.0.swift": Self.manifest,
    ])
    let end = try dragoman(["init"], in: repository.path)
    #expect(end.output.contains("Sources/Kit/\(folder)/Localizable.xcstrings: created, with 1 string"), "\(end)")
    for name in ["Package.swift", "Package@swift-9.0.swift"] {
      let text = String(decoding: try Data(contentsOf: URL(filePath: repository.path + "/" + name)), as: UTF8.self)
      #expect(text.contains("defaultLocalization: \"en\""))
      #expect(text.contains(name.contains("@") ? ".process(\"\(folder)\")" : rule), "\(text)")
    }
    #expect(try dragoman(["sync", "--check"], in: repository.path).status == 0)
  }

  @Test("init adds no second rule for a catalog that has a rule of its own")
  func ruleOfFile() throws {
    let rule = ".process(\"Resources/Other.xcstrings\")"
    let repository = try kit([
      "Package.swift": Self.localized.replacing(".process(\"Resources\")", with: rule),
      "Sources/Kit/Resources/Other.xcstrings": #"{"sourceLanguage":"en","strings":{"Bye":{}},"version":"1.0"}"#,
    ])
    let end = try dragoman(["init"], in: repository.path)
    #expect(end.output.contains("Sources/Kit/Localization/Localizable.xcstrings: created, with 1 string"), "\(end)")
    let text = String(decoding: try Data(contentsOf: URL(filePath: repository.path + "/Package.swift")), as: UTF8.self)
    #expect(text.contains("[\(rule), .process(\"Localization\")]"), "\(text)")
    #expect(try dragoman(["sync", "--check"], in: repository.path).status == 0)
  }
}

extension StartTests {
  @Test(
    "init names a package without defaultLocalization beside a localized package, and init in its folder localizes it")
  func packageLeftOut() throws {
    let repository = try TemporaryRepository()
    let code = "import Foundation\nlet a = String(localized: \"Walk\", bundle: .module)\n"
    try repository.commit([
      "App/Package.swift":
        "// swift-tools-version: 6.0\nimport PackageDescription\nlet package = Package(name: \"App\", defaultLocalization: \"en\", targets: [.target(name: \"App\", resources: [.process(\"Resources\")])])\n",
      "App/Sources/App/A.swift": code,
      "App/Sources/App/Resources/Localizable.xcstrings":
        "{\"sourceLanguage\":\"en\",\"strings\":{\"Walk\":{}},\"version\":\"1.0\"}",
      "Kit/Package.swift": Self.manifest, "Kit/Sources/Kit/K.swift": code, "Kit/Sources/Plain/P.swift": "",
    ])
    let whole = try dragoman(["init"], in: repository.path)
    #expect(
      whole.errors.contains(
        "./Kit has no defaultLocalization, so it was left out. To localize it, run `dragoman init ./Kit`."),
      "\(whole)")
    #expect(whole.status == 0)
    let part = try dragoman(["init", "./Kit"], in: repository.path)
    #expect(part.output.contains("Sources/Kit/Resources/Localizable.xcstrings: created, with 1 string"), "\(part)")
    let again = try dragoman(["init"], in: repository.path)
    #expect(!again.errors.contains("left out"), "\(again)")
  }
}
