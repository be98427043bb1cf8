internal import Foundation
internal import Pipeline
internal import Synchronization
internal import TranslationVendors

/// A record, in the state folder, of the file from which each pipeline was last read. If two files have the same value where values must be unique,
/// the recorded file has priority, even after a restart and regardless of the file names. The data can be deleted at any time.
package final class PipelineFiles: Sendable {
  private let path: String
  private let files: Mutex<[String: String]>

  /// - Parameter folder: the state folder.
  package init(folder: String) {
    path = folder + "/pipeline-files"
    let data = FileManager.default.contents(atPath: path)
    files = Mutex(data.flatMap { try? JSONDecoder().decode([String: String].self, from: $0) } ?? [:])
  }

  /// Returns the given files that are recorded as the file from which a pipeline was last read.
  func known(among paths: [String]) -> Set<String> {
    let known = Set(files.withLock { $0.values })
    return Set(paths.filter { known.contains(CanonicalPlace.path($0)) })
  }

  /// Returns the names of the pipelines whose file was removed, sorted. A file does not count as removed if its folder is also missing, because the
  /// folder may be on a disk that is not mounted.
  func removed() -> [String] {
    files.withLock(\.self).filter { _, file in
      !FileManager.default.fileExists(atPath: file)
        && FileManager.default.fileExists(atPath: (file as NSString).deletingLastPathComponent)
    }.keys.sorted()
  }

  /// Removes the entry of a pipeline.
  func forget(_ name: String) {
    files.withLock { files in
      guard files.removeValue(forKey: name) != nil else { return }
      write(files)
    }
  }

  /// Stores the files of several pipelines. All files are passed in one call, because each call writes all entries. If the disk cannot be written,
  /// only these entries are lost, and the pipelines still run.
  func remember(_ new: [String: String]) {
    let places = new.mapValues { CanonicalPlace.path($0) }
    files.withLock { files in
      guard places.contains(where: { files[$0.key] != $0.value }) else { return }
      files.merge(places) { _, new in new }
      write(files)
    }
  }

  private func write(_ files: [String: String]) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(files) else { return }
    try? data.write(to: URL(fileURLWithPath: path), options: .atomic)
    try? FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
  }
}
