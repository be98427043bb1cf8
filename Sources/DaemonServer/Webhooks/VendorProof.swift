internal import Foundation
internal import HTTPTransport
internal import HTTPTypes
internal import Localization
internal import TranslationVendors

/// The part of a request to a vendor's webhook that proves that the sender knows the secret.
struct VendorProof: Sendable {
  private let webhook: VendorWebhook
  private let fields: HTTPFields

  /// Reads the proof in the header fields of a request; `nil` if a header field of the proof is missing.
  init?(_ fields: HTTPFields, of webhook: VendorWebhook) {
    self.fields = fields
    self.webhook = webhook
    let wanted: [String] =
      switch webhook {
      case .secret(let header), .body(let header), .stamped(let header): [header]
      case .headers(let headers, _, let signature, _): headers + [signature]
      case .lines(let url, let date, let signature): [url, date, signature]
      case .standard: ["webhook-id", "webhook-timestamp", "webhook-signature"]
      }
    guard wanted.allSatisfy({ field($0) != nil }) else { return nil }
  }

  private func field(_ name: String) -> String? { HTTPField.Name(name).flatMap { fields[$0] } }

  /// Returns whether the request was made with the secret. If the proof contains a time, this time must also be close to `now`.
  /// - Parameter now: the current time, in seconds since 1970.
  func holds(for body: [UInt8], secret: Secret, now: Double) -> Bool {
    let key = Array(secret.reveal().utf8)
    guard !key.isEmpty else { return false }
    switch webhook {
    case .secret(let header):
      return field(header).map { HMAC.areEqual(Array($0.utf8), key) } ?? false
    case .body(let header):
      return Self.isSignature(field(header) ?? "", HMAC.sha256(key: key, body))
    case .headers(let headers, let separator, let signature, let tolerance):
      let values = headers.compactMap(field)
      guard values.count == headers.count, let time = values.last.flatMap(Double.init),
        abs(now - time) <= tolerance.seconds
      else { return false }
      let signed = values.map { $0 + separator }.joined()
      return Self.isSignature(field(signature) ?? "", HMAC.sha256(key: key, Array(signed.utf8), body))
    case .stamped(let header):
      guard let stamp = stamp(header), abs(now - Double(stamp.timestamp) / 1000) <= Self.tolerance else { return false }
      return Self.isSignature(stamp.signature, HMAC.sha256(key: key, stamp.signed, body))
    case .lines(let url, let date, let signature):
      guard let lines = lines(url, date, body), let time = field(date).flatMap(HTTPDate.seconds),
        abs(now - Double(time)) <= Self.tolerance
      else { return false }
      return Self.isSignature(field(signature) ?? "", HMAC.sha256(key: key, lines))
    case .standard:
      return WebhookProof.standard(fields)?.holds(for: body, secret: secret, now: now) ?? false
    }
  }

  /// Returns a value that is equal for repetitions of the same delivery; `nil` if nothing is signed. The value depends only on the signed content, and
  /// not on the spelling of the signature. Otherwise, a recorded delivery could be repeated in another spelling.
  func identity(of body: [UInt8]) -> [UInt8]? {
    switch webhook {
    case .secret: nil
    case .body: ContentDigest.of(body)
    case .headers(let headers, let separator, _, _):
      ContentDigest.of(Array((headers.compactMap(field).joined(separator: separator) + separator).utf8) + body)
    case .stamped(let header): stamp(header).map { ContentDigest.of($0.signed + body) }
    case .lines(let url, let date, _): lines(url, date, body).map { ContentDigest.of($0 + ContentDigest.of(body)) }
    case .standard: WebhookProof.standard(fields)?.identity(of: body)
    }
  }

  private func lines(_ url: String, _ date: String, _ body: [UInt8]) -> [UInt8]? {
    guard let url = field(url), let date = field(date) else { return nil }
    return Array("POST\n\(url)\n\(date)\n\(ContentDigest.md5(of: body).hexadecimal)".utf8)
  }

  private func stamp(_ header: String) -> Stamp? {
    field(header).flatMap { try? JSONDecoder().decode(Stamp.self, from: Data($0.utf8)) }
  }

  private struct Stamp: Decodable {
    var timestamp: Int64
    var signature: String

    /// The part of the signed content that precedes the body.
    var signed: [UInt8] { Array("\(timestamp).".utf8) }
  }

  /// The maximum difference between the sender's clock and ours, in seconds.
  private static let tolerance = 300.0

  private static func isSignature(_ text: String, _ expected: [UInt8]) -> Bool {
    let found = WebhookProof.bytes(hexadecimal: Substring(text)) ?? Data(base64Encoded: text).map(Array.init)
    return found.map { HMAC.areEqual($0, expected) } ?? false
  }
}
