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
  /// The units that stand on the delivery branch by open deliveries of ours.
  let delivered: [ReturnedUnit]
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
    var ownTree: (any SourceTree)?
    if let own = try await lastOwnCommit() { ownTree = try await mirror.tree(of: own) }
    for path in both {
      // A side that removed the file is git's business.
      guard let old = try headTree.bytes(at: path), let new = try branchTree.bytes(at: path) else { continue }
      do {
        let merged = try context.merger.merge(base: try baseTree?.bytes(at: path), ours: old, theirs: new, at: path)
        var open = merged.conflicts.filter { !isOurs($0, in: path, ownTexts) }
        if !open.isEmpty, let own = try ownTree?.bytes(at: path) {
          // What differs only because we wrote it, such as a source text that sync brought, is no conflict with a person.
          let others = try context.merger.merge(base: own, ours: old, theirs: new, at: path).conflicts
          open.removeAll { !others.contains($0) }
        }
        conflicts += open.map { conflict(path.text, $0.description) }
        resolved[path] = merged.bytes
      } catch let fault as InputFault {
        conflicts += fault.diagnostics
      }
    }
    return (resolved, conflicts)
  }

  /// The last of our commits before the first of others, on the way from the watched branch to the delivery branch.
  private func lastOwnCommit() async throws -> CommitID? {
    let target = names.0
    let own = try await context.store.ownCommits(of: context.name, target: target)
    let lacking = try await context.mirror.history(of: deliveryBranch, excluding: head, limit: 1000)
    return lacking.reversed().prefix { own.contains($0.id) }.last?.id
  }

  private struct OwnText: Hashable {
    var key: UnitKey
    var language: LocaleIdentifier
  }

  /// What of the delivery branch is still as we delivered it.
  private func ownTexts() async throws -> Set<OwnText> {
    guard !delivered.isEmpty else { return [] }
    let snapshot = try await context.snapshots.snapshot(of: deliveryBranch)
    return Set(
      delivered.filter { unit in
        let present = snapshot.synced[unit.unit.catalog]?.entries[unit.unit.key]?.translations[unit.language]
        return present != nil && present?.digest == unit.outcome?.translation
      }.map { OwnText(key: $0.unit.key, language: $0.language) })
  }

  private func isOurs(_ conflict: MergeConflict, in path: TreePath, _ own: Set<OwnText>) -> Bool {
    guard let key = conflict.key else { return false }
    // In a String Catalog the place begins with the language; a file of one language is in that language's folder.
    let folder = path.isInLanguageFolder ? LocaleIdentifier(String(path.parent.name.dropLast(".lproj".count))) : nil
    let language = folder ?? conflict.place.first.map { LocaleIdentifier($0) }
    return language.map { own.contains(OwnText(key: key, language: $0)) } ?? false
  }

  private func conflict(_ path: String, _ what: String) -> Diagnostic {
    Diagnostic(
      path: path, severity: .error, message: "\(names.0) and \(names.1) conflict: \(what)",
      hint: "merge \(names.1) into \(names.0) by hand, or delete \(names.0)")
  }
}

extension SourceTree {
  /// The bytes of a file; `nil` where there is none.
  fileprivate func bytes(at path: TreePath) throws -> [UInt8]? {
    guard try entry(at: path) != nil else { return nil }
    return try read(path)
  }
}
