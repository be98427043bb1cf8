import CatalogFormats
import Foundation
import Localization
import TestSupport
import Testing

@Suite("Import of an export")
struct ImportRoundTripTests {
  /// The String Catalogs and tables to export and import.
  static let files = ["xcstrings", "strings", "stringsdict"].flatMap { SampleFile.all("." + $0) }.filter {
    CatalogFormatRegistry.standard.format(for: $0.treePath) != nil
  }

  private static func exported(_ catalog: Catalog, _ language: LocaleIdentifier) -> [ExchangeUnit] {
    catalog.path.ending == "xcstrings"
      ? ExportShape.units(of: catalog, for: language) : ClassicExport.units(of: catalog, for: language)
  }

  /// Returns the export of a language with changed units, after it is written as XLIFF and read back.
  private static func sent(
    _ catalog: Catalog, _ language: LocaleIdentifier, _ change: (ExchangeUnit) -> ExchangeUnit = { $0 }
  ) throws -> ExchangeFile {
    let units = exported(catalog, language).map(change)
    let file = ExchangeFile(
      original: catalog.path.text, sourceLanguage: catalog.sourceLanguage, targetLanguage: language, units: units)
    let read = try XLIFF.read(XLIFF.write(XLIFFDocument(files: [file])), at: "x.xliff")
    return read.files.first ?? file
  }

  @Test("importing an unchanged export of any language changes no bytes", arguments: files)
  func unchanged(file: SampleFile) throws {
    let format = try #require(CatalogFormatRegistry.standard.format(for: file.treePath))
    let files = CatalogFiles(try file.bytes(), at: file.treePath)
    let catalog = try format.read(files)
    for language in catalog.languages.union(["uk"]).sorted() {
      let sent = try Self.sent(catalog, language)
      let result = ImportReview(catalogs: [catalog.path: catalog], policy: .asXcode).review([sent])
      #expect(result.catalogs.isEmpty)
      #expect(result.outcomes.count == sent.units.count)
      for (unit, outcome) in zip(sent.units, result.outcomes) {
        #expect(outcome.verdict == (unit.target == nil ? .held(.noTarget) : .unchanged), "\(language): \(unit)")
      }
    }
    #expect(try format.write(catalog, over: files).isEmpty)
  }

  @Test(
    "a translator's changed targets are imported exactly, and a second import changes nothing",
    arguments: files)
  func changed(file: SampleFile) throws {
    let format = try #require(CatalogFormatRegistry.standard.format(for: file.treePath))
    let files = CatalogFiles(try file.bytes(), at: file.treePath)
    let catalog = try format.read(files)
    var random = SeededGenerator(seed: 5)
    let others = catalog.languages.subtracting([catalog.sourceLanguage]).sorted()
    for language in [LocaleIdentifier("uk")] + others.shuffled(using: &random).prefix(2)
    where language != catalog.sourceLanguage {
      let source = { (unit: ExchangeUnit) -> SourceForms? in
        catalog.entries[unit.key].map { SourceForms(key: unit.key, entry: $0, sourceLanguage: catalog.sourceLanguage) }
      }
      let sent = try Self.sent(catalog, language) { unit in
        var unit = unit
        // A form that only the translation has is derived from the translation's own text.
        let base = source(unit)?.leaf(at: unit.path) == nil ? unit.target?.text : unit.source
        guard let base else { return unit }
        unit.target = ExchangeTarget(Self.answer(base, using: &random), state: "translated")
        return unit
      }
      var result = ImportReview(catalogs: [catalog.path: catalog], policy: .asXcode).review([sent])
      result.holdRefused(in: catalog.path, original: catalog) { (catalog) throws(InputFault) in
        _ = try format.write(catalog, over: files)
      }
      for (unit, outcome) in zip(sent.units, result.outcomes) where outcome.verdict != .taken {
        if case .held(.notWritable) = outcome.verdict { continue }
        // The answer is derived from a source text that does not show the number.
        if outcome.verdict == .held(.pluralWithoutNumber) { continue }
        // The answer is derived from a source text with a substitution, which a plural form cannot reference.
        if !unit.path.mayReferenceSubstitutions, outcome.holdReason?.code == "placeholdersDiffer",
          !FormatString(unit.target?.text.summary ?? "").references.isEmpty
        {
          continue
        }
        #expect(unit.target == nil && outcome.verdict == .held(.noTarget), "\(language): \(unit): \(outcome.verdict)")
      }
      let after = result.catalogs[catalog.path] ?? catalog
      let written = files.applying(try format.write(after, over: files), languages: [language])
      let again = try format.read(written)
      #expect(
        again.entries.mapValues { $0.translations[language] } == after.entries.mapValues { $0.translations[language] })
      let back = try Self.sent(again, language)
      var targets: [ExchangeUnit.ID: ExchangeTarget] = [:]
      for unit in back.units { targets[unit.id] = unit.target }
      for (unit, outcome) in zip(sent.units, result.outcomes) where outcome.verdict == .taken {
        #expect(
          targets[unit.id].map { $0.text.isExactly(unit.target?.text ?? .phrases([])) } == true, "\(language): \(unit)")
      }
      let second = ImportReview(catalogs: [again.path: again], policy: .asXcode).review([sent])
      #expect(second.catalogs.isEmpty)
      for (one, other) in zip(result.outcomes, second.outcomes) where one.verdict == .taken {
        #expect(other.verdict == .unchanged)
      }
    }
  }

  /// Adds words around the text, so that every placeholder keeps its position.
  private static func answer(_ text: ExchangeText, using random: inout SeededGenerator) -> ExchangeText {
    switch text {
    case .text(let text): .text(words(&random) + text + words(&random))
    case .phrases(let phrases): .phrases(phrases.map { words(&random) + $0 + words(&random) })
    }
  }

  private static func words(_ random: inout SeededGenerator) -> String {
    let letters = [
      "x", "é", "e\u{301}", "漢", "🙂", " ", "\n", "\r", "\t", "<b>", "&amp;", "]]>", "\"", "'", "\\", "\u{202E}",
      "\u{2066}", "\u{A0}", "\u{2028}", "|==|", "}", "/",
    ]
    let count = Int.random(in: 0..<6, using: &random)
    return " «" + (0..<count).map { _ in letters.randomElement(using: &random) ?? "" }.joined() + "» "
  }

  @Test("a complete Xcode bundle is imported into its own source catalogs and exported unchanged")
  func bundles() throws {
    var taken = 0
    for contents in try Self.bundles() {
      let (catalogs, files) = try Self.bundle(contents)
      guard !catalogs.isEmpty, let language = files.first?.targetLanguage else { continue }
      let known = files.filter { catalogs[TreePath(trusted: $0.original)] != nil }
      let result = ImportReview(catalogs: catalogs, policy: .asXcode).review(known)
      let after = catalogs.merging(result.catalogs) { _, new in new }
      let units = known.flatMap { file in file.units.map { (file.original, $0) } }
      for ((original, unit), outcome) in zip(units, result.outcomes) {
        switch outcome.verdict {
        case .taken, .unchanged: break
        case .held(let reason): #expect(reason.isOutstanding || reason == .sourceLanguage, "\(unit): \(reason)")
        }
        if outcome.verdict == .taken { taken += 1 }
        guard outcome.verdict == .taken, let catalog = after[TreePath(trusted: original)] else { continue }
        let back = ExportShape.units(of: catalog, for: language, keys: [outcome.unit.key]).first { $0.id == unit.id }
        #expect(back?.target?.text.isExactly(unit.target?.text ?? .phrases([])) == true, "\(unit)")
        #expect(back?.source?.isExactly(unit.source ?? .phrases([])) == true, "\(unit)")
      }
    }
    #expect(taken >= 3)
  }

  /// Returns the files of each bundle by their paths in the bundle, for the sample bundle and the bundles of the corpus.
  private static func bundles() throws -> [[TreePath: [UInt8]]] {
    try [SampleFile.bundle]
      + SampleFile.corpus(".xcloc/contents.json").map { file in
        let folder = SharedFolder.corpus.folder.appending(path: file.path).deletingLastPathComponent()
        var contents: [TreePath: [UInt8]] = [:]
        for case let name as String in FileManager.default.enumerator(atPath: folder.path(percentEncoded: false))
          ?? .init()
        {
          let url = folder.appending(path: name)
          guard try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else { continue }
          contents[TreePath(trusted: name)] = Array(try Data(contentsOf: url))
        }
        return contents
      }
  }

  private static func bundle(_ contents: [TreePath: [UInt8]]) throws -> ([TreePath: Catalog], [ExchangeFile]) {
    let files = contents.map { (TreePath(trusted: "x.xcloc").appending($0.key), $0.value) }
    let bundle = try XCLoc.read(InMemoryTree(Dictionary(uniqueKeysWithValues: files)), at: "x.xcloc")
    var catalogs: [TreePath: Catalog] = [:]
    for (path, bytes) in bundle.sourceContents where path.ending == "xcstrings" {
      catalogs[path] = try StringCatalogFormat().read(bytes, at: path)
    }
    return (catalogs, bundle.files)
  }
}

extension ExchangeUnit {
  fileprivate struct ID: Hashable {
    var key: UnitKey
    var path: VariationPath
  }

  fileprivate var id: ID { ID(key: key, path: path) }
}
