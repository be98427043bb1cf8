/// A finding of `dragoman doctor` about one part of an installation.
package struct DoctorFinding: Hashable, Sendable, Encodable {
  package enum Level: String, Hashable, Sendable, Encodable {
    /// No fault was found, or there was nothing to check.
    case ok
    /// The part works now, but a person should check it.
    case warning
    /// The part does not work, or could not be checked.
    case problem
  }

  package var level: Level
  /// The name of the part that was checked, such as `store` or `birds: repository`.
  package var subject: String
  /// The result of the check.
  package var text: String
  /// The next step for the user; `nil` if the level is `ok`, or if `text` already contains the next step.
  package var advice: String?

  static func ok(_ subject: String, _ text: String) -> Self { Self(level: .ok, subject: subject, text: text) }

  static func warning(_ subject: String, _ text: String, _ advice: String?) -> Self {
    Self(level: .warning, subject: subject, text: text, advice: advice)
  }

  static func problem(_ subject: String, _ text: String, _ advice: String?) -> Self {
    Self(level: .problem, subject: subject, text: text, advice: advice)
  }
}
