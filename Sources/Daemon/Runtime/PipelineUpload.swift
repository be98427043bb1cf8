import FoundationEssentials
import Localization
package import Pipeline
import PostgreSQLStore

/// The operation of `dragoman pipelines apply`: stores pipeline files in a database, for its workers.
package struct PipelineUpload: Sendable {
  private let location: StoreLocation

  package init(store location: StoreLocation) { self.location = location }

  /// Checks and stores the files of a folder.
  /// - Parameters:
  ///   - prunes: whether to remove the files of all other pipelines.
  ///   - allowsNone: whether the folder may have no pipeline file. Pruning then removes all pipelines.
  /// - Returns: what was stored, and the address of the database if its tables were created.
  /// - Throws: all faults of all files. Nothing is stored then.
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
    // The first start of a worker and the first upload may come in any order.
    let store = try OpenLedger.database(location, .ofProcess, .working)
    // The file of a renamed pipeline takes the place of its old one.
    let former = Set(read.flatMap(\.definition.formerly))
    if !prunes {
      let left = former.union(files.map(\.name))
      let others = try await store.pipelineFiles(of: nil).filter { !left.contains($0.name) }
      let diagnostics = PipelineReading.all(of: others + files).flatMap(\.diagnostics)
      guard diagnostics.isEmpty else { throw InputFault(diagnostics) }
    }
    return (try await store.apply(files, replacing: former, prunes: prunes), store.isNew ? "\(store.address)" : nil)
  }
}
