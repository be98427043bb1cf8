import Foundation
import TestSupport
import Testing

/// Table names that are paths of other files, and bundles without usable units.
@Suite("Hostile names and empty bundles")
struct HostileNameTests {
  private static let manifest = """
    // swift-tools-version: 5.9
    import PackageDescription
    let package = Package(name: "Kit", defaultLocalization: "en", targets: [.target(name: "Kit")])
    """

  private func package(_ code: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(Self.manifest, to: "Package.swift")
    try folder.write(
      "import Foundation\nlet a = NSLocalizedString(\"Hello\", bundle: .module, comment: \"\")\n\(code)",
      to: "Sources/Kit/Kit.swift")
    try folder.write(
      GateTests.catalog([GateTests.entry("Hello", ["de": "Hallo"])]), to: "Sources/Kit/Localizable.xcstrings")
    return folder
  }

  private func contents(_ folder: TemporaryFolder) throws -> [String: Data] {
    var found: [String: Data] = [:]
    for name in FileManager.default.enumerator(atPath: folder.path)?.compactMap({ $0 as? String }) ?? [] {
      found[name] = FileManager.default.contents(atPath: folder.file(name))
    }
    return found
  }

  @Test(
    "a table name that cannot be a file name neither creates nor overwrites a file",
    arguments: ["Kit.swift\\u{0}x", "../../Package", ".git/hooks/post-commit", "a/b", "..", "\\u{1B}[2J"])
  func table(name: String) throws {
    let folder = try package(
      "let b = NSLocalizedString(\"Bye\", tableName: \"\(name)\", bundle: .module, comment: \"\")\n")
    let before = try contents(folder)
    for command in [["init", "--dry-run"], ["init"], ["sync"], ["check"]] {
      let end = try dragoman(command, in: folder.path)
      #expect(
        end.errors.contains("Sources/Kit/Kit.swift:3:27: warning: no file can have the name of the table"),
        "\(command) \(end)")
      #expect(!end.errors.contains("\u{1B}") && !end.output.contains("\u{1B}"))
    }
    #expect(try contents(folder) == before)
  }

  @Test("an empty table name refers to the default table")
  func emptyTable() throws {
    let folder = try package("let b = NSLocalizedString(\"Bye\", tableName: \"\", bundle: .module, comment: \"\")\n")
    let end = try dragoman(["extract"], in: folder.path)
    #expect(end.output.contains("Sources/Kit/Localizable.xcstrings\t\"Bye\""), "\(end)")
  }

  private static func bundle(_ body: String) -> String {
    """
    <?xml version="1.0"?>
    <xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2">
    <file original="Sources/Kit/Localizable.xcstrings" source-language="en" target-language="uk" datatype="plaintext">
    \(body)
    </file></xliff>
    """
  }

  private static let unit = "<trans-unit id=\"Hello\"><source>Hello</source><target>Привіт</target></trans-unit>"

  @Test(
    "import exits with 65 if no unit of a bundle can be read, and reports where the bundle's texts are",
    arguments: [
      (unit.replacing("trans-unit", with: "TRANS-UNIT"), "4:7: error: the texts in <TRANS-UNIT> are not read"),
      (
        "<body>\(unit.replacing("trans-unit", with: "TRANS-UNIT"))</body>",
        "error: the texts in <TRANS-UNIT> are not read"
      ),
      (
        "<unit id=\"Hello\"><segment><source>Hello</source><target>x</target></segment></unit>",
        "error: the texts in <unit> are not read"
      ),
      (unit, "error: the texts in <trans-unit> are not read"),
      ("<body><x:y xmlns:x=\"z\">\(unit)</x:y></body>", "error: the texts in <y> are not read"),
      ("<body></body>", "error: it contains no text"), ("", "error: it contains no text"),
    ])
  func nothing(body: String, words: String) throws {
    let folder = try package("")
    try folder.write(Self.bundle(body), to: "uk.xliff")
    let end = try dragoman(["import", "uk.xliff"], in: folder.path)
    #expect(
      end.status == 65 && end.errors.contains(words.hasPrefix("4:7") ? String(words.dropFirst(5)) : words), "\(end)")
  }

  @Test("units in an unexpected XLIFF element are reported, and the other units are imported")
  func partly() throws {
    let folder = try package("")
    let other = Self.unit.replacing("Hello", with: "Bye").replacing("trans-unit", with: "unit")
    try folder.write(Self.bundle("<header><note>x</note></header><body>\(Self.unit)\n\(other)</body>"), to: "uk.xliff")
    let end = try dragoman(["import", "uk.xliff"], in: folder.path)
    #expect(end.status == 1 && end.errors.contains("uk.xliff:5:1: error: the texts in <unit> are not read"), "\(end)")
    #expect(String(decoding: try folder.read("Sources/Kit/Localizable.xcstrings"), as: UTF8.self).contains("Привіт"))
  }

  @Test("a language whose targets repeat the source is reported, even if another language of the bundle is translated")
  func unchangedLanguage() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.manifest, to: "Package.swift")
    let keys = ["One", "Two", "Three"]
    try folder.write(
      "import Foundation\n"
        + keys.map { "let \($0.lowercased()) = String(localized: \"\($0)\", bundle: .module)\n" }.joined(),
      to: "Sources/Kit/Kit.swift")
    try folder.write(GateTests.catalog(keys.map { GateTests.entry($0, [:]) }), to: "Sources/Kit/Localizable.xcstrings")
    func body(_ word: (String) -> String) -> String {
      "<body>"
        + keys.map { "<trans-unit id=\"\($0)\"><source>\($0)</source><target>\(word($0))</target></trans-unit>" }
        .joined() + "</body>"
    }
    let unchanged = Self.bundle(body { $0 + " \u{200B}" }).replacing("\"uk\"", with: "\"de\"")
    let both =
      unchanged.replacing("</file></xliff>", with: "</file>")
      + Self.bundle(body { "uk " + $0 }).split(separator: "\n").dropFirst(2).joined(separator: "\n")
    try folder.write(both, to: "both.xliff")
    let end = try dragoman(["import", "both.xliff", "--dry-run"], in: folder.path)
    #expect(
      end.errors.contains(
        "both.xliff: warning: 3 of 3 translations into de are the same as their source text. Was this file translated?"),
      "\(end)")
    #expect(!end.errors.contains("into uk"))
  }

  @Test("import --dry-run has the same exit code as import when import fails", arguments: ["link", "folder", "file"])
  func dryRun(kind: String) throws {
    let folder = try package("")
    try folder.write(Self.manifest, to: "Package.swift")
    try FileManager.default.removeItem(atPath: folder.file("Sources/Kit/Localizable.xcstrings"))
    try folder.write("\"Hello\" = \"Hello\";\n", to: "Sources/Kit/en.lproj/Localizable.strings")
    switch kind {
    case "link":
      try FileManager.default.createDirectory(
        atPath: folder.file("Sources/Kit/uk.lproj"), withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: folder.file("Sources/Kit/uk.lproj/Localizable.strings"), withDestinationPath: "/nowhere")
    case "folder":
      try FileManager.default.createDirectory(
        atPath: folder.file("Sources/Kit/uk.lproj/Localizable.strings"), withIntermediateDirectories: true)
    default: try folder.write("x", to: "Sources/Kit/uk.lproj")
    }
    try folder.write(
      Self.bundle("<body>\(Self.unit)</body>").replacing(
        "Localizable.xcstrings", with: "en.lproj/Localizable.strings"), to: "uk.xliff")
    let real = try dragoman(["import", "uk.xliff"], in: folder.path)
    let dry = try dragoman(["import", "uk.xliff", "--dry-run"], in: folder.path)
    #expect(real.status != 0 && dry.status == real.status && dry.errors.hasPrefix(real.errors), "\(real) \(dry)")
  }
}
