import CatalogFormats
import Localization
import Testing

@Suite("Import case by case (xcode-formats.md D)")
struct ImportCaseTests {
  @Test("each observed case is imported into the catalog that part D documents", arguments: ImportCase.all)
  func observed(_ example: ImportCase) throws {
    let result = try example.result()
    #expect(result.verdicts == example.verdicts, "Xcode: \(example.xcode)")
    #expect(result.catalog == (try example.catalogAfter), "Xcode: \(example.xcode)")
    if example.after == nil { #expect(result.bytes == ImportCase.catalog(example.before)) }
    #expect(try StringCatalogFormat().read(result.bytes, at: "Localizable.xcstrings") == result.catalog)
  }

  @Test(
    "an import removes a text only if a unit replaces it",
    arguments: ImportCase.all)
  func nothingLost(_ example: ImportCase) throws {
    let result = try example.result()
    let before = try example.catalogBefore
    for (key, entry) in before.entries {
      let now = try #require(result.catalog.entries[key])
      #expect(now.comment == entry.comment && now.extractionState == entry.extractionState)
      for (language, translation) in entry.translations where language.rawValue != example.language {
        #expect(now.translations[language] == translation)
      }
      guard let old = entry.translations[LocaleIdentifier(example.language)] else { continue }
      let new = try #require(now.translations[LocaleIdentifier(example.language)])
      let texts = new.leaves.flatMap { $0.leaf.texts }
      let replaced = result.review.outcomes.filter { $0.verdict == .taken && $0.unit.key == key }.map(\.path)
      // A plain text is replaced by forms only if the forms include `other`.
      let isOverridden = old[.root] != nil && replaced.contains { $0.steps.last == .plural(.other) }
      for (path, leaf) in old.leaves where !replaced.contains(path) && !isOverridden {
        #expect(leaf.texts.allSatisfy { text in texts.contains { $0.isExactly(text) } }, "\(key) \(path)")
      }
    }
    // Every unit has an outcome, and a held unit keeps its target.
    #expect(result.review.outcomes.count == example.verdicts.count)
    for outcome in result.review.outcomes where outcome.holdReason != nil && outcome.holdReason != .noTarget {
      #expect(outcome.target != nil)
    }
  }

  @Test("a second import of the same file does not change the catalog", arguments: ImportCase.all)
  func again(_ example: ImportCase) throws {
    let first = try example.result()
    let second = try example.result(over: first.bytes)
    #expect(second.bytes == first.bytes)
    for (one, other) in zip(first.verdicts, second.verdicts) {
      #expect(other == (one == "taken" ? "unchanged" : one))
    }
  }

  @Test(
    "importing machine translation raises the file's version to 1.3; other imports do not (apple_xcode27 state-qualifiers)"
  )
  func version() throws {
    let machine = ImportCase(
      name: "", xcode: "", before: entry("k", en: text("a"), fr: text("b")),
      units: transUnit("k", "a", "<target state=\"translated\" state-qualifier=\"leveraged-mt\">c</target>"),
      after: nil,
      verdicts: [])
    #expect(String(decoding: try machine.result().bytes, as: UTF8.self).contains("\"version\" : \"1.3\""))
    let person = ImportCase(
      name: "", xcode: "", before: machine.before, units: transUnit("k", "a", translated("c")), after: nil, verdicts: []
    )
    #expect(String(decoding: try person.result().bytes, as: UTF8.self).contains("\"version\" : \"1.0\""))
  }

  @Test("imported translations with placeholders that the source text lacks are reported")
  func warning() throws {
    let example = try #require(ImportCase.all.first { $0.name == "inline tags" })
    let warnings = try example.result().review.diagnostics
    #expect(warnings.map(\.severity) == [.warning])
    #expect(warnings.allSatisfy { $0.message.contains("%@ is not in the source text") })
  }

  @Test("plural forms that import fills in are reported")
  func filled() throws {
    let example = try #require(ImportCase.all.first { $0.name == "partly translated plural of a new language" })
    #expect(
      try example.result().review.filled.map { "\($0.language) \($0.unit.key) \($0.path)" } == [
        "uk k plural.few", "uk k plural.many",
      ])
  }
}
