package import Localization
package import Workspace

/// Reads commits' catalogs and strings, each once: snapshots are kept in memory, the strings of a tree and the facts of its files in the
/// cache. Reading and parsing happen on the threads of a pool.
package actor SnapshotLoader {
  private let mirror: any RepositoryMirror
  private nonisolated let memory: SnapshotMemory
  private let pool: BlockingPool
  private nonisolated let reader: SnapshotReader
  private nonisolated let name: String
  private var loading: [CommitID: Task<Snapshot, any Error>] = [:]

  /// - Parameters:
  ///   - memory: shared by all pipelines of the process.
  ///   - pool: where commits are read, shared too.
  package init(
    definition: PipelineDefinition, mirror: any RepositoryMirror, tools: ProjectTools, extractorVersion: String,
    cache: (any Cache)?, threads: Int, memory: SnapshotMemory, pool: BlockingPool
  ) {
    // A changed definition may see the same commit in another way.
    name = "\(definition.name) \(definition.readingText)"
    self.mirror = mirror
    self.memory = memory
    self.pool = pool
    self.reader = SnapshotReader(
      definition: definition, tools: tools, extractorVersion: extractorVersion, cache: cache, threads: threads)
  }

  /// The snapshot of a commit. Two callers of one commit share the work.
  package func snapshot(of commit: CommitID) async throws -> Snapshot {
    while true {
      if let snapshot = memory[name, commit] { return snapshot }
      guard let task = loading[commit] else { break }
      do { return try await task.value } catch is CancellationError {
        try Task.checkCancellation()
        // Whoever began it was cancelled: this caller begins anew.
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

  /// The units of a snapshot and what is left to translate of each. Comparisons of many branches read them again and again.
  func index(of snapshot: Snapshot) async throws -> CommitIndex {
    let commit = snapshot.commit.id
    if let index = memory.index(name, commit) { return index }
    let index = try await pool.run { CommitIndex(snapshot) }
    memory.keep(index, name, commit)
    return index
  }

  /// Forgets snapshots that were not used for a while.
  package nonisolated func forget() { memory.prune() }

  /// What project files have to say of languages that catalogs have got, and what a person has to do about them.
  package nonisolated func registering(
    _ localizations: [NewLocalization], in snapshot: Snapshot
  ) -> (edits: TreeEdits, diagnostics: [Diagnostic]) {
    reader.tools.layout.registering(localizations, of: snapshot.project, in: snapshot.tree)
  }
}
