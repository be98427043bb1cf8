private import CLibCurl

/// A parser of a server's `Retry-After`.
package enum RetryHint {
  package static let shortest = Duration.seconds(1)
  package static let longest = Duration.seconds(15 * 60)

  /// Returns the wait that a value of `Retry-After` requests.
  /// - Parameters:
  ///   - value: a number of seconds, or a date in HTTP's format.
  ///   - now: the current time in seconds since 1970.
  /// - Returns: a wait between 1 s and 15 min; `nil` for an invalid value.
  package static func parse(_ value: String, now: Int64) -> Duration? {
    let trimmed = value.drop { $0 == " " || $0 == "\t" }.prefix { $0 != "\r" }
    let digits = trimmed.utf8.reversed().drop { $0 == 0x20 }.reversed()
    if !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) {
      // A number that is too large for an integer means more than our longest wait.
      return clamp(Int64(String(decoding: Array(digits), as: UTF8.self)) ?? .max)
    }
    return HTTPDate.seconds(String(trimmed)).map { clamp($0.subtractingReportingOverflow(now).partialValue) }
  }

  private static func clamp(_ seconds: Int64) -> Duration {
    .seconds(min(max(seconds, shortest.components.seconds), longest.components.seconds))
  }
}

/// A parser of dates in HTTP's format.
package enum HTTPDate {
  /// Returns the time of a date in seconds since 1970; `nil` if the text is not a date.
  package static func seconds(_ text: String) -> Int64? {
    let date = unsafe curl_getdate(text, nil)
    return date >= 0 ? Int64(date) : nil
  }
}
