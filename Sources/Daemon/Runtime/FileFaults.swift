import Foundation
package import FoundationEssentials
import Localization
import Pipeline
package import ReadModel
import Synchronization

/// A problem with a pipeline file that is not used because it has faults, with a folder of pipeline files that cannot be read, or with a pipeline
/// whose files differ between workers.
package struct FileFault: Hashable, Sendable, Codable {
  package enum Effect: String, Hashable, Sendable, Codable {
    case notInForce
    /// The file has a fault, and its pipeline still uses the last valid version.
    case formerInForce
    /// The folder cannot be read. All pipelines keep running unchanged.
    case folderUnread
    /// The workers of a fleet, or a worker and the database, have different files for the pipeline. The findings are the locations of these files.
    case differs
  }

  package var path: String
  /// The name of the file's pipeline: the pipeline that still runs with the last valid version, or the name in the faulty file. `nil` if neither is
  /// known.
  package var pipeline: String?
  package var effect: Effect
  /// The findings in the compiler's format. Each finding is one line with its hint.
  package var findings: [String]
  package var since: Date
  /// The machine of the worker that has the fault; `nil` if the fault was found by this process.
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

/// The faults of the pipeline files of a daemon. A copy of the faults is in the state folder, for commands that run at the same time or later. The
/// copy can be deleted at any time.
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

  /// Replaces the faults. If a file had a fault before, its fault keeps the earlier time. An error in writing the copy in the state folder is
  /// ignored.
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

  /// Returns the faults that the daemon of a state folder has, or had when it stopped.
  static func read(_ folder: String) -> [FileFault] {
    FileManager.default.contents(atPath: folder + "/pipeline-faults").map(decoded) ?? []
  }

  /// Returns the given faults, the faults of the fleet's workers, the pipelines whose files differ between workers, and the faults of the pipeline
  /// files in the fleet's database.
  static func all(
    _ own: [FileFault], and fleet: any FleetStore, _ storedFaults: StoredFileFaults, now: Date
  ) async throws -> [FileFault] {
    var all = own
    let workers = try await fleet.workers()
    let files = try await fleet.pipelineFiles(of: nil)
    for member in workers {
      for var fault in SharedFiles(member.fileFaults).faults {
        // The workers often have the same files, so the same fault is returned only once.
        guard !all.contains(where: { $0.path == fault.path && $0.findings == fault.findings }) else { continue }
        fault.machine = String(member.name.prefix { $0 != ":" })
        all.append(fault)
      }
    }
    let known = Set(all.map(\.pipeline))
    let stored = try await storedFaults.faulty(among: files).filter { !known.contains($0.name) }
    return all + SharedFiles.differences(of: workers, files, since: now)
      + stored.map { FileFault($0, effect: .notInForce, since: now) }
  }

  /// The first 100 faults, and the digests, in the form that a worker shares with the other workers of a fleet; `nil` if there are none.
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
