import Localization
import Workspace

/// A comment on a person's pull request about the changes for translators in it. All texts from the repository are shown as code, so
/// markup, mentions and links in them have no effect.
struct PullRequestReview {
  var pipeline: String
  /// The former names of the pipeline, which identify earlier versions of the comment.
  var formerly: [String] = []
  var base: String
  var head: CommitID
  /// The changes in the head, compared with the merge base.
  var record: CommitRecord
  /// The findings of `check` that the merge base does not have.
  var findings: [AdviceFinding]
  /// The languages without a finished translation, for each new or changed string.
  var missing: [UnitID: [LocaleIdentifier]]
  /// All target languages.
  var languages: [LocaleIdentifier]
  /// Messages about the parts of the head that could not be read.
  var unread: [String] = []
  /// Messages about the parts of the merge base that could not be read.
  var unreadBase: [String] = []
  /// Whether the base branch is frozen. If so, the comment warns that new and changed strings may come too late for translators.
  var isFrozen: Bool
  var routes: VendorRoutes
  /// The vendors' prices for a word, by the vendors' names.
  var prices: [String: WordPrice]

  /// The maximum numbers of strings and findings in the comment.
  private static let rows = (strings: 50, findings: 20)
  private static let title = "### Localization\n"

  /// Whether the pull request has changes for translators, or findings.
  var isTelling: Bool {
    let counts = record.counts
    return counts.added + counts.changed + counts.commented + counts.removed > 0 || !findings.isEmpty
  }

  /// Returns the comment, in Markdown.
  /// - Parameter limit: the maximum length, in UTF-16 code units.
  func comment(limit: Int) -> WantedComment {
    let end = Self.ending(of: pipeline)
    let tail = "\n---\nAbout \(head.short). \(end)\n"
    var text = MarkdownText(limit: limit - tail.utf16.count)
    text.add(Self.title)
    if isTelling {
      addCounts(to: &text)
      addStrings(to: &text)
      addFindings(to: &text)
    } else if unread.isEmpty, unreadBase.isEmpty {
      text.add("\nThis pull request changes nothing for translators.\n")
    }
    add(unread, of: "this pull request", to: &text)
    add(unreadBase, of: MarkdownText.code(branch: base), to: &text)
    return WantedComment(
      body: text.text + tail, beginning: String(Self.title.dropLast()), ending: end,
      formerEndings: formerly.map(Self.ending),
      // Faults that the base also has do not need a comment.
      isNeeded: isTelling || !Set(unread).isSubset(of: unreadBase))
  }

  private static func ending(of pipeline: String) -> String {
    "Pipeline `\(pipeline)`. Dragoman updates this comment"
  }

  private func add(_ unread: [String], of subject: String, to text: inout MarkdownText) {
    guard !unread.isEmpty else { return }
    text.add("\nParts of \(subject) could not be read, so strings may be missing here. Fix these problems:\n\n")
    for fault in unread.prefix(5) { text.add("- \(MarkdownText.code(fault, limit: 200))\n") }
  }

  private func changes(_ kind: CommitRecord.Kind) -> [CommitRecord.Change] { record.changes.filter { $0.kind == kind } }

  private func words(_ changes: [CommitRecord.Change]) -> Int {
    changes.reduce(0) { $0 + WordCount.words(in: $1.text) }
  }

  private func addCounts(to text: inout MarkdownText) {
    let counts = record.counts
    text.add("\nWhat this pull request changes for translators of \(MarkdownText.code(branch: base)):\n\n")
    text.add("| | strings | words |\n| --- | ---: | ---: |\n")
    if counts.added > 0 { text.add("| new | \(counts.added) | \(words(changes(.added))) |\n") }
    if counts.changed > 0 { text.add("| changed | \(counts.changed) | \(words(changes(.changed))) |\n") }
    if counts.commented > 0 { text.add("| comment changed | \(counts.commented) | |\n") }
    if counts.removed > 0 { text.add("| removed | \(counts.removed) | |\n") }
    let asked = record.changes.compactMap { change in
      missing[change.unit].map { (unit: change.unit, words: WordCount.words(in: change.text), languages: $0) }
    }.filter { !$0.languages.isEmpty }
    if !asked.isEmpty {
      let translations = asked.reduce(0) { $0 + $1.languages.count }
      let total = asked.reduce(0) { $0 + $1.languages.count * $1.words }
      let names =
        languages.count > 6
        ? "\(languages.count) languages"
        : languages.map { MarkdownText.language($0, isCell: false) }.joined(separator: ", ")
      text.add(
        "\nTo translate after the merge: \(counted(translations, "translation")), \(counted(total, "word")) (\(names))."
      )
      var cost = CostEstimate()
      for (unit, words, languages) in asked {
        for route in languages.compactMap({ routes.route(for: $0, of: unit.catalog) }) {
          cost.add(words: words, along: route, prices: prices)
        }
      }
      if let sum = cost.text {
        let part = cost.count < translations ? " for \(cost.count) of them" : ""
        text.add(" At the prices of the pipeline file: \(sum)\(part).")
      }
      text.add("\n")
    }
    if isFrozen, counts.added + counts.changed > 0 {
      text.add(
        "\n**\(MarkdownText.code(branch: base)) is frozen**: "
          + "new and changed strings may come too late for its translators.\n")
    }
  }

  private func addStrings(to text: inout MarkdownText) {
    guard !record.changes.isEmpty else { return }
    text.add("\n")
    text.add(
      header: "| string | | text | place |\n| --- | --- | --- | --- |\n",
      rows: record.changes.lazy.map { change in
        let place = change.path.map { "\($0)\(change.line.map { ":\($0)" } ?? "")" } ?? change.unit.catalog.text
        let words = change.kind == .commented ? "comment: \(change.text)" : change.text
        return "| \(MarkdownText.code(change.unit.key.text)) | \(Self.word(change.kind)) "
          + "| \(MarkdownText.code(words)) | \(MarkdownText.code(place, limit: 120)) |\n"
      }, atMost: Self.rows.strings)
  }

  private func addFindings(to text: inout MarkdownText) {
    guard !findings.isEmpty else { return }
    text.add("\n#### Findings of `dragoman check`\n\n")
    text.add(
      header: "| | finding | place |\n| --- | --- | --- |\n",
      rows: findings.lazy.map { finding in
        let place = finding.path.text + (finding.line.map { ":\($0)" } ?? "")
        return "| \(finding.severity.rawValue) | \(MarkdownText.code(finding.message, limit: 160)) "
          + "`\(finding.rule)` | \(MarkdownText.code(place, limit: 120)) |\n"
      }, atMost: Self.rows.findings)
  }

  private static func word(_ kind: CommitRecord.Kind) -> String {
    switch kind {
    case .added: "new"
    case .changed: "changed"
    case .commented: "comment"
    case .removed: "removed"
    }
  }
}
