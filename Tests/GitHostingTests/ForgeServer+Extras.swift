import Foundation
import GitHosting
import TestSupport

/// Labels, reviewers, automatic merging and protected branches.
extension ForgeServer {
  /// Returns the response to a request about these settings, as the published specification describes.
  /// - Returns: `nil` if the request is about something else.
  func extra(_ request: RecordedRequest, _ state: inout State) -> LoopbackReply? {
    let path = request.path
    let sent = request.object
    let rest = path.starts(with: place) ? Array(path.dropFirst(place.count)) : []
    let number = rest.first.flatMap { Int($0) } ?? path.dropFirst(4).first.flatMap { Int($0) } ?? 0
    func refuse(_ words: String) -> LoopbackReply {
      state.refused.append("\(request.line): \(words) \(sent)")
      return .json(["message": words], status: 422)
    }
    func note(_ new: [String], status: Int = 200) -> LoopbackReply {
      guard state.pulls.indices.contains(number - 1) else { return refuse("no such pull request") }
      for word in new where state.extras[number]?.contains(word) != true {
        state.extras[number, default: []].append(word)
      }
      return .json(["id": number], status: status)
    }
    if let reply = mergingLater(request, &state) { return reply }
    if kind == .gitlab, request.method == "GET", let reply = protection(request, state) { return reply }
    if let branch = branch(path) { return describe(branch, state) }
    switch (kind, request.method, path.last ?? "") {
    case (.github, "POST", "labels"):
      return (sent["labels"] as? [String]).map { note($0.map { "label \($0)" }) } ?? refuse("no labels")
    case (.github, "POST", "requested_reviewers"), (.gitea, "POST", "requested_reviewers"),
      (.forgejo, "POST", "requested_reviewers"):
      guard let people = sent["reviewers"] as? [String], let teams = sent["team_reviewers"] as? [String] else {
        return refuse("no reviewers")
      }
      // GitHub refuses reviewers who are the author or are not collaborators.
      guard !people.contains("stranger") else { return .json(["message": "not a collaborator"], status: 422) }
      return note((people + teams.map { "team \($0)" }).map { "reviewer \($0)" }, status: 201)
    case (.github, "POST", "graphql"):
      guard let variables = sent["variables"] as? [String: String], let id = variables["id"],
        let number = Int(id.dropFirst(3)), let method = variables["method"],
        ["MERGE", "SQUASH", "REBASE"].contains(method),
        (sent["query"] as? String)?.contains("enablePullRequestAutoMerge") == true
      else { return refuse("not this mutation") }
      guard method != "REBASE" else {
        let words = "Not allowed for \(request.header("Authorization") ?? "nobody")"
        return .json(["data": NSNull(), "errors": [["message": words]]])
      }
      state.extras[number, default: []].append("merge \(method.lowercased())")
      return .json(["data": ["enablePullRequestAutoMerge": ["clientMutationId": NSNull()]]])
    case (.gitlab, "GET", "users"):
      let name = request.query["username"] ?? ""
      return .json(Self.accounts[name].map { [["id": $0, "username": name]] } ?? [])
    case (.gitlab, "PUT", "merge"):
      guard sent["auto_merge"] as? Bool == true, sent["merge_when_pipeline_succeeds"] as? Bool == true,
        let squash = sent["squash"] as? Bool
      else { return refuse("not automatic") }
      return note(["merge \(squash ? "squash" : "merge")"])
    case (.gitlab, "PUT", _) where sent["title"] == nil && rest.count == 1:
      guard Set(sent.keys).isSubset(of: ["add_labels", "reviewer_ids"]) else { return refuse("unknown members") }
      let labels = (sent["add_labels"] as? String)?.split(separator: ",").map { "label \($0)" } ?? []
      guard let ids = sent["reviewer_ids"] as? [Int] else { return note(labels) }
      // The server omits reviewers who cannot be requested, without an error.
      let added = ids.prefix(state.takesOneReviewer ? 1 : ids.count).filter { $0 != Self.accounts["stranger"] }
      let names = added.compactMap { id in Self.accounts.first { $0.value == id }?.key }
      // Reviewers who are missing from the request are removed.
      state.extras[number]?.removeAll { $0.hasPrefix("reviewer ") }
      let reply = note(labels + names.map { "reviewer \($0)" })
      guard state.pulls.indices.contains(number - 1) else { return reply }
      state.pulls[number - 1].reviewers = names
      return .json(describe(state.pulls[number - 1], number, state))
    case (.gitea, "GET", "labels"), (.forgejo, "GET", "labels"):
      return .json(request.query["page"] == "1" ? [["id": 7, "name": "L10n"], ["id": 8, "name": "bot"]] : [])
    case (.gitea, "POST", "labels"), (.forgejo, "POST", "labels"):
      guard let ids = sent["labels"] as? [Int] else { return refuse("no ids") }
      return note(ids.map { "label \($0 == 7 ? "l10n" : $0 == 8 ? "bot" : "?")" })
    case (.gitea, "POST", "merge"), (.forgejo, "POST", "merge"):
      guard let method = sent["Do"] as? String, sent["merge_when_checks_succeed"] as? Bool == true else {
        return refuse("not automatic")
      }
      return note(["merge \(method)"])
    case (.github, "GET", _) where rest.count == 1, (.bitbucket, "GET", _) where rest.count == 1,
      (.azure, "GET", _) where rest.count == 1, (.gitlab, "GET", _) where rest.count == 1:
      guard state.pulls.indices.contains(number - 1) else { return refuse("no such pull request") }
      return .json(describe(state.pulls[number - 1], number, state))
    case (.bitbucketServer, "POST", "merge"):
      guard sent["autoMerge"] as? Bool == true, state.pulls.indices.contains(number - 1),
        request.query["version"] == String(state.pulls[number - 1].version)
      else { return refuse("not automatic, or an old version") }
      if state.mergesAtOnce {
        state.pulls[number - 1].state = .merged
        state.pulls[number - 1].version += 1
      }
      return note(["merge"])
    case (.azure, "POST", "labels"):
      return (sent["name"] as? String).map { note(["label \($0)"]) } ?? refuse("no name")
    case (.azure, "PUT", let reviewer) where rest.count == 3 && rest[1] == "reviewers":
      guard sent["id"] as? String == reviewer, sent["vote"] as? Int == 0 else { return refuse("not a reviewer") }
      if state.pulls.indices.contains(number - 1) { state.pulls[number - 1].votes[reviewer] = 0 }
      return note(["reviewer \(reviewer)"])
    case (.azure, "PATCH", _) where sent["autoCompleteSetBy"] != nil:
      let options = sent["completionOptions"] as? [String: String]
      guard sent["autoCompleteSetBy"] as? [String: String] == ["id": "me"], let strategy = options?["mergeStrategy"],
        ["noFastForward", "squash", "rebase", "rebaseMerge"].contains(strategy)
      else { return refuse("not automatic") }
      return note(["merge \(strategy == "noFastForward" ? "merge" : strategy)"])
    default: return nil
    }
  }

  /// The ids of GitLab's accounts. The stranger has no access to the project.
  static let accounts = ["ada": 41, "bob": 42, "stranger": 43]

  /// Returns the response to a request for GitLab's branch rules or the access level of our account; `nil` for other requests.
  private func protection(_ request: RecordedRequest, _ state: State) -> LoopbackReply? {
    switch request.path {
    case ["projects", "acme/mobile/app", "protected_branches"]:
      // The list is split into pages, as on the real server.
      let page = Int(request.query["page"] ?? "1") ?? 1
      return .json(Array(state.protectionRules.dropFirst((page - 1) * 100).prefix(100)))
    case ["projects", "acme/mobile/app"]:
      let own = state.accessLevel.map { ["access_level": $0] as Any } ?? NSNull()
      return .json(["id": 7, "permissions": ["project_access": own, "group_access": NSNull()]])
    default: return nil
    }
  }

  /// Returns the response to a request to merge that the server cannot accept yet; `nil` for other requests.
  private func mergingLater(_ request: RecordedRequest, _ state: inout State) -> LoopbackReply? {
    guard ["merge", "graphql"].contains(request.path.last ?? ""), state.mergingLater > 0 else { return nil }
    state.mergingLater -= 1
    switch kind {
    case .github:
      let fault = ["message": "Pull request Pull request is in clean status", "type": "UNPROCESSABLE"]
      return .json(["data": NSNull(), "errors": [fault]])
    case .gitlab: return .json(["message": "405 Method Not Allowed"], status: 405)
    case .bitbucketServer: return .json(["errors": [["message": "not mergeable"]]], status: 409)
    default: return .json(["message": "Please try again later"], status: 405)
    }
  }

  /// Checks and applies a change of reviewers. Bitbucket Cloud replaces the reviewers and `close_source_branch` with the values in the request, so
  /// the request must repeat the existing values.
  func setReviewers(_ sent: [String: Any], of number: Int, _ state: inout State) {
    let uuids = (sent["reviewers"] as? [[String: String]] ?? []).compactMap { $0["uuid"] }
    if !uuids.contains("{ada}") { state.refused.append("a reviewer was removed: \(sent)") }
    if sent["close_source_branch"] as? Bool != true { state.refused.append("the branch would stay: \(sent)") }
    for uuid in uuids where uuid != "{ada}" && state.extras[number]?.contains("reviewer \(uuid)") != true {
      state.extras[number, default: []].append("reviewer \(uuid)")
    }
    state.pulls[number - 1].reviewers = uuids.filter { $0 != "{ada}" }
  }

  private func branch(_ path: [String]) -> String? {
    switch kind {
    case .github, .gitea, .forgejo:
      path.starts(with: ["repos", "acme", "app", "branches"]) && path.count == 5 ? path[4] : nil
    case .gitlab:
      path.starts(with: ["projects", "acme/mobile/app", "repository", "branches"]) && path.count == 5 ? path[4] : nil
    case .bitbucket, .bitbucketServer, .azure: nil
    }
  }

  private func describe(_ branch: String, _ state: State) -> LoopbackReply {
    guard state.branches[branch] != nil else { return .json(["message": "no such branch"], status: 404) }
    let isProtected = state.protected.contains(branch)
    return .json([
      "name": branch, "protected": isProtected, "can_push": !isProtected, "user_can_push": !isProtected,
    ])
  }
}
