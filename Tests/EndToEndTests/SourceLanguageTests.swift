import TestSupport
import Testing

/// Projects with catalogs in several source languages.
@Suite("Several source languages")
struct SourceLanguageTests {
  private func package(_ name: String, _ language: String) -> String {
    """
    // swift-tools-version: 6.0
    import PackageDescription
    let package = Package(name: "\(name)", defaultLocalization: "\(language)", targets: [.target(name: "\(name)")])

    """
  }

  /// Returns an English package without German texts, and a German package with all English texts.
  private func project() throws -> TemporaryRepository {
    let folder = try TemporaryRepository()
    for (name, language) in [("A", "de"), ("B", "en")] {
      try folder.write(package(name, language), to: "\(name)/Package.swift")
      try folder.write(
        "import Foundation\nlet x = String(localized: \"X\", bundle: .module)\n", to: "\(name)/Sources/\(name)/x.swift")
    }
    try folder.write(
      GateTests.catalog([GateTests.entry("X", ["en": "x"])]).replacing(": \"en\"", with: ": \"de\""),
      to: "A/Sources/A/Localizable.xcstrings")
    try folder.write(GateTests.catalog([GateTests.entry("X")]), to: "B/Sources/B/Localizable.xcstrings")
    return folder
  }

  @Test("each catalog counts for every language except its own source language")
  func counted() throws {
    let folder = try project()
    let gate = try dragoman(["status", "--require", "100"], in: folder.path)
    #expect(gate.status == 1, "\(gate)")
    #expect(
      gate.output.hasPrefix("FAIL de 0 % (0/1), needs 100 %: 1 string missing\n"), "\(gate.output)")
    #expect(gate.errors.contains("B/Sources/B/Localizable.xcstrings: de: new: \"X\""), "\(gate.errors)")
    #expect(gate.errors.contains("the source language is en here, but Dragoman uses de, because of A/Package.swift"))
    try folder.write(GateTests.catalog([GateTests.entry("X", ["de": "x"])]), to: "B/Sources/B/Localizable.xcstrings")
    let complete = try dragoman(["status", "--require", "100"], in: folder.path)
    #expect(complete.output.hasPrefix("PASS de 100 % (1/1), needs 100 %; en 100 % (1/1), needs 100 %\n"), "\(complete)")
  }

  @Test("a catalog with another source language does not hide the languages of other catalogs")
  func stray() throws {
    let folder = try GateTests().project([
      "Sources/Kit/Resources/De.xcstrings": GateTests.catalog([GateTests.entry("H", ["en": "h"])])
        .replacing(": \"en\",", with: ": \"de\",").replacing(
          "\"localizations\"", with: "\"extractionState\" : \"manual\", \"localizations\"")
    ])
    let gate = try dragoman(["status", "--require", "en=100", "--require", "fr=100"], in: folder.path)
    #expect(gate.output.hasPrefix("FAIL fr "), "\(gate)")
    #expect(gate.output.contains("\nen "), "\(gate)")
  }

  @Test("a catalog with another source language counts as untranslated in the gate, and the run reports it")
  func pipeline() throws {
    let folder = try project()
    try folder.write(
      "pipeline: b\nrepository: { url: . }\nlanguages: [de, en]\nvendors: [{ vendor: pseudo }]\nrequire: 100\n",
      to: "p.yaml")
    try folder.commit()
    let gate = try dragoman(["status", "--pipeline", "p.yaml"], in: folder.path)
    #expect(gate.output.hasPrefix("FAIL de 0 % (0/1)"), "\(gate)")
    let run = try dragoman(["run", "p.yaml", "--once", "--progress", "none"], in: folder.path)
    #expect(
      (run.output + run.errors).contains("B/Sources/B/Localizable.xcstrings: its source language is en"), "\(run)")
  }

  @Test("the warning names a file that sets the source language in use")
  func reason() throws {
    let folder = try GateTests().project([
      "Sources/Kit/Resources/A.xcstrings": GateTests.catalog([]).replacing(": \"en\"", with: ": \"de\"")
    ])
    try folder.write(
      GateTests.manifest.replacing("defaultLocalization: \"en\", ", with: ""), to: "Package.swift")
    let status = try dragoman(["status"], in: folder.path)
    #expect(
      status.errors.contains(
        "A.xcstrings: warning: the source language is de here, but Dragoman uses en, because of \(GateTests.catalog)"),
      "\(status.errors)")
  }
}
