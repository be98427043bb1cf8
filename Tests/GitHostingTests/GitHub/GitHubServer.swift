import Foundation
import HTTPTransport
import Localization
import Logging
import Synchronization
import TestSupport
import TranslationVendors

/// A GitHub that keeps state. It notes every request that GitHub would not accept.
final class GitHubServer: Sendable {
  enum Fault: Sendable, CaseIterable { case tooMany, failedAfter, noAnswer }

  struct State {
    struct Pull {
      var state = "open"
      var isMerged = false
      var title: String
      var body: String
      var branch: String
      var base: String
      var sha: String
      var repository = "acme/app"
    }

    var pulls: [Pull] = []
    /// The branches of the repository, with their commits.
    var branches: [String: String] = ["main": "aa00", "l10n/main": "bb01"]
    var refused: [String] = []
    /// Happens to the next request of this method, once.
    var fault: (method: String, fault: Fault)?
    var now = Date(timeIntervalSince1970: 1_800_000_000)
    var requests: [RecordedRequest] = []
  }

  private let guarded = Mutex(State())
  var state: State { guarded.withLock { $0 } }
  func change(_ body: (inout State) -> Void) { guarded.withLock { body(&$0) } }

  func serve() throws -> LoopbackHTTPServer {
    try LoopbackHTTPServer { [self] request, _ in
      guarded.withLock { state in
        state.requests.append(request)
        guard let (method, fault) = state.fault, method == request.method else { return Self.answer(request, &state) }
        state.fault = nil
        switch fault {
        case .tooMany:
          return .respond(status: 429, headers: [("Retry-After", "2"), ("Content-Type", "application/json")])
        case .failedAfter:
          _ = Self.answer(request, &state)
          return .respond(status: 500)
        case .noAnswer:
          _ = Self.answer(request, &state)
          return .close
        }
      }
    }
  }

  /// An environment whose clock moves when something sleeps.
  func environment() -> VendorEnvironment {
    VendorEnvironment(
      pipeline: "app", stateFolder: "/nonexistent", secret: { Secret("token-1") }, transport: HTTPTransport(),
      now: { self.state.now }, sleep: { pause in self.change { $0.now += pause.seconds } },
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  private static func answer(_ request: RecordedRequest, _ state: inout State) -> LoopbackReply {
    func refuse(_ status: Int, _ words: String) -> LoopbackReply {
      state.refused.append("\(request.line): \(words)")
      return json(["message": words], status)
    }
    // An open pull request follows its branch; a closed one keeps its last commit.
    for index in state.pulls.indices where state.pulls[index].state == "open" {
      let pull = state.pulls[index]
      if pull.repository == "acme/app" { state.pulls[index].sha = state.branches[pull.branch] ?? pull.sha }
    }
    guard request.header("Authorization") == "Bearer token-1" else { return refuse(401, "Bad credentials") }
    guard request.header("Accept") == "application/vnd.github+json",
      request.header("X-GitHub-Api-Version") == "2022-11-28"
    else { return refuse(415, "wrong media type or version") }
    guard request.header("User-Agent")?.isEmpty == false else { return refuse(403, "no User-Agent") }
    let url = URLComponents(string: request.target)
    let query = Dictionary(
      (url?.queryItems ?? []).map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { _, last in last })
    let path = (url?.path ?? "").split(separator: "/").map(String.init)
    guard path.starts(with: ["repos", "acme", "app", "pulls"]) else { return refuse(404, "Not Found") }
    switch (request.method, path.count) {
    case ("GET", 4):
      guard Set(query.keys).isSubset(of: ["state", "head", "base", "sort", "direction", "per_page", "page"]),
        ["open", "closed", "all"].contains(query["state"] ?? "open"), let head = query["head"], head.contains(":")
      else { return refuse(422, "Validation Failed") }
      let found = state.pulls.enumerated().filter { _, pull in
        (query["state"] == "all" || pull.state == query["state"])
          && "\(pull.repository.prefix { $0 != "/" }):\(pull.branch)" == head
          && pull.base == query["base"]
      }
      return json(found.reversed().map { describe($0.element, $0.offset + 1) }, 200)
    case ("POST", 4):
      guard let sent = object(request), Set(sent.keys).isSubset(of: ["title", "head", "base", "body", "draft"]),
        let title = sent["title"] as? String, let branch = sent["head"] as? String, let base = sent["base"] as? String,
        let sha = state.branches[branch], state.branches[base] != nil
      else { return refuse(422, "Validation Failed") }
      if state.pulls.contains(where: {
        $0.state == "open" && $0.branch == branch && $0.base == base && $0.repository == "acme/app"
      }) {
        return json(["message": "Validation Failed"], 422)
      }
      state.pulls.append(.init(title: title, body: sent["body"] as? String ?? "", branch: branch, base: base, sha: sha))
      return json(describe(state.pulls[state.pulls.count - 1], state.pulls.count), 201)
    case ("PATCH", 5):
      guard let number = Int(path[4]), state.pulls.indices.contains(number - 1), let sent = object(request),
        Set(sent.keys).isSubset(of: ["title", "body", "state", "base"])
      else { return refuse(422, "Validation Failed") }
      if let title = sent["title"] as? String { state.pulls[number - 1].title = title }
      if let body = sent["body"] as? String { state.pulls[number - 1].body = body }
      return json(describe(state.pulls[number - 1], number), 200)
    default: return refuse(404, "Not Found")
    }
  }

  private static func object(_ request: RecordedRequest) -> [String: Any]? {
    guard request.header("Content-Type")?.hasPrefix("application/json") == true else { return nil }
    return try? JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any]
  }

  private static func describe(_ pull: State.Pull, _ number: Int) -> [String: Any] {
    func side(_ ref: String, _ sha: String, _ repository: String) -> [String: Any] {
      ["ref": ref, "sha": sha, "repo": ["full_name": repository]]
    }
    return [
      "number": number, "html_url": "https://github.example/acme/app/pull/\(number)", "state": pull.state,
      "title": pull.title, "body": pull.body.isEmpty ? NSNull() : pull.body.replacing("\n", with: "\r\n"),
      "merged_at": pull.isMerged ? "2026-11-23T10:00:00Z" : NSNull(),
      "head": side(pull.branch, pull.sha, pull.repository), "base": side(pull.base, "aa00", "acme/app"),
    ]
  }

  private static func json(_ value: Any, _ status: Int) -> LoopbackReply {
    let body = (try? JSONSerialization.data(withJSONObject: value)) ?? Data()
    return .respond(status: status, headers: [("Content-Type", "application/json; charset=utf-8")], body: Array(body))
  }
}
