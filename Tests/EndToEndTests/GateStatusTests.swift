import Foundation
import Synchronization
import TestSupport
import Testing

/// Commit statuses of commits that branches share and of commits that cannot be read, with git over Apache and a server with GitHub's API.
@Suite(.enabled(if: GitHTTPServer.reasonToSkip == nil, "\(GitHTTPServer.reasonToSkip ?? "")"))
struct GateStatusTests {
  private static let catalog = "Sources/Kit/Resources/Localizable.xcstrings"
  private let git: GitHTTPServer
  private let folder: TemporaryFolder
  private let repository: TemporaryRepository
  private let served: String
  private let server: LoopbackHTTPServer
  private let forge = ReviewForge()

  init() throws {
    git = try GitHTTPServer()
    folder = try TemporaryFolder()
    repository = try TemporaryRepository()
    try repository.commit(Self.files(["Feed"]))
    served = try git.serve(repository, as: "app")
    server = try LoopbackHTTPServer { [forge] request, _ in forge.respond(to: request) }
    try folder.write("bot:\(GitHTTPServer.password)", to: "git")
    try folder.write("forge-token", to: "token")
  }

  private static func files(_ keys: [String], german: [String] = []) -> [String: String] {
    let entries = keys.map { key in
      let translation = """
        "localizations": { "de": { "stringUnit": { "state": "translated", "value": "\(key) (de)" } } }
        """
      return "\"\(key)\": { \(german.contains(key) ? translation : "") }"
    }
    return [
      "Package.swift": """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(
        name: "Kit", defaultLocalization: "en", targets: [.target(name: "Kit", resources: [.process("Resources")])])
      """,
      "Sources/Kit/Kit.swift": "import Foundation\nlet texts = [\n"
        + keys.map { "  String(localized: \"\($0)\", bundle: .module),\n" }.joined() + "]\n",
      catalog:
        "{ \"sourceLanguage\": \"en\", \"version\": \"1.0\", \"strings\": { \(entries.joined(separator: ", ")) } }",
    ]
  }

  private func write(branches: String, deliver: String, _ more: String) throws {
    try folder.write(
      """
      pipeline: app
      repository: { url: "\(git.url)/git/app.git", branches: [\(branches)], credentials: "file:\(folder.file("git"))" }
      languages: [de]
      vendors:
        - { vendor: folder, path: drop, settle: 0 }
      deliver: { \(deliver), forge: github, api: "\(server.url)", token: "file:\(folder.file("token"))" }
      \(more)

      """, to: "app.yaml")
  }

  /// Runs the pipeline once.
  /// - Parameter isReadable: whether all files on the watched branches can be read.
  private func run(isReadable: Bool = true) throws {
    let end = try dragoman(["run", "app.yaml", "--once", "--quiet"], in: folder.path)
    #expect(end.status == 0 || !isReadable && end.status == 65, "\(end)")
  }

  private func push(_ references: String...) throws {
    try TemporaryRepository.git(["push", "-q", "-f", "file://" + served] + references, in: repository.path)
    // Apache's processes write as a different user.
    try TestSupport.run("chmod", ["-R", "a+rwX", served], in: repository.path)
  }

  private func status(_ name: String, of commit: String) -> String? {
    forge.statuses.withLock { $0["\(commit.prefix(7)) l10n/\(name)"] }
  }

  @Test("the completeness of a commit shared by branches fails while one branch fails, until that branch has moved on")
  func completeness() throws {
    try write(
      branches: "main, \"release/*\"", deliver: "statuses: [completeness]",
      "require: { main: { default: 100 }, \"release/*\": { default: 0 } }")
    try push("main:refs/heads/release/1")
    let first = try repository.git("rev-parse", "HEAD")
    try run()
    let shared = try #require(status("completeness", of: first))
    #expect(shared.hasPrefix("failure: main: de 0 % (0/1), needs 100 %"), "\(shared)")
    #expect(!shared.contains("release/1"), "\(shared)")

    let second = try repository.commit(Self.files(["Feed"], german: ["Feed"]))
    try push("main")
    try run()
    #expect(status("completeness", of: second) == "success: de 100 % (1/1), needs 100 %")
    #expect(status("completeness", of: first) == "success: de 0 % (0/1), needs 0 %")

    try push("main:refs/heads/release/1")
    try run()
    #expect(
      status("completeness", of: second)
        == "success: main: de 100 % (1/1), needs 100 %; release/1: de 100 % (1/1), needs 0 %")
  }

  @Test("the freeze status of a commit with a late string still fails after a new branch is created at the commit")
  func freeze() throws {
    try write(branches: "\"release/*\"", deliver: "statuses: [freeze]", "rounds: { freeze: [\"release/*\"] }")
    try push("main:refs/heads/release/2")
    try run()
    let late = try repository.commit(Self.files(["Feed", "Late"]))
    try push("main:refs/heads/release/2")
    try run()
    #expect(status("freeze", of: late)?.hasPrefix("failure: release/2 has been frozen since") == true)
    for branch in ["release/1", "release/3"] { try push("main:refs/heads/\(branch)") }
    try run()
    #expect(status("freeze", of: late)?.hasPrefix("failure: release/2 has been frozen since") == true)
    // The freeze of release/1 began at this commit, so no string is new.
    try push(":refs/heads/release/2")
    try run()
    #expect(status("freeze", of: late)?.hasPrefix("success: release/1 has no new strings since") == true)
  }

  @Test(
    "the freeze status fails if a catalog or a source cannot be read, and tells what to repair",
    arguments: ["marker", "pointer", "source"])
  func unread(_ fault: String) throws {
    try write(branches: "main", deliver: "statuses: [freeze], comments: true", "rounds: { freeze: [main] }")
    try run()
    let start = try repository.git("rev-parse", "HEAD")
    #expect(status("freeze", of: start)?.hasPrefix("success: main has no new strings since") == true)
    try repository.git("checkout", "-q", "-b", "topic")
    var files = Self.files(["Feed", "Late"])
    var place = Self.catalog
    switch fault {
    case "marker": files[Self.catalog] = "<<<<<<< ours\n" + (files[Self.catalog] ?? "")
    case "pointer":
      files[Self.catalog] =
        "version https://git-lfs.github.com/spec/v1\noid sha256:\(String(repeating: "4", count: 64))\nsize 12345\n"
    default:
      files = Self.files(["Feed"])
      place = "Sources/Kit/Late.swift"
      files[place] = "import Foundation\n<<<<<<< ours\nlet late = String(localized: \"Late\", bundle: .module)\n"
    }
    let broken = try repository.commit(files)
    try push("topic")
    forge.pulls.withLock { $0 = [.init(number: 1, branch: "topic", sha: broken)] }
    try run()
    var text = status("freeze", of: broken) ?? ""
    #expect(text.hasPrefix("failure: repair this pull request, which cannot be compared: 1 catalog"), "\(text)")
    let comment = forge.comments.withLock { $0.first?.body ?? "" }
    #expect(!comment.contains("changes nothing for translators"), "\(comment)")
    #expect(
      comment.contains("Parts of this pull request could not be read") && comment.contains(place), "\(comment)")

    // The result is the same on the frozen branch itself.
    try push("topic:main")
    forge.pulls.withLock { $0 = [] }
    try run(isReadable: false)
    text = status("freeze", of: broken) ?? ""
    #expect(text.hasPrefix("failure: repair main, which cannot be compared: 1 catalog"), "\(text)")

    // A pull request into the unreadable branch fails too.
    let repaired = try repository.commit(Self.files(["Feed"]).merging(fault == "source" ? [place: ""] : [:]) { $1 })
    try push("topic")
    forge.pulls.withLock { $0 = [.init(number: 2, branch: "topic", sha: repaired)] }
    try run(isReadable: false)
    text = status("freeze", of: repaired) ?? ""
    #expect(
      text.hasPrefix("failure: repair main first, which cannot be compared at \(broken.prefix(10)): 1 catalog"),
      "\(text)")

    try push("topic:main")
    forge.pulls.withLock { $0 = [] }
    try run()
    #expect(status("freeze", of: repaired) == "success: main has no new strings since \(start.prefix(10))")
  }

  @Test("a freeze does not begin at a commit that cannot be read")
  func start() throws {
    try write(branches: "main", deliver: "statuses: [freeze]", "rounds: { freeze: [main] }")
    let broken = try repository.commit([Self.catalog: "<<<<<<< ours\n"])
    try push("main")
    try run(isReadable: false)
    #expect(
      status("freeze", of: broken)?.hasPrefix("failure: repair main, which cannot be compared: 1 catalog") == true)
    let repaired = try repository.commit(Self.files(["Feed"]))
    try push("main")
    try run()
    #expect(status("freeze", of: repaired) == "success: main has no new strings since \(repaired.prefix(10))")
  }

  @Test("the status of a pull request into a frozen branch names the frozen branch")
  func pullRequest() throws {
    try write(branches: "main", deliver: "statuses: [freeze]", "rounds: { freeze: [main] }")
    try repository.git("checkout", "-q", "-b", "topic")
    let late = try repository.commit(Self.files(["Feed", "Late"]))
    try push("topic")
    forge.pulls.withLock { $0 = [.init(number: 1, branch: "topic", sha: late)] }
    try run()
    #expect(status("freeze", of: late) == "failure: main is frozen, and this pull request has 1 new string: “Late”")
  }

  @Test("a pull request from one frozen branch into another fails, although its commit passes on its own branch")
  func pullRequestOfWatchedBranch() throws {
    try write(
      branches: "main, \"release/*\"", deliver: "statuses: [freeze]", "rounds: { freeze: [main, \"release/*\"] }")
    try repository.git("checkout", "-q", "-b", "release/1")
    let late = try repository.commit(Self.files(["Feed", "Late"]))
    try push("release/1")
    forge.pulls.withLock { $0 = [.init(number: 1, branch: "release/1", sha: late)] }
    try run()
    #expect(status("freeze", of: late) == "failure: main is frozen, and this pull request has 1 new string: “Late”")
  }
}
