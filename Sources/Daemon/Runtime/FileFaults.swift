import Foundation
package import FoundationEssentials
import Localization
import Pipeline
package import ReadModel
import Synchronization

/// A pipeline file that is not used because it has faults; or the folder of the files, if it cannot be read.
package struct FileFault: Hashable, Sendable, Codable {
  package enum Effect: String, Hashable, Sendable, Codable {
    case notInForce
    /// The pipeline still uses the last valid version of the file.
    case formerInForce
    /// The folder cannot be read. All pipelines keep running unchanged.
    case folderUnread
    /// Workers of a fleet have different files for the pipeline. The findings are the locations of these workers.
    case differs
  }

  package var path: String
  /// The pipeline that still runs with the last valid version of the file, or the name that the file has; `nil` if neither is known.
  package var pipeline: String?
  package var effect: Effect
  /// The findings in the compiler's format, each in one line with its hint.
  package var findings: [String]
  package var since: Date
  /// The machine of the worker that has the fault, if it is another process.
  package var machine: String?

  package var problem: PipelineProblem {
    let place = machine.map { " on \($0)" } ?? ""
    let list = findings.joined(separator: "; ")
    let message =
      switch effect {
      case .notInForce: "\(path)\(place) is not in force: \(list)"
      case .formerInForce: "\(path)\(place) has a fault, and its last valid version stays in force: \(list)"
      case .folderUnread:
        "the pipeline files\(place) cannot be read, and every pipeline keeps running unchanged: \(list)"
      case .differs:
        "this pipeline has different files on \(findings.joined(separator: ", ")). The file of the worker that runs "
          + "the pipeline is in force. Give all workers the same file"
      }
    return PipelineProblem(
      pipeline: pipeline ?? path, stage: .watch, scope: "", severity: .error,
      message: message, since: since, retry: .change)
  }
}

/// The faults of the pipeline files of a daemon. They are also in its state folder, for commands that run at the same time or later. The
/// data can be deleted at any time.
package final class FileFaults: Sendable {
  private let path: String
  private let now: @Sendable () -> Date
  private let faults: Mutex<[FileFault]>
  private let digests = Mutex<[String: String]>([:])

  /// - Parameter folder: the state folder.
  package init(folder: String, now: @escaping @Sendable () -> Date) {
    path = folder + "/pipeline-faults"
    self.now = now
    faults = Mutex(Self.read(folder))
  }

  package var all: [FileFault] { faults.withLock(\.self) }

  /// Replaces the faults. A fault that existed before keeps its time. If the disk cannot be written, only the copy is lost.
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
      guard let data = Self.encoded(new) else { return }
      try? data.write(to: URL(fileURLWithPath: path), options: .atomic)
      try? FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }
  }

  /// Returns the faults that the last daemon of a state folder has or had when it ended.
  static func read(_ folder: String) -> [FileFault] {
    FileManager.default.contents(atPath: folder + "/pipeline-faults").map(decoded) ?? []
  }

  /// Returns the faults, including those of a fleet's workers and of the pipeline files in its database.
  static func all(_ own: [FileFault], and fleet: any FleetStore, now: Date) async throws -> [FileFault] {
    var all = own
    let workers = try await fleet.workers()
    let files = try await fleet.pipelineFiles(of: nil)
    for member in workers {
      for var fault in SharedFiles(member.fileFaults).faults {
        // Machines often have the same files.
        guard !all.contains(where: { $0.path == fault.path && $0.findings == fault.findings }) else { continue }
        fault.machine = String(member.name.prefix { $0 != ":" })
        all.append(fault)
      }
    }
    let known = Set(all.map(\.pipeline))
    let stored = PipelineReading.all(of: files).filter { $0.definition == nil }
    return all + SharedFiles.differences(of: workers, files, since: now)
      + stored.filter { !known.contains($0.name) }.map { FileFault($0, effect: .notInForce, since: now) }
  }

  /// The faults in the form that a worker shares with the others of a fleet; `nil` if it has none.
  var shared: String? {
    let shared = SharedFiles(faults: Array(all.prefix(Self.mostShared)), digests: digests.withLock(\.self))
    return shared.isEmpty ? nil : Self.encoded(shared).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Replaces the digests of the files that this process reads, by pipeline.
  func setDigests(_ new: [String: String]) { digests.withLock { $0 = new } }

  private static let mostShared = 100

  private static func encoded(_ faults: some Encodable) -> Data? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    return try? encoder.encode(faults)
  }

  private static func decoded(_ data: Data) -> [FileFault] { (try? decoder.decode([FileFault].self, from: data)) ?? [] }

  static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return decoder
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
