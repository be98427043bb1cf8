import Localization
import Testing

/// Keys that only `#if DEBUG` code contains. Whether Xcode marks them stale depends on the configuration that it built last.
@Suite("Keys of Debug builds")
struct DebuggingKeyTests {
  private static let path: TreePath = "App/Localizable.xcstrings"

  private func sync(_ entry: CatalogEntry?, isOnlyForDebugging: [Bool]) -> SyncResult {
    CatalogSync.sync(
      Catalog(path: Self.path, sourceLanguage: "en", entries: entry.map { ["key": $0] } ?? [:]),
      with: isOnlyForDebugging.map {
        ExtractedString(
          catalog: Self.path, table: "Localizable", key: "key", comment: "c", isOnlyForDebugging: $0)
      }, mayRemove: true)
  }

  @Test("a stale key stays stale if only Debug builds contain it (R21)")
  func stale() {
    let entry = CatalogEntry(extractionState: .stale, translations: ["de": Translation("Vogel")])
    let kept = sync(entry, isOnlyForDebugging: [true])
    #expect(kept.catalog.entries["key"] == entry && kept.changes.isEmpty)
    #expect(sync(entry, isOnlyForDebugging: [false]).changes.map(\.kind) == [.revived, .commentChanged])
    #expect(
      sync(entry, isOnlyForDebugging: [true, false]).changes.first?.kind == .revived, "another file builds the key")
  }

  @Test("keys of Debug builds are added, and current ones are updated")
  func current() {
    #expect(sync(nil, isOnlyForDebugging: [true]).changes.map(\.kind) == [.added])
    let entry = CatalogEntry(translations: ["de": Translation("Vogel")])
    #expect(sync(entry, isOnlyForDebugging: [true]).changes.map(\.kind) == [.commentChanged])
  }

  @Test("a catalog that a Release build synced gets no key that only Debug builds contain (R22)")
  func release() {
    let stale = CatalogEntry(extractionState: .stale, translations: ["de": Translation("Vogel")])
    #expect(addedKeys(["old": stale]) == ["user"])
    #expect(addedKeys(["old": stale, "menu": CatalogEntry()]) == ["new", "user"], "a Debug build synced it")
    #expect(addedKeys(["old": stale, "menu": CatalogEntry(extractionState: .extractedWithValue)]) == ["new", "user"])
    #expect(addedKeys(["old": stale, "menu": CatalogEntry(extractionState: .manual)]) == ["user"])
    #expect(addedKeys([:]) == ["menu", "new", "old", "user"], "nothing shows which build synced it")
    #expect(addedKeys(["gone": stale]) == ["menu", "new", "old", "user"], "the stale key is not in code for debugging")
  }

  /// Returns the keys that a sync adds to a catalog. Of the keys in code, only `user` is in Release builds.
  private func addedKeys(_ entries: [UnitKey: CatalogEntry]) -> [String] {
    let strings = ["old", "menu", "new", "user"].map {
      ExtractedString(
        catalog: Self.path, table: "Localizable", key: UnitKey($0), isOnlyForDebugging: $0 != "user")
    }
    let synced = CatalogSync.sync(
      Catalog(path: Self.path, sourceLanguage: "en", entries: entries), with: strings, mayRemove: true)
    return synced.changes.filter { $0.kind == .added }.map(\.key.text)
  }
}
