internal import Foundation
internal import HTTPTransport
internal import Localization
internal import Synchronization

extension VendorHTTP {
  /// Returns a server's message without secrets.
  package func redacted(_ words: String) -> String {
    let current: [Secret] = [try? environment.secret()].compactMap(\.self)
    return ExchangeRedaction(secrets: current + sentSecrets.newest + moreSecrets).text(words)
  }
}

extension VendorHTTP.Authentication {
  /// Returns the credentials that requests contain, before they are encoded. In error messages, ``SecretMask`` replaces them and their
  /// encoded forms.
  func credentials(_ secret: Secret) -> Secret {
    switch self {
    case .none, .authorization, .header: secret
    case .basic: secret.reveal().contains(":") ? secret : Secret(":" + secret.reveal())
    }
  }

  /// Adds the header with the credentials to a request.
  func add(_ credentials: Secret, to sent: inout HTTPRequest) {
    switch self {
    case .none: break
    case .authorization(let scheme):
      sent.secretHeaders.append(("Authorization", Secret("\(scheme) \(credentials.reveal())")))
    case .basic:
      let encoded = Data(credentials.reveal().utf8).base64EncodedString()
      sent.secretHeaders.append(("Authorization", Secret("Basic \(encoded)")))
    case .header(let name): sent.secretHeaders.append((name, credentials))
    }
  }
}

/// The newest secrets that were sent with requests. They are remembered for redaction, because the environment may already return another secret
/// when the response arrives: a file was replaced, or a signed token with a new time was generated.
final class SentSecrets: Sendable {
  /// The maximum number of remembered secrets: more than the number of concurrent requests to one vendor.
  private static let limit = 16
  private let secrets = Mutex<[Secret]>([])

  var newest: [Secret] { secrets.withLock { $0 } }

  func note(_ secret: Secret) {
    secrets.withLock { secrets in
      secrets.removeAll { $0 == secret }
      secrets.append(secret)
      if secrets.count > Self.limit { secrets.removeFirst() }
    }
  }
}
