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
  /// The commits of the delivery branch that the watched branch lacks.
  let lacking: [CommitInfo]
  /// Those of them that the watched branch dropped.
  let dropped: Set<CommitID>
  let renames: [TreePath: TreePath]
  let context: PipelineContext

  /// A localization file that both sides changed.
  private struct FileMerge {
    var path: TreePath
    var head: [UInt8]
    var branch: [UInt8]
    var merged: MergedCatalog
  }

  /// Begins the writer with the merge commit.
  /// - Returns: conflicts that a person must decide; the writer is as it was then.
  func write(to writer: inout CommitWriter) async throws -> [Diagnostic] {
    var (files, conflicts) = try await mergedFiles()
    conflicts += try await self.conflicts(in: files)
    guard conflicts.isEmpty else { return conflicts }
    var resolved: [TreePath: [UInt8]?] = [:]
    do throws(InputFault) {
      for file in files { resolved[file.path] = try settled(file) }
    } catch {
      return error.diagnostics
    }
    switch try await writer.merge(deliveryBranch, head, named: names, resolving: resolved) {
    case .merged: return []
    case .conflicts(let paths): return paths.sorted().map { conflict($0.text, "the file changed on both branches") }
    }
  }

  /// The localization files that both sides changed, and why some cannot be merged.
  private func mergedFiles() async throws -> (files: [FileMerge], faults: [Diagnostic]) {
    let mirror = context.mirror
    let base = try await mirror.mergeBase(deliveryBranch, head)
    let theirs = Set(try await mirror.changes(from: base, to: deliveryBranch).map(\.path))
    let ours = Set(try await mirror.changes(from: base, to: head).map(\.path))
    let both = theirs.intersection(ours).filter { context.formats($0) != nil }.sorted()
    guard !both.isEmpty else { return ([], []) }
    var baseTree: (any SourceTree)?
    if let base { baseTree = try await mirror.tree(of: base) }
    let (headTree, branchTree) = (try await mirror.tree(of: head), try await mirror.tree(of: deliveryBranch))
    var files: [FileMerge] = []
    var faults: [Diagnostic] = []
    for path in both {
      // A side that removed the file is git's business.
      guard let old = try headTree.bytes(at: path), let new = try branchTree.bytes(at: path) else { continue }
      do {
        let merged = try context.merger.merge(base: try baseTree?.bytes(at: path), ours: old, theirs: new, at: path)
        files.append(FileMerge(path: path, head: old, branch: new, merged: merged))
      } catch let fault as InputFault {
        faults += fault.diagnostics
      }
    }
    return (files, faults)
  }

  /// The conflicts that a person must decide. Whose texts they are is looked up only where there are any.
  private func conflicts(in files: [FileMerge]) async throws -> [Diagnostic] {
    let conflicts = files.flatMap { file in file.merged.conflicts.map { (path: file.path, conflict: $0) } }
    guard !conflicts.isEmpty else { return [] }
    let authors = AuthorSearch(
      deliveryBranch: deliveryBranch, lacking: lacking, dropped: dropped,
      texts: DeliveredTexts(returned: returned, renames: renames, context: context), context: context)
    return try await authors.others(conflicts).map { conflict($0.path.text, text(of: $0.conflict)) }
  }

  /// The merged file as it is committed. Only a String Catalog holds source texts and states.
  private func settled(_ file: FileMerge) throws(InputFault) -> [UInt8] {
    let merged = file.merged.bytes
    guard merged != file.head, file.path.ending == "xcstrings", let format = context.formats(file.path) else {
      return merged
    }
    let files = CatalogFiles(merged, at: file.path)
    let before = try format.read(files)
    let head = try format.read(CatalogFiles(file.head, at: file.path))
    let branch = try format.read(CatalogFiles(file.branch, at: file.path))
    var catalog = before
    dropRemovedSources(from: &catalog, file.merged.conflicts, head: head)
    askForReviews(in: &catalog, of: [head, branch])
    return catalog == before ? merged : try format.write(catalog, over: files)[file.path] ?? merged
  }

  /// Drops source texts that the watched branch removed and that sync had changed on the delivery branch: there the key is the text again.
  /// Of what one side removed, the merge keeps the other side's.
  private func dropRemovedSources(from catalog: inout Catalog, _ conflicts: [MergeConflict], head: Catalog) {
    let source = catalog.sourceLanguage
    for conflict in conflicts where conflict.ours == nil && conflict.place == [source.rawValue] {
      guard let key = conflict.key else { continue }
      catalog.entries[key]?.translations[source] = nil
      catalog.entries[key]?.extractionState = head.entries[key]?.extractionState
    }
  }

  /// Lets a translation need review that comes from a side with another source text than the merged one, as sync does where a source text
  /// changes.
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

  /// The head is the merge's "ours".
  private func text(of conflict: MergeConflict) -> String {
    conflict.text(ours: "\(names.1) has", theirs: "\(names.0) has")
  }

  private func conflict(_ path: String, _ what: String) -> Diagnostic {
    Diagnostic(
      path: path, severity: .error, message: "\(names.0) and \(names.1) conflict: \(what)")
  }
}
