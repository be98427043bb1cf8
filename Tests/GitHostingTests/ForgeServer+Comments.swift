import Foundation
import GitHosting
import TestSupport

/// Comments on pull requests, and check runs.
extension ForgeServer {
  /// Returns the response to a request about comments, as the published specification describes.
  func comment(_ request: RecordedRequest, _ state: inout State) -> LoopbackReply {
    func refuse(_ status: Int, _ words: String) -> LoopbackReply {
      state.refused.append("\(request.line): \(words)")
      return .json(["message": words], status: status)
    }
    let path = request.path
    guard let (number, id) = subject(path) else { return refuse(404, "no such path") }
    switch (request.method, id) {
    case ("GET", nil):
      var all = state.comments.enumerated().filter { $0.element.number == number }
      let isNewestFirst = kind == .bitbucketServer || ["desc", "-created_on"].contains(request.query["sort"] ?? "")
      if isNewestFirst { all.reverse() }
      // Gitea, Forgejo and Azure DevOps do not split this list into pages.
      let isSplit = [.github, .gitlab, .bitbucket, .bitbucketServer].contains(kind)
      let (first, size) = isSplit ? page(request, largest: 100) : (0, all.count)
      let found = all.dropFirst(first).prefix(size).map { describe($0.element, $0.offset + 1) }
      return .json(list(found, of: kind, next: all.count > first + size ? first + size : nil))
    case ("POST", nil):
      guard let number, state.pulls.indices.contains(number - 1), let body = text(of: request.object) else {
        return refuse(422, "not a comment: \(request.object)")
      }
      state.comments.append(Comment(number: number, body: body))
      return .json(describe(state.comments[state.comments.count - 1], state.comments.count), status: 201)
    case (change(of: kind), let id?):
      guard state.comments.indices.contains(id - 1), let body = changedText(of: request.object) else {
        return refuse(422, "not a change of a comment: \(request.object)")
      }
      guard state.comments[id - 1].isOurs else { return .json(["message": "not yours"], status: 403) }
      if kind == .bitbucketServer {
        guard request.object["version"] as? Int == state.comments[id - 1].version else {
          return refuse(409, "old version")
        }
      }
      state.comments[id - 1].body = body
      state.comments[id - 1].version += 1
      return .json(describe(state.comments[id - 1], id))
    default: return refuse(405, "no such request")
    }
  }

  /// Returns the pull request and the comment that a path names.
  private func subject(_ path: [String]) -> (number: Int?, id: Int?)? {
    let rest = Array(path.dropFirst(place.count))
    switch kind {
    case .github, .gitea, .forgejo:
      let issues = Array(path.dropFirst(3))
      guard path.starts(with: ["repos", "acme", "app", "issues"]) else { return nil }
      if issues.count == 3, issues[2] == "comments", let number = Int(issues[1]) { return (number, nil) }
      if issues.count == 3, issues[1] == "comments", let id = Int(issues[2]) { return (nil, id) }
      return nil
    case .gitlab, .bitbucket, .bitbucketServer:
      let name = kind == .gitlab ? "notes" : "comments"
      guard path.starts(with: place), rest.count >= 2, let number = Int(rest[0]) else { return nil }
      if kind == .bitbucketServer, rest.count == 2, rest[1] == "activities" { return (number, nil) }
      guard rest[1] == name, rest.count <= 3 else { return nil }
      return (number, rest.count == 3 ? Int(rest[2]) : nil)
    case .azure:
      guard path.starts(with: place), rest.count >= 2, rest[1] == "threads", let number = Int(rest[0]) else {
        return nil
      }
      if rest.count == 2 { return (number, nil) }
      guard rest.count == 5, rest[3] == "comments", rest[4] == "1" else { return nil }
      return (number, Int(rest[2]))
    }
  }

  private func text(of sent: [String: Any]) -> String? {
    guard kind == .azure else { return changedText(of: sent) }
    let comment = (sent["comments"] as? [[String: Any]])?.first
    guard sent["status"] as? String == "closed", comment?["parentCommentId"] as? Int == 0,
      comment?["commentType"] as? String == "text"
    else { return nil }
    return comment?["content"] as? String
  }

  private func changedText(of sent: [String: Any]) -> String? {
    switch kind {
    case .github, .gitea, .forgejo, .gitlab: sent["body"] as? String
    case .bitbucket: (sent["content"] as? [String: Any])?["raw"] as? String
    case .bitbucketServer: sent["text"] as? String
    case .azure: sent["content"] as? String
    }
  }

  private func change(of kind: ForgeKind) -> String {
    switch kind {
    case .github, .gitea, .forgejo, .azure: "PATCH"
    case .gitlab, .bitbucket, .bitbucketServer: "PUT"
    }
  }

  private func describe(_ comment: Comment, _ id: Int) -> [String: Any] {
    // Forges store line breaks as CR LF.
    let body = comment.body.replacing("\n", with: "\r\n")
    return switch kind {
    case .github, .gitea, .forgejo, .gitlab: ["id": id, "body": body]
    case .bitbucket: ["id": id, "deleted": false, "content": ["raw": body]]
    case .bitbucketServer:
      ["id": id, "action": "COMMENTED", "comment": ["id": id, "version": comment.version, "text": body]]
    case .azure: ["id": id, "comments": [["id": 1, "content": body]]]
    }
  }

  private func list(_ found: [[String: Any]], of kind: ForgeKind, next: Int?) -> Any {
    switch kind {
    case .github, .gitlab, .gitea, .forgejo: found
    case .bitbucket: ["values": found, "pagelen": 100]
    // The list begins with the newest activity, and has an element that is not a comment.
    case .bitbucketServer:
      [
        "values": [["id": 9, "action": "APPROVED"]] + found, "isLastPage": next == nil,
        "nextPageStart": next ?? NSNull() as Any,
      ]
    case .azure: ["value": found + [["id": 99, "comments": []]], "count": found.count]
    }
  }

  /// Returns the response to a request about check runs, as the published specification describes.
  func setCheck(_ request: RecordedRequest, _ state: inout State) -> LoopbackReply {
    func refuse(_ status: Int, _ words: String) -> LoopbackReply {
      state.refused.append("\(request.line): \(words)")
      return .json(["message": words], status: status)
    }
    let path = request.path
    let sent = request.object
    if request.method == "GET" {
      guard path.count == 6, path.starts(with: ["repos", "acme", "app", "commits"]), path[5] == "check-runs" else {
        return refuse(404, "no such path")
      }
      let found = state.checks.enumerated().filter {
        $0.element.sha == path[4] && $0.element.name == request.query["check_name"]
      }
      return .json(["total_count": found.count, "check_runs": found.map { describe($0.element, $0.offset + 1) }])
    }
    let output = sent["output"] as? [String: Any] ?? [:]
    let annotations = (output["annotations"] as? [[String: Any]] ?? []).compactMap { place -> String? in
      guard let path = place["path"] as? String, let line = place["start_line"] as? Int,
        place["end_line"] as? Int == line, let level = place["annotation_level"] as? String,
        ["notice", "warning", "failure"].contains(level), let message = place["message"] as? String
      else { return nil }
      return "\(path):\(line) \(message)"
    }
    let given = (output["annotations"] as? [Any] ?? []).count
    guard given <= 50, annotations.count == given, let title = output["title"] as? String,
      let summary = output["summary"] as? String,
      let status = sent["status"] as? String, let name = sent["name"] as? String,
      (status == "completed") == (sent["conclusion"] != nil)
    else { return refuse(422, "not a check run: \(sent)") }
    let conclusion = sent["conclusion"] as? String
    if request.method == "POST" {
      guard path == ["repos", "acme", "app", "check-runs"], let sha = sent["head_sha"] as? String,
        state.branches.values.contains(sha)
      else { return refuse(422, "no such commit") }
      state.checks.append(
        Check(
          name: name, sha: sha, digest: sent["external_id"] as? String ?? "", status: status, conclusion: conclusion,
          title: title, summary: summary, annotations: annotations))
      return .json(describe(state.checks[state.checks.count - 1], state.checks.count), status: 201)
    }
    guard request.method == "PATCH", path.count == 5, let id = Int(path[4]), state.checks.indices.contains(id - 1)
    else {
      return refuse(404, "no such check run")
    }
    state.checks[id - 1].status = status
    state.checks[id - 1].conclusion = conclusion
    state.checks[id - 1].annotations += annotations
    return .json(describe(state.checks[id - 1], id))
  }

  private func describe(_ check: Check, _ id: Int) -> [String: Any] {
    [
      "id": id, "name": check.name, "external_id": check.digest, "status": check.status,
      "output": ["annotations_count": check.annotations.count, "title": check.title],
    ]
  }
}
