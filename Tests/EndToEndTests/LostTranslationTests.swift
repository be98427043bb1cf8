import Foundation
import TestSupport
import Testing

/// `status --since` after translations were lost and catalogs were moved.
@Suite("Gates for changes, with lost translations")
struct LostTranslationTests {
  private static let path = "App/A.xcstrings"

  private static func catalog(_ languages: [String: String], second: [String: String] = ["de": "b", "fr": "b"])
    -> String
  {
    GateTests.catalog([GateTests.entry("a", languages), GateTests.entry("b", second)]).replacing(
      "{ \"localizations\"", with: "{ \"extractionState\" : \"manual\", \"localizations\"")
  }

  private static let complete = catalog(["de": "a", "fr": "a"])

  private func repository() throws -> TemporaryRepository {
    let repository = try TemporaryRepository()
    try repository.commit(["App/App.swift": "import Foundation\n", Self.path: Self.complete])
    return repository
  }

  private func gate(_ repository: TemporaryRepository, _ more: String...) throws -> ProgramEnd {
    try dragoman(["status", "--require", "100", "--since", "HEAD"] + more, in: repository.path)
  }

  @Test(
    "a translation that was complete before and is not now counts as changed",
    arguments: [
      catalog(["fr": "a"]),
      catalog(["de": "a", "fr": "a"]).replacing(
        "\"a\" : { \"extractionState\" : \"manual\", \"localizations\" : { \"de\" : { \"stringUnit\" : { \"state\" : \"translated\"",
        with:
          "\"a\" : { \"extractionState\" : \"manual\", \"localizations\" : { \"de\" : { \"stringUnit\" : { \"state\" : \"needs_review\""
      ),
    ])
  func lost(catalog: String) throws {
    let repository = try repository()
    #expect(try gate(repository).status == 0)
    try repository.write(catalog, to: Self.path)
    let end = try gate(repository)
    #expect(end.status == 1 && end.output.hasPrefix("FAIL de 0 % (0/1), needs 100 %: 1 string missing\n"), "\(end)")
    #expect(end.errors.contains("1 string is new or changed since HEAD."), "\(end)")
  }

  @Test("a language that was removed completely still counts")
  func language() throws {
    let repository = try repository()
    try repository.write(Self.catalog(["de": "a"], second: ["de": "b"]), to: Self.path)
    let end = try gate(repository)
    #expect(end.status == 1 && end.output.hasPrefix("FAIL fr 0 % (0/2), needs 100 %: 2 strings missing\n"), "\(end)")
    #expect(try gate(repository, "--language", "de").status == 0)
  }

  @Test("translations that were already missing do not count, and neither do stale strings")
  func missingBefore() throws {
    let repository = try repository()
    try repository.commit([Self.path: Self.catalog(["de": "a"])])
    try repository.write(Self.catalog(["de": "A"]), to: Self.path)
    #expect(try gate(repository).status == 0)
  }

  @Test("a catalog that was moved or converted within its target is compared with its predecessor")
  func moved() throws {
    let repository = try TemporaryRepository()
    try repository.write(GateTests.manifest, to: "Package.swift")
    try repository.write("import Foundation\n", to: "Sources/Tools/Tools.swift")
    try repository.write(
      "import Foundation\nlet a = String(localized: \"Hello\", bundle: .module)\nlet b = String(localized: \"Bye\", bundle: .module)\n",
      to: "Sources/Kit/Kit.swift")
    let tables = "Sources/Kit/Resources/"
    try repository.write("\"Hello\" = \"Hello\";\n\"Bye\" = \"Bye\";\n", to: tables + "en.lproj/Localizable.strings")
    try repository.write("\"Hello\" = \"Hallo\";\n", to: tables + "de.lproj/Localizable.strings")
    try repository.commit()
    try repository.git("rm", "-rq", "Sources/Kit/Resources")
    let catalog = GateTests.catalog([GateTests.entry("Hello", ["de": "Hallo"]), GateTests.entry("Bye")])
    try repository.write(catalog, to: GateTests.catalog)
    #expect(try gate(repository).status == 0)
    try repository.commit()
    try repository.git("rm", "-rq", GateTests.catalog)
    try repository.write(catalog, to: tables + "Texts/Localizable.xcstrings")
    let end = try gate(repository)
    #expect(end.status == 0 && end.errors.contains("0 strings are new or changed"), "\(end)")
  }
}
