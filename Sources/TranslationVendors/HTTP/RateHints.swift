internal import Foundation
internal import HTTPTransport
internal import Localization

/// The hints about rate limits in a server's responses. Only `Retry-After` is standardized; vendors also use other headers.
enum RateHints {
  /// Returns the time to wait before the next request, between 1 s and 15 min; `nil` if the server does not state the time.
  ///
  /// Some servers send the time of their next reset with every response. This time is used only if no request is left before the reset, or if
  /// the status is 429 and the response does not contain the number of requests left.
  static func pause(in response: HTTPResponse, now: Date) -> Duration? {
    if let pause = response.retryAfter { return pause }
    guard isSpent(response) || (response.status == 429 && remaining(in: response).isEmpty) else { return nil }
    for name in ["X-Rate-Limit-Reset", "X-RateLimit-Reset", "RateLimit-Reset"] {
      guard let value = response.head.header(name).flatMap({ Double($0.trimmingCharacters(in: .whitespaces)) }) else {
        continue
      }
      // The value is the number of seconds to wait, or the time since 1970 in seconds or milliseconds.
      let seconds =
        value > 100_000_000_000
        ? value / 1000 - now.timeIntervalSince1970
        : value > 1_000_000_000 ? value - now.timeIntervalSince1970 : value
      guard seconds.isFinite else { continue }
      return .seconds(min(max(seconds, RetryHint.shortest.seconds), RetryHint.longest.seconds))
    }
    return nil
  }

  /// Returns whether, according to the response headers, no request is left before the reset.
  static func isSpent(_ response: HTTPResponse) -> Bool { remaining(in: response).contains("0") }

  /// Returns whether the server refuses the request because too many requests were sent. The status is 429 or, at GitHub, also 403. A 403 counts only
  /// if it contains a time to wait, 0 as the number of requests left, or a message about a limit (GitHub's page "Rate limits for the REST API").
  static func isLimit(_ response: HTTPResponse) -> Bool {
    response.status == 429
      || (response.status == 403 && (response.retryAfter != nil || isSpent(response) || namesLimit(response)))
  }

  /// Returns the time to wait after a response that contains no time: a minute if the server's message mentions a rate limit, as GitHub requires;
  /// otherwise `nil`.
  static func usualPause(after response: HTTPResponse) -> Duration? {
    isLimit(response) && namesLimit(response) ? .seconds(60) : nil
  }

  private static func namesLimit(_ response: HTTPResponse) -> Bool {
    guard response.status == 403 || response.status == 429 else { return false }
    let words = ErrorWords.text(in: response.body)?.lowercased() ?? ""
    // Older versions of GitHub Enterprise Server write "abuse detection".
    return words.contains("rate limit") || words.contains("abuse detection")
  }

  private static func remaining(in response: HTTPResponse) -> [String] {
    ["X-Rate-Limit-Remaining", "X-RateLimit-Remaining", "RateLimit-Remaining"].compactMap {
      response.head.header($0)?.trimmingCharacters(in: .whitespaces)
    }
  }
}

/// The message in the body of an error response.
enum ErrorWords {
  private static let names: Set = ["message", "detail", "title", "error", "error_description", "code"]

  /// Returns the message in quotation marks, as one line of at most 300 characters; `nil` if there is none, or if the body has 1 MiB or more.
  ///
  /// From a JSON body, the first three texts that are in members with known names or in lists are used. If there are none, the first three texts of
  /// the body are used, with the names of their members. A body that is not JSON is used only if its media type is `text/plain`.
  /// - Parameters:
  ///   - type: the body's media type; `nil` if unknown.
  ///   - redacted: removes secrets. This function is applied before the text is shortened.
  static func text(in body: [UInt8], type: String? = nil, _ redacted: (String) -> String = { $0 }) -> String? {
    guard body.count < 1 << 20 else { return nil }
    var found: [String] = []
    if let value = try? JSONSerialization.jsonObject(with: Data(body)) {
      collect(value, depth: 0, into: &found)
      if found.isEmpty { collectAll(value, name: nil, depth: 0, into: &found) }
    } else if type?.lowercased().hasPrefix("text/plain") == true {
      found = [String(decoding: body, as: UTF8.self).withoutOuterSpace].filter { !$0.isEmpty }
    }
    guard !found.isEmpty else { return nil }
    let line = redacted(found.prefix(3).joined(separator: "; ")).unicodeScalars
      .map { $0.properties.isWhitespace || $0.value < 0x20 ? " " : String($0) }.joined()
    return "“\(line.prefix(300))”"
  }

  private static func collectAll(_ value: Any, name: String?, depth: Int, into found: inout [String]) {
    guard depth < 10, found.count < 3 else { return }
    if let text = value as? String {
      found.append((name.map { "\($0): " } ?? "") + text)
    } else if let list = value as? [Any] {
      for element in list.prefix(10) { collectAll(element, name: name, depth: depth + 1, into: &found) }
    } else if let object = value as? [String: Any] {
      for (name, member) in object.sorted(by: { $0.key < $1.key }) {
        collectAll(member, name: name, depth: depth + 1, into: &found)
      }
    }
  }

  private static func collect(_ value: Any, depth: Int, into found: inout [String]) {
    guard depth < 10, found.count < 3 else { return }
    if let list = value as? [Any] {
      for element in list.prefix(10) {
        if let text = element as? String {
          found.append(text)
        } else {
          collect(element, depth: depth + 1, into: &found)
        }
      }
    } else if let object = value as? [String: Any] {
      for (name, member) in object.sorted(by: { $0.key < $1.key }) {
        if let text = member as? String {
          if names.contains(name), !found.contains(text) { found.append(text) }
        } else {
          collect(member, depth: depth + 1, into: &found)
        }
      }
    }
  }
}
