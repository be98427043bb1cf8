import Foundation
import Synchronization
import TestSupport
import Testing

/// Comments on people's pull requests, and statuses of frozen branches, with git over Apache and a server with GitHub's API.
@Suite(.enabled(if: GitHTTPServer.reasonToSkip == nil, "\(GitHTTPServer.reasonToSkip ?? "")"))
struct ReviewRoundTests {
  private let git: GitHTTPServer
  private let folder: TemporaryFolder
  private let repository: TemporaryRepository
  private let forge = ReviewForge()

  init() throws {
    git = try GitHTTPServer()
    folder = try TemporaryFolder()
    repository = try TemporaryRepository()
  }

  private static let manifest = """
    // swift-tools-version: 6.0
    import PackageDescription
    let package = Package(
      name: "Kit", defaultLocalization: "en", targets: [.target(name: "Kit", resources: [.process("Resources")])])
    """

  private func swift(_ keys: [String]) -> String {
    "import Foundation\nlet texts = [\n"
      + keys.map { "  String(localized: \"\($0)\", bundle: .module, comment: \"A title\"),\n" }.joined() + "]\n"
  }

  private func files(_ keys: [String]) -> [String: String] {
    [
      "Package.swift": Self.manifest, "Sources/Kit/Kit.swift": swift(keys),
      "Sources/Kit/Resources/Localizable.xcstrings":
        "{\n  \"sourceLanguage\" : \"en\",\n  \"strings\" : {\n\n  },\n  \"version\" : \"1.0\"\n}",
    ]
  }

  private func serve(_ more: String) throws -> (served: String, server: LoopbackHTTPServer) {
    let served = try git.serve(repository, as: "app")
    let server = try LoopbackHTTPServer { [forge] request, _ in forge.respond(to: request) }
    try folder.write("bot:\(GitHTTPServer.password)", to: "git")
    try folder.write("forge-token", to: "token")
    try folder.write(
      """
      pipeline: app
      repository: { url: "\(git.url)/git/app.git", branches: [main], credentials: "file:\(folder.file("git"))" }
      languages: [de, fr]
      vendors:
        - { vendor: folder, path: drop, settle: 0, word_price: 0.12 EUR }
      \(more.replacing("API", with: "forge: github, api: \"\(server.url)\", token: \"file:\(folder.file("token"))\""))

      """, to: "app.yaml")
    return (served, server)
  }

  private func run() throws {
    let end = try dragoman(["run", "app.yaml", "--once", "--quiet"], in: folder.path)
    #expect(end.status == 0, "\(end)")
  }

  private func push(_ served: String, _ arguments: String...) throws {
    try TemporaryRepository.git(["push", "-q", "-f", "file://" + served] + arguments, in: repository.path)
    // Apache's processes write as a different user.
    try TestSupport.run("chmod", ["-R", "a+rwX", served], in: repository.path)
  }

  @Test("each pull request with changed strings, even from a fork, gets one comment, which is updated with new commits")
  func comments() throws {
    try repository.commit(files(["Feed", "Old"]))
    let (served, server) = try serve("deliver: { comments: true, API }")
    // A fork's pull request exists only as a reference on the server.
    try repository.git("checkout", "-q", "-b", "topic")
    let first = try repository.commit(files(["Feed", "`@everyone` has <b> %lld birds", "Add birds"]))
    try push(served, "topic:refs/pull/7/head")
    let plain = try { () throws -> String in
      try repository.git("checkout", "-q", "-b", "readme", "main")
      return try repository.commit(["README.md": "x"])
    }()
    try push(served, "readme")
    forge.pulls.withLock {
      $0 = [
        .init(number: 7, branch: "topic", sha: first, isFork: true), .init(number: 8, branch: "readme", sha: plain),
        // This is the pull request of the delivery branch.
        .init(number: 9, branch: "l10n/main", sha: plain),
      ]
    }
    try run()
    var comments = forge.comments.withLock { $0 }
    #expect(comments.map(\.number) == [7])
    let body = comments.first?.body ?? ""
    #expect(body.contains("| new | 2 | 5 |"), "\(body)")
    #expect(body.contains("| removed | 1 | |"), "\(body)")
    #expect(
      body.contains(
        "To translate after the merge: 4 translations, 10 words (de, fr). At the prices of the pipeline file: about 1.20 EUR."
      ), "\(body)")
    #expect(body.contains("| `Add birds` | new | `Add birds` | `Sources/Kit/Kit.swift:5` |"), "\(body)")
    #expect(body.contains("`` `@everyone` has"), "markup in a key has no effect: \(body)")
    #expect(body.contains("#### Findings of `dragoman check`"), "\(body)")
    #expect(body.hasSuffix("About \(first.prefix(10)). Pipeline `app`. Dragoman updates this comment\n"), "\(body)")

    // Nothing is new, so nothing is written.
    try run()
    let unchanged = forge.comments.withLock { $0.map(\.body) }
    #expect(unchanged == comments.map(\.body))

    // A new commit in the pull request updates the same comment.
    try repository.git("checkout", "-q", "topic")
    let second = try repository.commit(files(["Feed", "Old"]))
    try push(served, "topic:refs/pull/7/head")
    forge.pulls.withLock { $0[0].sha = second }
    try run()
    comments = forge.comments.withLock { $0 }
    #expect(comments.count == 1)
    #expect(comments[0].body.contains("This pull request changes nothing for translators."), "\(comments[0].body)")
    // No string of the fork was sent to translators.
    let sent = try dragoman(["rounds", "--format", "json"], in: folder.path).output
    #expect(!sent.contains("Add birds"))
    #expect(try dragoman(["explain", "Add birds"], in: folder.path).status == 66)
    withExtendedLifetime(server) {}
  }

  @Test("a pull request that cannot be read is reported, and the others get comments")
  func hostile() throws {
    try repository.commit(files(["Feed"]))
    let (served, server) = try serve("deliver: { comments: true, API }")
    try repository.git("checkout", "-q", "-b", "bad")
    // The commit has an invalid catalog, and a source that is nested too deeply for the parser.
    let bad = try repository.commit([
      "Sources/Kit/Resources/Localizable.xcstrings": "<<<<<<< ours",
      "Sources/Kit/Deep.swift": "let x = " + String(repeating: "(", count: 100_000),
    ])
    try repository.git("checkout", "-q", "-b", "good", "main")
    let good = try repository.commit(files(["Feed", "New"]))
    try push(served, "bad:refs/pull/1/head", "good:refs/pull/2/head")
    forge.pulls.withLock {
      $0 = [
        .init(number: 1, branch: "bad", sha: bad, isFork: true),
        .init(number: 2, branch: "good", sha: good, isFork: true),
        // The forge reports a commit that its reference does not contain.
        .init(number: 3, branch: "moved", sha: String(repeating: "9", count: 40), isFork: true),
      ]
    }
    try run()
    let comments = forge.comments.withLock { Dictionary($0.map { ($0.number, $0.body) }, uniquingKeysWith: { $1 }) }
    #expect(comments[2]?.contains("| new | 1 | 1 |") == true, "\(comments)")
    #expect(comments[3] == nil)
    // The comment does not claim that the strings of the unreadable files were removed.
    #expect(comments[1]?.contains("| removed") != true, "\(comments)")
    withExtendedLifetime(server) {}
  }

  @Test(
    "a locked pull request is reported with the forge's message, and gets its comment after it is unlocked")
  func locked() throws {
    try repository.commit(files(["Feed"]))
    let (served, server) = try serve(
      "rounds: { freeze: [main] }\ndeliver: { comments: true, statuses: [freeze], API }")
    var commits: [String] = []
    for (number, name) in ["first", "second"].enumerated() {
      try repository.git("checkout", "-q", "-b", name, "main")
      commits.append(try repository.commit(files(["Feed", "New \(number)"])))
      try push(served, name)
    }
    forge.pulls.withLock {
      $0 = [.init(number: 1, branch: "first", sha: commits[0]), .init(number: 2, branch: "second", sha: commits[1])]
    }
    forge.locked.withLock { $0 = [1] }
    let end = try dragoman(["run", "app.yaml", "--once"], in: folder.path)
    #expect(end.status == 0, "\(end)")
    let text = end.output + end.errors
    #expect(text.contains("the forge refused a comment or status on pull request 1: "), "\(text)")
    #expect(text.contains("the server returned 403 (forbidden), “issue is locked”"), "\(text)")
    #expect(forge.comments.withLock { $0.map(\.number) } == [2])
    let statuses = forge.statuses.withLock { $0 }
    for commit in commits {
      #expect(statuses["\(commit.prefix(7)) l10n/freeze"]?.hasPrefix("failure") == true, "\(statuses)")
    }
    forge.locked.withLock { $0 = [] }
    try run()
    #expect(forge.comments.withLock { $0.map(\.number) } == [2, 1])
    withExtendedLifetime(server) {}
  }

  @Test("a fork that changes a submodule gets no comment, because it could reveal strings of private repositories")
  func submodules() throws {
    let secret = try TemporaryRepository()
    try secret.commit(["Secret.swift": swift(["Unreleased"])])
    let open = try TemporaryRepository()
    try open.commit(["Open.swift": swift(["Open"])])
    for (repository, name) in [(secret, "secret"), (open, "open")] { _ = try git.serve(repository, as: name) }
    try repository.commit(files(["Feed"]))
    let path = "Sources/Kit/Shared"
    try repository.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", open.path, path)
    try repository.git("config", "-f", ".gitmodules", "submodule.\(path).url", "../open.git")
    try repository.commit()
    let (served, server) = try serve("submodules: [{ path: \(path) }]\ndeliver: { comments: true, API }")
    try repository.git("checkout", "-q", "-b", "fork")
    try repository.git("config", "-f", ".gitmodules", "submodule.\(path).url", "../secret.git")
    let commit = try secret.git("rev-parse", "HEAD")
    try repository.git("update-index", "--cacheinfo", "160000,\(commit),\(path)")
    try repository.git("add", ".gitmodules")
    try repository.git("commit", "-q", "-m", "Steal")
    let fork = try repository.git("rev-parse", "HEAD")
    try push(served, "fork:refs/pull/1/head")
    forge.pulls.withLock { $0 = [.init(number: 1, branch: "fork", sha: fork, isFork: true)] }
    let end = try dragoman(["run", "app.yaml", "--once"], in: folder.path)
    #expect(end.status == 0, "\(end)")
    #expect((end.output + end.errors).contains("pull request 1 cannot be read: "), "\(end)")
    #expect((end.output + end.errors).contains("the pull request comes from a fork and changes a submodule"), "\(end)")
    #expect(forge.comments.withLock { $0.isEmpty })

    // The same change from a branch of the repository gets a comment.
    try push(served, "fork")
    forge.pulls.withLock { $0 = [.init(number: 2, branch: "fork", sha: fork)] }
    try run()
    let body = forge.comments.withLock { $0.first?.body ?? "" }
    #expect(body.contains("| `Unreleased` | new |") && body.contains("| removed | 1 | |"), "\(body)")
    withExtendedLifetime(server) {}
  }

  @Test("the freeze check of a frozen branch fails at the line of a new string, and passes when the string is removed")
  func freeze() throws {
    try repository.commit(files(["Feed"]))
    let (served, server) = try serve(
      "rounds: { freeze: [main] }\ndeliver: { statuses: [freeze], annotations: true, API }")
    func head() throws -> String { try repository.git("rev-parse", "HEAD") }
    let start = try head()
    try run()
    #expect(last() == ["sha": start, "name": "l10n/freeze", "conclusion": "success", "places": ""])
    let second = try repository.commit(files(["Feed", "Late"]))
    try push(served, "main")
    try run()
    #expect(
      last() == [
        "sha": second, "name": "l10n/freeze", "conclusion": "failure",
        "places": "Sources/Kit/Kit.swift:4 \"Late\" is new since \(start.prefix(10)), and the branch is frozen",
      ])
    let third = try repository.commit(files(["Feed"]))
    try push(served, "main")
    try run()
    #expect(last() == ["sha": third, "name": "l10n/freeze", "conclusion": "success", "places": ""])
    withExtendedLifetime(server) {}
  }

  private func last() -> [String: String]? { forge.checks.withLock { $0.last } }
}
