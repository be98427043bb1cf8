import GitHosting
import TestSupport

/// The statuses of commits.
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
