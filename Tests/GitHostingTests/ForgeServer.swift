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
    /// Bitbucket Data Center: those that were asked beside ada.
    var reviewers: [String] = []
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
    var comments: [Comment] = []
    var checks: [Check] = []
    /// What was set beside title and body: `label NAME`, `reviewer NAME`, `merge METHOD`, by pull request.
    var extras: [Int: [String]] = [:]
    /// The branches that our account may not push to.
    var protected: Set<String> = []
  }

  struct Comment {
    /// The number of the pull request.
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
    /// `path:line message`.
    var annotations: [String] = []
  }

  let kind: ForgeKind
  private let guarded = Mutex(State())
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

  private func answer(_ request: RecordedRequest, _ state: inout State) -> LoopbackReply {
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
    if path.contains("check-runs") { return setCheck(request, &state) }
    if let reply = extra(request, &state) { return reply }
    if !Set(path).isDisjoint(with: ["comments", "notes", "threads", "activities"]) { return comment(request, &state) }
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
  private func setStatus(_ request: RecordedRequest, _ state: inout State) -> LoopbackReply {
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

  var credentials: (name: String, value: String) {
    switch kind {
    case .github, .bitbucket, .bitbucketServer: ("Authorization", "Bearer token-1")
    case .gitlab: ("PRIVATE-TOKEN", "token-1")
    case .gitea, .forgejo: ("Authorization", "token token-1")
    case .azure: ("Authorization", "Basic " + Data(":token-1".utf8).base64EncodedString())
    }
  }

  /// The path of the list.
  var place: [String] {
    switch kind {
    case .github, .gitea, .forgejo: ["repos", "acme", "app", "pulls"]
    case .gitlab: ["projects", "acme/mobile/app", "merge_requests"]
    case .bitbucket: ["repositories", "acme", "app", "pullrequests"]
    case .bitbucketServer: ["projects", "ACME", "repos", "app", "pull-requests"]
    case .azure: ["acme", "mobile", "_apis", "git", "repositories", "app", "pullrequests"]
    }
  }

  /// The names that the list knows in its query.
  private var parameters: [String] {
    switch kind {
    case .github: ["state", "head", "base", "sort", "direction", "per_page", "page"]
    case .gitlab: ["state", "source_branch", "target_branch", "order_by", "sort", "per_page", "page"]
    case .gitea, .forgejo: ["state", "sort", "milestone", "labels", "page", "limit"]
    case .bitbucket: ["state", "q", "sort", "pagelen", "page"]
    case .bitbucketServer: ["state", "at", "direction", "order", "start", "limit"]
    case .azure:
      ["searchCriteria.status", "searchCriteria.sourceRefName", "searchCriteria.targetRefName", "$top", "$skip"]
    }
  }

  private var change: String {
    switch kind {
    case .github, .gitea, .forgejo, .azure: "PATCH"
    case .gitlab, .bitbucket, .bitbucketServer: "PUT"
    }
  }

  private var new: [String] {
    switch kind {
    case .github: ["title", "head", "base", "body", "draft", "maintainer_can_modify"]
    case .gitlab: ["source_branch", "target_branch", "title", "description", "labels", "remove_source_branch"]
    case .gitea, .forgejo: ["head", "base", "title", "body", "labels", "assignees"]
    case .bitbucket: ["title", "description", "source", "destination", "draft", "reviewers"]
    case .bitbucketServer: ["title", "description", "fromRef", "toRef", "draft", "reviewers"]
    case .azure: ["sourceRefName", "targetRefName", "title", "description", "isDraft", "reviewers", "labels"]
    }
  }

  private var changed: [String] { ["title", bodyName, "state", "version", "reviewers"] }

  private var bodyName: String {
    switch kind {
    case .github, .gitea, .forgejo: "body"
    default: "description"
    }
  }

  private func hasMembers(_ sent: [String: Any], _ known: [String]) -> Bool { Set(sent.keys).isSubset(of: known) }

  private func isListed(_ pull: Pull, _ request: RecordedRequest) -> Bool {
    let query = request.query
    switch kind {
    case .github:
      let state = query["state"] ?? "open"
      return (state == "all" || (state == "open") == (pull.state == .open))
        && (query["head"] ?? "acme:\(pull.branch)") == "acme:\(pull.branch)" && query["base"] == pull.base
    case .gitlab:
      return (query["state"] == "all" || pull.state == .open) && (query["source_branch"] ?? pull.branch) == pull.branch
        && query["target_branch"] == pull.base
    case .gitea, .forgejo: return (query["state"] == "open") == (pull.state == .open)
    case .bitbucket:
      let wanted = "source.branch.name=\"\(pull.branch)\" AND destination.branch.name=\"\(pull.base)\""
      // The query may name `state` several times; the last one stands here.
      return [wanted, "destination.branch.name=\"\(pull.base)\""].contains(query["q"])
        && (query["state"] == "SUPERSEDED" || pull.state == .open)
    case .bitbucketServer:
      let at = query["direction"] == "OUTGOING" ? pull.branch : pull.base
      return query["direction"] != nil && query["at"] == "refs/heads/\(at)"
        && (query["state"] == "ALL" || pull.state == .open)
    case .azure:
      let source = "refs/heads/\(pull.branch)"
      return query["api-version"] == "7.1" && (query["searchCriteria.sourceRefName"] ?? source) == source
        && query["searchCriteria.targetRefName"] == "refs/heads/\(pull.base)"
        && (query["searchCriteria.status"] == "all" || pull.state == .open)
    }
  }

  private func list(_ found: [[String: Any]]) -> Any {
    switch kind {
    case .github, .gitlab, .gitea, .forgejo: found
    case .bitbucket: ["values": found, "pagelen": 20]
    case .bitbucketServer: ["values": found, "isLastPage": true, "size": found.count, "start": 0, "limit": 50]
    case .azure: ["value": found, "count": found.count]
    }
  }

  private func created(_ sent: [String: Any], _ branches: [String: String]) -> Pull? {
    func at(_ path: String) -> String? {
      path.split(separator: ".").reduce(sent as Any?) { ($0 as? [String: Any])?[String($1)] } as? String
    }
    let (source, target) =
      switch kind {
      case .github, .gitea, .forgejo: (at("head"), at("base"))
      case .gitlab: (at("source_branch"), at("target_branch"))
      case .bitbucket: (at("source.branch.name"), at("destination.branch.name"))
      case .bitbucketServer: (at("fromRef.id"), at("toRef.id"))
      case .azure: (at("sourceRefName"), at("targetRefName"))
      }
    func short(_ name: String?) -> String? {
      guard kind == .azure || kind == .bitbucketServer else { return name }
      return name?.hasPrefix("refs/heads/") == true ? name.map { String($0.dropFirst(11)) } : nil
    }
    guard let branch = short(source), let base = short(target), let sha = branches[branch], branches[base] != nil,
      let title = at("title"), let body = at(bodyName)
    else { return nil }
    return Pull(title: title, body: body, branch: branch, base: base, sha: sha)
  }

  func describe(_ pull: Pull, _ number: Int) -> [String: Any] {
    let words: (open: String, merged: String, closed: String) =
      switch kind {
      case .github, .gitea, .forgejo: ("open", "closed", "closed")
      case .gitlab: ("opened", "merged", "closed")
      case .bitbucket: ("OPEN", "MERGED", "DECLINED")
      case .bitbucketServer: ("OPEN", "MERGED", "DECLINED")
      case .azure: ("active", "completed", "abandoned")
      }
    let word = pull.state == .open ? words.open : pull.state == .merged ? words.merged : words.closed
    let url = "https://forge.example/\(number)"
    // Forges change line ends.
    let body: Any = pull.body.isEmpty ? NSNull() : pull.body.replacing("\n", with: "\r\n") as Any
    let owner = pull.isFork ? "stranger" : "acme"
    switch kind {
    case .github, .gitea, .forgejo:
      func side(_ ref: String, _ sha: String, _ owner: String) -> [String: Any] {
        ["ref": ref, "sha": sha, "repo": ["full_name": "\(owner)/app"]]
      }
      return [
        "number": number, "node_id": "PR_\(number)", "html_url": url, "state": word, "title": pull.title, "body": body,
        "merged": pull.state == .merged, "merged_at": pull.state == .merged ? "2026-11-23T10:00:00Z" : NSNull() as Any,
        "head": side(pull.branch, pull.sha, owner), "base": side(pull.base, "", "acme"),
      ]
    case .gitlab:
      return [
        "iid": number, "id": 1000 + number, "web_url": url, "state": word, "title": pull.title, "description": body,
        "sha": pull.sha, "source_branch": pull.branch, "target_branch": pull.base,
        "source_project_id": pull.isFork ? 8 : 7, "target_project_id": 7,
      ]
    case .bitbucket:
      return [
        "id": number, "title": pull.title, "description": body, "state": word, "links": ["html": ["href": url]],
        "source": [
          "branch": ["name": pull.branch], "commit": ["hash": String(pull.sha.prefix(12))],
          "repository": ["full_name": "\(owner)/app"],
        ], "destination": ["branch": ["name": pull.base], "repository": ["full_name": "acme/app"]],
      ]
    case .bitbucketServer:
      func side(_ branch: String, _ sha: String, _ key: String) -> [String: Any] {
        ["id": "refs/heads/\(branch)", "latestCommit": sha, "repository": ["slug": "app", "project": ["key": key]]]
      }
      return [
        "id": number, "version": pull.version, "title": pull.title, "description": body, "state": word,
        "fromRef": side(pull.branch, pull.sha, pull.isFork ? "~STRANGER" : "ACME"),
        "toRef": side(pull.base, "", "ACME"),
        "reviewers": (["ada"] + pull.reviewers).map { ["user": ["name": $0, "id": 1]] },
        "links": ["self": [["href": url]]],
      ]
    case .azure:
      var made: [String: Any] = [
        "pullRequestId": number, "title": pull.title, "description": body, "status": word,
        "sourceRefName": "refs/heads/\(pull.branch)", "targetRefName": "refs/heads/\(pull.base)",
        "createdBy": ["id": "me"], "lastMergeSourceCommit": ["commitId": pull.sha],
        "repository": ["webUrl": "https://forge.example"],
      ]
      if pull.isFork { made["forkSource"] = ["name": "refs/heads/\(pull.branch)"] }
      return made
    }
  }
}
