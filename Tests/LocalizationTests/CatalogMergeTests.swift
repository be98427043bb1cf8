import Localization
import TestSupport
import Testing

@Suite("Three-way merge")
struct CatalogMergeTests {
  @Test("what only one side changed is taken, whichever side it is")
  func identities() {
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<100 {
      let base = RandomCatalog.catalog(using: &generator)
      let other = RandomCatalog.catalog(using: &generator)
      for result in [
        CatalogMerge.merge(base: base, ours: base, theirs: other),
        CatalogMerge.merge(base: base, ours: other, theirs: base),
        CatalogMerge.merge(base: base, ours: other, theirs: other),
        CatalogMerge.merge(base: nil, ours: other, theirs: other),
      ] {
        #expect(result.catalog == other)
        #expect(result.conflicts.isEmpty)
      }
    }
  }

  @Test("changes of different keys and languages merge alike in either order, without a conflict")
  func disjoint() {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<100 {
      let base = RandomCatalog.catalog(using: &generator)
      var (ours, theirs) = (base, base)
      for (number, key) in base.entries.keys.sorted().enumerated() {
        switch number % 4 {
        case 0: ours.entries[key] = Bool.random(using: &generator) ? nil : RandomCatalog.entry(using: &generator)
        case 1: theirs.entries[key] = Bool.random(using: &generator) ? nil : RandomCatalog.entry(using: &generator)
        default:
          ours.entries[key]?.translations["de"] = RandomCatalog.translation(using: &generator)
          theirs.entries[key]?.translations["fr"] =
            Bool.random(using: &generator) ? nil : RandomCatalog.translation(using: &generator)
          theirs.entries[key]?.comment = "theirs"
        }
      }
      ours.entries["new 1"] = RandomCatalog.entry(using: &generator)
      theirs.entries["new 2"] = RandomCatalog.entry(using: &generator)
      let one = CatalogMerge.merge(base: base, ours: ours, theirs: theirs)
      let other = CatalogMerge.merge(base: base, ours: theirs, theirs: ours)
      #expect(one.conflicts.isEmpty)
      #expect(one.catalog == other.catalog)
      for (key, entry) in ours.entries where theirs.entries[key] == base.entries[key] {
        #expect(one.catalog.entries[key] == entry)
      }
    }
  }

  @Test("forms of one translation merge by themselves")
  func forms() {
    let base = plurals(["one": "a", "other": "b"])
    let ours = plurals(["one": "A", "other": "b"])
    let theirs = plurals(["one": "a", "few": "c", "other": "b"])
    let merged = merge(base, ours, theirs)
    #expect(merged.0 == plurals(["one": "A", "few": "c", "other": "b"]))
    #expect(merged.1.isEmpty)
  }

  @Test("the same form changed on both sides is a conflict with both texts; ours stays")
  func conflict() {
    let (merged, conflicts) = merge(Translation("a"), Translation("b"), Translation("c"))
    #expect(merged == Translation("b"))
    #expect(conflicts == [MergeConflict(key: "key", subject: .form("de", .root), base: "a", ours: "b", theirs: "c")])
  }

  @Test("sides that vary differently conflict as a whole")
  func shapes() {
    let (merged, conflicts) = merge(Translation("a"), plurals(["one": "b", "other": "c"]), Translation("d"))
    #expect(merged == plurals(["one": "b", "other": "c"]))
    #expect(conflicts.map(\.subject) == [.translation("de")])
    let agreed = merge(Translation("a"), plurals(["one": "b", "other": "c"]), Translation("a"))
    #expect(agreed.0 == plurals(["one": "b", "other": "c"]))
    #expect(agreed.1.isEmpty)
  }

  @Test("what one side removed and the other changed is kept, and is a conflict")
  func removal() {
    let (merged, conflicts) = merge(Translation("a"), nil, Translation("b"))
    #expect(merged == Translation("b"))
    #expect(conflicts.map(\.subject) == [.translation("de")])
    let base = catalog(["key": CatalogEntry()])
    let changed = catalog(["key": CatalogEntry(comment: "c")])
    for result in [
      CatalogMerge.merge(base: base, ours: catalog([:]), theirs: changed),
      CatalogMerge.merge(base: base, ours: changed, theirs: catalog([:])),
    ] {
      #expect(result.catalog == changed)
      #expect(result.conflicts.map(\.subject) == [.entry])
    }
  }

  @Test("an argument that both sides gave a substitution is merged with it")
  func substitutions() {
    let base = Translation("%lld")
    let theirs = substituted("%#@n@", "n", ["one": "1", "other": "x"])
    #expect(merge(base, base, theirs).0 == theirs)
    let (merged, conflicts) = merge(
      theirs, substituted("%#@n@", "n", ["one": "eins", "other": "x"]),
      substituted("%#@n@", "n", number: 2, ["one": "1", "other": "x"]))
    #expect(merged == substituted("%#@n@", "n", number: 2, ["one": "eins", "other": "x"]))
    #expect(conflicts.isEmpty)
  }

  @Test("fields of an entry merge one by one")
  func fields() {
    let ours = catalog(["key": CatalogEntry(comment: "ours", extractionState: .stale)])
    let theirs = catalog(["key": CatalogEntry(comment: "theirs", shouldTranslate: false)])
    let result = CatalogMerge.merge(base: catalog(["key": CatalogEntry()]), ours: ours, theirs: theirs)
    #expect(
      result.catalog == catalog(["key": CatalogEntry(comment: "ours", extractionState: .stale, shouldTranslate: false)])
    )
    #expect(
      result.conflicts == [MergeConflict(key: "key", subject: .comment, base: nil, ours: "ours", theirs: "theirs")])
  }

  private func merge(_ base: Translation?, _ ours: Translation?, _ theirs: Translation?) -> (
    Translation?, [MergeConflict]
  ) {
    let side = { (translation: Translation?) in
      var entry = CatalogEntry()
      entry.translations["de"] = translation
      return catalog(["key": entry])
    }
    let result = CatalogMerge.merge(base: side(base), ours: side(ours), theirs: side(theirs))
    return (result.catalog.entries["key"]?.translations["de"], result.conflicts)
  }
}
