import Foundation
import Synchronization
import TestSupport
import Testing

/// Complete rounds with pull requests, with git over Apache and a server with GitHub's API.
@Suite(.enabled(if: GitHTTPServer.reasonToSkip == nil, "\(GitHTTPServer.reasonToSkip ?? "")"))
struct PullRequestRoundTests {
  private func catalog(_ keys: [String]) -> String {
    let strings = keys.map { "    \"\($0)\" : {\n\n    }" }.joined(separator: ",\n")
    return "{\n  \"sourceLanguage\" : \"en\",\n  \"strings\" : {\n\(strings)\n  },\n  \"version\" : \"1.0\"\n}"
  }

  @Test(
    "one pull request is opened and updated; after it was closed or squashed, only new strings open another one")
  func life() throws {
    let git = try GitHTTPServer()
    let folder = try TemporaryFolder()
    let repository = try TemporaryRepository()
    try repository.commit(["App/Localizable.xcstrings": catalog(["Open", "`@everyone` | <b>x</b>"])])
    let served = try git.serve(repository, as: "app")
    @Sendable func tip() -> String {
      (try? TemporaryRepository.git(["rev-parse", "l10n/main"], in: served))?.trimmingCharacters(
        in: .whitespacesAndNewlines)
        ?? ""
    }
    let forge = LoopbackGitHub()
    let server = try LoopbackHTTPServer { request, _ in forge.respond(to: request, tip: tip) }
    try folder.write("bot:\(GitHTTPServer.password)", to: "git")
    try folder.write("forge-token", to: "token")
    try folder.write(
      """
      pipeline: app
      repository: { url: "\(git.url)/git/app.git", credentials: "file:\(folder.file("git"))" }
      languages: [de]
      vendors:
        - { vendor: pseudo }
      deliver: { mode: pull-request, forge: github, api: "\(server.url)", token: "file:\(folder.file("token"))" }

      """, to: "app.yaml")
    func run() throws {
      let end = try dragoman(["run", "app.yaml", "--once", "--quiet"], in: folder.path)
      #expect(end.status == 0, "\(end)")
    }
    func push(_ arguments: String...) throws {
      try TemporaryRepository.git(["push", "-q", "file://" + served] + arguments, in: repository.path)
      // Apache's processes write as a different user.
      try TestSupport.run("chmod", ["-R", "a+rwX", served], in: repository.path)
    }
    try run()
    var pulls = forge.pulls.withLock { $0 }
    #expect(pulls.map(\.title) == ["Translations for main: de"])
    #expect(pulls[0].body.contains("| de | 2 | 0 |"), "\(pulls[0].body)")
    // Markup in a key has no effect: the key is in a code span, and its vertical bar does not end the table cell.
    #expect(pulls[0].body.contains("`` `@everyone` \\| <b>x</b> ``") || pulls[0].body.contains("@everyone` \\|"))

    // There are no new translations, so no request is sent to the forge.
    let asked = forge.requests.withLock { $0.count }
    try run()
    #expect(forge.requests.withLock { $0.count } == asked)

    // A person closes the pull request and deletes the branch, and neither is created again.
    forge.pulls.withLock { $0[0].state = "closed" }
    try push(":l10n/main")
    try run()
    #expect(tip().isEmpty)
    #expect(forge.pulls.withLock { $0.count } == 1)

    // A new string opens a new pull request with all translations.
    try repository.commit(["App/Localizable.xcstrings": catalog(["Close", "Open", "`@everyone` | <b>x</b>"])])
    try push("main")
    try run()
    pulls = forge.pulls.withLock { $0 }
    #expect(pulls.map(\.state) == ["closed", "open"])
    #expect(pulls[1].body.contains("| de | 3 | 0 |"), "\(pulls[1].body)")

    // The pull request is squashed into main and its branch is deleted, so no translation is left to propose.
    let merged = try TemporaryRepository.git(["show", "l10n/main:App/Localizable.xcstrings"], in: served)
    forge.pulls.withLock { $0[1].state = "merged" }
    try push(":l10n/main")
    try repository.commit(["App/Localizable.xcstrings": merged])
    try push("main")
    try run()
    #expect(forge.pulls.withLock { $0.count } == 2)
    #expect(tip().isEmpty)
  }

  @Test("a wrong token ends the run with 77 before the push, and the next run with a valid token delivers")
  func wrongToken() throws {
    let git = try GitHTTPServer()
    let folder = try TemporaryFolder()
    let repository = try TemporaryRepository()
    try repository.commit(["App/Localizable.xcstrings": catalog(["Open"])])
    let served = try git.serve(repository, as: "app")
    let forge = LoopbackGitHub()
    let server = try LoopbackHTTPServer { request, _ in forge.respond(to: request, tip: { "" }) }
    try folder.write("bot:\(GitHTTPServer.password)", to: "git")
    try folder.write(
      """
      pipeline: app
      repository: { url: "\(git.url)/git/app.git", credentials: "file:\(folder.file("git"))" }
      languages: [de]
      vendors:
        - { vendor: pseudo }
      deliver: { mode: pull-request, forge: github, api: "\(server.url)" }

      """, to: "app.yaml")
    for _ in 1...2 {
      let end = try dragoman(["run", "app.yaml", "--once", "--quiet"], in: folder.path)
      #expect(end.status == 77, "\(end)")
      #expect(end.errors.contains("Check the token that deliver.token names"), "\(end)")
      #expect(!end.errors.contains(GitHTTPServer.password))
    }
    #expect(try TemporaryRepository.git(["branch", "--list", "l10n/main"], in: served).isEmpty)
    let file = folder.file("app.yaml")
    let pipeline = try String(contentsOfFile: file, encoding: .utf8)
    try folder.write("forge-token", to: "token")
    try folder.write(
      pipeline.replacing("forge: github", with: "forge: github, token: \"file:\(folder.file("token"))\""),
      to: "app.yaml")
    let end = try dragoman(["run", "app.yaml", "--once", "--quiet"], in: folder.path)
    #expect(end.status == 0, "\(end)")
    #expect(forge.pulls.withLock { $0.count } == 1)
    #expect(try TemporaryRepository.git(["rev-parse", "l10n/main"], in: served).count > 39)
  }

  @Test("the newest commits of a branch and of its delivery branch get a status for completeness")
  func statuses() throws {
    let git = try GitHTTPServer()
    let folder = try TemporaryFolder()
    let repository = try TemporaryRepository()
    try repository.commit([
      "Package.swift": """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(
        name: "Kit", defaultLocalization: "en",
        targets: [.target(name: "Kit", resources: [.process("Resources")])])
      """,
      "Sources/Kit/Kit.swift":
        "import Foundation\nlet texts = [String(localized: \"Close\"), String(localized: \"Open\")]\n",
      "Sources/Kit/Resources/Localizable.xcstrings": catalog(["Close", "Open"]),
    ])
    let served = try git.serve(repository, as: "app")
    let statuses = Mutex<[(commit: String, state: String, text: String)]>([])
    let server = try LoopbackHTTPServer { request, _ in
      guard request.method == "POST", request.path.starts(with: ["repos", "git", "app", "statuses"]),
        request.header("Authorization") == "Bearer forge-token"
      else { return .json(["message": "no"], status: 404) }
      let sent = request.object
      statuses.withLock {
        $0.append(
          (request.path.last ?? "", sent["state"] as? String ?? "", sent["description"] as? String ?? ""))
      }
      return .json(["id": 1], status: 201)
    }
    try folder.write("bot:\(GitHTTPServer.password)", to: "git")
    try folder.write("forge-token", to: "token")
    try folder.write(
      """
      pipeline: app
      repository: { url: "\(git.url)/git/app.git", credentials: "file:\(folder.file("git"))" }
      languages: [de]
      vendors:
        - { vendor: pseudo }
      require: 100
      deliver:
        forge: github
        api: "\(server.url)"
        token: "file:\(folder.file("token"))"
        statuses: [completeness]

      """, to: "app.yaml")
    for _ in 1...2 {
      let end = try dragoman(["run", "app.yaml", "--once", "--quiet"], in: folder.path)
      #expect(end.status == 0, "\(end)")
    }
    func commit(_ branch: String) throws -> String {
      try TemporaryRepository.git(["rev-parse", branch], in: served).trimmingCharacters(in: .whitespacesAndNewlines)
    }
    let (main, delivery) = (try commit("main"), try commit("l10n/main"))
    let last = statuses.withLock { told in
      Dictionary(told.map { ($0.commit, "\($0.state): \($0.text)") }, uniquingKeysWith: { $1 })
    }
    #expect(
      last == [
        main: "failure: de 0 % (0/2), needs 100 %: 2 strings missing",
        delivery: "success: de 100 % (2/2), needs 100 %",
      ])
    let count = statuses.withLock { $0.count }
    #expect(try dragoman(["run", "app.yaml", "--once", "--quiet"], in: folder.path).status == 0)
    #expect(statuses.withLock { $0.count } == count, "an unchanged repository gets no new status")
  }
}
