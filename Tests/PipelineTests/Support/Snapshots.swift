import FoundationEssentials
import Localization
import TestSupport

@testable import Pipeline

/// Sample values for the tests of reviews and comparisons.
enum Made {
  static let catalog = TestPipeline.catalog

  static func id(_ digit: Character) -> CommitID { CommitID(rawValue: String(repeating: digit, count: 40)) }

  /// Returns the snapshot of a commit with one catalog: keys with their German texts (`""` for no text), and the keys whose state is not
  /// translated.
  static func snapshot(
    _ texts: [UnitKey: String], states: [UnitKey: TranslationState] = [:], commit: Character = "a",
    at path: TreePath = catalog, source: [UnitKey: String] = [:],
    languages: [LocaleIdentifier] = ["de"]
  ) -> Snapshot {
    let signature = CommitSignature(name: "", email: "", seconds: 0)
    var made = Catalog(path: path, sourceLanguage: "en")
    for (key, text) in texts {
      var entry = CatalogEntry()
      if !text.isEmpty { entry.translations["de"] = Translation(text).inState(states[key] ?? .translated) }
      if let words = source[key] { entry.translations["en"] = Translation(words) }
      made.entries[key] = entry
    }
    return Snapshot(
      commit: CommitInfo(
        id: id(commit), tree: "", parents: [], author: signature, committer: signature, message: ""),
      project: ProjectDescription(sourceLanguage: "en", languages: Set(["en"] + languages)), tree: InMemoryTree([:]),
      committed: [path: made], files: [:], synced: [path: made], changed: [], broken: [:], isComplete: true,
      diagnostics: [], languages: languages, parsedFiles: 0, found: [])
  }

  static func head(_ branch: String, _ snapshot: Snapshot?) -> WatchedHead {
    WatchedHead(
      run: Run(
        id: RunID(rawValue: 1), pipeline: "birds", branch: branch, commit: snapshot?.commit.id ?? id("0"),
        created: Date(timeIntervalSince1970: 0), pendingSince: nil), snapshot: snapshot)
  }

  static func pin(_ key: UnitKey, source: String? = nil) -> SourcePin {
    var entry = CatalogEntry()
    if let source { entry.translations["en"] = Translation(source) }
    return SourcePin(key: key, entry: entry, sourceLanguage: "en")
  }

  static func unit(_ key: UnitKey, _ text: String?, source: String? = nil) -> ExchangeUnit {
    ExchangeUnit(
      key: key, source: .text(source ?? key.text), target: text.map { ExchangeTarget(.text($0), state: "translated") })
  }

  /// A policy that routes German to `v` and every other language to `other`.
  static let policy = ReturnPolicy(
    routes: VendorRoutes([
      ("v", VendorDefinition(kind: "memory", languages: ["de"])), ("other", VendorDefinition(kind: "memory")),
    ]))
}
