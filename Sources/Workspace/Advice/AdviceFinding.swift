package import Localization

/// A finding of a rule at a location.
package struct AdviceFinding: Sendable {
  package let rule: String
  package let severity: Diagnostic.Severity
  package let path: TreePath
  /// From 1; `nil` if the whole file is meant.
  package let line: Int?
  /// In UTF-8 bytes, from 1.
  package let column: Int?
  /// `nil` if the finding is about code whose text is in no catalog.
  package let catalog: TreePath?
  /// The key; for a finding about code the text of the literal.
  package let key: UnitKey
  /// The language of the translation; `nil` for a finding about the source text.
  package let language: LocaleIdentifier?
  package let form: VariationPath
  package let message: String
  package let hint: String?
  /// The change of the file `path` that repairs the finding.
  package let fix: CodeFix?
  /// A digest of the texts that the finding is about; empty without a string of a catalog.
  package let texts: String

  /// Identifies the finding across commits. It does not contain the line, so it stays the same if other lines of the file change.
  package var fingerprint: String {
    var digest = ContentDigest()
    for text in [rule, path.text, key.text, language?.rawValue ?? "", form.text] { digest.update(text: text) }
    return digest.finish().prefix(16).hexadecimal
  }

  /// Identifies the finding and the texts that it is about: if they change, it is another finding.
  package var identity: String { fingerprint + texts }

  package var diagnostic: Diagnostic {
    Diagnostic(
      path: path.text, line: line, column: column, severity: severity, message: "\(message) [\(rule)]", hint: hint)
  }

  /// Returns whether a finding comes before another: by path, line and rule, then by the other properties.
  static func precedes(_ one: AdviceFinding, _ other: AdviceFinding) -> Bool {
    if one.path != other.path { return one.path < other.path }
    if one.line != other.line { return (one.line ?? 0) < (other.line ?? 0) }
    if one.rule != other.rule { return one.rule < other.rule }
    if one.key != other.key { return one.key < other.key }
    if one.language != other.language { return (one.language?.rawValue ?? "") < (other.language?.rawValue ?? "") }
    return one.form < other.form
  }
}
