import CatalogFormats
import Foundation
import GitSource
import Localization
import Pipeline
import Workspace

/// A missing translation with the details that `status` shows about it.
struct MissingDetail {
  /// The commit that added the string.
  struct Origin: Hashable {
    /// The commit; `nil` if the string is not committed yet. In that case, the author and the date are also `nil`.
    var commit: CommitID?
    var author: String?
    var date: Date?
  }

  let missing: MissingTranslation
  /// The source text; for a text with several forms, the most general form.
  let source: String
  /// The position of the entry in the catalog's file.
  let line: Int?
  let column: Int?
  var origin: Origin?
  /// The state of the translation in the ledger, as a sentence.
  var whereabouts: String?

  /// The source text in quotation marks, and the key if it is a different text.
  var quoted: String {
    let text = Self.shortened(source).debugDescription
    return source.isExactly(missing.key.text) ? text : "\(text) (\(Self.shortened(missing.key.text)))"
  }

  /// The known facts about the translation, other than its texts.
  var facts: [String] {
    var facts: [String] = []
    if source.isEmpty {
      facts.append("its source text is empty, so rounds do not send it; set it to “Don't Translate” in Xcode")
    }
    if let origin {
      if let commit = origin.commit {
        let day = origin.date.map { " on " + $0.formatted(.iso8601.year().month().day()) } ?? ""
        facts.append("added by \(Self.shortened(origin.author ?? "?"))\(day) in \(commit.short)")
      } else {
        facts.append("not committed")
      }
    }
    if let whereabouts { facts.append(whereabouts) }
    return facts
  }

  /// Returns the number of whole days since the string was added; `nil` if the date is unknown.
  func age(now: Date) -> Int? { origin?.date.map { max(0, Int(now.timeIntervalSince($0) / 86_400)) } }

  /// Returns a text on one line, shortened if it is long.
  static func shortened(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ").cutForMessage
  }
}

/// The details of missing translations, collected from the catalogs, their history and the ledger.
struct MissingDetails {
  private let snapshot: ProjectSnapshot
  private(set) var all: [MissingDetail]
  /// The maximum number of commits to search for the origins of strings.
  private static let longestHistory = 5000
  /// The maximum number of keys to look up in the ledger.
  private static let mostKeys = 1000

  /// Creates the details with the source texts and positions from the catalogs.
  init(_ report: CompletionReport, in snapshot: ProjectSnapshot) {
    self.snapshot = snapshot
    var places: [TreePath: UnitPlaces] = [:]
    all = report.missing.map { missing in
      let catalog = snapshot.catalogs[missing.catalog]
      let source = catalog.map { Self.source(of: missing.key, in: $0) } ?? missing.key.text
      let finder =
        places[missing.catalog] ?? UnitPlaces(snapshot.files[missing.catalog] ?? CatalogFiles(nil, at: missing.catalog))
      places[missing.catalog] = finder
      let place = finder.place(of: missing.key, in: catalog?.sourceLanguage ?? "en")
      return MissingDetail(missing: missing, source: source, line: place.line, column: place.column)
    }
  }

  private static func source(of key: UnitKey, in catalog: Catalog) -> String {
    guard let entry = catalog.entries[key] else { return key.text }
    let forms = SourceForms(key: key, entry: entry, sourceLanguage: catalog.sourceLanguage)
    switch forms.leaf(at: .root)?.words {
    case .text(let text): return text
    case .phrases(let phrases): return phrases.first ?? key.text
    case nil: return key.text
    }
  }

  /// Adds the commits that added the strings, from the history of their catalogs.
  /// - Parameter tree: the tree from which the snapshot was read.
  /// - Throws: an error if the repository cannot be read. A project outside a repository has no history, so nothing is added.
  mutating func addOrigins(from tree: TreeOptions) throws {
    guard let history = try CatalogHistory(of: tree) else { return }
    var search = EntryOrigins(
      of: all.map { UnitID(catalog: $0.missing.catalog, key: $0.missing.key) }
        .filter { !snapshot.usageDescriptions.contains($0) }, in: snapshot.catalogs,
      with: snapshot.tools)
    try history.walk(limit: Self.longestHistory, &search)
    for index in all.indices where all[index].origin == nil {
      switch search.found[UnitID(catalog: all[index].missing.catalog, key: all[index].missing.key)] {
      case .commit(let version):
        all[index].origin = MissingDetail.Origin(
          commit: CommitID(rawValue: version.commit), author: version.author,
          date: Date(timeIntervalSince1970: TimeInterval(version.seconds)))
      case .uncommitted: all[index].origin = MissingDetail.Origin()
      case nil: break
      }
    }
  }

  /// Adds the states of the translations, and the commits that added the strings, from the ledger.
  /// - Parameters:
  ///   - history: returns the history of a key in a pipeline's ledger.
  ///   - isProposed: whether the pipeline makes pull requests.
  mutating func addWhereabouts(
    in pipeline: String, on branch: String?, isProposed: Bool, _ history: (String) async throws -> [UnitHistory]
  ) async throws {
    var known: [String: [UnitHistory]] = [:]
    for index in all.indices {
      let missing = all[index].missing
      let key = missing.key.text
      if known[key] == nil {
        guard known.count < Self.mostKeys else { continue }
        known[key] = try await history(key)
      }
      let found = known[key]?.first { $0.unit.catalog == missing.catalog }
      let text = snapshot.catalogs[missing.catalog].map { Self.forms(of: missing.key, in: $0) } ?? key
      all[index].whereabouts = (found?.whereabouts(of: missing.language, text: text, on: branch) ?? .neverSent)
        .text(in: pipeline, isProposed: isProposed)
      if let origin = found?.provenance(of: text) {
        all[index].origin = MissingDetail.Origin(
          commit: origin.commit, author: origin.author, date: Date(timeIntervalSince1970: TimeInterval(origin.seconds)))
      }
    }
  }

  /// Returns the source text in the form of the ledger: all forms, separated by line breaks.
  private static func forms(of key: UnitKey, in catalog: Catalog) -> String {
    guard let source = catalog.entries[key]?.translations[catalog.sourceLanguage] else { return key.text }
    return source.leaves.flatMap { _, leaf in
      switch leaf.words {
      case .text(let text): [text]
      case .phrases(let phrases): phrases
      }
    }.joined(separator: "\n")
  }
}
