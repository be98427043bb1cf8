/// A finding of `dragoman doctor` about one part of an installation.
package struct DoctorFinding: Hashable, Sendable, Encodable {
  package enum Level: String, Hashable, Sendable, Encodable {
    /// It was checked, and nothing is wrong.
    case ok
    /// It works now, but somebody should check it.
    case warning
    /// It does not work, or could not be checked.
    case problem
  }

  package var level: Level
  /// What was checked, such as `store` or `birds: repository`.
  package var subject: String
  /// The finding.
  package var text: String
  /// The next step. Findings that are `ok` have none.
  package var advice: String?

  static func ok(_ subject: String, _ text: String) -> Self { Self(level: .ok, subject: subject, text: text) }

  static func warning(_ subject: String, _ text: String, _ advice: String?) -> Self {
    Self(level: .warning, subject: subject, text: text, advice: advice)
  }

  static func problem(_ subject: String, _ text: String, _ advice: String?) -> Self {
    Self(level: .problem, subject: subject, text: text, advice: advice)
  }
}
