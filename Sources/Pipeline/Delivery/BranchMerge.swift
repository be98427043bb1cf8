import Localization

/// Merges a watched head into a delivery branch that has commits by others. Catalogs are merged by key, language and variation, and all
/// other files as git does.
///
/// If both sides changed a translation and one side has our translation, for example after a squash, the other side's translation is used.
/// Dragoman never chooses between the translations of two people.
struct BranchMerge {
  let deliveryBranch: CommitID
  let head: CommitID
  /// The names of the delivery branch and of the watched branch, in this order.
  let names: (String, String)
  /// The returned units that our open deliveries put on the delivery branch, and the units that are reviewed after this merge.
  let returned: [ReturnedUnit]
  /// The commits of the delivery branch that the watched branch lacks.
  let lacking: [CommitInfo]
  /// The commits that the watched branch dropped.
  let dropped: Set<CommitID>
  let renames: [TreePath: TreePath]
  let context: PipelineContext

  /// A localization file that both sides changed.
  private struct FileMerge {
    var names: MovedFiles.Pair
    var head: [UInt8]
    var branch: [UInt8]
    var merged: MergedCatalog
    /// The conflicts in which the watched branch has our text, and the delivery branch has a person's text.
    var kept: [MergeConflict] = []

    /// The file's path in the merge.
    var path: TreePath { names.merged }
  }

  /// Adds the merge to the writer as its first commit.
  /// - Returns: the conflicts that a person must resolve, and errors for the files that cannot be merged. If there are any, the writer is
  ///   unchanged.
  func write(to writer: inout CommitWriter) async throws -> [Diagnostic] {
    var (files, conflicts) = try await mergedFiles()
    conflicts += try await self.conflicts(in: &files)
    guard conflicts.isEmpty else { return conflicts }
    var resolved: [TreePath: [UInt8]?] = [:]
    do throws(InputFault) {
      for file in files {
        if file.names.former != file.path { resolved.updateValue(nil, forKey: file.names.former) }
        resolved[file.path] = try settled(file)
      }
    } catch {
      return error.diagnostics
    }
    switch try await writer.merge(deliveryBranch, head, named: names, resolving: resolved) {
    case .merged: return []
    case .conflicts(let paths):
      let trees = (try await context.mirror.tree(of: deliveryBranch), try await context.mirror.tree(of: head))
      return try paths.sorted().map { path in
        let (isOnBranch, isOnHead) = (try trees.0.bytes(at: path) != nil, try trees.1.bytes(at: path) != nil)
        return conflict(path.text, changes(isOnBranch: isOnBranch, isOnHead: isOnHead))
      }
    }
  }

  /// Returns the localization files that both sides changed, and errors for the files that cannot be merged.
  private func mergedFiles() async throws -> (files: [FileMerge], faults: [Diagnostic]) {
    let mirror = context.mirror
    let base = try await mirror.mergeBase(deliveryBranch, head)
    let both = MovedFiles(
      head: try await mirror.changes(from: base, to: head),
      branch: try await mirror.changes(from: base, to: deliveryBranch), renames: renames
    ) { context.formats($0) != nil }.pairs
    guard !both.isEmpty else { return ([], []) }
    var baseTree: (any SourceTree)?
    if let base { baseTree = try await mirror.tree(of: base) }
    let (headTree, branchTree) = (try await mirror.tree(of: head), try await mirror.tree(of: deliveryBranch))
    var files: [FileMerge] = []
    var faults: [Diagnostic] = []
    for names in both {
      // A file that one side removed is left to git's merge.
      guard let old = try headTree.bytes(at: names.head), let new = try branchTree.bytes(at: names.branch) else {
        continue
      }
      do {
        let former = try baseTree?.bytes(at: names.former)
        let merged = try context.merger.merge(base: former, ours: old, theirs: new, at: names.merged)
        files.append(FileMerge(names: names, head: old, branch: new, merged: merged))
      } catch let fault as InputFault {
        faults += fault.diagnostics.map(ofMerge)
      }
    }
    return (files, faults)
  }

  /// Adds the names of the two branches to an error of the merge. The error itself calls the sides ours and theirs, as git does.
  private func ofMerge(_ fault: Diagnostic) -> Diagnostic {
    Diagnostic(
      path: fault.path, line: fault.line, column: fault.column, severity: fault.severity,
      message: "merge of \(names.1) (ours) into \(names.0) (theirs): \(fault.message)", hint: fault.hint)
  }

  /// Returns the conflicts that a person must resolve. Adds the conflicts in which the watched branch has our text to `FileMerge.kept`.
  private func conflicts(in files: inout [FileMerge]) async throws -> [Diagnostic] {
    let conflicts = files.flatMap { file in file.merged.conflicts.map { (path: file.names.branch, conflict: $0) } }
    guard !conflicts.isEmpty else { return [] }
    let texts = DeliveredTexts(returned: returned, renames: renames, context: context)
    let authors = AuthorSearch(
      deliveryBranch: deliveryBranch, lacking: lacking, dropped: dropped, texts: texts, context: context)
    let others = Dictionary(grouping: try await authors.others(conflicts), by: \.path)
    var open: [Diagnostic] = []
    for number in files.indices {
      let conflicts = (others[files[number].names.branch] ?? []).map(\.conflict)
      let ours = try await conflictsWithOurs(conflicts, in: files[number], texts)
      for conflict in conflicts {
        if ours.contains(conflict) {
          files[number].kept.append(conflict)
        } else {
          open.append(self.conflict(files[number].path.text, text(of: conflict)))
        }
      }
    }
    return open
  }

  /// Returns the conflicts in which the watched branch has our translation, for example after a squash.
  private func conflictsWithOurs(
    _ conflicts: [MergeConflict], in file: FileMerge, _ texts: DeliveredTexts
  ) async throws -> Set<MergeConflict> {
    guard !conflicts.isEmpty, let format = context.formats(file.names.head),
      let head = try? format.read(CatalogFiles(file.head, at: file.names.head))
    else { return [] }
    let places = conflicts.compactMap { conflict -> (MergeConflict, DeliveredTexts.Text)? in
      guard conflict.ours != nil, conflict.theirs != nil, let place = Self.translation(conflict, in: head),
        let text = DeliveredTexts.Text(of: place.key, place.language, in: head)
      else { return nil }
      return (conflict, text)
    }
    let settled = try await texts.settled(places.map(\.1))
    return Set(places.indices.filter { settled.contains($0) || texts.isOpen(places[$0].1) }.map { places[$0].0 })
  }

  /// Returns the translation that a conflict is about; `nil` if the conflict is about another value. In a file with a single language, every entry is
  /// a translation.
  private static func translation(
    _ conflict: MergeConflict, in catalog: Catalog
  ) -> (key: UnitKey, language: LocaleIdentifier)? {
    guard let key = conflict.key else { return nil }
    guard catalog.path.holdsAllLanguages else { return (key, catalog.sourceLanguage) }
    guard let language = conflict.place.first.map({ LocaleIdentifier($0) }), language != catalog.sourceLanguage else {
      return nil
    }
    return (key, language)
  }

  /// Returns the file to commit: the merged file, in which people's texts that the merge replaced with ours are restored. Only String
  /// Catalogs contain source texts and states, so only they may need more changes.
  private func settled(_ file: FileMerge) throws(InputFault) -> [UInt8] {
    let merged = file.merged.bytes
    guard let format = context.formats(file.path),
      !file.kept.isEmpty || merged != file.head && file.path.holdsAllLanguages
    else { return merged }
    let files = CatalogFiles(merged, at: file.path)
    let before = try format.read(files)
    let head = try format.read(CatalogFiles(file.head, at: file.path))
    let branch = try format.read(CatalogFiles(file.branch, at: file.path))
    var catalog = before
    for place in file.kept.compactMap({ Self.translation($0, in: catalog) }) {
      catalog.entries[place.key]?.translations[place.language] = branch.entries[place.key]?.translations[place.language]
    }
    if file.path.holdsAllLanguages {
      dropRemoved(from: &catalog, file.merged.conflicts, head: head)
      askForReviews(in: &catalog, of: [head, branch])
    }
    return catalog == before ? merged : try format.write(catalog, over: files)[file.path] ?? merged
  }

  /// Removes keys and source texts that the watched branch removed, but that we changed on the delivery branch. The merge itself keeps a
  /// value that one side removed and the other side changed. If the source text is removed, the key is the source text again.
  private func dropRemoved(from catalog: inout Catalog, _ conflicts: [MergeConflict], head: Catalog) {
    let source = catalog.sourceLanguage
    for conflict in conflicts where conflict.ours == nil {
      guard let key = conflict.key else { continue }
      if conflict.place.isEmpty, head.entries[key] == nil {
        catalog.entries[key] = nil
      } else if conflict.place == [source.rawValue] {
        catalog.entries[key]?.translations[source] = nil
        catalog.entries[key]?.extractionState = head.entries[key]?.extractionState
      }
    }
  }

  /// Marks a translation as needing review if the source text of its side differs from the merged source text. Sync does the same when a
  /// source text changes.
  private func askForReviews(in catalog: inout Catalog, of sides: [Catalog]) {
    let merged = catalog
    for (key, entry) in merged.entries {
      let pin = merged.pin(of: key)
      let fitting = sides.filter { $0.pin(of: key) == pin }
      guard fitting.count < sides.count else { continue }
      for (language, translation) in entry.translations where language != merged.sourceLanguage {
        guard !fitting.contains(where: { $0.entries[key]?.translations[language] == translation }),
          sides.contains(where: { $0.entries[key]?.translations[language] == translation })
        else { continue }
        catalog.entries[key]?.translations[language] = translation.inState(.needsReview)
      }
    }
  }

  /// Describes a conflict. In the merge, the head is the side "ours".
  private func text(of conflict: MergeConflict) -> String {
    conflict.text(ours: "\(names.1) has", theirs: "\(names.0) has")
  }

  /// Describes the changes of the two branches to a file that git cannot merge.
  private func changes(isOnBranch: Bool, isOnHead: Bool) -> String {
    switch (isOnBranch, isOnHead) {
    case (false, true): "\(names.0) deleted the file, and \(names.1) changed it"
    case (true, false): "\(names.1) deleted the file, and \(names.0) changed it"
    default: "the file changed on both branches"
    }
  }

  private func conflict(_ path: String, _ what: String) -> Diagnostic {
    Diagnostic(
      path: path, severity: .error, message: "\(names.0) and \(names.1) conflict: \(what)")
  }
}
