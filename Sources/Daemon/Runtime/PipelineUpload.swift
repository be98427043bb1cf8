import FoundationEssentials
import LedgerStore
import Localization
package import Pipeline
import PostgreSQLStore
import ReadModel

/// The operation of `dragoman pipelines apply`, which stores pipeline files in a database for its workers.
package struct PipelineUpload: Sendable {
  private let location: StoreLocation
  private let actor: Actor

  /// - Parameter actor: the person or program that the audit log names.
  package init(
    store location: StoreLocation, actor: Actor = Actor(name: RoundAdministration.userName, way: .command)
  ) {
    self.location = location
    self.actor = actor
  }

  /// Checks and stores the files of a folder.
  /// - Parameters:
  ///   - prunes: whether to remove the files of all other pipelines.
  ///   - allowsNone: whether the folder may have no pipeline file. If the folder has no pipeline file, pruning removes all pipelines.
  /// - Returns: the changes to the stored files, and the address of the database if its tables were created.
  /// - Throws: an error with all faults of all files, or an error if the folder has no pipeline file and `allowsNone` is `false`. Nothing is stored
  ///   in these cases.
  package func apply(
    _ folder: String, prunes: Bool, allowsNone: Bool = false
  ) async throws -> (applied: AppliedPipelines, created: String?) {
    let read = try PipelineFolder.read(folder)
    guard !read.isEmpty || allowsNone else {
      throw PipelineError(
        .notFound, operation: "apply \(folder)",
        detail: "the folder has no pipeline file (*.yaml, *.yml), so nothing was changed. Check the path"
          + (prunes ? "; to remove all pipelines from the database, add --allow-empty" : ""),
        disposition: .permanent)
    }
    var files: [StoredPipelineFile] = []
    for (path, definition) in read {
      guard let data = FileManager.default.contents(atPath: path), let text = String(validating: data, as: UTF8.self)
      else { throw InputFault(Diagnostic(path: path, severity: .error, message: "the file is unreadable")) }
      // The file may have changed since it was checked.
      guard try PipelineFile.read(Array(text.utf8), at: path) == definition else {
        throw InputFault(
          Diagnostic(path: path, severity: .error, message: "the file changed while it was read", hint: "try again"))
      }
      files.append(StoredPipelineFile(name: definition.name, path: path, text: text))
    }
    // The tables are created if necessary, because the first upload may happen before the first start of a worker.
    let store = try OpenLedger.database(location, .ofProcess, .working)
    let stored = try await store.pipelineFiles(of: nil)
    let former = Self.formerNames(in: read.map(\.definition), of: stored)
    if !prunes {
      let left = former.union(files.map(\.name))
      let others = stored.filter { !left.contains($0.name) }
      let diagnostics = PipelineReading.all(of: others + files).flatMap(\.diagnostics)
      guard diagnostics.isEmpty else { throw InputFault(diagnostics) }
    }
    let decisions = Decisions(model: ReadModel(store: store, people: store, history: store), actor: actor)
    let applied = try await decisions.applyFiles(
      Self.changes(of: files, stored: stored, replacing: former, prunes: prunes)
    ) { [files] in try await store.apply(files, replacing: former, prunes: prunes) }
    try await endProblems(of: applied.removed.filter { !former.contains($0) }, in: store)
    return (applied, store.isNew ? "\(store.address)" : nil)
  }

  /// Returns `added`, `changed` or `removed` for each pipeline whose stored file the upload changes, for the audit log.
  private static func changes(
    of files: [StoredPipelineFile], stored: [StoredPipelineFile], replacing former: Set<String>, prunes: Bool
  ) -> [String: String] {
    let texts = Dictionary(stored.map { ($0.name, $0.text) }, uniquingKeysWith: { first, _ in first })
    var changes: [String: String] = [:]
    for file in files where texts[file.name] != file.text {
      changes[file.name] = texts[file.name] == nil ? "added" : "changed"
    }
    let names = Set(files.map(\.name))
    for name in texts.keys where !names.contains(name) && (prunes || former.contains(name)) {
      changes[name] = "removed"
    }
    return changes
  }

  /// Ends the problems of pipelines that were removed, unless workers are running: each worker ends the problems of the pipelines that it holds.
  private func endProblems(of removed: [String], in store: PostgreSQLStore) async throws {
    guard !removed.isEmpty, try await store.workers().isEmpty else { return }
    for name in removed {
      try await store.endNotices(of: name)
      try await store.dropJobs(of: name)
    }
  }

  /// Returns the names of the stored pipelines that the new files rename with `formerly`. A name is ignored if the stored pipeline has a different
  /// repository, because it is then a different pipeline, and its name in `formerly` is a mistake.
  private static func formerNames(
    in definitions: [PipelineDefinition], of stored: [StoredPipelineFile]
  ) -> Set<String> {
    let repositories = Dictionary(
      PipelineReading.all(of: stored).compactMap { reading in
        reading.definition.map { ($0.name, $0.repository.url) }
      }, uniquingKeysWith: { first, _ in first })
    return Set(
      definitions.flatMap { definition in
        definition.formerly.filter { repositories[$0] == definition.repository.url }
      })
  }
}
