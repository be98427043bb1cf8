/// A problem or a remark about a file, or about something else that `path` names, such as a vendor. Diagnostics are collected instead of thrown one
/// by one.
///
/// A diagnostic is printed as `path:line:column: error: message`, with the hint on its own line. Control characters from the file are
/// escaped.
package struct Diagnostic: Hashable, Sendable, Codable, CustomStringConvertible {
  package enum Severity: String, Hashable, Sendable, Codable {
    case error, warning, note
  }

  package let path: String
  /// The line number, counted from 1; `nil` for a diagnostic about the whole file.
  package let line: Int?
  /// The column in UTF-8 bytes, counted from 1; `nil` if it is unknown.
  package let column: Int?
  package let severity: Severity
  package let message: String
  /// The next step for the user, or an explanation; `nil` if there is none.
  package let hint: String?

  package init(
    path: String, line: Int? = nil, column: Int? = nil, severity: Severity, message: String, hint: String? = nil
  ) {
    self.path = path
    self.line = line
    self.column = column
    self.severity = severity
    self.message = message
    self.hint = hint
  }

  /// The location as `path:line:column`, without unknown parts.
  package var place: String { path + (line.map { ":\($0)" + (column.map { ":\($0)" } ?? "") } ?? "") }

  /// The diagnostic as one line, without the hint.
  package var withoutHint: String {
    "\(place.withVisibleControls): \(severity.rawValue): \(message.withVisibleControls)"
  }

  package var description: String {
    withoutHint + (hint.map { "\n  hint: \($0.withVisibleControls)" } ?? "")
  }
}

extension [Diagnostic] {
  /// These diagnostics, which are about one file, if there are at most 101. Otherwise, the first 100, and one that reports how many were omitted.
  package var shortened: [Diagnostic] {
    guard let last, count > 101 else { return self }
    return prefix(100) + [
      Diagnostic(
        path: last.path, severity: last.severity, message: "\(count - 100) more of this kind not listed")
    ]
  }
}

/// The error for a user's files that cannot be read or changed, with all faults that were found.
package struct InputFault: Error, Hashable, Sendable, CustomStringConvertible {
  package let diagnostics: [Diagnostic]

  package init(_ diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }
  package init(_ diagnostic: Diagnostic) { self.diagnostics = [diagnostic] }

  package var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}

/// How the worker should handle an error. Each module's error type provides its disposition, so the worker needs no knowledge of vendors or
/// C libraries.
package enum Disposition: Hashable, Sendable {
  /// A temporary fault: try again according to the retry policy.
  case retry
  /// A temporary fault, with the time after which the server accepts another attempt.
  case retryAfter(Duration)
  /// A permanent fault: trying again would fail too.
  case permanent
  /// A person must act first: correct credentials, grant permissions or make a decision.
  case askPerson
}

/// An error with a disposition.
package protocol DisposableError: Error {
  var disposition: Disposition { get }
  /// Whether the error reports that a vendor does not support the requested language.
  var refusesLanguage: Bool { get }
  /// Whether the error is normal shortly after a start and goes away without action. Retries after such an error are not reported.
  var isExpectedAtStart: Bool { get }
  /// Whether the server's response caused the error. If so, even a permanent error is not a bug in Dragoman.
  var isFaultOfServer: Bool { get }
}

extension DisposableError {
  package var refusesLanguage: Bool { false }
  package var isExpectedAtStart: Bool { false }
  package var isFaultOfServer: Bool { false }
}
