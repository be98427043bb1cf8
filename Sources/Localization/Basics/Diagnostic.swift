/// A problem or a remark about one of the user's files. Diagnostics are collected instead of thrown one by one.
///
/// A diagnostic is printed as `path:line:column: error: message`, with the hint on its own line. Control characters from the file are
/// escaped.
package struct Diagnostic: Hashable, Sendable, Codable, CustomStringConvertible {
  package enum Severity: String, Hashable, Sendable, Codable {
    case error, warning, note
  }

  package let path: String
  /// From 1; `nil` for the whole file.
  package let line: Int?
  /// In UTF-8 bytes, from 1.
  package let column: Int?
  package let severity: Severity
  package let message: String
  /// The next step.
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

  /// `path:line:column`, without the unknown parts.
  package var place: String { path + (line.map { ":\($0)" + (column.map { ":\($0)" } ?? "") } ?? "") }

  /// One line: without the hint.
  package var withoutHint: String {
    "\(place.withVisibleControls): \(severity.rawValue): \(message.withVisibleControls)"
  }

  package var description: String {
    withoutHint + (hint.map { "\n  hint: \($0.withVisibleControls)" } ?? "")
  }
}

extension [Diagnostic] {
  /// The first 100 diagnostics of a file and a final one with the number of the others; all of them if there are at most 101.
  package var shortened: [Diagnostic] {
    guard let last, count > 101 else { return self }
    return prefix(100) + [
      Diagnostic(
        path: last.path, severity: last.severity, message: "\(count - 100) more of this kind not listed")
    ]
  }
}

/// A user's file that cannot be read, with all faults that were found. The first is an error.
package struct InputFault: Error, Hashable, Sendable, CustomStringConvertible {
  package let diagnostics: [Diagnostic]

  package init(_ diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }
  package init(_ diagnostic: Diagnostic) { self.diagnostics = [diagnostic] }

  package var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}

/// The way in which the worker should handle an error. Each module's error type provides it, so the worker needs no knowledge of vendors or
/// C libraries.
package enum Disposition: Hashable, Sendable {
  /// A temporary fault: try again according to the retry policy.
  case retry
  /// A temporary fault for which the other side said when to try again.
  case retryAfter(Duration)
  /// A permanent fault: trying again would fail too.
  case permanent
  /// A person must act first: credentials, permissions, a decision.
  case askPerson
}

/// An error that knows its disposition.
package protocol DisposableError: Error {
  var disposition: Disposition { get }
  /// Whether a vendor says that it does not have the requested language.
  var refusesLanguage: Bool { get }
  /// Whether the error is normal shortly after a start and passes by itself, so that its retries are not reported.
  var isExpectedAtStart: Bool { get }
  /// Whether the server's answer is at fault, so that a permanent error is not a bug in Dragoman.
  var isFaultOfServer: Bool { get }
}

extension DisposableError {
  package var refusesLanguage: Bool { false }
  package var isExpectedAtStart: Bool { false }
  package var isFaultOfServer: Bool { false }
}
