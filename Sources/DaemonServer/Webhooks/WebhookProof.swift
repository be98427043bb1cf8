internal import Foundation
internal import HTTPTypes
internal import Localization

/// The part of a request that proves that the sender knows the secret of a webhook.
///
/// The names of the header fields show the kind of the proof. They are not signed, but every kind of proof needs the secret.
enum WebhookProof: Hashable, Sendable {
  /// An HMAC-SHA256 of the raw body, as sent by GitHub, Gitea, Forgejo, Bitbucket Cloud and Bitbucket Data Center.
  case body(signature: [UInt8])
  /// An HMAC-SHA256 of id, timestamp and raw body, as in Standard Webhooks. GitLab sends it with a signing token. A sender that is changing its
  /// secret sends several signatures.
  case standard(id: String, timestamp: String, signatures: [[UInt8]])
  /// The secret itself, which does not authenticate the body, and GitLab's id of the delivery; empty if there is none. GitLab sends the secret if the
  /// webhook has a secret token. Azure DevOps sends it as the password of basic authentication.
  case token(String, delivery: String = "")

  /// The header fields with a hexadecimal signature of the raw body, and the prefixes of their values. Forges that imitate GitHub also send GitHub's
  /// fields. GitHub's old `X-Hub-Signature: sha1=…` is not accepted.
  private static let bodySignatures = [
    ("X-Forgejo-Signature", ""), ("X-Gitea-Signature", ""), ("X-Hub-Signature-256", "sha256="),
    ("X-Hub-Signature", "sha256="),
  ]
  private static let mostSignatures = 8

  /// Reads the proof in the header fields of a request.
  /// - Returns: `nil` if the fields contain no known kind of proof, or if the proof is malformed.
  init?(_ fields: HTTPFields) {
    func field(_ name: String) -> String? { HTTPField.Name(name).flatMap { fields[$0] } }
    for (name, prefix) in Self.bodySignatures {
      guard let text = field(name), text.hasPrefix(prefix) else { continue }
      guard let signature = Self.bytes(hexadecimal: text.dropFirst(prefix.count)), signature.count == 32 else {
        return nil
      }
      self = .body(signature: signature)
      return
    }
    if field("webhook-signature") != nil {
      guard let proof = Self.standard(fields) else { return nil }
      self = proof
      return
    }
    if let token = field("X-Gitlab-Token") {
      // `Idempotency-Key` stays the same when GitLab repeats an event, but only GitLab 17.4 and later sends this field. Without it, the event's UUID
      // is used.
      self = .token(token, delivery: field("Idempotency-Key") ?? field("X-Gitlab-Event-UUID") ?? "")
      return
    }
    guard let login = fields[.authorization], login.hasPrefix("Basic "),
      let pair = Data(base64Encoded: String(login.dropFirst(6))).map({ String(decoding: $0, as: UTF8.self) }),
      let colon = pair.firstIndex(of: ":")
    else { return nil }
    self = .token(String(pair[pair.index(after: colon)...]))
  }

  /// Returns the proof of Standard Webhooks; `nil` if one of its three header fields is missing. Signatures of other versions than `v1`, and
  /// malformed ones, are ignored.
  static func standard(_ fields: HTTPFields) -> WebhookProof? {
    func field(_ name: String) -> String? { HTTPField.Name(name).flatMap { fields[$0] } }
    guard let text = field("webhook-signature"), let id = field("webhook-id"),
      let timestamp = field("webhook-timestamp")
    else { return nil }
    let signatures = text.split(separator: " ").prefix(mostSignatures).compactMap { part in
      part.hasPrefix("v1,") ? Data(base64Encoded: String(part.dropFirst(3))).map(Array.init) : nil
    }
    return .standard(id: id, timestamp: timestamp, signatures: signatures)
  }

  /// Returns whether the request was made with the secret. If the proof contains a timestamp, this time must also be close to `now`.
  /// - Parameter now: the current time, in seconds since 1970.
  func holds(for body: [UInt8], secret: Secret, now: Double) -> Bool {
    let secret = secret.reveal()
    // A signing token is only used for signatures and never sent, so it cannot be a valid secret token.
    let isSigningToken = secret.hasPrefix("whsec_")
    switch self {
    case .body(let signature):
      return HMAC.areEqual(HMAC.sha256(key: Array(secret.utf8), body), signature)
    case .standard(let id, let timestamp, let signatures):
      guard let seconds = Int64(timestamp), abs(now - Double(seconds)) <= Self.tolerance,
        let key = Data(base64Encoded: isSigningToken ? String(secret.dropFirst(6)) : secret), !key.isEmpty
      else { return false }
      let expected = HMAC.sha256(key: Array(key), Array("\(id).\(timestamp).".utf8), body)
      return signatures.contains { HMAC.areEqual(expected, $0) }
    case .token(let token, _):
      return !isSigningToken && HMAC.areEqual(Array(token.utf8), Array(secret.utf8))
    }
  }

  /// Returns a value that identifies a delivery, by which repetitions are recognized.
  ///
  /// If the body is signed, the value depends only on the signed content, because an attacker could send a recorded delivery again with another
  /// `X-GitHub-Delivery`, `X-Gitea-Delivery` or `X-Request-UUID`. The bodies of these forges and of Azure DevOps are different for each event,
  /// because they contain the event's time or id. The bodies of GitLab's events can be equal: if a branch moves to a commit, back, and to the same
  /// commit again, GitLab sends the same body twice. Therefore the value of a request with a token also depends on the delivery id. This does not
  /// help an attacker: whoever has recorded such a request has its token, and can send any body.
  func identity(of body: [UInt8]) -> [UInt8] {
    switch self {
    case .standard(let id, _, _): ContentDigest.of(Array("id \(id)".utf8))
    case .body: ContentDigest.of(body)
    case .token(_, let delivery): ContentDigest.of(Array("\(delivery)\n".utf8) + body)
    }
  }

  /// The maximum difference between the sender's clock and ours, in seconds, as Standard Webhooks recommends.
  private static let tolerance = 300.0

  static func bytes(hexadecimal text: Substring) -> [UInt8]? {
    guard text.utf8.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for character in text.utf8 {
      let digit: UInt8
      switch character {
      case 0x30...0x39: digit = character - 0x30
      case 0x41...0x46: digit = character - 0x41 + 10
      case 0x61...0x66: digit = character - 0x61 + 10
      default: return nil
      }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return bytes
  }
}
