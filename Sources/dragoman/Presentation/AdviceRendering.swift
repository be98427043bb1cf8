import Foundation
import Localization
import Workspace

/// Findings of `check` as text, JSON, SARIF or annotations of GitHub.
struct AdviceRendering {
  let findings: [AdviceFinding]
  let rules: [AdviceRule]
  /// The diagnostics about the project, which other commands also show.
  let diagnostics: [Diagnostic]
  /// The prefix of paths in SARIF and annotations (`folderInRepository`).
  let folder: String

  func count(_ severity: Diagnostic.Severity) -> Int { findings.count { $0.severity == severity } }

  var text: [String] { findings.flatMap { $0.diagnostic.description.components(separatedBy: "\n") } }

  /// The workflow commands for GitHub's runner, one for each finding. GitHub calls a note `notice`.
  var github: [String] {
    findings.map { finding in
      let command = finding.severity == .note ? "notice" : finding.severity.rawValue
      var properties = ["file=\(Self.property(folder + finding.path.text))"]
      if let line = finding.line { properties.append("line=\(line)") }
      if let column = finding.column { properties.append("col=\(column)") }
      properties.append("title=\(Self.property(finding.rule))")
      let words = finding.message + (finding.hint.map { ". Hint: \($0)" } ?? "")
      return "::\(command) \(properties.joined(separator: ","))::\(Self.data(words.withVisibleControls))"
    }
  }

  private static func data(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }

  private static func property(_ text: String) -> String {
    data(text.withVisibleControls).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }

  // MARK: JSON

  struct Record: Encodable {
    struct Finding: Encodable {
      let finding: AdviceFinding

      /// Encodes a missing value as `null`, which the synthesized method does not do.
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(finding.rule, forKey: .rule)
        try container.encode(finding.severity, forKey: .severity)
        try container.encode(finding.path, forKey: .path)
        try container.encode(finding.line, forKey: .line)
        try container.encode(finding.column, forKey: .column)
        try container.encode(finding.catalog, forKey: .catalog)
        try container.encode(finding.key, forKey: .key)
        try container.encode(finding.language, forKey: .language)
        try container.encode(finding.form.text, forKey: .form)
        try container.encode(finding.message, forKey: .message)
        try container.encode(finding.hint, forKey: .hint)
        try container.encode(finding.fingerprint, forKey: .fingerprint)
      }

      enum CodingKeys: String, CodingKey {
        case rule, severity, path, line, column, catalog, key, language, form, message, hint, fingerprint
      }
    }

    struct Counts: Encodable { let error, warning, note: Int }

    let counts: Counts
    let findings: [Finding]
    let diagnostics: [Diagnostic]
  }

  var json: Record {
    Record(
      counts: .init(error: count(.error), warning: count(.warning), note: count(.note)),
      findings: findings.map(Record.Finding.init), diagnostics: diagnostics)
  }
}
