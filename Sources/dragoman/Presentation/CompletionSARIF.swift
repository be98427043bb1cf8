import CatalogFormats
import Foundation
import Localization

/// The missing translations that `status` found, as SARIF: a result for each missing translation, at its entry in the catalog, and for each reason
/// why a gate cannot judge. The verdict is a notification of the run.
extension SARIFLog {
  private static let gateRules = [
    rule(
      "l10n-new", "A string is not translated",
      "A text unit has no translation in a language, or some of its forms are missing."
    ),
    rule(
      "l10n-needs-review", "A translation needs review", "The translation is machine made, or its source text changed."),
    rule("l10n-gate", "The gate cannot judge", "The figures may be wrong, so no language is reported as complete."),
  ]

  private static func rule(_ id: String, _ title: String, _ reason: String) -> Rule {
    Rule(
      id: id, shortDescription: Message(text: title), fullDescription: Message(text: reason),
      help: Message(text: reason), defaultConfiguration: .init(level: "error"))
  }

  init(_ rendering: CompletionRendering, of tree: any SourceTree) {
    let columns = UTF16Columns(of: tree)
    let missing = rendering.details.map { detail in
      let unit = detail.missing
      let isNew = unit.state == .new
      let about = detail.facts.isEmpty ? "" : " (\(detail.facts.joined(separator: "; ")))"
      return Result(
        ruleId: isNew ? "l10n-new" : "l10n-needs-review", ruleIndex: isNew ? 0 : 1,
        level: rendering.isUnmet(unit) ? "error" : "note",
        message: Message(
          text: Self.text(
            "\(unit.language): \(isNew ? "not translated" : "needs review"): \(detail.quoted)\(about)", nil)),
        locations: [
          Self.location(unit.catalog.text, in: rendering.folder, detail.line, detail.column, columns)
        ],
        partialFingerprints: [
          "dragoman/v1": Self.fingerprint([unit.catalog.text, unit.key.text, unit.language.rawValue])
        ])
    }
    let obstacles = (rendering.verdict?.obstacles ?? []).map { obstacle in
      Result(
        ruleId: "l10n-gate", ruleIndex: 2, level: "error", message: Message(text: Self.text(obstacle, nil)),
        locations: [], partialFingerprints: ["dragoman/v1": Self.fingerprint([obstacle])])
    }
    let verdict = rendering.verdict.map { verdict in
      Notification(
        level: verdict.isMet ? "note" : "error", message: Message(text: Self.text(verdict.line, nil)),
        locations: [])
    }
    self.init(runs: [
      Run(
        tool: Tool(driver: Driver(rules: Self.gateRules)),
        invocations: [
          Invocation(
            executionSuccessful: rendering.isComplete, toolExecutionNotifications: verdict.map { [$0] } ?? [])
        ],
        results: obstacles + missing)
    ])
  }

  private static func fingerprint(_ texts: [String]) -> String {
    var digest = ContentDigest()
    for text in ["status"] + texts { digest.update(text: text) }
    return digest.finish().prefix(16).hexadecimal
  }
}
