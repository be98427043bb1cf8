import Foundation
import Synchronization
import TestSupport
import Testing

/// Complete rounds with an OAuth application on GitLab. Git and the API accept only the newest access token.
@Suite(.enabled(if: GitHTTPServer.reasonToSkip == nil, "\(GitHTTPServer.reasonToSkip ?? "")"))
struct GitLabApplicationRoundTests {
  /// GitLab's API and its token endpoint. A token expires after a fixed number of requests.
  private final class GitLab: Sendable {
    struct State {
      var refresh = "refresh-0"
      var renewals = 0
      /// The number of further requests that the access token allows.
      var left = 0
      var pulls: [(title: String, body: String)] = []
      var requests: [String] = []
      var faults: [String] = []
    }

    let state = Mutex(State())
    private let git: GitHTTPServer
    private let tip: @Sendable () -> String
    private static let lifetime = 2

    init(_ git: GitHTTPServer, tip: @escaping @Sendable () -> String) {
      self.git = git
      self.tip = tip
    }

    func respond(to request: RecordedRequest) -> LoopbackReply {
      state.withLock { state in
        if request.path == ["oauth", "token"] { return renew(request.form ?? [:], &state) }
        let access = "access-\(state.renewals)"
        guard request.header("Authorization") == "Bearer \(access)", state.left > 0 else {
          state.requests.append("refused")
          return .json(["message": "401 Unauthorized"], status: 401)
        }
        state.left -= 1
        state.requests.append(request.method)
        guard request.path.starts(with: ["api", "v4", "projects", "git/app", "merge_requests"]) else {
          return .json(["message": "404 Not found"], status: 404)
        }
        switch request.method {
        case "POST":
          state.pulls.append((request.object["title"] as? String ?? "", request.object["description"] as? String ?? ""))
          return .json(describe(state.pulls.count, state), status: 201)
        case "PUT":
          let number = Int(request.path.last ?? "") ?? 0
          state.pulls[number - 1] = (
            request.object["title"] as? String ?? "", request.object["description"] as? String ?? ""
          )
          return .json(describe(number, state))
        default: return .json(state.pulls.indices.reversed().map { describe($0 + 1, state) })
        }
      }
    }

    private func renew(_ form: [String: String], _ state: inout State) -> LoopbackReply {
      guard form["grant_type"] == "refresh_token", form["client_id"] == "client", form["client_secret"] == "hush",
        form["refresh_token"] == state.refresh
      else {
        state.faults.append("renewal with \(form["refresh_token"] ?? "nothing")")
        return .json(["error": "invalid_grant"], status: 400)
      }
      state.renewals += 1
      state.refresh = "refresh-\(state.renewals)"
      state.left = Self.lifetime
      allow("access-\(state.renewals)", &state)
      return .json([
        "access_token": "access-\(state.renewals)", "refresh_token": state.refresh, "token_type": "Bearer",
        "expires_in": 7200,
      ])
    }

    private func allow(_ password: String, _ state: inout State) {
      do { try git.allow(user: "oauth2", password: password) } catch { state.faults.append("\(error)") }
    }

    private func describe(_ number: Int, _ state: State) -> [String: Any] {
      [
        "iid": number, "id": number, "web_url": "https://gitlab.example/\(number)", "state": "opened",
        "title": state.pulls[number - 1].title, "description": state.pulls[number - 1].body, "sha": tip(),
        "source_branch": "l10n/main", "target_branch": "main", "source_project_id": 7, "target_project_id": 7,
      ]
    }
  }

  private func catalog(_ keys: [String]) -> String {
    let strings = keys.map { "    \"\($0)\" : {\n\n    }" }.joined(separator: ",\n")
    return "{\n  \"sourceLanguage\" : \"en\",\n  \"strings\" : {\n\(strings)\n  },\n  \"version\" : \"1.0\"\n}"
  }

  @Test(
    "a token that expires or is revoked during a round is renewed for the API and for git, and the round is delivered")
  func round() throws {
    let git = try GitHTTPServer()
    let folder = try TemporaryFolder()
    let repository = try TemporaryRepository()
    try repository.commit(["App/Localizable.xcstrings": catalog(["Open"])])
    let served = try git.serve(repository, as: "app")
    @Sendable func delivered() -> String {
      (try? TemporaryRepository.git(["show", "l10n/main:App/Localizable.xcstrings"], in: served)) ?? ""
    }
    let gitlab = GitLab(git) { (try? TemporaryRepository.git(["rev-parse", "l10n/main"], in: served)) ?? "" }
    let server = try LoopbackHTTPServer { request, _ in gitlab.respond(to: request) }
    try folder.write("hush", to: "secret")
    try folder.write("refresh-0", to: "first")
    try folder.write(
      """
      pipeline: app
      repository: { url: "\(git.url)/git/app.git" }
      languages: [de]
      vendors:
        - { vendor: pseudo }
      deliver:
        mode: pull-request
        forge: gitlab
        api: "\(server.url)/api/v4"
        oauth_client: client
        oauth_secret: file:secret
        oauth_refresh_token: file:first

      """, to: "app.yaml")
    for (number, keys) in [["Open"], ["Close", "Open"], ["Close", "Open", "Print"]].enumerated() {
      if number > 0 {
        try repository.commit(["App/Localizable.xcstrings": catalog(keys)])
        try TemporaryRepository.git(["push", "-q", "file://" + served, "main"], in: repository.path)
        try TestSupport.run("chmod", ["-R", "a+rwX", served], in: repository.path)
      }
      // git's server rejects the newest token before it expires, and before any request to the API.
      if number == 2 { try git.allow(user: "oauth2", password: "revoked") }
      // Each run is a new process, which finds the newest refresh token only in the folder.
      let end = try dragoman(["run", "app.yaml", "--once", "--quiet"], in: folder.path)
      #expect(end.status == 0, "\(end)")
      for key in keys { #expect(delivered().contains("\"\(key)\"") && delivered().contains("\"de\""), "\(number)") }
      let state = gitlab.state.withLock { $0 }
      #expect(state.pulls.count == 1 && state.pulls[0].title == "Translations for main: de", "\(state)")
      #expect(state.pulls[0].body.contains("| de | \(keys.count) | 0 |"), "\(state.pulls)")
      #expect(state.faults == [])
      #expect(!end.output.contains("access-") && !end.errors.contains("access-") && !end.errors.contains("refresh-"))
    }
    let state = gitlab.state.withLock { $0 }
    #expect(state.renewals > 2 && state.requests.contains("refused"), "tokens expired: \(state)")
    #expect(
      String(decoding: try folder.read("first"), as: UTF8.self) == "refresh-0",
      "the file of the first token is never written")
  }
}
