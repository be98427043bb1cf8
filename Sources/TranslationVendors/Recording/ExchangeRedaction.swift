internal import Foundation
internal import HTTPTransport
internal import Localization

/// A filter that removes secrets from exchanges before they are written, and from servers' messages before they are shown.
///
/// The following values are replaced:
/// - the vendor's secret in every text, also percent-encoded and in Base64;
/// - the texts in JSON members, and the values of form fields, headers and query items, whose names suggest a secret;
/// - the query of signed links.
///
/// A binary body that contains the secret is left out.
struct ExchangeRedaction: Sendable {
  static let mark = SecretMask.mark
  /// Parts of names, in lower case. A value is secret if its name contains one of these parts.
  private static let secretNames = [
    "token", "secret", "password", "passwd", "api_key", "apikey", "api-key", "authorization", "cookie", "credential",
    "useridentifier", "signature", "private_key", "privatekey",
  ]
  private static let secretQueries: Set = ["key", "sig", "code"]

  private let secrets: SecretMask

  init(secrets: [Secret]) { self.secrets = SecretMask(secrets) }

  func redacted(_ exchange: RecordedExchange) -> RecordedExchange {
    var exchange = exchange
    exchange.request.path = text(exchange.request.path)
    exchange.request.query = exchange.request.query.map { pair in
      guard pair.count == 2 else { return pair.map(text) }
      return [pair[0], Self.isSecretQuery(pair[0]) ? Self.mark : text(pair[1])]
    }
    let type = exchange.request.headers["content-type"] ?? ""
    exchange.request.headers = headers(exchange.request.headers)
    exchange.request.body = exchange.request.body.map { body($0, isForm: type.contains("x-www-form-urlencoded")) }
    if var response = exchange.response {
      response.headers = headers(response.headers)
      response.body = response.body.map { body($0, isForm: false) }
      exchange.response = response
    }
    return exchange
  }

  private func headers(_ headers: [String: String]) -> [String: String] {
    Dictionary(headers.map { ($0.key, Self.isSecret($0.key) ? Self.mark : text($0.value)) }) { first, _ in first }
  }

  private func body(_ body: RecordedBody, isForm: Bool) -> RecordedBody {
    switch body {
    case .json(let json): return .json(value(json))
    case .text(let text) where isForm:
      let fields = text.split(separator: "&").map { field -> String in
        let name = field.prefix { $0 != "=" }
        return Self.isSecret(String(name)) ? "\(name)=\(Self.mark)" : self.text(String(field))
      }
      return .text(fields.joined(separator: "&"))
    case .text(let text): return .text(self.text(text))
    case .base64(let text):
      guard let bytes = Data(base64Encoded: text) else { return body }
      let isSecret = secrets.words.contains { bytes.range(of: Data($0.utf8)) != nil }
      return isSecret ? .omitted(bytes.count) : body
    case .omitted: return body
    }
  }

  /// Returns a value with all secrets replaced.
  /// - Parameter isSecret: whether the value is part of a member with a secret name.
  private func value(_ value: RecordedJSON, isSecret: Bool = false) -> RecordedJSON {
    switch value {
    case .text(let text): return .text(isSecret ? Self.mark : self.text(text))
    case .list(let list): return .list(list.map { self.value($0, isSecret: isSecret) })
    case .object(let object):
      return .object(
        Dictionary(
          object.map { ($0.key, self.value($0.value, isSecret: isSecret || Self.isSecret($0.key))) }
            .map { (text($0.0), $0.1) }
        ) { first, _ in first })
    case .null, .flag, .whole, .number: return value
    }
  }

  func text(_ text: String) -> String {
    let text = secrets.text(text)
    guard text.contains("://") else { return text }
    // Anybody with a signed link can read the linked file, so the link's query is a secret.
    return text.replacing(/https?:\/\/[^\s"'<>?]+\?[^\s"'<>]+/) { match -> Substring in
      let link = match.output
      guard let start = link.firstIndex(of: "?") else { return link }
      let isSigned = link[start...].dropFirst().split(separator: "&").contains { pair in
        Self.isSecretQuery(String(pair.prefix { $0 != "=" }))
      }
      return isSigned ? "\(link[..<start])?\(Self.mark)" : link
    }
  }

  private static func isSecretQuery(_ name: String) -> Bool {
    isSecret(name) || secretQueries.contains(name.lowercased())
  }

  private static func isSecret(_ name: String) -> Bool {
    let name = name.lowercased()
    return secretNames.contains { name.contains($0) }
  }
}
