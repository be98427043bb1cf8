import Localization
import TestSupport
import Testing

@Suite("Sync of catalogs with code")
struct CatalogSyncTests {
  private func string(
    _ key: UnitKey, value: String? = nil, comment: String? = nil, phrases: [String]? = nil, interpolated: Bool = false
  ) -> ExtractedString {
    ExtractedString(
      catalog: "App/Localizable.xcstrings", table: "Localizable", key: key, value: value, comment: comment,
      phrases: phrases,
      hasInterpolation: interpolated)
  }

  private func sync(
    _ entry: CatalogEntry?, with string: ExtractedString?, key: UnitKey = "key", mayRemove: Bool = true
  ) -> (entry: CatalogEntry?, kinds: [SyncChange.Kind]) {
    let result = CatalogSync.sync(
      catalog(entry.map { [key: $0] } ?? [:]), with: string.map { [$0] } ?? [], mayRemove: mayRemove)
    return (result.catalog.entries[key], result.changes.map(\.kind))
  }

  @Test("a key that code may use is neither removed nor marked stale; a stale one stays stale")
  func kept() {
    let entries = [
      CatalogEntry(), CatalogEntry(extractionState: .extractedWithValue, translations: ["de": Translation("Karte")]),
      CatalogEntry(extractionState: .stale, translations: ["de": Translation("Karte")]),
    ]
    for entry in entries {
      let result = CatalogSync.sync(catalog(["key": entry]), with: [], keeping: ["key"], mayRemove: true)
      #expect(result.catalog.entries["key"] == entry && result.changes.isEmpty)
    }
    #expect(sync(entries[0], with: nil).kinds == [.removed], "without `keeping`, the entry is removed")
  }

  @Test("a new key gets an empty entry with its comment (E3)")
  func added() {
    let result = sync(nil, with: string("key", comment: "c"))
    #expect(result.entry == CatalogEntry(comment: "c"))
    #expect(result.kinds == [.added])
  }

  @Test("a default value becomes the source text with the state new (E3)")
  func value() {
    let result = sync(nil, with: string("key", value: "Value"))
    #expect(
      result.entry
        == CatalogEntry(extractionState: .extractedWithValue, translations: ["en": Translation("Value", state: .new)]))
  }

  @Test(
    "the source text of a key with several arguments is numbered; other keys get no source text (E4)",
    arguments: [
      ("%@ of %lld", true, "%1$@ of %2$lld"), ("%@ of %d", false, "%1$@ of %2$d"), ("%lld birds", true, nil),
      ("%2$@ of %1$@", false, nil), ("plain", false, nil),
      ("%@ · %@ %%", true, "%1$@ · %2$@ %%"),
    ] as [(String, Bool, String?)])
  func numbered(key: String, interpolated: Bool, value: String?) {
    let result = sync(nil, with: string(UnitKey(key), interpolated: interpolated), key: UnitKey(key))
    #expect(result.entry?.translations["en"] == value.map { Translation($0, state: .new) })
    #expect(result.entry?.extractionState == nil)
    let later = sync(CatalogEntry(), with: string(UnitKey(key), interpolated: interpolated), key: UnitKey(key))
    #expect(later.entry == result.entry)
    #expect(later.kinds == (value == nil ? [] : [.sourceAdded]))
  }

  @Test("the placeholders of a default value are numbered, also those of a C format, but not in an interface file")
  func numberedValue() {
    func text(_ string: ExtractedString) -> Translation? { sync(nil, with: string).entry?.translations["en"] }
    var format = string("key", value: "%@ of %d")
    #expect(text(string("key", value: "%@ of %lld", interpolated: true)) == Translation("%1$@ of %2$lld", state: .new))
    #expect(text(format) == Translation("%1$@ of %2$d", state: .new))
    format.origin = .interfaceBuilder
    #expect(text(format) == Translation("%@ of %d", state: .new))
  }

  @Test("the phrases of a shortcut become one entry")
  func phrases() {
    let one = sync(
      nil, with: string("a ${applicationName}", phrases: ["a ${applicationName}", "b"]), key: "a ${applicationName}")
    #expect(one.entry?.extractionState == .extractedWithValue)
    #expect(
      one.entry?.translations["en"]
        == Translation(leaf: VariedLeaf(.phrases(["a ${applicationName}", "b"]), state: .new)))
    var translated = one.entry
    translated?.translations["de"] = Translation(leaf: VariedLeaf(.phrases(["x"]), state: .translated))
    let more = sync(
      translated, with: string("a ${applicationName}", phrases: ["a ${applicationName}", "c"]),
      key: "a ${applicationName}")
    #expect(more.kinds == [.sourceChanged])
    #expect(more.entry?.translations["de"]?[.root]?.state == .needsReview)
  }

  /// Entries that are no longer in code, and the kind of change that a sync makes; `nil` for no change (E1).
  static let gone: [(CatalogEntry, SyncChange.Kind?)] = [
    (CatalogEntry(comment: "c"), .removed),
    (CatalogEntry(translations: ["de": Translation("x")]), .becameStale),
    (CatalogEntry(translations: ["de": Translation("x", state: .needsReview)]), .becameStale),
    (CatalogEntry(translations: ["de": Translation("", state: .new)]), .removed),
    (CatalogEntry(translations: ["de": Translation("key", state: .new)]), .removed),
    (CatalogEntry(translations: ["de": Translation("x", state: .new)]), .becameStale),
    (CatalogEntry(extractionState: .extractedWithValue, translations: ["en": Translation("V", state: .new)]), .removed),
    (CatalogEntry(extractionState: .extractedWithValue, translations: ["de": Translation("x")]), .becameStale),
    (CatalogEntry(translations: ["en": Translation("edited")]), .becameStale),
    (CatalogEntry(translations: ["en": plurals(["one": "a", "other": "b"], state: .new)]), .becameStale),
    (CatalogEntry(extractionState: .manual), nil), (CatalogEntry(extractionState: .migrated), nil),
    (CatalogEntry(extractionState: .stale, translations: ["de": Translation("x")]), nil),
  ]

  @Test(
    "a key that is no longer in code is marked stale if it has translations, and removed otherwise", arguments: gone)
  func missing(entry: CatalogEntry, kind: SyncChange.Kind?) {
    let result = sync(entry, with: nil)
    #expect(result.kinds == (kind.map { [$0] } ?? []))
    var expected: CatalogEntry? = entry
    if kind == .becameStale { expected?.extractionState = .stale }
    if kind == .removed { expected = nil }
    #expect(result.entry == expected)
    let kept = sync(entry, with: nil, mayRemove: false)
    #expect(kept.entry == entry)
    #expect(kept.kinds.isEmpty)
  }

  @Test("a stale or migrated entry that is in code becomes automatic again (E2, E3)")
  func revived() {
    let stale = sync(CatalogEntry(extractionState: .stale, translations: ["de": Translation("x")]), with: string("key"))
    #expect(stale.entry == CatalogEntry(translations: ["de": Translation("x")]))
    #expect(stale.kinds == [.revived])
    #expect(sync(CatalogEntry(extractionState: .migrated), with: string("key")).entry?.extractionState == nil)
    let valued = sync(CatalogEntry(extractionState: .stale), with: string("key", value: "V"))
    #expect(valued.entry?.extractionState == .extractedWithValue)
  }

  @Test("a manual entry and its comment are not changed (E2, E6)")
  func manual() {
    let entry = CatalogEntry(comment: "mine", extractionState: .manual, translations: ["en": Translation("a")])
    let result = sync(entry, with: string("key", value: "b", comment: "code's"))
    #expect(result.entry == entry)
    #expect(result.kinds.isEmpty)
  }

  @Test("a new source text marks only finished translations for review (E5)")
  func sourceChanged() {
    let entry = CatalogEntry(
      extractionState: .extractedWithValue,
      translations: [
        "en": Translation("old", state: .new), "de": Translation("x"),
        "fr": Translation("y", state: .machineTranslated),
        "uk": Translation("z", state: .new),
      ])
    let result = sync(entry, with: string("key", value: "new"))
    #expect(
      result.entry?.translations == [
        "en": Translation("new", state: .new), "de": Translation("x", state: .needsReview),
        "fr": Translation("y", state: .needsReview), "uk": Translation("z", state: .new),
      ])
    #expect(result.kinds == [.sourceChanged])
  }

  @Test("numbering the placeholders of a source text does not require a review")
  func onlyNumbered() {
    let entry = CatalogEntry(
      extractionState: .extractedWithValue,
      translations: ["en": Translation("%@ %@", state: .new), "de": Translation("%@, %@")])
    let result = sync(entry, with: string("key", value: "%@ %@", interpolated: true))
    #expect(result.entry?.translations["en"] == Translation("%1$@ %2$@", state: .new))
    #expect(result.entry?.translations["de"] == Translation("%@, %@"))
  }

  /// Source texts that a person edited or varied, or that have substitutions.
  static let persons: [Translation] = [
    Translation("edited"), Translation("V"), plurals(["one": "a", "other": "b"], state: .new),
    Translation(
      text: .text(StringUnit(state: .new, value: "%#@birds@")),
      substitutions: ["birds": Substitution(argumentNumber: nil, formatSpecifier: "lld", forms: .plural([:]))]),
  ]

  @Test("a source text that a person wrote or varied is kept", arguments: persons)
  func personsSource(source: Translation) {
    let entry = CatalogEntry(extractionState: .extractedWithValue, translations: ["en": source])
    #expect(sync(entry, with: string("key", value: "V")).entry == entry)
  }

  @Test(
    "an entry with a person's source text stays as it is when code has another text (A5)", arguments: persons)
  func personsState(source: Translation) {
    let entry = CatalogEntry(translations: ["en": source, "de": Translation("x")])
    let result = sync(entry, with: string("key", value: "V"))
    #expect(result.entry == entry)
    #expect(result.kinds.isEmpty)
    var stale = entry
    stale.extractionState = .stale
    let revived = sync(stale, with: string("key", value: "V"))
    #expect(revived.entry == entry)
    #expect(revived.kinds == [.revived])
  }

  @Test("a default value that equals the key is ignored")
  func valueIsKey() {
    #expect(sync(nil, with: string("key", value: "key")).entry == CatalogEntry())
    let entry = CatalogEntry(translations: ["de": Translation("x")])
    #expect(sync(entry, with: string("key", value: "key")).entry == entry)
    let before = CatalogEntry(
      extractionState: .extractedWithValue,
      translations: ["en": Translation("old", state: .new), "de": Translation("x")])
    let after = sync(before, with: string("key", value: "key")).entry
    #expect(after == CatalogEntry(translations: ["de": Translation("x", state: .needsReview)]))
  }

  @Test("if the default value is removed from code, the key becomes the text again")
  func valueGone() {
    let entry = CatalogEntry(
      extractionState: .extractedWithValue, translations: ["en": Translation("V", state: .new), "de": Translation("x")])
    let result = sync(entry, with: string("key"))
    #expect(result.entry == CatalogEntry(translations: ["de": Translation("x", state: .needsReview)]))
    #expect(result.kinds == [.extractionStateChanged, .sourceChanged])
  }

  /// The catalog's comment and whether it was generated, the code's comment, and the resulting comment (E6).
  static let commentTable: [(String?, Bool, String?, String?)] = [
    (nil, false, "c", "c"), ("old", false, "c", "c"), ("generated", true, "c", "c"), ("c", false, "c", "c"),
    ("a person's, or once code's", false, nil, "a person's, or once code's"), ("generated", true, nil, "generated"),
    (nil, false, nil, nil),
  ]

  @Test(
    "the code's comment takes precedence; if the code has none, the existing comment is kept (E6)",
    arguments: commentTable)
  func comment(present: String?, generated: Bool, code: String?, expected: String?) {
    let entry = CatalogEntry(comment: present, isCommentAutoGenerated: generated)
    let result = sync(entry, with: string("key", comment: code))
    #expect(result.entry?.comment == expected)
    #expect(result.entry?.isCommentAutoGenerated == (generated && code == nil))
    #expect(result.kinds == (present == expected ? [] : [.commentChanged]))
  }

  @Test("a comment keeps all its lines if a source cannot be read")
  func partialComment() {
    let entry = CatalogEntry(comment: "a\nb")
    #expect(sync(entry, with: string("key", comment: "a"), mayRemove: false).entry == entry)
    #expect(sync(entry, with: string("key", comment: "c\na"), mayRemove: false).entry?.comment == "a\nb\nc")
    let text = CatalogEntry(comment: "Title.\nAppears on launch.")
    #expect(
      sync(text, with: string("key", comment: "Sheet"), mayRemove: false).entry?.comment
        == "Title.\nAppears on launch.\nSheet", "lines that form one text keep their order")
    let generated = CatalogEntry(comment: "g", isCommentAutoGenerated: true)
    #expect(sync(generated, with: string("key", comment: "c"), mayRemove: false).entry?.comment == "c")
  }

  @Test("a key of an Info.plist gets Xcode's comment only if it has no comment")
  func infoPlistComment() {
    var name = string("CFBundleName", value: "Birds", comment: "Bundle name")
    name.origin = .infoPlist
    let entry = CatalogEntry(comment: "person's")
    #expect(sync(entry, with: name, key: "CFBundleName").entry?.comment == "person's")
    #expect(sync(CatalogEntry(), with: name, key: "CFBundleName").entry?.comment == "Bundle name")
  }

  @Test("keys that differ only in case or Unicode form are different keys (E8)")
  func keys() {
    let result = CatalogSync.sync(catalog([:]), with: [string("é"), string("e\u{301}"), string("É")], mayRemove: true)
    #expect(result.catalog.entries.count == 3)
  }

  @Test("sync is idempotent, and loses no entry or translation unless removal is allowed")
  func properties() {
    var generator = SeededGenerator(seed: 6)
    for round in 0..<200 {
      let before = RandomCatalog.catalog(using: &generator)
      let strings = (0..<10).filter { _ in Bool.random(using: &generator) }.map { number in
        string(
          UnitKey("\(["", "key", "%@ of %lld", "%lld birds"][number % 4])\(number)"),
          value: Int.random(in: 0..<3, using: &generator) == 0 ? "%@ v %@" : nil,
          comment: ["c", "d", nil].randomElement(using: &generator) ?? nil, interpolated: Bool.random(using: &generator)
        )
      }
      let mayRemove = round.isMultiple(of: 2)
      let once = CatalogSync.sync(before, with: strings, mayRemove: mayRemove)
      let twice = CatalogSync.sync(once.catalog, with: strings, mayRemove: mayRemove)
      #expect(twice.changes.isEmpty)
      #expect(twice.catalog == once.catalog)
      #expect(strings.allSatisfy { once.catalog.entries[$0.key] != nil })
      #expect(once.changes.isEmpty == (once.catalog == before))
      for (key, entry) in before.entries {
        guard let after = once.catalog.entries[key] else {
          #expect(mayRemove)
          continue
        }
        for (language, translation) in entry.translations where language != "en" {
          let words = { (translation: Translation?) in translation?.leaves.map(\.leaf.words) }
          #expect(words(after.translations[language]) == words(translation))
        }
      }
    }
  }
}
