import Foundation
package import FoundationEssentials
import Localization
import Pipeline
package import ReadModel
import Synchronization

/// A pipeline file that is not in force, because it cannot be used; or the folder of the files, if it cannot be read.
package struct FileFault: Hashable, Sendable, Codable {
  package enum Effect: String, Hashable, Sendable, Codable {
    case notInForce
    /// The last valid version of the file is still in force.
    case formerInForce
    /// All pipelines stay as they are.
    case folderUnread
  }

  package var path: String
  /// The pipeline that still runs with the last valid version of the file, or the name that the file has; `nil` if neither is known.
  package var pipeline: String?
  package var effect: Effect
  /// The findings in the compiler's format, each in one line with its hint.
  package var findings: [String]
  package var since: Date

  package var problem: PipelineProblem {
    let what =
      switch effect {
      case .notInForce: "\(path) is not in force"
      case .formerInForce: "\(path) has a fault, and its last valid version stays in force"
      case .folderUnread: "the pipeline files cannot be read, and every pipeline keeps running unchanged"
      }
    return PipelineProblem(
      pipeline: pipeline ?? path, stage: .watch, scope: "", severity: .error,
      message: "\(what): \(findings.joined(separator: "; "))", since: since, retry: .change)
  }
}

/// The faults of the pipeline files of a daemon. They are also in its state folder, for commands that run beside it or later. The data can be
/// deleted at any time.
package final class FileFaults: Sendable {
  private let path: String
  private let now: @Sendable () -> Date
  private let faults: Mutex<[FileFault]>

  /// - Parameter folder: the state folder.
  package init(folder: String, now: @escaping @Sendable () -> Date) {
    path = folder + "/pipeline-faults"
    self.now = now
    faults = Mutex(Self.read(folder))
  }

  package var all: [FileFault] { faults.withLock(\.self) }

  /// Replaces the faults. A fault that was there already keeps its time. If the disk cannot be written, only the copy is lost.
  func set(_ new: [FileFault]) {
    faults.withLock { faults in
      let since = Dictionary(faults.map { ($0.path, $0.since) }, uniquingKeysWith: { first, _ in first })
      var new = new.sorted { $0.path < $1.path }
      for place in new.indices { new[place].since = since[new[place].path] ?? now() }
      guard new != faults else { return }
      faults = new
      guard !new.isEmpty else {
        try? FileManager.default.removeItem(atPath: path)
        return
      }
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      encoder.dateEncodingStrategy = .iso8601
      guard let data = try? encoder.encode(new) else { return }
      try? data.write(to: URL(fileURLWithPath: path), options: .atomic)
      try? FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }
  }

  /// Returns the faults that the last daemon of a state folder has, or had when it ended.
  static func read(_ folder: String) -> [FileFault] {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let data = FileManager.default.contents(atPath: folder + "/pipeline-faults")
    return data.flatMap { try? decoder.decode([FileFault].self, from: $0) } ?? []
  }

  /// Returns the faults of the files that a database has for its workers.
  static func faults(of files: [StoredPipelineFile], at instant: Date) -> [FileFault] {
    PipelineReading.all(of: files).filter { $0.definition == nil }.map {
      FileFault($0, effect: .notInForce, since: instant)
    }
  }
}

extension FileFault {
  init(_ reading: PipelineReading, effect: Effect, since: Date) {
    self.init(
      path: reading.path, pipeline: reading.name, effect: effect,
      findings: reading.diagnostics.map(\.inOneLine), since: since)
  }
}

extension Diagnostic {
  var inOneLine: String { description.replacing("\n  hint: ", with: "; ") }
}
