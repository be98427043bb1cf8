import Daemon
import Foundation
import Localization
import Logging
import Pipeline
import Synchronization
import TestSupport
import Testing

/// Workers with separate folders that share facts through a PostgreSQL database or an S3 bucket. A file that one worker has parsed is not parsed by
/// the others.
struct SharedFactsTests {
  private let folder: TemporaryFolder
  private let repository: TemporaryRepository
  private let origin: String
  private static let files = 12

  init() throws {
    folder = try TemporaryFolder()
    repository = try TemporaryRepository()
    origin = folder.file("origin.git")
    var files = [
      "Package.swift": """
      // swift-tools-version: 5.9
      import PackageDescription
      let package = Package(
        name: "Birds", defaultLocalization: "en",
        targets: [.target(name: "Birds", resources: [.process("Resources")])])
      """,
      "Sources/Birds/Resources/Localizable.xcstrings": #"{"sourceLanguage":"en","strings":{},"version":"1.0"}"#,
    ]
    for number in 0..<Self.files { files["Sources/Birds/Bird\(number).swift"] = Self.source(number, "Bird \(number)") }
    try repository.commit(files)
    try TemporaryRepository.git(["clone", "-q", "--bare", repository.path, origin], in: folder.path)
  }

  /// Returns code with a text whose type is declared in another file, so that the other file's facts are needed too.
  private static func source(_ number: Int, _ text: String) -> String {
    """
    import Foundation
    struct Name\(number) { init(_ text: LocalizedStringResource) {} }
    let bird\(number) = Name\((number + 1) % files)("\(text)")
    """
  }

  private func change(_ number: Int, _ text: String) throws {
    try repository.commit(["Sources/Birds/Bird\(number).swift": Self.source(number, text)])
    try repository.git("push", "-q", "-f", origin, "main")
  }

  /// The result of a worker's run.
  private struct Outcome {
    /// The number of files that were parsed for the newest commit.
    var parsed: Int?
    /// A line with the numbers of strings and catalogs that were found.
    var found = ""
    var warnings: [String] = []
    var outstanding: Int?
  }

  /// Runs a pipeline of the origin once, as a worker with its own folder.
  private func run(
    _ pipeline: String, as worker: String, at url: String, _ environment: [String: String] = [:]
  ) async throws -> Outcome {
    let details = Mutex<[String]>([])
    let warnings = WarningList()
    let definition = PipelineDefinition(
      name: pipeline, repository: RepositorySettings(url: origin, branches: [BranchPattern("main")]),
      languages: ["de"],
      vendors: [
        VendorDefinition(
          kind: "folder", options: ["settle": .duration(.zero), "path": .text(folder.file("drop-\(pipeline)"))])
      ])
    var settings = try Settings(environment: environment)
    // The limit is long enough for slow machines.
    settings.sharedFactsPatience = .seconds(240)
    let report = try await PipelineRuntime(
      definitions: [definition], store: try StoreLocation(url, folder: folder.file(worker)),
      settings: settings, environment: environment, isOnce: true,
      observer: WorkerObserver(progress: { event in
        if event.stage == .extract, event.state == .ended, let detail = event.detail {
          details.withLock { $0.append(detail) }
        }
      }), logger: Logger(label: "test") { _ in WarningHandler(list: warnings) }
    ).runOnce()
    #expect(report.failures.isEmpty, "\(report.failures)")
    let parts = try #require(details.withLock { $0 }.last).components(separatedBy: ", ")
    return Outcome(
      parsed: parts.last.flatMap { Int($0.prefix { $0.isNumber }) }, found: parts.dropLast().joined(separator: ", "),
      warnings: warnings.all, outstanding: report.pipelines.first?.outstanding)
  }

  @Test("workers that share a database parse each file of a commit only once", arguments: [false, true])
  func once(inBucket: Bool) async throws {
    guard let url = try await PostgreSQLServer.shared.value?.database() else { return }
    var server: S3Server?
    var environment: [String: String] = [:]
    if inBucket {
      guard let started = try await S3Server.start() else { return }
      environment = [
        "DRAGOMAN_SHARED_FACTS":
          "s3://\(S3Server.bucket)/facts?endpoint=\(started.url)&region=\(S3Server.region)&credentials=env:KEYS",
        "KEYS": started.credentials, "no_proxy": "127.0.0.1",
      ]
      server = started
    }
    let first = try await run("a", as: "ann", at: url, environment)
    #expect(first.parsed == Self.files && first.found == "\(Self.files) strings, 1 catalog", "\(first)")
    #expect(first.outstanding == Self.files)
    let second = try await run("b", as: "bob", at: url, environment)
    #expect(second.parsed == 0 && second.found == first.found && second.outstanding == first.outstanding, "\(second)")

    // After a new commit, the worker that runs first parses the changed file, and the others parse no file.
    try change(3, "Magpie")
    #expect(try await run("b", as: "bob", at: url, environment).parsed == 1)
    #expect(try await run("a", as: "ann", at: url, environment).parsed == 0)
    #expect(try await run("c", as: "cleo", at: url, environment).parsed == 0)

    // A new worker parses only the changed file.
    try change(4, "Jay")
    let fresh = try await run("d", as: "dora", at: url, environment)
    #expect(fresh.parsed == 1 && fresh.found == first.found && fresh.outstanding == first.outstanding, "\(fresh)")
    #expect([first, second, fresh].map(\.warnings) == [[], [], []])

    let doctor = Doctor(
      pipelines: folder.file("none"), store: try StoreLocation(url, folder: folder.file("ann")),
      environment: environment)
    func examined() async throws -> [DoctorFinding] {
      try await doctor.findings().filter { $0.subject == "shared facts" }
    }
    #expect(try await examined().map(\.level) == (inBucket ? [.ok] : []))

    // All files are parsed if sharing is off, or if the bucket is unreachable.
    let alone = try await run("e", as: "eve", at: url, ["DRAGOMAN_SHARED_FACTS": "off"])
    #expect(alone.parsed == Self.files && alone.found == first.found)
    guard inBucket else { return }
    withExtendedLifetime(server) { server = nil }
    #expect(try await examined().map(\.level) == [.problem])
    let last = try await run("f", as: "finn", at: url, environment)
    #expect(last.parsed == Self.files && last.found == first.found && last.outstanding == first.outstanding, "\(last)")
    #expect(last.warnings.filter { $0.contains("facts cannot be shared") }.count == 1, "\(last.warnings)")
  }

  @Test("a bucket with an invalid address or invalid keys is refused, and the message shows the expected form")
  func invalidBuckets() async throws {
    for (text, words) in [
      ("bucket", "write store, off, or s3://"), ("s3://birds", "needs a reference to ACCESS_KEY:SECRET"),
      ("s3://birds?credentials=AKID:secret", "needs a reference to ACCESS_KEY:SECRET"),
      ("s3://birds?credentials=env:K&region=a&region=b", "each once"),
    ] {
      let fault = try #require(throws: SettingsFault.self) {
        try Settings(environment: ["DRAGOMAN_SHARED_FACTS": text])
      }
      #expect(fault.description.contains(words) && !fault.description.contains("AKID"), "\(fault)")
    }
    guard let url = try await PostgreSQLServer.shared.value?.database() else { return }
    await #expect(throws: PipelineError.self) {
      try await run("a", as: "ann", at: url, ["DRAGOMAN_SHARED_FACTS": "s3://B?credentials=env:K"])
    }
  }
}

private final class WarningList: Sendable {
  private let warnings = Mutex<[String]>([])
  var all: [String] { warnings.withLock { $0 } }
  func add(_ text: String) { warnings.withLock { $0.append(text) } }
}

private struct WarningHandler: LogHandler {
  let list: WarningList
  var logLevel = Logger.Level.warning
  var metadata: Logger.Metadata = [:]

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { list.add("\(event.message)") }
}
