import Foundation
import GitHosting
import HTTPTransport
import Localization
import Logging
import Pipeline
import Synchronization
import TestSupport
import Testing
import TranslationVendors

/// A server with pull requests that keeps state, in the dialect of each kind. It notes every request that the real one would not accept.
final class ForgeServer: Sendable {
  enum Fault: CaseIterable, Sendable { case tooMany, failedBefore, failedAfter, noAnswer }

  struct Pull {
    enum State { case open, merged, closed }

    var state = State.open
    var title: String
    var body: String
    var branch: String
    var base: String
    var sha: String
    var isFork = false
    var version = 0
  }

  struct State {
    var pulls: [Pull] = []
    /// The branches of the repository, with their commits.
    var branches = ["main": String(repeating: "a", count: 40), "l10n/main": String(repeating: "b", count: 40)]
    var refused: [String] = []
    /// By the first digit of the commit and the status's name: `good: TEXT` or `bad: TEXT`.
    var statuses: [String: String] = [:]
    /// The number of the request that has a fault, from 0.
    var fault: (number: Int, fault: Fault)?
    var now = Date(timeIntervalSince1970: 1_800_000_000)
    var requests: [RecordedRequest] = []
  }

  let kind: ForgeKind
  let guarded = Mutex(State())
  var state: State { guarded.withLock { $0 } }
  func change(_ body: (inout State) -> Void) { guarded.withLock { body(&$0) } }

  init(_ kind: ForgeKind) { self.kind = kind }

  /// The address of the repository at the real forge.
  var remote: String {
    switch kind {
    case .github: "https://github.com/acme/app.git"
    case .gitlab: "git@gitlab.com:acme/mobile/app.git"
    case .gitea: "https://git.example.com/acme/app"
    case .forgejo: "ssh://git@codeberg.org/acme/app.git"
    case .bitbucket: "git@bitbucket.org:acme/app.git"
    case .bitbucketServer: "https://git.example.com/scm/ACME/app.git"
    case .azure: "https://dev.azure.com/acme/mobile/_git/app"
    }
  }

  func serve() throws -> LoopbackHTTPServer {
    try LoopbackHTTPServer { [self] request, number in
      guarded.withLock { state in
        state.requests.append(request)
        guard let (place, fault) = state.fault, place == number else { return answer(request, &state) }
        state.fault = nil
        switch fault {
        case .tooMany: return .respond(status: 429, headers: [("Retry-After", "2")])
        case .failedBefore: return .respond(status: 502)
        case .failedAfter:
          _ = answer(request, &state)
          return .respond(status: 500)
        case .noAnswer:
          _ = answer(request, &state)
          return .close
        }
      }
    }
  }

  func forge(_ server: LoopbackHTTPServer, secret: String = "token-1") throws -> any Forge {
    let repository = try #require(ForgeRepository(remote: remote))
    let environment = VendorEnvironment(
      pipeline: "app", stateFolder: "/nonexistent", secret: { Secret(secret) }, transport: HTTPTransport(),
      now: { self.state.now }, sleep: { pause in self.change { $0.now += pause.seconds } },
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    return try kind.forge(
      of: repository, api: try HTTPURL(server.url), environment: environment, paces: RequestPaces())
  }

  func answer(_ request: RecordedRequest, _ state: inout State) -> LoopbackReply {
    func refuse(_ status: Int, _ words: String) -> LoopbackReply {
      state.refused.append("\(request.line): \(words)")
      return .json(["message": words], status: status)
    }
    // An open pull request follows its branch; a closed one keeps its last commit.
    for index in state.pulls.indices where state.pulls[index].state == .open && !state.pulls[index].isFork {
      state.pulls[index].sha = state.branches[state.pulls[index].branch] ?? state.pulls[index].sha
    }
    guard request.header(credentials.name) == credentials.value else {
      return .json(["message": "bad credentials"], status: 401)
    }
    let path = request.path
    if path.contains("statuses") || path.contains("builds") { return setStatus(request, &state) }
    guard path.starts(with: place) else { return refuse(404, "no such path") }
    switch (request.method, path.count - place.count) {
    case ("GET", 0):
      let known = Set(parameters).union(["api-version"])
      guard Set(request.query.keys).isSubset(of: known) else { return refuse(400, "unknown parameter") }
      let page = Int(request.query["page"] ?? "1") ?? 1
      let found = page > 1 ? [] : state.pulls.enumerated().filter { isListed($0.element, request) }.reversed()
      return .json(list(found.map { describe($0.element, $0.offset + 1) }))
    case ("GET", 1):
      guard kind == .bitbucketServer, let number = Int(path[place.count]), state.pulls.indices.contains(number - 1)
      else { return refuse(404, "no such pull request") }
      return .json(describe(state.pulls[number - 1], number))
    case ("POST", 0):
      guard let made = created(request.object, state.branches), hasMembers(request.object, new) else {
        return refuse(422, "not a pull request: \(request.object)")
      }
      guard !state.pulls.contains(where: { $0.state == .open && !$0.isFork && $0.branch == made.branch }) else {
        return .json(["message": "there is one already"], status: 409)
      }
      state.pulls.append(made)
      return .json(describe(made, state.pulls.count), status: 201)
    case (change, 1):
      let sent = request.object
      guard let number = Int(path[place.count]), state.pulls.indices.contains(number - 1), hasMembers(sent, changed),
        let title = sent["title"] as? String, let body = sent[bodyName] as? String
      else { return refuse(422, "not a change") }
      if kind == .bitbucketServer {
        guard sent["version"] as? Int == state.pulls[number - 1].version else { return refuse(409, "old version") }
        guard (sent["reviewers"] as? [[String: Any]])?.count == 1 else { return refuse(409, "reviewers were removed") }
      }
      state.pulls[number - 1].title = title
      state.pulls[number - 1].body = body
      state.pulls[number - 1].version += 1
      return .json(describe(state.pulls[number - 1], number))
    default: return refuse(405, "no such request")
    }
  }
}

extension ForgeServer {
  /// Takes a status as the published specification says.
  func setStatus(_ request: RecordedRequest, _ state: inout State) -> LoopbackReply {
    func refuse(_ status: Int, _ words: String) -> LoopbackReply {
      state.refused.append("\(request.line): \(words)")
      return .json(["message": words], status: status)
    }
    let sha = request.path.first { $0.count == 40 } ?? ""
    guard request.method == "POST", state.branches.values.contains(sha) else {
      return .json(["message": "no such commit"], status: 404)
    }
    let repository: [String] =
      switch kind {
      case .github, .gitea, .forgejo: ["repos", "acme", "app", "statuses", sha]
      case .gitlab: ["projects", "acme/mobile/app", "statuses", sha]
      case .bitbucket: ["repositories", "acme", "app", "commit", sha, "statuses", "build"]
      case .bitbucketServer: ["projects", "ACME", "repos", "app", "commits", sha, "builds"]
      case .azure: ["acme", "mobile", "_apis", "git", "repositories", "app", "commits", sha, "statuses"]
      }
    let sent = request.object
    let context = sent["context"] as? [String: Any]
    let name =
      switch kind {
      case .github, .gitea, .forgejo: sent["context"] as? String
      case .gitlab: sent["name"] as? String
      case .bitbucket, .bitbucketServer: sent["key"] as? String
      case .azure: "\(context?["genre"] ?? "")/\(context?["name"] ?? "")"
      }
    let (good, bad) =
      switch kind {
      case .github, .gitea, .forgejo: ("success", "failure")
      case .gitlab: ("success", "failed")
      case .bitbucket, .bitbucketServer: ("SUCCESSFUL", "FAILED")
      case .azure: ("succeeded", "failed")
      }
    guard request.path == repository, let name, name.count <= 40, let word = sent["state"] as? String,
      [good, bad].contains(word), let text = sent["description"] as? String, text.count <= 140
    else { return refuse(400, "not a status: \(request.line) \(sent)") }
    if kind == .bitbucket || kind == .bitbucketServer, (sent["url"] as? String)?.hasPrefix("http") != true {
      return refuse(400, "no url")
    }
    if kind == .gitlab, sent["ref"] as? String != state.branches.first(where: { $0.value == sha })?.key {
      return refuse(400, "no ref")
    }
    let value = "\(word == good ? "good" : "bad"): \(text)"
    let key = "\(sha.prefix(1)) \(name)"
    if kind == .gitlab, state.statuses[key]?.prefix(3) == value.prefix(3) {
      return .json(["message": "Cannot transition status via :enqueue from :success"], status: 400)
    }
    state.statuses[key] = value
    return kind == .bitbucketServer ? .respond(status: 204) : .json(["id": 1], status: 201)
  }
}
