import Localization
import Pipeline
internal import Synchronization

/// The check for corrections: texts that a vendor changes after it has returned them.
extension Model {
  /// Checks that a branch does not keep a text that was later corrected at the vendor. The correction must be on the branch or held, unless
  /// a person or a newer source replaced the text.
  func checkCorrections(_ pipeline: PipelineView, on branch: BranchView) {
    let strings = branch.head.strings
    let trees = [branch.head, branch.delivery].compactMap { $0 }
    var latest: [TextName: ReturnedText] = [:]
    for text in state.withLock({ $0.returns[pipeline.name] ?? [] }) {
      let name = TextName(unit: text.sent.unit, language: text.sent.language, text: text.sent.source)
      let route = pipeline.routes[text.sent.language]
      if let other = latest[name], route?.prefers(other.vendor, to: text.vendor) == true { continue }
      latest[name] = text
    }
    let corrections = latest.values.filter(\.isCorrection)
      .sorted { ($0.sent.unit, $0.sent.language) < ($1.sent.unit, $1.sent.language) }
    for text in corrections {
      let (unit, language) = (text.sent.unit, text.sent.language)
      guard let line = strings[unit], line.sourceText == text.sent.source, let route = pipeline.routes[language],
        route.contains(text.vendor), !route.isDraft(from: text.vendor)
      else { continue }
      let standing = trees.compactMap { $0.translation(of: unit, in: language)?.value }
      if standing.contains(text.text) || standing.contains(where: isPersons) { continue }
      // The source text on the delivery branch may come from a person, or may have been dropped from the watched branch.
      if let delivery = branch.delivery, delivery.strings[unit]?.sourceText != text.sent.source { continue }
      let isHeld = pipeline.held.contains {
        $0.branch == branch.name && $0.unit == unit && $0.language == language && $0.text == text.text
      }
      if isHeld { continue }
      let older = standing.first { words in
        returns(saying: words, key: unit.key, language: language)
          .contains { $0.vendor == text.vendor && $0.sent.source == text.sent.source }
      }
      guard let older else { continue }
      violate(
        .returnsArrive,
        "\(pipeline.name), \(branch.name): “\(older)” (\(unit), \(language)) was corrected at \(text.vendor) to “\(text.text)”, which did not arrive"
      )
    }
  }
}
