import Foundation
import HTTPTypes
import Localization

@testable import DaemonServer

/// A webhook request that is signed as a forge signs its requests.
struct SignedRequest {
  enum Forge: CaseIterable {
    case github, gitea, forgejo, bitbucketCloud, bitbucketDataCenter, gitlabToken, gitlabSigned, azure

    /// Whether the proof covers the body.
    var signsBody: Bool { self != .gitlabToken && self != .azure }

    /// Returns the forges that send the recorded event in a file.
    /// - Parameter path: the path below the folder of specifications.
    /// - Returns: `nil` if the file is not an event.
    static func forges(ofRecording path: String) -> [Forge]? {
      if path.hasPrefix("forges/github-octokit/") { return [.github] }
      guard path.contains("/webhooks/") else { return nil }
      switch path.split(separator: "/")[1] {
      case "github": return [.github]
      case "gitlab": return [.gitlabToken, .gitlabSigned]
      case "gitea": return [.gitea, .forgejo]
      case "bitbucket": return [.bitbucketCloud]
      case "bitbucket-server": return [.bitbucketDataCenter]
      case "azure": return [.azure]
      default: return nil
      }
    }
  }

  /// The time of the tests, in seconds since 1970.
  static let now = 1_770_000_000.0
  private static let signingKey = [UInt8](1...32)

  let body: [UInt8]
  let secret: Secret
  let fields: HTTPFields

  /// Signs a body.
  /// - Parameter time: the time of the signature, in seconds since 1970.
  init(_ body: [UInt8], _ forge: Forge, secret text: String = ServedDaemon.secret, time: Double = now) {
    self.body = body
    let signature = HMAC.sha256(key: Array(text.utf8), body).hexadecimal
    var fields: [String: String] = [:]
    var secret = text
    switch forge {
    case .github: fields = ["X-Hub-Signature-256": "sha256=\(signature)"]
    case .gitea: fields = ["X-Gitea-Signature": signature]
    case .forgejo: fields = ["X-Forgejo-Signature": signature]
    case .bitbucketCloud, .bitbucketDataCenter: fields = ["X-Hub-Signature": "sha256=\(signature)"]
    case .gitlabToken: fields = ["X-Gitlab-Token": text]
    case .gitlabSigned:
      secret = ServedDaemon.signingSecret
      let stamp = "\(Int(time))"
      let mac = HMAC.sha256(key: Self.signingKey, Array("msg_1.\(stamp).".utf8), body)
      fields = [
        "webhook-id": "msg_1", "webhook-timestamp": stamp,
        "webhook-signature": "v1,\(Data(mac).base64EncodedString())",
      ]
    case .azure: fields = ["Authorization": "Basic " + Data("dragoman:\(text)".utf8).base64EncodedString()]
    }
    self.secret = Secret(secret)
    var made = HTTPFields()
    for (name, value) in fields {
      guard let name = HTTPField.Name(name) else { continue }
      made[name] = value
    }
    self.fields = made
  }

  var headers: [(name: String, value: String)] { fields.map { ($0.name.rawName, $0.value) } }
}
