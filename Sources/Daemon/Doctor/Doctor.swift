import FoundationEssentials
import HTTPTransport
import Localization
import Logging
package import Pipeline
import PostgreSQLStore
import TranslationVendors

/// A check of everything that an installation needs. The check renews tokens if necessary. Otherwise it changes nothing, sends no texts to vendors
/// and pushes nothing, so it can run while a daemon is running.
package struct Doctor: Sendable {
  /// The number of pipelines that are examined concurrently.
  private static let width = 8

  private let files: String
  private let location: StoreLocation
  private let environment: [String: String]
  private let time: TimeSource

  /// - Parameter files: the folder of the pipeline files, or one file.
  package init(
    pipelines files: String, store location: StoreLocation, environment: [String: String], time: TimeSource = .system
  ) {
    self.files = files
    self.location = location
    self.environment = environment
    self.time = time
  }

  /// Checks the machine, and then the pipelines in the order of their files.
  package func findings() async throws -> [DoctorFinding] {
    let disk = BlockingPool("doctor", width: 2)
    var findings: [DoctorFinding] = []
    let settings: Settings
    do {
      settings = try Settings(environment: environment)
    } catch {
      findings += error.faults.map { .problem("settings", $0, "Correct the variable, or remove it") }
      settings = Settings()
    }
    let store = StoreExamination(
      location: location, credentials: Credentials(environment: environment), now: time.now())
    let examination = PipelineFileExamination(path: files)
    findings += try await disk.run { store.findings() }
    let readings: PipelineFileExamination.Readings
    if let stored = await storedFiles() {
      readings = try await disk.run { examination.readings(of: stored) }
    } else {
      readings = try await disk.run { examination.readings() }
    }
    findings += try await disk.run { sharedFacts(settings) }
    findings += readings.findings
    let transport = HTTPTransport()
    let composition = Composition(
      location: location, settings: settings, credentials: Credentials(environment: environment), time: time,
      isOnce: true, logger: Logger(label: "doctor") { _ in SwiftLogNoOpLogHandler() }, transport: transport,
      installation: try await disk.run { installation() }, memory: SnapshotMemory(now: time.now),
      readers: BlockingPool("commit readers", width: 1),
      registry: PipelineRegistry())
    findings += await ClockExamination(transport: transport, now: time.now).findings(readings.definitions)
    findings += try await examine(readings.definitions, composition, disk)
    return findings
  }

  /// Returns the identity that the installation has, or will get with its first run. The identity is empty if the ledger is in a database that cannot
  /// be opened or read.
  private func installation() -> String {
    let own = Installation.known(for: location.folder)
    guard !location.isLocal else { return own }
    do {
      let database = try OpenLedger.reading(location, Credentials(environment: environment)) as? PostgreSQLStore
      return try database?.knownInstallation() ?? own
    } catch {
      return ""
    }
  }

  /// Returns the pipeline files that a database stores for its workers.
  /// - Returns: `nil` if the files are on this machine, or if the database cannot be read. An unreadable database is reported separately.
  private func storedFiles() async -> [StoredPipelineFile]? {
    guard !location.isLocal, !FileManager.default.fileExists(atPath: files) else { return nil }
    let credentials = Credentials(environment: environment)
    return try? await OpenLedger.database(location, credentials, .deciding).pipelineFiles(of: nil)
  }

  /// Checks whether the bucket of shared facts can be read.
  private func sharedFacts(_ settings: Settings) -> [DoctorFinding] {
    guard !location.isLocal, case .bucket(let place) = settings.sharedFacts else { return [] }
    do {
      let bucket = try SharedFactsComposition.bucket(
        place, Credentials(environment: environment), patience: settings.sharedFactsPatience)
      // No pack has this name, so a bucket that works reports that the pack does not exist.
      _ = try bucket.read(["doctor"], limit: 1 << 10)
      return [.ok("shared facts", "\(bucket.place) can be read")]
    } catch {
      return [
        .problem(
          "shared facts", "\(error)", "Correct DRAGOMAN_SHARED_FACTS; until then, each worker parses all sources itself"
        )
      ]
    }
  }

  private func examine(
    _ definitions: [PipelineDefinition], _ composition: Composition, _ disk: BlockingPool
  ) async throws -> [DoctorFinding] {
    try await withThrowingTaskGroup(of: (Int, [DoctorFinding]).self) { group in
      var found: [Int: [DoctorFinding]] = [:]
      for (place, definition) in definitions.enumerated() {
        if place >= Self.width, let (done, findings) = try await group.next() { found[done] = findings }
        group.addTask {
          let examination = PipelineExamination(
            definition: definition, composition: composition, environment: environment, disk: disk)
          return (place, try await examination.findings())
        }
      }
      for try await (done, findings) in group { found[done] = findings }
      return definitions.indices.flatMap { found[$0] ?? [] }
    }
  }
}
