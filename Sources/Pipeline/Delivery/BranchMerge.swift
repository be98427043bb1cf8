import Localization

/// Merges a watched head into a delivery branch that holds commits of others: catalogs by key, language and variation, everything else as
/// git does.
///
/// Where both sides wrote another translation, the watched branch's stays if the delivery branch's is one of ours; a person's is never
/// decided about by us.
struct BranchMerge {
  let deliveryBranch: CommitID
  let head: CommitID
  /// The names of the two branches.
  let names: (String, String)
  /// What came back: the units that stand on the delivery branch by open deliveries of ours, and those that are to be merged again.
  let returned: [ReturnedUnit]
  /// Commits of the delivery branch that the watched branch dropped.
  let dropped: Set<CommitID>
  let renames: [TreePath: TreePath]
  let context: PipelineContext

  /// Begins the writer with the merge commit.
  /// - Returns: conflicts that a person must decide; the writer is as it was then.
  func write(to writer: inout CommitWriter) async throws -> [Diagnostic] {
    let (resolved, conflicts) = try await catalogs()
    guard conflicts.isEmpty else { return conflicts }
    switch try await writer.merge(deliveryBranch, head, named: names, resolving: resolved) {
    case .merged: return []
    case .conflicts(let paths): return paths.sorted().map { conflict($0.text, "the file changed on both branches") }
    }
  }

  /// The localization files that both sides changed, merged.
  private func catalogs() async throws -> (resolved: [TreePath: [UInt8]?], conflicts: [Diagnostic]) {
    let mirror = context.mirror
    let base = try await mirror.mergeBase(deliveryBranch, head)
    let theirs = Set(try await mirror.changes(from: base, to: deliveryBranch).map(\.path))
    let ours = Set(try await mirror.changes(from: base, to: head).map(\.path))
    var resolved: [TreePath: [UInt8]?] = [:]
    var conflicts: [Diagnostic] = []
    let both = theirs.intersection(ours).filter { context.formats($0) != nil }.sorted()
    guard !both.isEmpty else { return ([:], []) }
    var baseTree: (any SourceTree)?
    if let base { baseTree = try await mirror.tree(of: base) }
    let (headTree, branchTree) = (try await mirror.tree(of: head), try await mirror.tree(of: deliveryBranch))
    let ownTexts = try await ownTexts()
    let authors = try await AuthorSearch(
      deliveryBranch: deliveryBranch, head: head, dropped: dropped, context: context)
    for path in both {
      // A side that removed the file is git's business.
      guard let old = try headTree.bytes(at: path), let new = try branchTree.bytes(at: path) else { continue }
      do {
        let merged = try context.merger.merge(base: try baseTree?.bytes(at: path), ours: old, theirs: new, at: path)
        let open = merged.conflicts.filter { !isOurs($0, in: path, ownTexts) }
        conflicts += try await authors.others(open, in: path).map { conflict(path.text, text(of: $0)) }
        let bytes = try withoutRemovedSources(merged, over: old, at: path)
        resolved[path] = try needingReview(bytes, of: [old, new], at: path)
      } catch let fault as InputFault {
        conflicts += fault.diagnostics
      }
    }
    return (resolved, conflicts)
  }

  /// The merged catalog without source texts that the watched branch removed and that sync had changed on the delivery branch: there the key
  /// is the text again. Of what one side removed, the merge keeps the other side's.
  private func withoutRemovedSources(
    _ merged: MergedCatalog, over head: [UInt8], at path: TreePath
  ) throws(InputFault) -> [UInt8] {
    guard path.ending == "xcstrings", let format = context.formats(path) else { return merged.bytes }
    let removed = merged.conflicts.filter { $0.ours == nil && $0.place.count == 1 }
    guard !removed.isEmpty else { return merged.bytes }
    let files = CatalogFiles(merged.bytes, at: path)
    var catalog = try format.read(files)
    let present = try format.read(CatalogFiles(head, at: path))
    for case let key? in removed.filter({ $0.place == [catalog.sourceLanguage.rawValue] }).map(\.key) {
      catalog.entries[key]?.translations[catalog.sourceLanguage] = nil
      catalog.entries[key]?.extractionState = present.entries[key]?.extractionState
    }
    return try format.write(catalog, over: files)[path] ?? merged.bytes
  }

  /// The merged catalog, in which a translation needs review that comes from a side with another source text than the merged one: as sync
  /// has it where a source text changes.
  private func needingReview(
    _ merged: [UInt8], of sides: [[UInt8]], at path: TreePath
  ) throws(InputFault) -> [UInt8] {
    guard path.ending == "xcstrings", let format = context.formats(path) else { return merged }
    let files = CatalogFiles(merged, at: path)
    let before = try format.read(files)
    var catalogs: [Catalog] = []
    for side in sides { catalogs.append(try format.read(CatalogFiles(side, at: path))) }
    var catalog = before
    for (key, entry) in before.entries {
      let fitting = catalogs.filter { $0.pin(of: key) == before.pin(of: key) }
      guard fitting.count < catalogs.count else { continue }
      for (language, translation) in entry.translations where language != before.sourceLanguage {
        guard !fitting.contains(where: { $0.entries[key]?.translations[language] == translation }),
          catalogs.contains(where: { $0.entries[key]?.translations[language] == translation })
        else { continue }
        catalog.entries[key]?.translations[language] = translation.inState(.needsReview)
      }
    }
    return catalog == before ? merged : try format.write(catalog, over: files)[path] ?? merged
  }

  /// What of the delivery branch is still as we delivered it, whoever copied our commit there.
  private func ownTexts() async throws -> Set<TranslationID> {
    guard !returned.isEmpty else { return [] }
    let snapshot = try await context.snapshots.snapshot(of: deliveryBranch)
    return Set(
      returned.filter { unit in
        let catalog = renames.name(of: unit.unit, in: snapshot).catalog
        let present = snapshot.synced[catalog]?.entries[unit.unit.key]?.translations[unit.language]
        guard let present else { return false }
        // The outcome of a held unit tells what stands in its place.
        let isDelivered = unit.outcome?.state == .delivered && present.digest == unit.outcome?.translation
        return isDelivered || unit.isWordForWord(present)
      }.map { TranslationID(key: $0.unit.key, language: $0.language) })
  }

  private func isOurs(_ conflict: MergeConflict, in path: TreePath, _ own: Set<TranslationID>) -> Bool {
    guard let key = conflict.key else { return false }
    // In a String Catalog the place begins with the language; a file of one language is in that language's folder.
    let folder = path.isInLanguageFolder ? LocaleIdentifier(String(path.parent.name.dropLast(".lproj".count))) : nil
    let language = folder ?? conflict.place.first.map { LocaleIdentifier($0) }
    return language.map { own.contains(TranslationID(key: key, language: $0)) } ?? false
  }

  /// The head is the merge's "ours".
  private func text(of conflict: MergeConflict) -> String {
    conflict.text(ours: "\(names.1) has", theirs: "\(names.0) has")
  }

  private func conflict(_ path: String, _ what: String) -> Diagnostic {
    Diagnostic(
      path: path, severity: .error, message: "\(names.0) and \(names.1) conflict: \(what)")
  }
}

extension ReturnedUnit {
  /// Whether a translation says exactly what came.
  fileprivate func isWordForWord(_ translation: Translation) -> Bool {
    let came = units.filter { $0.target != nil }
    return !came.isEmpty
      && came.allSatisfy { unit in
        unit.target.map { translation[unit.path]?.words.isExactly($0.text) ?? false } ?? true
      }
  }
}
