internal import Foundation
private import Glibc
package import Localization
package import Pipeline

/// Where pipelines come from. Files may change while they are used.
package enum PipelineSource: Sendable {
  case definitions([PipelineDefinition])
  case files([String])
  case folder(String)

  /// What tells a file from what it was before, without reading it.
  struct Stamp: Hashable, Sendable {
    var inode: UInt64
    var size: Int64
    var changed: [Int]
  }

  /// - Throws: where the folder cannot be listed.
  func paths() throws(InputFault) -> [String] {
    switch self {
    case .definitions: return []
    case .files(let paths): return paths
    case .folder(let folder): return try PipelineFolder.files(in: folder)
    }
  }

  func stamps() throws(InputFault) -> [String: Stamp] {
    var stamps: [String: Stamp] = [:]
    for path in try paths() {
      var status = stat()
      // A file that is gone has a stamp too, so that its coming back is a change.
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

  /// - Parameter first: files whose pipelines are in force: of two that share something, the other is at fault.
  package func readings(first: Set<String> = []) throws(InputFault) -> [PipelineReading] {
    if case .definitions(let definitions) = self {
      return definitions.map { PipelineReading(path: $0.name, definition: $0, diagnostics: []) }
    }
    let paths = try paths()
    return PipelineReading.all(of: paths.filter(first.contains) + paths.filter { !first.contains($0) })
  }
}
