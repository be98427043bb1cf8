import Foundation
import Synchronization
import TestSupport

/// A server with GitHub's API for people's pull requests of `git/app`, their comments, and commit statuses.
final class ReviewForge: Sendable {
  struct Pull: Sendable {
    var number: Int
    var branch: String
    var sha: String
    var isFork = false
    var base = "main"
  }

  let pulls = Mutex<[Pull]>([])
  let comments = Mutex<[(number: Int, body: String)]>([])
  let statuses = Mutex<[String: String]>([:])
  let checks = Mutex<[[String: String]]>([])
  let requests = Mutex<[String]>([])
  /// The numbers of locked pull requests.
  let locked = Mutex<Set<Int>>([])

  func respond(to request: RecordedRequest) -> LoopbackReply {
    requests.withLock { $0.append(request.method) }
    let path = request.path
    guard request.header("Authorization") == "Bearer forge-token", path.starts(with: ["repos", "git", "app"]) else {
      return .json(["message": "Bad credentials"], status: 401)
    }
    let sent = request.object
    switch (request.method, path.dropFirst(3).first ?? "") {
    case ("GET", "pulls"):
      return .json(
        pulls.withLock { pulls in
          pulls.filter { request.query["base"] == $0.base }.map { pull -> [String: Any] in
            [
              "number": pull.number, "html_url": "https://forge.example/\(pull.number)", "state": "open",
              "title": "t", "body": "", "merged_at": NSNull(),
              "head": [
                "ref": pull.branch, "sha": pull.sha,
                "repo": pull.isFork ? NSNull() as Any : ["full_name": "git/app"] as Any,
              ], "base": ["ref": pull.base, "sha": "", "repo": ["full_name": "git/app"]],
            ]
          }
        })
    case ("GET", "issues"):
      let number = Int(path[4]) ?? 0
      return .json(
        comments.withLock { comments in
          comments.enumerated().filter { $0.element.number == number }.map {
            ["id": $0.offset + 1, "body": $0.element.body] as [String: Any]
          }
        })
    case ("POST", "issues") where locked.withLock { $0.contains(Int(path[4]) ?? 0) }:
      return .json(["message": "issue is locked"], status: 403)
    case ("POST", "issues"):
      comments.withLock { $0.append((Int(path[4]) ?? 0, sent["body"] as? String ?? "")) }
      return .json(["id": 1], status: 201)
    case ("PATCH", "issues"):
      comments.withLock { $0[(Int(path[5]) ?? 1) - 1].body = sent["body"] as? String ?? "" }
      return .json(["id": 1])
    case ("POST", "statuses"):
      let key = "\(path[4].prefix(7)) \(sent["context"] ?? "")"
      statuses.withLock { $0[key] = "\(sent["state"] ?? ""): \(sent["description"] ?? "")" }
      return .json(["id": 1], status: 201)
    case ("GET", "commits"): return .json(["check_runs": []])
    case ("POST", "check-runs"):
      let output = sent["output"] as? [String: Any] ?? [:]
      let places = (output["annotations"] as? [[String: Any]] ?? []).map {
        "\($0["path"] ?? ""):\($0["start_line"] ?? "") \($0["message"] ?? "")"
      }
      checks.withLock {
        $0.append([
          "sha": sent["head_sha"] as? String ?? "", "name": sent["name"] as? String ?? "",
          "conclusion": sent["conclusion"] as? String ?? "", "places": places.joined(separator: "; "),
        ])
      }
      return .json(["id": 1], status: 201)
    default: return .json(["message": "no"], status: 404)
    }
  }
}
