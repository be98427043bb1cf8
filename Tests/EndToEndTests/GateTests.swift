import Foundation
import TestSupport
import Testing

/// `status --require` and `sync --check`. A gate fails if it cannot read every file that it needs.
@Suite("Gates")
struct GateTests {
  static let catalog = "Sources/Kit/Resources/Localizable.xcstrings"
  static let manifest = """
    // swift-tools-version: 6.0
    import PackageDescription
    let package = Package(name: "Kit", defaultLocalization: "en", targets: [
      .target(name: "Kit", resources: [.process("Resources")]), .target(name: "Tools", resources: [.process("Resources")]),
    ])
    """

  static func entry(_ key: String, _ languages: [String: String] = [:]) -> String {
    let texts = languages.sorted { $0.key < $1.key }.map {
      "\"\($0.key)\" : { \"stringUnit\" : { \"state\" : \"translated\", \"value\" : \"\($0.value)\" } }"
    }
    return "\"\(key)\" : { \"localizations\" : { \(texts.joined(separator: ", ")) } }"
  }

  static func catalog(_ entries: [String]) -> String {
    "{ \"sourceLanguage\" : \"en\", \"strings\" : { \(entries.joined(separator: ", ")) }, \"version\" : \"1.0\" }"
  }

  /// Returns a package with two strings in code. Both strings are translated into German, and one string is translated into French. A second target
  /// has a catalog with a manual string. The given files are added, or replace these files.
  func project(_ files: [String: String] = [:]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(Self.manifest, to: "Package.swift")
    try folder.write(
      "import Foundation\nlet a = String(localized: \"Bye\", bundle: .module)\nlet b = String(localized: \"Hello\", bundle: .module)\n",
      to: "Sources/Kit/Kit.swift")
    try folder.write(
      Self.catalog([
        Self.entry("Bye", ["de": "Tschüss"]), Self.entry("Hello", ["de": "Hallo", "fr": "Bonjour"]),
      ]), to: Self.catalog)
    try folder.write("import Foundation\n", to: "Sources/Tools/Tools.swift")
    try folder.write(
      Self.catalog([Self.entry("%lld", [:])]).replacing(
        "\"localizations\" : {  }", with: "\"extractionState\" : \"manual\""),
      to: "Sources/Tools/Resources/Tools.xcstrings")
    for (name, text) in files { try folder.write(text, to: name) }
    return folder
  }

  func verdict(_ end: ProgramEnd) -> String { String(end.output.prefix { $0 != "\n" }) }

  @Test("the verdict is the first line, with the counts of each language that misses its threshold")
  func shortfall() throws {
    let folder = try project()
    let end = try dragoman(["status", "--table", "Localizable", "--require", "100"], in: folder.path)
    #expect(verdict(end) == "FAIL fr 50 % (1/2), needs 100 %: 1 string missing")
    #expect(end.status == 1)
    #expect(end.errors.contains("\(Self.catalog): fr: new: \"Bye\""))
    let both = try dragoman(
      ["status", "--table", "Localizable", "--require", "100", "--require", "fr=50"], in: folder.path)
    #expect(verdict(both) == "PASS de 100 % (2/2), needs 100 %; fr 50 % (1/2), needs 50 %")
    #expect(both.status == 0)
  }

  @Test("a pipeline file with requirements for some branches needs --branch, and the rules for this branch apply")
  func branches() throws {
    let folder = try project([
      "birds.yaml": """
      pipeline: birds
      repository: { url: . }
      vendors: [{ vendor: pseudo }]
      require:
        fr: 50
        default: 0
        "release/*": { fr: 100 }
      """
    ])
    let gate = ["status", "--table", "Localizable", "--pipeline", "birds.yaml"]
    let unknown = try dragoman(gate, in: folder.path)
    #expect(unknown.status == 64 && unknown.errors.contains("--branch"), "\(unknown.errors)")
    let main = try dragoman(gate + ["--branch", "main"], in: folder.path)
    #expect(main.status == 0, "\(main.output)\(main.errors)")
    let release = try dragoman(gate + ["--branch", "release/1.0"], in: folder.path)
    #expect(verdict(release) == "FAIL fr 50 % (1/2), needs 100 %: 1 string missing")
    #expect(release.status == 1)
    let spelled = try dragoman(gate + ["--branch", "refs/heads/release/1.0"], in: folder.path)
    #expect(spelled.status == 1)
    #expect(try dragoman(gate + ["--branch", ""], in: folder.path).status == 64)
    for words in [["init", "-q", "-b", "release/1.0"], ["add", "-A"], ["commit", "-q", "-m", "All"]] {
      try TemporaryRepository.git(["-c", "user.name=T", "-c", "user.email=t@example.com"] + words, in: folder.path)
    }
    #expect(try dragoman(gate + ["--revision", "release/1.0"], in: folder.path).status == 1)
    let head = try dragoman(gate + ["--revision", "HEAD"], in: folder.path)
    #expect(head.status == 64 && head.errors.contains("--branch"), "\(head.errors)")
  }

  @Test("--since counts only new and changed strings, and passes if there are none")
  func since() throws {
    let folder = try project()
    func git(_ words: String...) throws {
      try TemporaryRepository.git(["-c", "user.name=T", "-c", "user.email=t@example.com"] + words, in: folder.path)
    }
    func commit(_ message: String) throws {
      try git("add", "-A")
      try git("commit", "-q", "-m", message)
    }
    try git("init", "-q", "-b", "main")
    try commit("First")
    let gate = ["status", "--table", "Localizable", "--require", "100"]
    let nothing = try dragoman(gate + ["--since", "HEAD"], in: folder.path)
    #expect(nothing.status == 0 && verdict(nothing).hasPrefix("PASS"), "\(nothing.output)\(nothing.errors)")
    func write(_ french: [String: String]) throws {
      try folder.write(
        Self.catalog([
          Self.entry("Bye", ["de": "Tschüss"]), Self.entry("Hello", ["de": "Hallo", "fr": "Bonjour"]),
          Self.entry("New", french),
        ]), to: Self.catalog)
      try folder.write(
        "import Foundation\nlet a = String(localized: \"Bye\", bundle: .module)\nlet b = String(localized: \"Hello\", bundle: .module)\nlet c = String(localized: \"New\", bundle: .module)\n",
        to: "Sources/Kit/Kit.swift")
    }
    try write(["de": "Neu"])
    let end = try dragoman(gate + ["--since", "HEAD"], in: folder.path)
    #expect(verdict(end) == "FAIL fr 0 % (0/1), needs 100 %: 1 string missing")
    #expect(end.status == 1 && end.errors.contains("fr: new: \"New\"") && !end.errors.contains("Bye"), "\(end.errors)")
    try write(["de": "Neu", "fr": "Nouveau"])
    #expect(try dragoman(gate + ["--since", "HEAD"], in: folder.path).status == 0)
    try commit("Second")
    #expect(try dragoman(gate + ["--revision", "HEAD", "--since", "HEAD~1"], in: folder.path).status == 0)
    #expect(try dragoman(gate, in: folder.path).status == 1, "the old string is still missing")
    #expect(try dragoman(gate + ["--since", "v9"], in: folder.path).status == 66)
  }

  @Test("different percentages for the same strings are refused")
  func contradiction() throws {
    let folder = try project()
    for requirements in [["100", "0"], ["de=100", "fr=50", "de=99"], ["App/**:de=1", "App/**:de=2"]] {
      let end = try dragoman(["status"] + requirements.flatMap { ["--require", $0] }, in: folder.path)
      #expect(end.status == 64 && end.errors.contains("for the same strings; give one of them"), "\(end.errors)")
    }
    let end = try dragoman(["status", "--require", "50", "--require", "50", "--require", "fr=50"], in: folder.path)
    #expect(!end.errors.contains("for the same strings"), "\(end.errors)")
  }

  @Test("--language and --target restrict what is counted")
  func selection() throws {
    let folder = try project()
    let german = try dragoman(
      ["status", "--language", "de", "--target", "Kit", "--require", "100"], in: folder.path)
    #expect(verdict(german) == "PASS de 100 % (2/2), needs 100 %")
    #expect(!german.output.contains("fr"))
    let tools = try dragoman(["status", "--language", "de", "--target", "Tools", "--require", "100"], in: folder.path)
    #expect(verdict(tools) == "FAIL de 0 % (0/1), needs 100 %: 1 string missing")
  }

  @Test(
    "unknown targets, tables and languages are refused with a suggestion",
    arguments: [
      (["status", "--target", "Kitt"], "did you mean `Kit`?"),
      (["extract", "--target", "Kitt"], "did you mean `Kit`?"),
      (["sync", "--target", "Kitt"], "did you mean `Kit`?"),
      (["export", "--target", "Kitt", "--output", "out"], "did you mean `Kit`?"),
      (["status", "--table", "Localizible"], "did you mean `Localizable`?"),
      (["extract", "--table", "Localizible"], "did you mean `Localizable`?"),
      (["convert", "--table", "Localizible"], "did you mean `Localizable`?"),
      (["status", "--language", "da"], "did you mean `de`?"),
      (["status", "--language", "en"], "en is the source language; give target languages (de, fr)"),
      (["status", "--language", "de_DE"], "the project has no translations into de_DE; did you mean `de`? (de, fr)"),
    ])
  func unknown(arguments: [String], hint: String) throws {
    let folder = try project()
    let end = try dragoman(arguments, in: folder.path)
    #expect(end.status == 66)
    #expect(end.errors.contains(hint), "\(end.errors)")
    #expect(end.output.isEmpty)
  }

  @Test(
    "status --require without a verdict fails with the reason",
    arguments: [
      // One catalog has conflict markers, and the other is complete.
      ([catalog: "<<<<<<< HEAD\n"], ["--require", "0"], 65, "1 catalog is unreadable: \(catalog):1:1: "),
      ([:], ["--require", "da=0"], 1, "da is not one of the languages (de, fr); did you mean `de`?"),
      ([:], ["--language", "de", "--require", "fr=0"], 1, "fr is required, but --language excludes it"),
      (
        ["Sources/Kit/More.swift": "import Foundation\nlet c = String(localized: \"New\", bundle: .module)\n"],
        ["--require", "0"], 1, "1 string of the code is in no catalog"
      ),
      (
        ["Sources/Kit/More.swift": "let more = \(String(repeating: "(", count: 100_000))\n"], ["--require", "0"], 1,
        "1 catalog may lack strings, because its sources are unreadable: Sources/Kit/More.swift:1:"
      ),
    ] as [([String: String], [String], Int32, String)])
  func blind(files: [String: String], arguments: [String], status: Int32, reason: String) throws {
    let folder = try project(files)
    let end = try dragoman(["status"] + arguments, in: folder.path)
    #expect(end.status == status, "\(end.output)\(end.errors)")
    #expect(verdict(end).hasPrefix("FAIL \(reason)"), "\(end.output)")
  }

  @Test("status --require fails without a project, without a catalog, and without a target language")
  func nothing() throws {
    let empty = try TemporaryFolder()
    let nowhere = try dragoman(["status", "--require", "0"], in: empty.path)
    #expect(nowhere.status == 1 && verdict(nowhere).hasPrefix("FAIL no project found"), "\(nowhere)")
    let folder = try project()
    for path in [Self.catalog, "Sources/Tools/Resources/Tools.xcstrings"] {
      try FileManager.default.removeItem(atPath: folder.file(path))
    }
    let bare = try dragoman(["status", "--require", "0"], in: folder.path)
    #expect(bare.status == 1 && verdict(bare).hasPrefix("FAIL "), "\(bare)")
    try folder.write(Self.catalog([Self.entry("Bye", [:]), Self.entry("Hello", [:])]), to: Self.catalog)
    let alone = try dragoman(["status", "--require", "0"], in: folder.path)
    #expect(alone.status == 1, "\(alone)")
    #expect(verdict(alone) == "FAIL no catalog has a target language")
  }

  @Test("require in a pipeline file works like --require, with the file's languages and exclusions")
  func pipeline() throws {
    let folder = try project([
      "Examples/Example.swift": "import SwiftUI\nlet e = Text(\"Nowhere\")\n",
      "Examples/Localizable.xcstrings": Self.catalog([]),
    ])
    func pipeline(_ text: String) throws {
      try folder.write(
        "pipeline: kit\nrepository: { url: . }\nvendors: [{ vendor: pseudo }]\nextract: { exclude: [\"Examples/**\"] }\n"
          + text, to: "kit.yaml")
    }
    let arguments = ["status", "--table", "Localizable", "--pipeline", "kit.yaml"]
    try pipeline("require: { default: 50, de: 100 }\n")
    let met = try dragoman(arguments, in: folder.path)
    #expect(verdict(met) == "PASS de 100 % (2/2), needs 100 %; fr 50 % (1/2), needs 50 %", "\(met)")
    #expect(met.status == 0)
    try pipeline("languages: [de, it]\nrequire: 95\n")
    let unmet = try dragoman(arguments, in: folder.path)
    #expect(verdict(unmet) == "FAIL it 0 % (0/2), needs 95 %: 2 strings missing", "\(unmet)")
    #expect(unmet.status == 1 && !unmet.output.contains("fr"))
    let own = try dragoman(arguments + ["--require", "it=0"], in: folder.path)
    #expect(own.status == 0, "\(own)")
    try folder.write("<<<<<<< HEAD\n", to: Self.catalog)
    #expect(try dragoman(arguments, in: folder.path).status == 65)
    try pipeline("")
    let nothing = try dragoman(arguments, in: folder.path)
    #expect(nothing.status == 64 && nothing.errors.contains("requires nothing"))
    try pipeline("require: many\n")
    let broken = try dragoman(arguments, in: folder.path)
    #expect(broken.status == 65 && broken.errors.contains("\"many\" is not a percentage"), "\(broken)")
    #expect(try dragoman(["status", "--pipeline", "none.yaml"], in: folder.path).status == 66)
  }

  @Test(
    "JUnit output has a test case for each language of each catalog, and lists missing strings only in failed cases")
  func junit() throws {
    let folder = try project()
    let end = try dragoman(
      ["status", "--require", "de=0", "--require", "fr=100", "--format", "junit"], in: folder.path)
    #expect(end.output.contains("<testsuite name=\"localization\" tests=\"5\" failures=\"3\">"), "\(end.output)")
    #expect(end.output.contains("<testcase name=\"de\" classname=\"\(Self.catalog)\"/>"))
    let french = end.output.components(separatedBy: "<testcase name=\"fr\" classname=\"\(Self.catalog)\">").last ?? ""
    #expect(french.prefix { $0 != "/" }.contains("<failure message=\"50.0 %\">new: Bye<"), "\(end.output)")
    #expect(end.output.components(separatedBy: "new: ").count == 3, "\(end.output)")
  }

  @Test("every format contains the verdict", arguments: ["json", "markdown", "junit", "svg"])
  func formats(format: String) throws {
    let folder = try project()
    let end = try dragoman(
      ["status", "--target", "Kit", "--require", "100", "--format", format], in: folder.path)
    #expect(end.status == 1)
    #expect(end.output.contains("FAIL fr 50 % (1/2), needs 100 %: 1 string missing"), "\(end.output)")
  }

  @Test("sync --check prints the verdict as its first line, and fails if a catalog cannot be read")
  func syncCheck() throws {
    let folder = try project()
    let good = try dragoman(["sync", "--check", "--target", "Kit"], in: folder.path)
    #expect(good.status == 0 && verdict(good) == "PASS every catalog is in step with the code", "\(good)")
    try folder.write(
      "import Foundation\nlet c = String(localized: \"New\", bundle: .module)\n", to: "Sources/Kit/C.swift")
    let behind = try dragoman(["sync", "--check"], in: folder.path)
    #expect(
      behind.status == 1 && verdict(behind) == "FAIL 1 catalog not in step with the code (1 change)", "\(behind)")
    try folder.write("<<<<<<< HEAD\n", to: Self.catalog)
    let broken = try dragoman(["sync", "--check"], in: folder.path)
    #expect(broken.status == 65 && verdict(broken).hasPrefix("FAIL 1 catalog is unreadable"), "\(broken)")
  }

  @Test("keys cannot send terminal escapes or break the XML of JUnit")
  func controls() throws {
    let folder = try project([
      Self.catalog: Self.catalog([Self.entry("a\\u001b[31m\u{202E}b", ["de": "x"]), Self.entry("c", ["fr": "y"])])
    ])
    for format in ["text", "json", "markdown", "junit", "svg"] {
      let end = try dragoman(["status", "--require", "100", "--format", format], in: folder.path)
      let printed = (end.output + end.errors).unicodeScalars
      #expect(!printed.contains { $0.value == 0x1B || $0.value == 0x202E }, "\(format)")
    }
  }
}
