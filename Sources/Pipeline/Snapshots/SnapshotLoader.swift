package import Localization
package import Workspace

/// Reads the catalogs and strings of commits. Recently used snapshots are kept in memory; the strings of trees and the facts of files are
/// kept in the cache. Reading and parsing run on the threads of a pool.
package actor SnapshotLoader {
  private let mirror: any RepositoryMirror
  private nonisolated let memory: SnapshotMemory
  private let pool: BlockingPool
  private nonisolated let reader: SnapshotReader
  private nonisolated let name: String
  private var loading: [CommitID: Task<Snapshot, any Error>] = [:]

  /// - Parameters:
  ///   - memory: shared by all pipelines of the process.
  ///   - catalogs: holds the catalogs of the most recently read tree.
  ///   - pool: the threads that read commits, shared by all pipelines of the process.
  package init(
    definition: PipelineDefinition, mirror: any RepositoryMirror, tools: ProjectTools, extractorVersion: String,
    cache: (any Cache)?, threads: Int, memory: SnapshotMemory, catalogs: CatalogMemory = CatalogMemory(),
    pool: BlockingPool
  ) {
    // The definition's settings are part of the key, because a changed definition may read the same commit differently.
    name = "\(definition.name) \(definition.readingText)"
    self.mirror = mirror
    self.memory = memory
    self.pool = pool
    self.reader = SnapshotReader(
      definition: definition, tools: tools, extractorVersion: extractorVersion, cache: cache, threads: threads,
      catalogs: catalogs)
  }

  /// Returns the snapshot of a commit if it is in memory.
  nonisolated func remembered(_ commit: CommitID) -> Snapshot? { memory[name, commit] }

  /// Returns the snapshot of a commit; `nil` if it cannot be read, for example after a force-push.
  /// - Throws: `CancellationError` only.
  func readable(_ commit: CommitID) async throws -> Snapshot? {
    do { return try await snapshot(of: commit) } catch is CancellationError { throw CancellationError() } catch {
      return nil
    }
  }

  /// Returns the snapshot of a commit. Concurrent calls for the same commit share the work.
  package func snapshot(of commit: CommitID) async throws -> Snapshot {
    while true {
      if let snapshot = memory[name, commit] { return snapshot }
      guard let task = loading[commit] else { break }
      do { return try await task.value } catch is CancellationError {
        try Task.checkCancellation()
        // The caller that started the work was cancelled. This caller starts the work again.
        if loading[commit] == task { loading[commit] = nil }
      }
    }
    let flag = CancellationFlag()
    let task = Task { [mirror, pool, reader] in
      let info = try await mirror.commit(commit)
      let tree = try await mirror.tree(of: commit)
      return try await pool.run {
        try CancellationFlag.$current.withValue(flag) { try reader.load(info, tree: tree) }
      }
    }
    loading[commit] = task
    defer { if loading[commit] == task { loading[commit] = nil } }
    let snapshot = try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      flag.cancel()
      task.cancel()
    }
    if !snapshot.lacksObjects { memory.keep(snapshot, of: name) }
    return snapshot
  }

  /// Returns the findings of `check` about a commit.
  func advice(on commit: CommitID) async throws -> [AdviceFinding] {
    let tree = try await mirror.tree(of: commit)
    let flag = CancellationFlag()
    return try await withTaskCancellationHandler {
      try await pool.run { [reader] in
        try CancellationFlag.$current.withValue(flag) { try reader.advice(on: tree) }
      }
    } onCancel: {
      flag.cancel()
    }
  }

  /// Returns the units of a snapshot and their missing translations. Planning reads this index repeatedly, for many branches.
  func index(of snapshot: Snapshot) async throws -> CommitIndex {
    let commit = snapshot.commit.id
    if let index = memory.index(name, commit) { return index }
    let index = try await pool.run { CommitIndex(snapshot) }
    memory.keep(index, name, commit)
    return index
  }

  /// Removes snapshots from memory that were not used recently.
  package nonisolated func forget() { memory.prune() }

  /// Returns the edits to project files that register new localizations, and instructions for what the user must do by hand. Edits in
  /// submodules are left out.
  package nonisolated func registering(
    _ localizations: [NewLocalization], in snapshot: Snapshot
  ) -> (edits: TreeEdits, diagnostics: [Diagnostic]) {
    var result = reader.tools.layout.registering(localizations, of: snapshot.project, in: snapshot.tree)
    result.edits.edits = result.edits.edits.filter { !snapshot.isInSubmodule($0.key) }
    return result
  }

  /// Repacks the mirrors of the repository and its submodules if this is worth the time, and removes objects that are no longer needed.
  package func maintain() async throws { try await mirror.maintain() }
}
