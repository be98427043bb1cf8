import Foundation
import GitHosting
import TestSupport

/// Differences between the kinds of servers.
extension ForgeServer {
  var credentials: (name: String, value: String) {
    switch kind {
    case .github, .bitbucket, .bitbucketServer: ("Authorization", "Bearer token-1")
    case .gitlab: ("PRIVATE-TOKEN", "token-1")
    case .gitea, .forgejo: ("Authorization", "token token-1")
    case .azure: ("Authorization", "Basic " + Data(":token-1".utf8).base64EncodedString())
    }
  }

  /// The path of the list of pull requests.
  var place: [String] {
    switch kind {
    case .github, .gitea, .forgejo: ["repos", "acme", "app", "pulls"]
    case .gitlab: ["projects", "acme/mobile/app", "merge_requests"]
    case .bitbucket: ["repositories", "acme", "app", "pullrequests"]
    case .bitbucketServer: ["projects", "ACME", "repos", "app", "pull-requests"]
    case .azure: ["acme", "mobile", "_apis", "git", "repositories", "app", "pullrequests"]
    }
  }

  /// The query parameters that the list accepts.
  var parameters: [String] {
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

  /// Returns the index of a page's first element and the number of elements on the page, which is limited to what the server allows.
  func page(_ request: RecordedRequest, largest: Int) -> (first: Int, size: Int) {
    func number(_ names: String...) -> Int? { names.lazy.compactMap { request.query[$0].flatMap { Int($0) } }.first }
    let size = min(number("per_page", "pagelen", "limit", "$top") ?? 20, largest)
    return (number("start", "$skip") ?? ((number("page") ?? 1) - 1) * size, size)
  }

  var change: String {
    switch kind {
    case .github, .gitea, .forgejo, .azure: "PATCH"
    case .gitlab, .bitbucket, .bitbucketServer: "PUT"
    }
  }

  var new: [String] {
    switch kind {
    case .github: ["title", "head", "base", "body", "draft", "maintainer_can_modify"]
    case .gitlab: ["source_branch", "target_branch", "title", "description", "labels", "remove_source_branch"]
    case .gitea, .forgejo: ["head", "base", "title", "body", "labels", "assignees"]
    case .bitbucket: ["title", "description", "source", "destination", "draft", "reviewers"]
    case .bitbucketServer: ["title", "description", "fromRef", "toRef", "draft", "reviewers"]
    case .azure: ["sourceRefName", "targetRefName", "title", "description", "isDraft", "reviewers", "labels"]
    }
  }

  var changed: [String] { ["title", bodyName, "state", "version", "reviewers", "close_source_branch"] }

  var bodyName: String {
    switch kind {
    case .github, .gitea, .forgejo: "body"
    default: "description"
    }
  }

  func hasMembers(_ sent: [String: Any], _ known: [String]) -> Bool { Set(sent.keys).isSubset(of: known) }

  func isListed(_ pull: Pull, _ request: RecordedRequest, _ state: State) -> Bool {
    let query = request.query
    switch kind {
    case .github:
      let wanted = query["state"] ?? "open"
      let head = "\(state.isMoved ? "nova" : "acme"):\(pull.branch)"
      return (wanted == "all" || (wanted == "open") == (pull.state == .open))
        && (query["head"] ?? head) == head && query["base"] == pull.base
    case .gitlab:
      return (query["state"] == "all" || pull.state == .open) && (query["source_branch"] ?? pull.branch) == pull.branch
        && query["target_branch"] == pull.base
    case .gitea, .forgejo: return (query["state"] == "open") == (pull.state == .open)
    case .bitbucket:
      let wanted = "source.branch.name=\"\(pull.branch)\" AND destination.branch.name=\"\(pull.base)\""
      // The query can contain `state` several times; this is the last value.
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

  /// Returns a pull request without the members that lists omit according to the specifications.
  func listed(_ pull: [String: Any]) -> [String: Any] {
    var pull = pull
    switch kind {
    // “description field will be truncated up to 400 symbols”
    case .azure: pull["description"] = (pull["description"] as? String).map { String($0.prefix(400)) }
    case .bitbucket: pull["reviewers"] = nil
    case .github: pull["merged"] = nil
    case .gitlab, .gitea, .forgejo, .bitbucketServer: break
    }
    return pull
  }

  /// Returns a list of pull requests in the kind's format.
  /// - Parameter next: the index at which the next page begins.
  func list(_ found: [[String: Any]], next: Int?) -> Any {
    switch kind {
    case .github, .gitlab, .gitea, .forgejo: found
    case .bitbucket: ["values": found, "pagelen": 20]
    case .bitbucketServer:
      [
        "values": found, "isLastPage": next == nil, "size": found.count, "start": 0, "limit": 50,
        "nextPageStart": next ?? NSNull() as Any,
      ]
    case .azure: ["value": found, "count": found.count]
    }
  }

  func created(_ sent: [String: Any], _ branches: [String: String]) -> Pull? {
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

  func describe(_ pull: Pull, _ number: Int, _ state: State) -> [String: Any] {
    let words: (open: String, merged: String, closed: String) =
      switch kind {
      case .github, .gitea, .forgejo: ("open", "closed", "closed")
      case .gitlab: ("opened", "merged", "closed")
      case .bitbucket: ("OPEN", "MERGED", "DECLINED")
      case .bitbucketServer: ("OPEN", "MERGED", "DECLINED")
      case .azure: ("active", "completed", "abandoned")
      }
    let word =
      switch pull.state {
      case .open: words.open
      case .merged: words.merged
      case .closed: words.closed
      case .locked: "locked"
      }
    let url = "https://forge.example/\(number)"
    let mergesItself = state.extras[number]?.contains { $0.hasPrefix("merge ") } == true
    // Forges store line breaks as CR LF.
    let body: Any = pull.body.isEmpty ? NSNull() : pull.body.replacing("\n", with: "\r\n") as Any
    let base = state.isMoved ? "nova/mobile" : "acme/app"
    let source = pull.isFork ? "stranger/\(state.isMoved ? "mobile" : "app")" : base
    switch kind {
    case .github, .gitea, .forgejo:
      func side(_ ref: String, _ sha: String, _ name: String) -> [String: Any] {
        ["ref": ref, "sha": sha, "repo": ["full_name": name]]
      }
      var head = side(pull.branch, pull.sha, source)
      if kind != .github, !pull.isFork {
        // For a closed pull request, Gitea before 1.23 and Forgejo report the branch's current commit.
        let tip = state.branches[pull.branch]
        head["label"] = pull.branch
        head["ref"] = tip == nil ? "refs/pull/\(number)/head" : pull.branch
        head["sha"] = tip ?? pull.sha
      }
      return [
        "number": number, "node_id": "PR_\(number)", "html_url": url, "state": word, "title": pull.title, "body": body,
        "merged": pull.state == .merged, "merged_at": pull.state == .merged ? "2026-11-23T10:00:00Z" : NSNull() as Any,
        "head": head, "base": side(pull.base, "", base), "auto_merge": mergesItself ? [:] : NSNull() as Any,
      ]
    case .gitlab:
      return [
        "iid": number, "id": 1000 + number, "web_url": url, "state": word, "title": pull.title, "description": body,
        "sha": pull.sha, "source_branch": pull.branch, "target_branch": pull.base,
        "source_project_id": pull.isFork ? 8 : 7, "target_project_id": 7,
        "reviewers": pull.reviewers.map { ["id": Self.accounts[$0] ?? 0, "username": $0] },
        "merge_when_pipeline_succeeds": mergesItself,
      ]
    case .bitbucket:
      return [
        "id": number, "title": pull.title, "description": body, "state": word, "links": ["html": ["href": url]],
        "source": [
          "branch": ["name": pull.branch], "commit": ["hash": String(pull.sha.prefix(12))],
          "repository": ["full_name": source],
        ], "destination": ["branch": ["name": pull.base], "repository": ["full_name": base]],
        "close_source_branch": true, "reviewers": (["{ada}"] + pull.reviewers).map { ["uuid": $0] },
      ]
    case .bitbucketServer:
      func side(_ branch: String, _ sha: String, _ key: String) -> [String: Any] {
        [
          "id": "refs/heads/\(branch)", "latestCommit": sha,
          "repository": ["slug": state.isMoved ? "mobile" : "app", "project": ["key": key]],
        ]
      }
      return [
        "id": number, "version": pull.version, "title": pull.title, "description": body, "state": word,
        "fromRef": side(pull.branch, pull.sha, pull.isFork ? "~STRANGER" : state.isMoved ? "NOVA" : "ACME"),
        "toRef": side(pull.base, "", state.isMoved ? "NOVA" : "ACME"),
        "reviewers": (["ada"] + pull.reviewers).map { ["user": ["name": $0, "id": 1]] },
        "links": ["self": [["href": url]]],
      ]
    case .azure:
      var made: [String: Any] = [
        "pullRequestId": number, "title": pull.title, "description": body, "status": word,
        "sourceRefName": "refs/heads/\(pull.branch)", "targetRefName": "refs/heads/\(pull.base)",
        "createdBy": ["id": "me"], "autoCompleteSetBy": mergesItself ? ["id": "someone"] : NSNull() as Any,
        "reviewers": pull.votes.map { ["id": $0, "vote": $1] }, "lastMergeSourceCommit": ["commitId": pull.sha],
        "repository": ["webUrl": "https://forge.example"],
        "mergeStatus": pull.hasConflicts ? "conflicts" : "succeeded",
      ]
      if pull.isFork { made["forkSource"] = ["name": "refs/heads/\(pull.branch)"] }
      return made
    }
  }
}
