internal import Foundation
package import Localization
package import Pipeline

/// The source of the pipeline definitions. Pipeline files may change while they are in use.
package enum PipelineSource: Sendable {
  case definitions([PipelineDefinition])
  case files([String])
  case folder(String)
  /// The pipeline files in a ledger that several workers share.
  case ledger

  /// Whether the pipelines are defined in files of this machine.
  var hasPaths: Bool {
    switch self {
    case .files, .folder: true
    case .definitions, .ledger: false
    }
  }

  /// Returns the paths of the pipeline files on this machine; empty if there are none.
  /// - Throws: an error if the folder cannot be listed.
  func paths() throws(InputFault) -> [String] {
    switch self {
    case .definitions, .ledger: return []
    case .files(let paths): return paths
    case .folder(let folder): return try PipelineFolder.files(in: folder)
    }
  }

  func stamps() throws(InputFault) -> [String: FileStamp] {
    var stamps: [String: FileStamp] = [:]
    for path in try paths() { stamps[path] = FileStamp(of: path) }
    return stamps
  }

  /// Reads the pipeline files on this machine, or returns the given definitions. The result is empty for a ledger.
  /// - Parameter first: the files of running pipelines, or of pipelines that ran before. If another file conflicts with one of these files, the fault
  ///   is reported for the other file.
  package func readings(first: Set<String> = []) throws(InputFault) -> [PipelineReading] {
    if case .definitions(let definitions) = self {
      return definitions.map { PipelineReading(path: $0.name, definition: $0, diagnostics: []) }
    }
    let paths = try paths()
    return PipelineReading.all(of: paths.filter(first.contains) + paths.filter { !first.contains($0) })
  }

  /// Reads the pipeline files on this machine up to the first one that can be used. If the last reading has no definition, no file can be used.
  package func readingsUpToUsable() throws(InputFault) -> [PipelineReading] {
    if case .definitions = self { return try readings() }
    return PipelineReading.upToUsable(of: try paths())
  }
}
