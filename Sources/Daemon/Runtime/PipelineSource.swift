internal import Foundation
private import Glibc
package import Localization
package import Pipeline

/// The source of pipelines. Files may change while they are in use.
package enum PipelineSource: Sendable {
  case definitions([PipelineDefinition])
  case files([String])
  case folder(String)
  /// The pipeline files in a ledger that several workers share.
  case ledger

  /// Whether its pipelines come from files of this machine.
  var hasPaths: Bool {
    switch self {
    case .files, .folder: true
    case .definitions, .ledger: false
    }
  }

  /// Detects changes of a file without reading it.
  struct Stamp: Hashable, Sendable {
    var inode: UInt64
    var size: Int64
    var changed: [Int]
  }

  /// - Throws: if the folder cannot be listed.
  func paths() throws(InputFault) -> [String] {
    switch self {
    case .definitions, .ledger: return []
    case .files(let paths): return paths
    case .folder(let folder): return try PipelineFolder.files(in: folder)
    }
  }

  func stamps() throws(InputFault) -> [String: Stamp] {
    var stamps: [String: Stamp] = [:]
    for path in try paths() {
      var status = stat()
      // A missing file has a stamp too, so that its return counts as a change.
      let isThere = stat(path, &status) == 0
      stamps[path] =
        isThere
        ? Stamp(
          inode: UInt64(status.st_ino), size: Int64(status.st_size),
          changed: [status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec])
        : Stamp(inode: 0, size: -1, changed: [])
    }
    return stamps
  }

  /// - Parameter first: files with pipelines that are in force. If another file shares something with one of them, the other file is at
  ///   fault.
  package func readings(first: Set<String> = []) throws(InputFault) -> [PipelineReading] {
    if case .definitions(let definitions) = self {
      return definitions.map { PipelineReading(path: $0.name, definition: $0, diagnostics: []) }
    }
    let paths = try paths()
    return PipelineReading.all(of: paths.filter(first.contains) + paths.filter { !first.contains($0) })
  }
}
