import Foundation
import Localization
import Synchronization
import TestSupport
import Testing
import VendorServers

/// `run --once --dry-run`, which changes nothing and reports what the next run will do.
struct DryRunTests {
  private struct Report: Decodable {
    struct Pipeline: Decodable {
      var dryRun: DryRun?
      var commits: [Delivered]
    }

    struct Delivered: Decodable { var id: String }

    struct DryRun: Decodable {
      var branches: [Branch]
      var shipments: [Shipment]
      var bundles: [Bundle]
      var pushes: [Push]
      var requests: [String]
    }

    struct Branch: Decodable {
      var name: String
      var commit: String
      var known: String?
    }

    struct Shipment: Decodable, Equatable {
      var vendor: String
      var language: String
      var round: String
      var units: Int
    }

    struct Bundle: Decodable { var units: Int }

    struct Push: Decodable {
      var branch: String
      var expected: String?
      var commits: [Commit]
    }

    struct Commit: Decodable {
      var id: String
      var tree: String
      var patch: String
    }

    var pipelines: [Pipeline]
  }

  private let folder: TemporaryFolder
  private let repository: TemporaryRepository
  private let origin: String

  init() throws {
    folder = try TemporaryFolder()
    repository = try TemporaryRepository()
    try repository.commit(["App/Localizable.xcstrings": Self.catalog(["Close", "Open"])])
    origin = try repository.bareCopy()
  }

  private static func catalog(_ keys: [String]) -> String {
    let strings = keys.map { "    \"\($0)\" : {\n\n    }" }.joined(separator: ",\n")
    return "{\n  \"sourceLanguage\" : \"en\",\n  \"strings\" : {\n\(strings)\n  },\n  \"version\" : \"1.0\"\n}"
  }

  private func write(vendor: String, _ more: String = "") throws {
    try folder.write(
      """
      pipeline: birds
      repository: { url: "\(origin)" }
      languages: [de]
      vendors: [\(vendor)]
      \(more)
      """, to: "birds.yaml")
  }

  private func run(_ arguments: String...) throws -> ProgramEnd {
    try .of(
      dragomanPath(), ["run", "birds.yaml", "--once"] + arguments, in: folder.path,
      environment: ["PATH": "/usr/bin:/bin", "LANG": "C", "SOURCE_DATE_EPOCH": "1800000000"])
  }

  private func report(_ end: ProgramEnd) throws -> Report {
    try JSONDecoder().decode(Report.self, from: Data(end.output.utf8))
  }

  private func dryRun() throws -> Report.DryRun {
    let end = try run("--dry-run", "--format", "json", "--quiet")
    #expect(end.status == 0, "\(end)")
    return try #require(try report(end).pipelines.first?.dryRun)
  }

  /// Returns every file of the test's folder with its content, and the references of the origin.
  private func everything() throws -> [String: Data] {
    var found: [String: Data] = [:]
    for path in FileManager.default.enumerator(atPath: folder.path)?.compactMap({ $0 as? String }) ?? [] {
      found[path] = FileManager.default.contents(atPath: folder.file(path)) ?? Data()
    }
    // SQLite creates its shared-memory file, and an empty write-ahead log, for readers too.
    for name in found.keys where name.hasSuffix("-shm") || (name.hasSuffix("-wal") && found[name]?.isEmpty == true) {
      found[name] = nil
    }
    found["refs"] = Data(try TemporaryRepository.git(["show-ref"], in: origin).utf8)
    return found
  }

  private func git(_ arguments: String...) throws -> String {
    try TemporaryRepository.git(arguments, in: origin).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test("a first dry run and the run after it succeed, whether the drop folder is empty or missing")
  func firstRun() throws {
    try write(vendor: "{ vendor: folder, path: drop }")
    for isThere in [false, true] {
      if isThere {
        try FileManager.default.createDirectory(atPath: folder.file("drop"), withIntermediateDirectories: false)
      }
      let end = try run("--dry-run")
      #expect(end.status == 0 && !end.errors.contains("error:"), "\(end)")
    }
    #expect(try run().status == 0)
  }

  @Test(
    "a dry run changes nothing, and the run after it makes the commits, trees and shipments that the dry run listed")
  func identical() throws {
    try write(vendor: "{ vendor: folder, path: drop, settle: 0 }")
    #expect(try run("--quiet").status == 0)
    #expect(try Translator(drop: folder.file("drop")).translate("de") == 2)
    try repository.commit(["App/Localizable.xcstrings": Self.catalog(["Close", "Open", "Print"])])
    try TemporaryRepository.git(["push", "-q", origin, "main"], in: repository.path)

    let before = try everything()
    let dry = try dryRun()
    let again = try dryRun()
    let after = try everything()
    #expect(Set(after.keys) == Set(before.keys))
    #expect(before.filter { after[$0.key] != $0.value }.keys.sorted() == [])

    let head = try git("rev-parse", "main")
    #expect(dry.branches.map(\.name) == ["main"] && dry.branches.map(\.commit) == [head])
    #expect(dry.branches[0].known != nil && dry.branches[0].known != head)
    #expect(dry.bundles.map(\.units) == [2])
    #expect(dry.shipments.map(\.units) == [1] && dry.shipments.map(\.language) == ["de"])
    #expect(dry.requests == [])
    let push = try #require(dry.pushes.first)
    #expect(dry.pushes.count == 1 && push.branch == "l10n/main" && push.expected == nil)
    let commit = try #require(push.commits.first)
    #expect(push.commits.count == 1)
    #expect(commit.patch.contains("+            \"value\" : \"de: Open\""), "\(commit.patch)")
    #expect(again.pushes.first?.commits.first?.id == commit.id && again.shipments == dry.shipments)

    let real = try run("--format", "json", "--quiet")
    #expect(real.status == 0, "\(real)")
    #expect(try report(real).pipelines[0].dryRun == nil)
    #expect(try report(real).pipelines[0].commits.map(\.id) == [commit.id])
    #expect(try git("rev-parse", "l10n/main") == commit.id)
    #expect(try git("rev-parse", "l10n/main^{tree}") == commit.tree)
    let changed = { (patch: String) in
      patch.split(separator: "\n").filter { $0.hasPrefix("+") || $0.hasPrefix("-") || $0.hasPrefix("@@") }
    }
    #expect(changed(try git("diff", "main", "l10n/main")) == changed(commit.patch))
    let sent = try Translator(drop: folder.file("drop")).names(in: "to-translate")
    #expect(sent.count == 2, "\(sent)")

    // No work is left.
    let rest = try dryRun()
    #expect(rest.pushes.isEmpty && rest.shipments.isEmpty && rest.bundles.isEmpty && rest.requests.isEmpty)
  }

  @Test("a commit that is for two branches is listed for both")
  func equalCommits() throws {
    try TemporaryRepository.git(["branch", "release/1", "main"], in: origin)
    try folder.write(
      """
      pipeline: birds
      repository: { url: "\(origin)", branches: [main, release/1] }
      languages: [de]
      vendors: [{ vendor: pseudo }]
      """, to: "birds.yaml")
    let dry = try dryRun()
    #expect(Set(dry.pushes.map(\.branch)) == ["l10n/main", "l10n/release/1"])
    #expect(
      dry.pushes.allSatisfy { $0.commits.count == 1 } && Set(dry.pushes.flatMap { $0.commits.map(\.id) }).count == 1)
  }

  @Test("a dry run before the first run creates no store, and prints the commit that the run will deliver")
  func first() throws {
    try write(vendor: "{ vendor: pseudo }", "deliver: { mode: push }")
    let before = try everything()
    let dry = try dryRun()
    let text = try run("--dry-run")
    #expect(try everything() == before)
    #expect(text.status == 0 && text.errors.hasSuffix("Nothing was changed.\n"), "\(text)")
    #expect(text.output.contains("birds: main is at ") && text.output.contains("and is new\n"), "\(text.output)")
    #expect(text.output.contains("birds: would push main, which is at "), "\(text.output)")
    let commit = try #require(dry.pushes.first?.commits.first)
    #expect(text.output.contains("commit \(commit.id)\ntree \(commit.tree)\n"), "\(text.output)")
    #expect(try run("--quiet").status == 0)
    #expect(try git("rev-parse", "main") == commit.id)
    #expect(try git("rev-parse", "main^{tree}") == commit.tree)
  }

  @Test("a dry run sends only GET and HEAD to vendors, and lists what would be sent")
  func servers() throws {
    let house = InHouseServer()
    let methods = Mutex<Set<String>>([])
    let server = try LoopbackHTTPServer { request, _ in
      methods.withLock { _ = $0.insert(request.method) }
      return house.respond(to: request)
    }
    try folder.write("secret-token", to: "token")
    try write(vendor: "{ vendor: http, url: \"\(server.url)\", credentials: \"file:\(folder.file("token"))\" }")
    let first = try dryRun()
    #expect(first.shipments.map(\.units) == [2])
    #expect(methods.withLock { $0 }.isSubset(of: ["GET", "HEAD"]))
    #expect(try run("--quiet").status == 0)
    #expect(methods.withLock { $0 }.contains { $0 != "GET" })
    house.translate("de", by: ["name": "Ada"])
    methods.withLock { $0 = [] }
    // This vendor returns translations only in response to a POST, which a dry run does not send.
    let end = try run("--dry-run")
    #expect(end.status == 0 && end.errors.contains("a dry run cannot read its translations"), "\(end)")
    #expect(methods.withLock { $0 }.isSubset(of: ["GET", "HEAD"]))
  }

  @Test(
    "a dry run sends only GET to the forge, and lists the pull requests that the run would open and update",
    .enabled(if: GitHTTPServer.reasonToSkip == nil))
  func pullRequests() throws {
    let server = try GitHTTPServer()
    let served = try server.serve(repository, as: "app")
    func git(_ arguments: String...) throws -> String { try TemporaryRepository.git(arguments, in: served) }
    let forge = LoopbackGitHub()
    let api = try LoopbackHTTPServer { request, _ in
      forge.respond(to: request) { (try? TemporaryRepository.git(["rev-parse", "l10n/main"], in: served)) ?? "" }
    }
    try folder.write("bot:\(GitHTTPServer.password)", to: "git")
    try folder.write("forge-token", to: "token")
    try folder.write(
      """
      pipeline: app
      repository: { url: "\(server.url)/git/app.git", credentials: file:git }
      languages: [de]
      vendors: [{ vendor: pseudo }]
      deliver: { mode: pull-request, forge: github, api: "\(api.url)", token: file:token }
      """, to: "birds.yaml")
    for (number, keys) in [["Close", "Open"], ["Close", "Open", "Print"]].enumerated() {
      if number > 0 {
        try repository.commit(["App/Localizable.xcstrings": Self.catalog(keys)])
        try TemporaryRepository.git(["push", "-q", "file://" + served, "main"], in: repository.path)
        try TestSupport.run("chmod", ["-R", "a+rwX", served], in: repository.path)
      }
      let (references, pulls) = (try git("for-each-ref"), forge.pulls.withLock { $0.map(\.body) })
      forge.requests.withLock { $0 = [] }
      let dry = try dryRun()
      #expect(try git("for-each-ref") == references)
      #expect(Set(forge.requests.withLock { $0 }) == ["GET"])
      #expect(forge.pulls.withLock { $0.map(\.body) } == pulls)
      let wanted = number == 0 ? "open a pull request from l10n/main into main: " : "update pull request 1: "
      #expect(dry.requests == [wanted + "Translations for main: de"])
      let push = try #require(dry.pushes.first)
      #expect(dry.pushes.count == 1 && push.branch == "l10n/main" && (push.expected == nil) == (number == 0))

      #expect(try run("--quiet").status == 0)
      #expect(try git("rev-parse", "l10n/main") == push.commits.last?.id)
      #expect(try git("rev-parse", "l10n/main^{tree}") == push.commits.last?.tree)
      let opened = forge.pulls.withLock { $0 }
      #expect(opened.map(\.title) == ["Translations for main: de"])
      #expect(opened[0].body.contains("| de | \(keys.count) | 0 |"), "\(opened)")
    }
  }

  @Test("--dry-run needs --once, and a store in a folder")
  func refused() throws {
    try write(vendor: "{ vendor: pseudo }")
    let serving = try dragoman(["run", "birds.yaml", "--dry-run"], in: folder.path)
    #expect(serving.status == 64 && serving.errors.contains("--dry-run needs --once"), "\(serving)")
    let database = try run("--dry-run", "--store", "postgresql:///nowhere")
    #expect(database.status == 64 && database.errors.contains("Use a store in a folder"), "\(database)")
  }
}
