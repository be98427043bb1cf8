import FoundationEssentials
import Localization
import Testing

@testable import Pipeline

struct BundleMatcherTests {
  private func record(
    _ number: Int64, _ key: UnitKey, source: String? = nil, state: SentUnitState = .outstanding,
    at path: TreePath = Made.catalog, sentAs sentCatalog: TreePath? = nil, isRefused: Bool = false
  ) -> SentUnitRecord {
    SentUnitRecord(
      id: SentUnitID(rawValue: number), source: SourceID(rawValue: number), unit: UnitID(catalog: path, key: key),
      sentCatalog: sentCatalog, state: state, isRefused: isRefused, forms: source.map { Translation($0) },
      export: ExportRecord(pin: Made.pin(key, source: source), translation: nil))
  }

  private func read(
    _ units: [ExchangeUnit], sent: [SentUnitRecord], on snapshots: [Snapshot], language: LocaleIdentifier = "de",
    original: TreePath = Made.catalog, renames: [TreePath: TreePath] = [:], vendor: String = "v",
    policy: ReturnPolicy = Made.policy
  ) -> BundleMatcher.Reading {
    let heads = snapshots.enumerated().map { Made.head("branch/\($0.offset)", $0.element) }
    return BundleMatcher(
      heads: heads, sentUnits: [language: sent], renames: renames, returns: [], vendor: vendor, policy: policy
    ).read(
      ReturnedBundle(
        reference: "whatever.xliff", digest: "d",
        files: [
          ExchangeFile(original: original.text, sourceLanguage: "en", targetLanguage: language, units: units)
        ]))
  }

  @Test("a unit matches the sent unit that has its key and source text, whatever the bundle's name is")
  func matched() throws {
    let reading = read([Made.unit("a", "A")], sent: [record(1, "a"), record(2, "b")], on: [Made.snapshot(["a": ""])])
    let unit = try #require(reading.returnedUnits.first)
    #expect(unit.sentUnit?.rawValue == 1 && unit.source?.rawValue == 1 && unit.isFinished)
    #expect(unit.unit == UnitID(catalog: Made.catalog, key: "a") && unit.language == "de")
    #expect(reading.review == nil)
  }

  @Test("damage from the vendor's tools is repaired before the review, and the repairs are counted")
  func repairs() {
    let came = [Made.unit("a ", "A"), Made.unit("b", "B &amp; C")]
    let sent = [record(1, "a "), record(2, "b")]
    let snapshot = Made.snapshot(["a ": "", "b": ""])
    let checked = ReturnPolicy(routes: Made.policy.routes, checksTexts: ["v"])
    let plain = read(came, sent: sent, on: [snapshot], policy: checked)
    #expect(plain.review?.contains("white space") == true && plain.review?.contains("escaped") == true)
    let policy = ReturnPolicy(routes: Made.policy.routes, checksTexts: ["v"], repairs: ["v": [.spaces]])
    let reading = read(came, sent: sent, on: [snapshot], policy: policy)
    #expect(reading.review?.contains("white space") == false && reading.review?.contains("escaped") == true)
    #expect(reading.returnedUnits.flatMap(\.units).map(\.target?.text) == [.text("A "), .text("B &amp; C")])
    #expect(reading.findings.map(\.message) == ["1 text was repaired"])
  }

  @Test("warnings about units have the bundle as their path, and name the catalog in their text")
  func warnings() {
    let terms = TermCheck(["de": [TermCheck.Term(source: "Bird", targets: ["Vogel"])]])
    let policy = ReturnPolicy(routes: Made.policy.routes, terms: terms)
    let sent = [record(1, "Bird"), record(2, "<b>Fly</b>")]
    let came = [Made.unit("Bird", "Piepmatz"), Made.unit("<b>Fly</b>", "Fliegen")]
    let reading = read(came, sent: sent, on: [Made.snapshot(["Bird": "", "<b>Fly</b>": ""])], policy: policy)
    #expect(reading.findings.map(\.path) == ["whatever.xliff", "whatever.xliff"])
    #expect(reading.findings.allSatisfy { $0.message.hasPrefix("\(Made.catalog): de: ") })
  }

  @Test("texts in another language are held if they are the majority of the bundle and at least three")
  func otherLanguages() {
    let policy = ReturnPolicy(routes: Made.policy.routes, holdsOtherLanguages: ["v"])
    func held(_ texts: [String]) -> Int {
      let keys = texts.indices.map { UnitKey("k\($0)") }
      let units = zip(keys, texts).map { Made.unit($0, $1, source: "Source \($0.text)") }
      let sent = keys.enumerated().map { record(Int64($0.offset + 1), $0.element, source: "Source \($0.element.text)") }
      let snapshot = Made.snapshot(
        Dictionary(uniqueKeysWithValues: keys.map { ($0, "") }),
        source: Dictionary(uniqueKeysWithValues: keys.map { ($0, "Source \($0.text)") }))
      let review = read(units, sent: sent, on: [snapshot], policy: policy).review ?? ""
      return review.components(separatedBy: "another language").count - 1
    }
    let french = "une fenêtre avec les deux"
    #expect(held([french, french, french, "ein Fenster"]) == 3)
    #expect(held([french, french]) == 0)
    #expect(held([french, french, french, "ein Haus", "das Auto", "die Maus"]) == 0)
  }

  @Test("a return answers the sent unit that has the same source text")
  func sources() {
    let sent = [record(1, "a", source: "Old", state: .superseded), record(2, "a", source: "New")]
    let snapshot = Made.snapshot(["a": ""], source: ["a": "New"])
    let old = read([Made.unit("a", "Alt", source: "Old")], sent: sent, on: [snapshot])
    #expect(old.returnedUnits.map(\.sentUnit?.rawValue) == [1])
    #expect(old.review?.contains("New") == true)
    let new = read([Made.unit("a", "Neu", source: "New")], sent: sent, on: [snapshot])
    #expect(new.returnedUnits.map(\.sentUnit?.rawValue) == [2] && new.review == nil)
  }

  @Test("a return answers the sent unit with the same forms, even if a unit with other forms was sent later")
  func shapes() {
    let sources: [PluralCategory: String] = [.one: "%lld bork", .other: "%lld borks"]
    var varied = record(1, "a")
    varied.forms = Translation(text: .plural(sources.mapValues { .text(StringUnit(state: .translated, value: $0)) }))
    let plain = record(2, "a", source: "Zork")
    let forms = sources.map { category, source in
      ExchangeUnit(
        key: "a", path: [.plural(category)], source: .text(source), target: ExchangeTarget(.text("Text")))
    }
    let snapshots = [Made.snapshot(["a": ""], source: ["a": "Zork"])]
    for sent in [[varied, plain], [plain, varied]] {
      #expect(read(forms, sent: sent, on: snapshots).returnedUnits.map(\.sentUnit?.rawValue) == [1])
      let answer = read([Made.unit("a", "Text", source: "Zork")], sent: sent, on: snapshots)
      #expect(answer.returnedUnits.map(\.sentUnit?.rawValue) == [2])
    }
  }

  @Test("an outstanding unit is answered before a returned one with the same source text")
  func outstandingFirst() {
    let sent = [record(1, "a"), record(2, "a", state: .returned)]
    let reading = read([Made.unit("a", "A")], sent: sent, on: [Made.snapshot(["a": ""])])
    #expect(reading.returnedUnits.map(\.sentUnit?.rawValue) == [1])
  }

  @Test("a refused unit counts as never sent: its return may fill an empty entry but replaces nothing")
  func refused() {
    let sent = [record(1, "a", state: .withdrawn, isRefused: true)]
    let empty = read([Made.unit("a", "A")], sent: sent, on: [Made.snapshot(["a": ""])])
    #expect(empty.returnedUnits.map(\.sentUnit) == [nil] && empty.review == nil)
    // The return is recorded for the source text that was sent, so the text is not sent to another vendor.
    #expect(empty.returnedUnits.map(\.source?.rawValue) == [1])
    let taken = read([Made.unit("a", "A")], sent: sent, on: [Made.snapshot(["a": "Anders"])])
    #expect(taken.returnedUnits.map(\.sentUnit) == [nil] && taken.review?.contains("Anders") == true)
  }

  @Test("a unit is accepted if one branch has its key")
  func kindest() {
    let reading = read(
      [Made.unit("a", "A")], sent: [record(1, "a")],
      on: [Made.snapshot(["b": ""]), Made.snapshot(["a": ""], commit: "b")])
    #expect(reading.review == nil && reading.returnedUnits.count == 1)
  }

  @Test("a moved catalog is found by the path that was sent to the vendor")
  func renamed() {
    let old: TreePath = "Old/Localizable.xcstrings"
    let reading = read(
      [Made.unit("a", "A")], sent: [record(1, "a")], on: [Made.snapshot(["a": ""])], original: old,
      renames: [old: "Middle/Localizable.xcstrings", "Middle/Localizable.xcstrings": Made.catalog])
    #expect(reading.returnedUnits.map(\.unit.catalog) == [Made.catalog] && reading.review == nil)
  }

  @Test(
    "a unit goes to its catalog's current path, even if another catalog now has the path that was sent to the vendor")
  func broughtBack() {
    let old: TreePath = "Old/Localizable.xcstrings"
    var snapshot = Made.snapshot(["a": ""])
    snapshot.synced[old] = Catalog(path: old, sourceLanguage: "en", entries: ["b": CatalogEntry()])
    let reading = read(
      [Made.unit("a", "A"), Made.unit("b", "B")],
      sent: [record(1, "a", sentAs: old), record(2, "b", at: old)], on: [snapshot], original: old,
      renames: [old: Made.catalog])
    let answers = Dictionary(uniqueKeysWithValues: reading.returnedUnits.map { ($0.unit, $0.sentUnit?.rawValue) })
    #expect(answers == [UnitID(catalog: Made.catalog, key: "a"): 1, UnitID(catalog: old, key: "b"): 2])
  }

  @Test("if two catalogs have different texts for a key, returned units answer the unit sent for each catalog")
  func sameKey() {
    let other: TreePath = "Other.xcstrings"
    var snapshot = Made.snapshot(["a": ""], source: ["a": "Open"])
    snapshot.synced[other] = Catalog(
      path: other, sourceLanguage: "en", entries: ["a": CatalogEntry(translations: ["en": Translation("Close")])])
    let files = [(Made.catalog, "Auf", "Open"), (other, "Zu", "Close")].map { path, text, source in
      ExchangeFile(
        original: path.text, sourceLanguage: "en", targetLanguage: "de", units: [Made.unit("a", text, source: source)])
    }
    let reading = BundleMatcher(
      heads: [Made.head("main", snapshot)],
      sentUnits: ["de": [record(1, "a", source: "Open"), record(2, "a", source: "Close", at: other)]], renames: [:],
      returns: [], vendor: "v", policy: Made.policy
    ).read(ReturnedBundle(reference: "both", digest: "d", files: files))
    #expect(reading.returnedUnits.map(\.sentUnit?.rawValue) == [1, 2])
  }

  @Test(
    "a unit answers the catalog for which it was sent, although a branch has its text in a catalog of the same name")
  func namesake() {
    let kit: TreePath = "Kit/Localizable.xcstrings"
    let reading = read(
      [Made.unit("a", "A")], sent: [record(1, "a", state: .returned), record(2, "a", at: kit)],
      on: [Made.snapshot(["a": ""]), Made.snapshot(["a": ""], commit: "b", at: kit)], original: kit)
    #expect(reading.returnedUnits.map(\.unit.catalog) == [kit])
    #expect(reading.returnedUnits.map(\.sentUnit?.rawValue) == [2])
  }

  @Test("a unit without a translation stays outstanding without an error")
  func untranslated() {
    let reading = read([Made.unit("a", nil)], sent: [record(1, "a")], on: [Made.snapshot(["a": ""])])
    #expect(reading.returnedUnits.isEmpty && reading.review == nil)
  }

  @Test("the review lists each held unit with the reason")
  func review() throws {
    let reading = read(
      [Made.unit("a", "A"), Made.unit("gone", "Weg")], sent: [record(1, "a")], on: [Made.snapshot(["a": ""])])
    let review = try #require(reading.review)
    #expect(review.split(separator: "\n").count == 1)
    #expect(review.contains("gone") && review.contains("de"))
  }

  @Test("units in a language that was never sent to the vendor are refused in the review")
  func notRouted() throws {
    let snapshot = Made.snapshot(["a": ""], languages: ["de", "fr"])
    let reading = read([Made.unit("a", "Bonjour")], sent: [], on: [snapshot], language: "fr")
    #expect(try #require(reading.review).contains(HoldReason.notRouted.sentence))
    #expect(reading.returnedUnits.map(\.sentUnit) == [nil])
  }

  @Test(
    "a text that was never sent is refused if a translation exists, and fills an empty entry")
  func neverSent() throws {
    let reading = read(
      [Made.unit("a", "Alt"), Made.unit("b", "B")], sent: [], on: [Made.snapshot(["a": "Neu", "b": ""])])
    let review = try #require(reading.review)
    #expect(review.contains(HoldReason.neverSent("Neu").sentence))
    #expect(review.split(separator: "\n").count == 1)
  }

  @Test("a bundle without units is reported as unreadable")
  func empty() {
    #expect(read([], sent: [], on: [Made.snapshot(["a": ""])]).isUnreadable)
  }
}
