import Foundation
import Synchronization
import TestSupport

/// A server with GitHub's API for pull requests of `git/app`.
final class LoopbackGitHub: Sendable {
  struct Pull: Sendable {
    var state = "open"
    var title: String
    var body: String
    var sha: String
  }

  let pulls = Mutex<[Pull]>([])
  let requests = Mutex<[String]>([])

  /// Returns the response to a request.
  /// - Parameter tip: returns the commit of the delivery branch.
  func respond(to request: RecordedRequest, tip: @Sendable () -> String) -> LoopbackReply {
    requests.withLock { $0.append(request.method) }
    guard request.header("Authorization") == "Bearer forge-token", request.path.starts(with: ["repos", "git", "app"])
    else { return .json(["message": "Bad credentials"], status: 401) }
    if request.method == "GET", request.path.count == 3 { return .json(["full_name": "git/app"]) }
    return pulls.withLock { pulls in
      for index in pulls.indices where pulls[index].state == "open" { pulls[index].sha = tip() }
      switch request.method {
      case "POST":
        pulls.append(
          Pull(
            title: request.object["title"] as? String ?? "", body: request.object["body"] as? String ?? "",
            sha: tip()))
        return .json(Self.describe(pulls[pulls.count - 1], pulls.count), status: 201)
      case "PATCH":
        let number = Int(request.path.last ?? "") ?? 0
        pulls[number - 1].title = request.object["title"] as? String ?? ""
        pulls[number - 1].body = request.object["body"] as? String ?? ""
        return .json(Self.describe(pulls[number - 1], number))
      default:
        let wanted = request.query["state"] ?? ""
        return .json(
          pulls.enumerated().filter { wanted == "all" || $0.element.state == wanted }.reversed()
            .map { Self.describe($0.element, $0.offset + 1) })
      }
    }
  }

  private static func describe(_ pull: Pull, _ number: Int) -> [String: Any] {
    [
      "number": number, "html_url": "https://forge.example/pull/\(number)",
      "state": pull.state == "merged" ? "closed" : pull.state, "title": pull.title, "body": pull.body,
      "merged_at": pull.state == "merged" ? "2026-11-23T10:00:00Z" : NSNull() as Any,
      "head": ["ref": "l10n/main", "sha": pull.sha, "repo": ["full_name": "git/app"]],
      "base": ["ref": "main", "sha": "", "repo": ["full_name": "git/app"]],
    ]
  }
}
