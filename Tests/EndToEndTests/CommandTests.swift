import Foundation
import Localization
import TestSupport
import Testing
import ZipArchive

/// The program with bad input: the exit codes and messages of cli.md, and files that must not change. One test runs a copy of the executable.
@Suite("The command line on bad input")
struct CommandTests {
  private static let manifest = """
    // swift-tools-version: 6.0
    import PackageDescription
    let package = Package(name: "Kit", defaultLocalization: "en", targets: [.target(name: "Kit")])
    """
  private static let catalog = "Sources/Kit/Localizable.xcstrings"
  private static let good =
    "{\n  \"sourceLanguage\" : \"en\",\n  \"strings\" : {\n    \"Hello\" : {\n\n    }\n  },\n  \"version\" : \"1.0\"\n}"

  private func project(_ files: [String: String] = [:]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(Self.manifest, to: "Package.swift")
    try folder.write("import Foundation\nlet hello = String(localized: \"Hello\")\n", to: "Sources/Kit/Kit.swift")
    try folder.write(Self.good, to: Self.catalog)
    for (name, text) in files { try folder.write(text, to: name) }
    return folder
  }

  @Test("a missing revision, path or catalog is reported with exit code 66")
  func missing() throws {
    let folder = try TemporaryFolder()
    let repository = try TemporaryRepository()
    for arguments in [
      ["extract", folder.file("absent")], ["extract", folder.path, "--revision", "main"],
      ["extract", repository.path, "--revision", "HEAD"], ["run", folder.file("absent.yaml"), "--once"],
      ["import", folder.file("absent.xliff")], ["reprint", folder.file("absent.xcstrings")],
    ] {
      let end = try dragoman(arguments, in: folder.path)
      #expect(end.status == 66, "\(arguments): \(end.errors)")
      #expect(end.errors.hasPrefix("error: "))
    }
    try repository.commit(["a": "b"])
    let branch = try dragoman(["extract", repository.path, "--revision", "no-such"], in: folder.path)
    #expect(branch.status == 66 && branch.errors.contains("no-such"))
  }

  @Test(
    "an unreadable catalog is reported with line and column and left unchanged, and the rest is processed",
    arguments: [
      ("<<<<<<< HEAD\n{}\n=======\n{ }\n>>>>>>> other\n", "conflict marker"),
      ("{\n  \"sourceLanguage\" : \"en\",\n  \"strings\" : {\n", ":"),
      ("{ \"sourceLanguage\" : \"en\", \"strings\" : { \"A\" : {}, \"A\" : {} }, \"version\" : \"1.0\" }", "A"),
    ])
  func brokenCatalog(text: String, words: String) throws {
    let folder = try project([
      "Package.swift": Self.manifest.replacing(
        "targets: [.target(name: \"Kit\")]", with: "targets: [.target(name: \"Kit\"), .target(name: \"Other\")]"),
      "Sources/Kit/Localizable.xcstrings": text,
      "Sources/Other/Other.swift": "let other = String(localized: \"Other\")",
      "Sources/Other/Localizable.xcstrings": Self.good.replacing("\"Hello\" : {\n\n    }\n  ", with: "\n  "),
    ])
    let end = try dragoman(["sync", folder.path], in: folder.path)
    #expect(end.status == 0, "\(end.errors)")
    #expect(end.errors.contains(#/Sources\/Kit\/Localizable\.xcstrings:\d+:\d+: error: /#), "\(end.errors)")
    #expect(end.errors.contains(words))
    #expect(try folder.read(Self.catalog) == Array(text.utf8))
    #expect(
      String(decoding: try folder.read("Sources/Other/Localizable.xcstrings"), as: UTF8.self).contains("\"Other\" : {"))
  }

  @Test("a manifest that cannot be parsed is reported with its line, and no key is removed from catalogs")
  func brokenManifest() throws {
    let folder = try project([
      "Package.swift": Self.manifest.replacing("[.target(name: \"Kit\")])", with: "[.target(name: ")
    ])
    let end = try dragoman(["sync", folder.path], in: folder.path)
    #expect(end.errors.contains(#/Package\.swift:\d+:\d+: error: /#), "\(end.errors)")
    #expect(try folder.read(Self.catalog) == Array(Self.good.utf8))
  }

  @Test(
    "a source that exceeds the parser's limits is reported, other sources are read, and no key is removed from the catalog",
    arguments: [
      String(repeating: "[", count: 1000) + String(repeating: "]", count: 1000),
      "a" + String(repeating: ".b()", count: 100_000),
    ])
  func hostileSource(expression: String) throws {
    let folder = try project([
      "Sources/Kit/Hostile.swift": "let hostile = \(expression)\n", "Sources/Kit/Kit.swift": "",
    ])
    let end = try dragoman(["sync", folder.path], in: folder.path)
    #expect(end.status == 0)
    #expect(end.errors.contains(#/Sources\/Kit\/Hostile\.swift:1:\d+: /#), "\(end.errors)")
    #expect(try folder.read(Self.catalog) == Array(Self.good.utf8))
  }

  @Test("a symbolic link in place of a catalog is not followed")
  func linkedCatalog() throws {
    let folder = try project()
    let outside = try TemporaryFolder()
    try outside.write(Self.good, to: "outside.xcstrings")
    try FileManager.default.removeItem(atPath: folder.file(Self.catalog))
    try FileManager.default.createSymbolicLink(
      atPath: folder.file(Self.catalog), withDestinationPath: outside.file("outside.xcstrings"))
    try folder.write("let bye = String(localized: \"Bye\")", to: "Sources/Kit/Kit.swift")
    let end = try dragoman(["sync", folder.path], in: folder.path)
    #expect(end.errors.contains("\(Self.catalog): error: "), "\(end.errors)")
    #expect(try outside.read("outside.xcstrings") == Array(Self.good.utf8))
  }

  @Test(
    "a bundle that cannot be read is reported with exit code 65, and no file is changed",
    arguments: [
      ("cut.xliff", "<?xml version=\"1.0\"?>\n<xliff><file original=\"x\"><body><trans-unit id=\"a\">"),
      (
        "bomb.xliff",
        "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>\n<xliff version=\"1.2\">&b;</xliff>"
      ),
      ("other.xliff", "neither zip nor XLIFF"),
    ])
  func brokenBundle(name: String, text: String) throws {
    let folder = try project([name: text])
    let end = try dragoman(["import", name], in: folder.path)
    #expect(end.status == 65, "\(end.errors)")
    #expect(end.errors.contains(#/(cut|bomb|other)\.xliff(:\d+:\d+)?: error: /#), "\(end.errors)")
    #expect(try folder.read(Self.catalog) == Array(Self.good.utf8))
  }

  @Test("units with an unknown key or different placeholders are held with exit code 1, and the others are written")
  func heldUnits() throws {
    let unit = { (id: String, target: String) in
      "<trans-unit id=\"\(id)\"><source>\(id)</source><target state=\"translated\">\(target)</target><note/></trans-unit>"
    }
    let file = { (language: String, units: String) in
      "<file original=\"\(Self.catalog)\" source-language=\"en\" target-language=\"\(language)\" datatype=\"plaintext\"><body>\(units)</body></file>"
    }
    let folder = try project([
      Self.catalog: Self.good.replacing("\"Hello\" :", with: "\"%lld birds\" : {\n\n    },\n    \"Hello\" :"),
      "back.xliff": "<xliff version=\"1.2\" xmlns=\"urn:oasis:names:tc:xliff:document:1.2\">"
        + file("de", unit("Hello", "Hallo") + unit("%lld birds", "%@ Vögel") + unit("Unknown", "Unbekannt"))
        + "</xliff>",
    ])
    let end = try dragoman(["import", "back.xliff", "--format", "json"], in: folder.path)
    #expect(end.status == 1, "\(end.errors)")
    let text = String(decoding: try folder.read(Self.catalog), as: UTF8.self)
    #expect(text.contains("\"Hallo\"") && !text.contains("Vögel"))
    #expect(end.output.contains("\"taken\" : 1") && end.output.contains("\"held\" : 2"))
  }

  @Test(
    "a selector of --skip or --take that matches no unit is rejected before anything is written",
    arguments: [
      ("--skip", "language=german", "the language german"), ("--skip", "key=hello", "did you mean `Hello`?"),
      ("--skip", "key=Hello|==|plural.one", "(Hello)"), ("--take", "key=Hallo", "the key Hallo"),
    ])
  func unknownChoices(option: String, selector: String, hint: String) throws {
    let bundle =
      "<xliff version=\"1.2\" xmlns=\"urn:oasis:names:tc:xliff:document:1.2\"><file original=\"\(Self.catalog)\""
      + " source-language=\"en\" target-language=\"de\" datatype=\"plaintext\"><body><trans-unit id=\"Hello\">"
      + "<source>Hello</source><target state=\"translated\">Hallo</target></trans-unit></body></file></xliff>"
    let folder = try project([Self.catalog: Self.good, "de.xliff": bundle])
    let end = try dragoman(["import", "de.xliff", option, selector], in: folder.path)
    #expect(end.status == 66 && end.errors.contains(hint), "\(end.errors)")
    #expect(try folder.read(Self.catalog) == Array(Self.good.utf8))
    let skipped = try dragoman(["import", "de.xliff", "--skip", "language=DE"], in: folder.path)
    #expect(skipped.status == 0 && skipped.errors.contains("1 skipped"), "\(skipped.errors)")
    #expect(try folder.read(Self.catalog) == Array(Self.good.utf8))
  }

  @Test("different translations in two bundles of one import are reported, and the later bundle's translation is used")
  func bundlesThatDiffer() throws {
    let bundle = { (target: String) in
      "<xliff version=\"1.2\" xmlns=\"urn:oasis:names:tc:xliff:document:1.2\"><file original=\"\(Self.catalog)\""
        + " source-language=\"en\" target-language=\"de\" datatype=\"plaintext\"><body><trans-unit id=\"Hello\">"
        + "<source>Hello</source><target state=\"translated\">\(target)</target></trans-unit></body></file></xliff>"
    }
    let folder = try project([
      Self.catalog: Self.good, "a.xliff": bundle("Hallo"), "b.xliff": bundle("Servus"),
      "c.xliff": bundle("Servus"),
    ])
    let end = try dragoman(["import", "a.xliff", "b.xliff", "c.xliff"], in: folder.path)
    #expect(end.status == 0, "\(end.errors)")
    #expect(
      end.errors.components(separatedBy: "replaces a different one").count == 2
        && end.errors.contains(
          "b.xliff: warning: de: \"Hello\": this translation replaces a different one from a.xliff"),
      "\(end.errors)")
    #expect(String(decoding: try folder.read(Self.catalog), as: UTF8.self).contains("Servus"))
  }

  @Test("every command and every round reports duplicate entries and entries that no format can express")
  func warnings() throws {
    let german = "\"a\" = \"x\";\n\"a\" = \"y\";\n\"list\" = (\"x\", \"y\");\n"
    let rule =
      "\t<key>wide</key>\n\t<dict>\n\t\t<key>NSStringVariableWidthRuleType</key>\n\t\t<dict>\n\t\t\t<key>20</key>\n\t\t\t<string>short</string>\n\t\t</dict>\n\t</dict>\n"
    let files = [
      "App/en.lproj/L.strings": "\"a\" = \"A\";\n\"b\" = \"B\";\n\"b\" = \"B\";\n\"list\" = \"L\";\n",
      "App/de.lproj/L.strings": german,
      "App/en.lproj/W.stringsdict": "<plist version=\"1.0\">\n<dict>\n\(rule)</dict>\n</plist>\n",
    ]
    let told = [
      "App/en.lproj/L.strings:3:1: warning: the key \"b\" is also on line 2",
      "App/de.lproj/L.strings:2:1: warning: the key \"a\" is also on line 1",
      "App/de.lproj/L.strings:3:1: warning: the value of the key \"list\" is not text",
      "App/en.lproj/W.stringsdict:3:2: warning: the key \"wide\" has a width rule",
    ]
    let folder = try TemporaryFolder()
    for (name, text) in files { try folder.write(text, to: name) }
    let unit = { (id: String, source: String) in
      "<trans-unit id=\"\(id)\"><source>\(source)</source><target>neu</target></trans-unit>"
    }
    try folder.write(
      "<xliff version=\"1.2\" xmlns=\"urn:oasis:names:tc:xliff:document:1.2\"><file original=\"App/en.lproj/L.strings\""
        + " source-language=\"en\" target-language=\"de\" datatype=\"plaintext\"><body>"
        + unit("b", "B") + unit("list", "L") + "</body></file></xliff>", to: "de.xliff")
    for (arguments, status) in [
      (["status", "."], 0), (["export", ".", "--language", "de", "--output", "out"], 0),
      (["import", "de.xliff"], 1),
    ] as [([String], Int32)] {
      let end = try dragoman(arguments, in: folder.path)
      #expect(end.status == status, "\(arguments): \(end.errors)")
      for line in told { #expect(end.errors.contains(line), "\(arguments): \(end.errors)") }
    }
    // The unit with a value that is not a text is held, and duplicates stay in the file.
    let after = String(decoding: try folder.read("App/de.lproj/L.strings"), as: UTF8.self)
    #expect(after.contains("\"b\" = \"neu\";"))
    #expect(after.replacing("\"b\" = \"neu\";\n", with: "") == german)
    let repository = try TemporaryRepository()
    try repository.commit(files)
    try folder.write(
      "pipeline: app\nrepository: { url: \"\(try repository.bareCopy())\" }\nlanguages: [de]\nvendors: [{ vendor: pseudo }]\n",
      to: "pipeline.yaml")
    let round = try dragoman(["run", "pipeline.yaml", "--once"], in: folder.path)
    for line in told { #expect(round.errors.contains(line), "\(round.errors)") }
  }

  @Test("every fault of a pipeline file is reported with its line, with exit code 65")
  func brokenPipeline() throws {
    let folder = try TemporaryFolder()
    try folder.write("pipeline: a\nrepositry: { url: x }\nvendors:\n  - { vendor: fodler }\n", to: "p/a.yaml")
    for arguments in [["run", "p/a.yaml", "--once"], ["pipelines", "check", "p"]] {
      let end = try dragoman(arguments, in: folder.path)
      #expect(end.status == 65, "\(end.errors)")
      #expect(end.errors.contains(#/p\/a\.yaml:2:\d+: error: /#) && end.errors.contains(#/p\/a\.yaml:4:\d+: error: /#))
    }
  }

  @Test("wrong usage exits with 64, and an unknown command gets a suggestion")
  func usage() throws {
    let folder = try TemporaryFolder()
    #expect(try dragoman(["extract", "--no-such-option"], in: folder.path).status == 64)
    let end = try dragoman(["extrct", "."], in: folder.path)
    #expect(end.status == 64 && end.errors.contains("no command extrct; did you mean `extract`?"))
    let nested = try dragoman(["rounds", "shw", "birds#1"], in: folder.path)
    #expect(nested.status == 64 && nested.errors.contains("no command shw; did you mean `show`?"))
  }

  @Test("the executable works after it is copied alone to another folder")
  func copiedAlone() throws {
    let folder = try project()
    let alone = try TemporaryFolder()
    let program = alone.file("dragoman")
    // `FileManager` is not used, because a child process of another test could inherit the open copy, and a file that is open for writing cannot be
    // executed.
    #expect(try ProgramEnd.of("cp", [dragomanPath(), program]).status == 0)
    let extracted = try dragoman(["extract", folder.path], in: alone.path, program: program)
    #expect(extracted.status == 0 && extracted.output.contains("Hello"))
    let exported = try dragoman(
      ["export", folder.path, "--language", "de", "--output", "out"], in: alone.path, program: program)
    #expect(exported.status == 0 && FileManager.default.fileExists(atPath: alone.file("out/de.xcloc/contents.json")))
    let repository = try TemporaryRepository()
    try repository.commit([
      "Package.swift": Self.manifest, "Sources/Kit/Kit.swift": "let hello = String(localized: \"Hello\")",
      Self.catalog: Self.good,
    ])
    try alone.write(
      "pipeline: kit\nrepository: { url: \"\(try repository.bareCopy())\" }\nlanguages: [de]\nvendors: [{ vendor: pseudo }]\n",
      to: "pipeline.yaml")
    let round = try dragoman(["run", "pipeline.yaml", "--once"], in: alone.path, program: program)
    #expect(round.status == 0 && round.output.contains("l10n/main"), "\(round.output)\(round.errors)")
  }
}
