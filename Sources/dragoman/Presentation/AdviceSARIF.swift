import CatalogFormats
import Foundation
import Localization
import Workspace

/// Findings of `check` as SARIF.
extension SARIFLog {
  /// Creates the log of the findings of `check`.
  /// - Parameter isComplete: whether everything could be checked.
  init(_ rendering: AdviceRendering, of tree: any SourceTree, isComplete: Bool) {
    let columns = UTF16Columns(of: tree)
    let rules = rendering.rules.map { rule in
      Rule(
        id: rule.id, shortDescription: Message(text: rule.title), fullDescription: Message(text: rule.reason),
        help: Message(text: "\(rule.reason)\n\nBad: \(rule.bad)\nGood: \(rule.good)"),
        defaultConfiguration: .init(level: rule.severity.rawValue))
    }
    let indexes = Dictionary(
      rendering.rules.enumerated().map { ($0.element.id, $0.offset) }, uniquingKeysWith: { first, _ in first })
    let results = rendering.findings.map { finding in
      Result(
        ruleId: finding.rule, ruleIndex: indexes[finding.rule] ?? -1, level: finding.severity.rawValue,
        message: Message(text: Self.text(finding.message, finding.hint)),
        locations: [
          Self.location(finding.path.text, in: rendering.folder, finding.line, finding.column, columns)
        ],
        partialFingerprints: ["dragoman/v1": finding.fingerprint])
    }
    let notifications = rendering.diagnostics.filter { $0.severity != .note }.map { diagnostic in
      Notification(
        level: diagnostic.severity.rawValue, message: Message(text: Self.text(diagnostic.message, diagnostic.hint)),
        locations: [
          Self.location(diagnostic.path, in: rendering.folder, diagnostic.line, diagnostic.column, columns)
        ])
    }
    self.init(runs: [
      Run(
        tool: Tool(driver: Driver(rules: rules)),
        invocations: [Invocation(executionSuccessful: isComplete, toolExecutionNotifications: notifications)],
        results: results)
    ])
  }
}
