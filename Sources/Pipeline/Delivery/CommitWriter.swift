import FoundationEssentials
import Localization

/// A writer of a series of commits in the mirror. The same edits, messages and times result in the same ids.
struct CommitWriter {
  /// The commit of the watched branch for which the commits are made.
  let source: CommitID
  let seconds: Int64
  let context: PipelineContext
  /// The first parent of our first commit.
  private(set) var base: CommitID
  /// Our commits, oldest first.
  private(set) var commits: [CommitID] = []
  /// Whether there is a commit other than the merge commit. A merge commit alone is not delivered.
  private(set) var hasContent = false
  /// Whether a commit contains synced catalogs.
  private(set) var bringsCatalogs = false
  private(set) var units = 0
  private(set) var rounds: [Int] = []

  init(source: CommitID, seconds: Int64, context: PipelineContext) {
    self.source = source
    self.seconds = seconds
    self.context = context
    base = source
  }

  /// The parent of the next commit.
  var tip: CommitID { commits.last ?? base }

  mutating func begin(on commit: CommitID) { base = commit }

  /// Adds a merge commit as the first commit. If the merge has conflicts, the writer is unchanged.
  mutating func merge(
    _ first: CommitID, _ second: CommitID, named names: (String, String), resolving resolved: [TreePath: [UInt8]?]
  ) async throws -> MergeResult {
    let result = try await context.mirror.makeMerge(
      of: first, and: second, resolving: resolved,
      message: message("Merge \(names.1) into \(names.0)", CommitTrailers(rounds: [], source: source, units: 0)),
      author: signature, committer: signature)
    if case .merged(let commit) = result {
      base = first
      commits = [commit]
    }
    return result
  }

  /// Makes a commit, unless there are no edits.
  /// - Parameter rounds: the rounds of the commit's translations; `nil` for a commit without translations.
  mutating func commit(
    _ edits: TreeEdits, subject: String, units: Int, rounds: [Int]?, coAuthors: CoAuthors? = nil
  ) async throws {
    guard !edits.isEmpty else { return }
    let names = (rounds ?? []).map { "\(context.name)/\($0)" }
    let trailers = CommitTrailers(rounds: names, source: source, units: units)
    let made = try await context.mirror.makeCommit(
      edits, on: tip, message: message(subject, trailers, coAuthors), author: signature, committer: signature)
    commits.append(made)
    hasContent = true
    if let rounds {
      self.units += units
      self.rounds = Array(Set(self.rounds + rounds)).sorted()
    } else {
      bringsCatalogs = true
    }
  }

  private func message(_ summary: String, _ trailers: CommitTrailers, _ coAuthors: CoAuthors? = nil) -> String {
    let deliver = context.definition.deliver
    let subject = deliver.subject.replacing("{pipeline}", with: context.name).replacing("{summary}", with: summary)
    let signOff = deliver.signsOff ? "Signed-off-by: \(deliver.authorName) <\(deliver.authorEmail)>\n" : ""
    return "\(subject)\n\n\(trailers.text)\(coAuthors?.text ?? "")\(signOff)"
  }

  private var signature: CommitSignature {
    let deliver = context.definition.deliver
    return CommitSignature(name: deliver.authorName, email: deliver.authorEmail, seconds: seconds)
  }
}

/// Makes the commits of a delivery: first the changes of sync, if the pipeline commits them, then the translations.
struct DeliveryComposition {
  let snapshot: Snapshot
  let review: BranchReview.Result
  /// Whether `catalogs: commit` is set.
  let brings: Bool

  struct Result {
    /// The catalogs that were left unchanged, with the reasons.
    var refused: [TreePath: [Diagnostic]] = [:]
    /// The returned units that kept a catalog from being written, with the reasons.
    var unwritable: [ReturnedUnitID: String] = [:]
    /// Other diagnostics for users.
    var diagnostics: [Diagnostic] = []
  }

  func write(to writer: inout CommitWriter, _ context: PipelineContext) async throws -> Result {
    let editor = CatalogEdits(formats: context.formats, audit: context.audit)
    var files = snapshot.files
    var standing = snapshot.committed
    var refused: [TreePath: [Diagnostic]] = [:]
    if brings {
      var changes: [TreePath: CatalogEdits.Change] = [:]
      for path in snapshot.changed {
        guard let synced = snapshot.synced[path] else { continue }
        changes[path] = CatalogEdits.Change(
          old: standing[path], files: files[path] ?? unwritten(synced), new: synced, translations: [])
      }
      let result = editor.edits(changes)
      refused = result.refused
      var count = 0
      for (path, change) in changes where refused[path] == nil {
        let before = change.old?.entries ?? [:]
        count += Set(before.keys).union(change.new.entries.keys).count { before[$0] != change.new.entries[$0] }
        files[path] = change.files.applying(result.written[path] ?? [:], languages: change.new.languages)
        standing[path] = change.new
      }
      try await writer.commit(result.edits, subject: "Bring catalogs in step with the code", units: count, rounds: nil)
    }
    let taken = review.taken.filter { refused[$0.unit.catalog] == nil }
    var changes: [TreePath: CatalogEdits.Change] = [:]
    for (path, catalog) in translated(taken, over: standing) {
      let came = taken.filter { $0.unit.catalog == path }.map { TranslationID(key: $0.unit.key, language: $0.language) }
      changes[path] = CatalogEdits.Change(
        old: standing[path], files: files[path] ?? unwritten(catalog), new: catalog, translations: Set(came))
    }
    let result = editor.edits(changes)
    refused.merge(result.refused) { first, _ in first }
    let delivered = taken.filter { refused[$0.unit.catalog] == nil }
    let changed = Self.changing(delivered, from: standing, to: changes)
    let rounds = Set(delivered.compactMap(\.round)).sorted()
    let edits = result.edits
    let localizations = NewLocalization.found(
      from: standing, to: changes.filter { refused[$0.key] == nil }.mapValues(\.new), of: snapshot.project.catalogs,
      written: Set(edits.paths))
    let registered = context.snapshots.registering(localizations, in: snapshot)
    try await writer.commit(
      edits.merging(registered.edits), subject: subject(changed), units: changed.count, rounds: rounds,
      coAuthors: CoAuthors(of: changed, context.definition.deliver))
    return Result(
      refused: refused, unwritable: unwritable(in: result.refused.keys.sorted(), context),
      diagnostics: registered.diagnostics)
  }

  /// Returns the returned units that the formats of catalogs cannot write, with the reasons. If a catalog cannot be written even without
  /// these units, none of its units is listed.
  private func unwritable(in paths: [TreePath], _ context: PipelineContext) -> [ReturnedUnitID: String] {
    var found: [ReturnedUnitID: String] = [:]
    for path in paths {
      guard let format = context.formats(path), let synced = snapshot.synced[path],
        let reviewed = review.catalogs[path]
      else { continue }
      let files = snapshot.files[path] ?? unwritten(synced)
      let write = { (catalog: Catalog) throws(InputFault) in try format.write(catalog, over: files) }
      guard (try? write(synced)) != nil else { continue }
      let units = review.taken.filter { $0.unit.catalog == path }
      let changes = units.compactMap { unit in
        reviewed.entries[unit.unit.key]?.translations[unit.language].map { translation in
          TranslationChange(
            id: TranslationID(key: unit.unit.key, language: unit.language), translation: translation)
        }
      }
      let reasons = RefusedChanges(of: changes, in: synced, write: write).reasons
      for unit in units {
        found[unit.id] = reasons[TranslationID(key: unit.unit.key, language: unit.language)]
      }
    }
    return found
  }

  /// Returns the units whose translations a commit changes. In a format without states, only the texts are compared, because a different
  /// state does not change the file.
  /// - Returns: all units if the commit changes none of their translations, but other content.
  static func changing(
    _ units: [ReturnedUnit], from old: [TreePath: Catalog], to changes: [TreePath: CatalogEdits.Change]
  ) -> [ReturnedUnit] {
    let changed = units.filter { unit in
      let id = unit.unit
      let before = old[id.catalog]?.entries[id.key]?.translations[unit.language]
      let after = changes[id.catalog]?.new.entries[id.key]?.translations[unit.language]
      guard id.catalog.catalogKind?.hasStates == false else { return before != after }
      return before?.leaves.map(\.path) != after?.leaves.map(\.path)
        || before?.leaves.map(\.leaf.words) != after?.leaves.map(\.leaf.words)
    }
    return changed.isEmpty ? units : changed
  }

  private func unwritten(_ catalog: Catalog) -> CatalogFiles {
    CatalogFiles(path: catalog.path, sourceLanguage: catalog.sourceLanguage)
  }

  /// Returns the current catalogs with the returned translations. If an entry's source is unchanged, only the returned languages change.
  /// A new entry, or an entry with a changed source, is copied from the synced catalog.
  private func translated(_ taken: [ReturnedUnit], over standing: [TreePath: Catalog]) -> [TreePath: Catalog] {
    var catalogs: [TreePath: Catalog] = [:]
    for returnedUnit in taken {
      let path = returnedUnit.unit.catalog
      let key = returnedUnit.unit.key
      guard let reviewed = review.catalogs[path], let entry = reviewed.entries[key] else { continue }
      // The catalog is removed from the dictionary while it changes: a second reference would cause a copy of all entries for each unit.
      var catalog =
        catalogs.removeValue(forKey: path) ?? standing[path]
        ?? Catalog(path: path, sourceLanguage: reviewed.sourceLanguage)
      var changed = entry
      if let present = catalog.entries[key], catalog.pin(of: key) == reviewed.pin(of: key) {
        changed = present
        changed.translations[returnedUnit.language] = entry.translations[returnedUnit.language]
      }
      catalog.replace([key: changed])
      catalogs[path] = catalog
    }
    return catalogs
  }

  private func subject(_ delivered: [ReturnedUnit]) -> String {
    let languages = Set(delivered.map(\.language)).sorted()
    let strings = Set(delivered.map(\.unit)).count
    let what = strings == 1 ? "1 string" : "\(strings) strings"
    guard languages.count <= 6 else { return "Translate \(what) into \(languages.count) languages" }
    return "Translate \(what) into \(languages.map(\.rawValue).joined(separator: ", "))"
  }
}
