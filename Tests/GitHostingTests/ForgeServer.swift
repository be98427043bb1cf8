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

/// A server with pull requests that keeps state and implements the API of one kind of forge. It records in `State.refused` the requests that Dragoman
/// should not have sent, such as malformed requests.
final class ForgeServer: Sendable {
  enum Fault: CaseIterable, Sendable {
    case tooMany
    /// GitHub's responses to too many requests: with a time to wait, with a reset in 10 minutes, or only with a message.
    case limited, spent, slowDown
    case failedBefore, failedAfter, noResponse
  }

  struct Pull {
    enum State {
      case open, merged, closed
      /// GitLab's state of a merge request that is being merged.
      case locked
    }

    var state = State.open
    var title: String
    var body: String
    var branch: String
    var base: String
    var sha: String
    var isFork = false
    /// Whether Azure DevOps reports conflicts with the base.
    var hasConflicts = false
    var version = 0
    /// Whether the base has all commits of the pull request. If so, Gitea and Forgejo list the commits only after a merge.
    var isInBase = false
    /// The requested reviewers on GitLab, and on Bitbucket in addition to ada.
    var reviewers: [String] = []
    /// The reviewers and their votes on Azure DevOps.
    var votes: [String: Int] = [:]
  }

  struct State {
    var pulls: [Pull] = []
    /// The branches of the repository, with their commits.
    var branches = ["main": String(repeating: "a", count: 40), "l10n/main": String(repeating: "b", count: 40)]
    var refused: [String] = []
    /// The statuses, `good: TEXT` or `bad: TEXT`, by the first digit of the commit and the status's name.
    var statuses: [String: String] = [:]
    /// A function that is called after a pull request was opened and before the next request, like a change by another program or person.
    var afterOpening: (@Sendable (inout Pull) -> Void)?
    /// The fault, and the number of the request that it affects, from 0.
    var fault: (number: Int, fault: Fault)?
    var now = Date(timeIntervalSince1970: 1_800_000_000)
    var requests: [RecordedRequest] = []
    var comments: [Comment] = []
    var checks: [Check] = []
    /// Settings other than title and body: `label NAME`, `reviewer NAME`, `merge METHOD`, by pull request.
    var extras: [Int: [String]] = [:]
    /// The number of remaining requests for which merging cannot be set yet.
    var mergingLater = 0
    /// Requests that our account may not send, such as `POST 1/merge`: the method and the last two parts of the path. GitLab and Bitbucket Data
    /// Center return 401 for them, as for a wrong token.
    var denied: Set<String> = []
    /// Whether Bitbucket Data Center merges at once when auto-merge is requested.
    var mergesAtOnce = false
    /// The number of remaining requests to change a pull request that fail on Bitbucket Data Center, because another account has just changed it.
    var races = 0
    /// The branches that our account may not push to.
    var protected: Set<String> = []
    /// GitLab's rules for protected branches, as its API describes them. The rules also apply to branches that do not exist yet.
    var protectionRules: [[String: any Sendable]] = []
    /// The access level of our account in the GitLab project; `nil` for an administrator.
    var accessLevel: Int? = 30
    /// The state that statuses cannot leave on GitLab.
    var stuckStatus: String?
    /// Whether the GitLab plan allows only one reviewer.
    var takesOneReviewer = false
    /// Whether the repository was renamed and moved to another owner. If so, the old address redirects, and responses have the new names.
    var isMoved = false
    /// A GitLab application whose tokens are the only valid credentials; `nil` if the token is `token-1`.
    var application: Application?
  }

  struct Comment {
    /// The number of the comment's pull request.
    var number: Int
    var body: String
    var isOurs = true
    var version = 0
  }

  struct Check {
    var name: String
    var sha: String
    var digest: String
    var status: String
    var conclusion: String?
    var title: String
    /// The summary, in Markdown.
    var summary: String
    /// The annotations, each as `path:line message`.
    var annotations: [String] = []
  }

  let kind: ForgeKind
  /// A function that returns git's branches; `nil` if the branches of the state are used.
  private let branches: (@Sendable () -> [String: String])?
  private let guarded = Mutex(State())
  var state: State { guarded.withLock { $0 } }
  /// Advances the clock by the delay that the server requested in an error.
  func wait(after error: any Error) {
    guard case .retryAfter(let pause) = (error as? any DisposableError)?.disposition else { return }
    change { $0.now += pause.seconds }
  }
  func change(_ body: (inout State) -> Void) { guarded.withLock { body(&$0) } }

  /// Creates a server.
  /// - Parameter branches: a function that returns the repository's branches with their commits; this function is called at each request.
  init(_ kind: ForgeKind, branches: (@Sendable () -> [String: String])? = nil) {
    self.kind = kind
    self.branches = branches
  }

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
        guard let (place, fault) = state.fault, place == number else { return respond(to: request, &state) }
        state.fault = nil
        switch fault {
        case .tooMany: return .respond(status: 429, headers: [("Retry-After", "2")])
        case .limited: return .respond(status: 403, headers: [("Retry-After", "2")])
        case .spent:
          let reset = Int(state.now.timeIntervalSince1970) + 600
          return .respond(
            status: 403, headers: [("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", String(reset))])
        case .slowDown: return .json(["message": "You have exceeded a secondary rate limit. Wait a bit."], status: 403)
        case .failedBefore: return .respond(status: 502)
        case .failedAfter:
          _ = respond(to: request, &state)
          return .respond(status: 500)
        case .noResponse:
          _ = respond(to: request, &state)
          return .close
        }
      }
    }
  }

  func forge(
    _ server: LoopbackHTTPServer, secret: String = "token-1", usesChecks: Bool = false
  ) throws -> any Forge {
    let repository = try #require(ForgeRepository(remote: remote))
    let environment = VendorEnvironment(
      pipeline: "app", stateFolder: "/nonexistent", secret: { Secret(secret) }, transport: HTTPTransport(),
      now: { self.state.now }, sleep: { pause in self.change { $0.now += pause.seconds } },
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    return try kind.forge(
      of: repository, api: try HTTPURL(server.url), usesChecks: usesChecks, environment: environment,
      paces: RequestPaces())
  }

  private func respond(to request: RecordedRequest, _ state: inout State) -> LoopbackReply {
    func refuse(_ status: Int, _ words: String) -> LoopbackReply {
      state.refused.append("\(request.line): \(words)")
      return .json(["message": words], status: status)
    }
    if let branches { state.branches = branches() }
    // An open pull request follows its branch, and a closed pull request keeps its last commit.
    for index in state.pulls.indices where state.pulls[index].state == .open && !state.pulls[index].isFork {
      state.pulls[index].sha = state.branches[state.pulls[index].branch] ?? state.pulls[index].sha
    }
    if let reply = renewal(request, &state) { return reply }
    guard isAllowed(request, state) else {
      return .json(["message": "bad credentials"], status: 401)
    }
    let path = request.path
    if state.denied.contains("\(request.method) \(path.suffix(2).joined(separator: "/"))") {
      return .json(["errors": [["message": "You are not permitted"]]], status: 401)
    }
    if let reply = knownStatuses(request, state) { return reply }
    if path.contains("statuses") || path.contains("builds") { return setStatus(request, &state) }
    if path.contains("check-runs") { return setCheck(request, &state) }
    if let reply = extra(request, &state) { return reply }
    if !Set(path).isDisjoint(with: ["comments", "notes", "threads", "activities"]) { return comment(request, &state) }
    if kind == .github, request.method == "GET", path == ["repos", "acme", "app"] {
      return .json(["full_name": state.isMoved ? "nova/mobile" : "acme/app"])
    }
    guard path.starts(with: place) else { return refuse(404, "no such path") }
    switch (request.method, path.count - place.count) {
    case ("GET", 0):
      let known = Set(parameters).union(["api-version"])
      guard Set(request.query.keys).isSubset(of: known) else { return refuse(400, "unknown parameter") }
      let (first, size) = page(request, largest: kind == .gitlab || kind == .github ? 100 : 50)
      let all = state.pulls.enumerated().filter { isListed($0.element, request, state) }.reversed()
      let found = all.dropFirst(first).prefix(size).map { listed(describe($0.element, $0.offset + 1, state)) }
      return .json(list(found, next: all.count > first + size ? first + size : nil))
    case ("GET", 1):
      guard kind == .bitbucketServer, let number = Int(path[place.count]), state.pulls.indices.contains(number - 1)
      else { return refuse(404, "no such pull request") }
      return .json(describe(state.pulls[number - 1], number, state))
    case ("GET", 2) where [.gitea, .forgejo].contains(kind) && path.last != "commits":
      // The path contains the base and the head of the requested pull request.
      let own = state.pulls.firstIndex { [$0.base, $0.branch] == path.suffix(2) && !$0.isFork }
      return own.map { .json(describe(state.pulls[$0], $0 + 1, state)) } ?? .json(["message": "none"], status: 404)
    case ("GET", 2):
      guard [.gitea, .forgejo].contains(kind), path.last == "commits", let number = Int(path[place.count]),
        state.pulls.indices.contains(number - 1), Set(request.query.keys).isSubset(of: ["page", "limit"])
      else { return refuse(404, "no such list") }
      let pull = state.pulls[number - 1]
      return .json(pull.isInBase && pull.state != .merged ? [] : [["sha": pull.sha]])
    case ("POST", 0):
      guard let made = created(request.object, state.branches), hasMembers(request.object, new) else {
        return refuse(422, "not a pull request: \(request.object)")
      }
      guard !state.pulls.contains(where: { $0.state == .open && !$0.isFork && $0.branch == made.branch }) else {
        return .json(["message": "there is one already"], status: 409)
      }
      state.pulls.append(made)
      state.afterOpening?(&state.pulls[state.pulls.count - 1])
      return .json(describe(made, state.pulls.count, state), status: 201)
    case (change, 1):
      let sent = request.object
      guard let number = Int(path[place.count]), state.pulls.indices.contains(number - 1), hasMembers(sent, changed),
        let title = sent["title"] as? String, let body = sent[bodyName] as? String
      else { return refuse(422, "not a change") }
      // If one account does not exist, no reviewer is set.
      guard !"\(sent)".contains("stranger") else {
        return .json(["message": "stranger is not a user"], status: kind == .bitbucket ? 400 : 409)
      }
      if kind == .bitbucketServer {
        if state.races > 0 {
          state.races -= 1
          state.pulls[number - 1].version += 1
          return .json(["message": "out of date"], status: 409)
        }
        guard state.pulls[number - 1].state == .open else { return .json(["message": "not open"], status: 409) }
        guard sent["version"] as? Int == state.pulls[number - 1].version else { return refuse(409, "old version") }
        let reviewers = (sent["reviewers"] as? [[String: [String: Any]]] ?? []).compactMap {
          $0["user"]?["name"] as? String
        }
        guard Set(reviewers).isSuperset(of: ["ada"] + state.pulls[number - 1].reviewers) else {
          return refuse(409, "reviewers were removed")
        }
        state.pulls[number - 1].reviewers = reviewers.filter { $0 != "ada" }
        for name in state.pulls[number - 1].reviewers where state.extras[number]?.contains("reviewer \(name)") != true {
          state.extras[number, default: []].append("reviewer \(name)")
        }
      }
      if kind == .bitbucket { setReviewers(sent, of: number, &state) }
      state.pulls[number - 1].title = title
      state.pulls[number - 1].body = body
      state.pulls[number - 1].version += 1
      return .json(describe(state.pulls[number - 1], number, state))
    default: return refuse(405, "no such request")
    }
  }
}
