import Foundation
import GitHosting
import TestSupport

/// The statuses of commits.
extension ForgeServer {
  /// Returns the reply to a request for the newest statuses of a commit; `nil` for other requests, and on GitLab and Bitbucket, where our adapters do
  /// not read statuses.
  func knownStatuses(_ request: RecordedRequest, _ state: State) -> LoopbackReply? {
    let path = request.path
    guard request.method == "GET", let sha = path.first(where: { $0.count == 40 }) else { return nil }
    let known = state.statuses.filter { $0.key.hasPrefix(sha.prefix(1) + " ") }.map { key, value in
      (
        name: String(key.dropFirst(2)), isGood: value.hasPrefix("good"),
        text: String(value.drop { $0 != " " }.dropFirst())
      )
    }
    switch kind {
    case .github where path == ["repos", "acme", "app", "commits", sha, "status"]:
      return .json([
        "statuses": known.map {
          ["context": $0.name, "state": $0.isGood ? "success" : "failure", "description": $0.text]
        }
      ])
    case .gitea where path == ["repos", "acme", "app", "commits", sha, "status"],
      .forgejo where path == ["repos", "acme", "app", "commits", sha, "status"]:
      let list = known.map {
        ["context": $0.name, "status": $0.isGood ? "success" : "failure", "description": $0.text]
      }
      return .json(["statuses": list.isEmpty ? NSNull() : list as Any])
    case .azure where path.last == "statuses":
      return .json([
        "value": known.map { status -> [String: Any] in
          let parts = status.name.split(separator: "/").map(String.init)
          return [
            "state": status.isGood ? "succeeded" : "failed", "description": status.text,
            "context": ["genre": parts[0], "name": parts[1]],
          ]
        }
      ])
    default: return nil
    }
  }

  /// Sets the status of a commit as the published specification describes, and returns the response.
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
      let words = "Cannot transition status via \(word == good ? ":success from :success" : ":drop from :failed")"
      return .json(["message": words], status: 400)
    }
    if kind == .gitlab, let stuck = state.stuckStatus {
      return .json(["message": "Cannot transition status via :enqueue from :\(stuck)"], status: 400)
    }
    state.statuses[key] = value
    return kind == .bitbucketServer ? .respond(status: 204) : .json(["id": 1], status: 201)
  }
}
