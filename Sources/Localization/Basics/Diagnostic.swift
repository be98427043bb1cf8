/// Something that is wrong, or worth knowing, in a file of the user's: collected, never thrown one at a time.
///
/// Printed as `path:line:column: error: message`, with the hint on a line of its own; controls in them, which come from the file, are
/// written out.
package struct Diagnostic: Hashable, Sendable, Codable, CustomStringConvertible {
  package enum Severity: String, Hashable, Sendable, Codable {
    case error, warning, note
  }

  package let path: String
  /// From 1; absent where the whole file is meant.
  package let line: Int?
  /// In UTF-8 bytes, from 1.
  package let column: Int?
  package let severity: Severity
  package let message: String
  /// What to do about it.
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

  /// `path:line:column`, as far as they are known.
  package var place: String { path + (line.map { ":\($0)" + (column.map { ":\($0)" } ?? "") } ?? "") }

  package var description: String {
    let text = "\(place.withVisibleControls): \(severity.rawValue): \(message.withVisibleControls)"
    return text + (hint.map { "\n  hint: \($0.withVisibleControls)" } ?? "")
  }
}

extension [Diagnostic] {
  /// What is told of one file at most: behind a hundred stands how many more there are.
  package var shortened: [Diagnostic] {
    guard let last, count > 101 else { return self }
    return prefix(100) + [
      Diagnostic(
        path: last.path, severity: last.severity, message: "\(count - 100) more of this kind not listed")
    ]
  }
}

/// Input of the user's that cannot be read: all faults that were found, the first an error.
package struct InputFault: Error, Hashable, Sendable, CustomStringConvertible {
  package let diagnostics: [Diagnostic]

  package init(_ diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }
  package init(_ diagnostic: Diagnostic) { self.diagnostics = [diagnostic] }

  package var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}

/// What the worker should do about an error. Each module's error type answers it, so that the worker knows no vendor
/// and no C.
package enum Disposition: Hashable, Sendable {
  /// A passing fault: try again by the retry policy.
  case retry
  /// A passing fault whose end the other side told.
  case retryAfter(Duration)
  /// Trying again would fail again.
  case permanent
  /// A person must do something first: credentials, rights, a decision.
  case askPerson
}

/// An error that tells the worker what to do about it.
package protocol DisposableError: Error {
  var disposition: Disposition { get }
  /// Whether a vendor says that it does not have the language it was asked for.
  var refusesLanguage: Bool { get }
}

extension DisposableError {
  package var refusesLanguage: Bool { false }
}
