package import Localization

/// A finding of a rule at a location.
package struct AdviceFinding: Sendable {
  package let rule: String
  package let severity: Diagnostic.Severity
  package let path: TreePath
  /// The line number, from 1; `nil` for a finding about the whole file, or if the position is unknown.
  package let line: Int?
  /// The column in UTF-8 bytes, from 1.
  package let column: Int?
  /// The catalog; `nil` for a finding about a pattern of code.
  package let catalog: TreePath?
  /// The key. For a finding about a pattern of code, it is the reported text or code; for a package without some languages, these languages.
  package let key: UnitKey
  /// The language of the translation; `nil` for a finding about the source text or about code.
  package let language: LocaleIdentifier?
  package let form: VariationPath
  package let message: String
  package let hint: String?
  /// The change of the file at `path` that repairs the finding; `nil` if there is no automatic repair.
  package let fix: CodeFix?
  /// A digest of the source text and translation that the finding is about; empty for a finding that is not about a text unit.
  package let texts: String

  /// An identifier of the finding across commits. It does not depend on the line, so it stays the same if other lines of the file change.
  package var fingerprint: String {
    var digest = ContentDigest()
    for text in [rule, path.text, key.text, language?.rawValue ?? "", form.text] { digest.update(text: text) }
    return digest.finish().prefix(16).hexadecimal
  }

  /// An identifier of the finding and its texts. A finding whose texts have changed counts as a different finding.
  package var identity: String { fingerprint + texts }

  package var diagnostic: Diagnostic {
    Diagnostic(
      path: path.text, line: line, column: column, severity: severity, message: "\(message) [\(rule)]", hint: hint)
  }

  /// Returns whether a finding sorts before another: by path, line, rule, key, language and form.
  static func precedes(_ one: AdviceFinding, _ other: AdviceFinding) -> Bool {
    if one.path != other.path { return one.path < other.path }
    if one.line != other.line { return (one.line ?? 0) < (other.line ?? 0) }
    if one.rule != other.rule { return one.rule < other.rule }
    if one.key != other.key { return one.key < other.key }
    if one.language != other.language { return (one.language?.rawValue ?? "") < (other.language?.rawValue ?? "") }
    return one.form < other.form
  }
}
