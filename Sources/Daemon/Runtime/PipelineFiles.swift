internal import Foundation
internal import Pipeline
internal import Synchronization
internal import TranslationVendors

/// Remembers in the state folder from which file each pipeline was last read. Of two files that share what pipelines must not share, the
/// remembered one is right also after a restart, whatever the other one is called. May be deleted at any time.
package final class PipelineFiles: Sendable {
  private let path: String
  private let files: Mutex<[String: String]>

  /// - Parameter folder: the state folder.
  package init(folder: String) {
    path = folder + "/pipeline-files"
    let data = FileManager.default.contents(atPath: path)
    files = Mutex(data.flatMap { try? JSONDecoder().decode([String: String].self, from: $0) } ?? [:])
  }

  /// Those of the files that a pipeline was read from when it last started.
  func known(among paths: [String]) -> Set<String> {
    let known = Set(files.withLock { $0.values })
    return Set(paths.filter { known.contains(CanonicalPlace.path($0)) })
  }

  /// A disk that cannot be written now costs the memory of one file, and no pipeline.
  func remember(_ pipeline: String, at file: String) {
    let place = CanonicalPlace.path(file)
    files.withLock { files in
      guard files[pipeline] != place else { return }
      files[pipeline] = place
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      guard let data = try? encoder.encode(files) else { return }
      try? data.write(to: URL(fileURLWithPath: path), options: .atomic)
      try? FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }
  }
}
