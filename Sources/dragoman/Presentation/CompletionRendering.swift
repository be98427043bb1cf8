import Localization
import Pipeline

/// A completion report as text, Markdown, JUnit XML and an SVG badge, and the data for its JSON, SARIF and HTML forms.
struct CompletionRendering {
  let report: CompletionReport
  /// The verdict on the requirements; `nil` if there are none.
  let verdict: CompletionVerdict?
  /// Whether all files on which the figures depend could be read. If not, the figures may be wrong.
  var isComplete = true
  /// The missing translations with their source texts, if the format shows them or `--details` is given; otherwise empty.
  var details: [MissingDetail] = []
  /// The prefix of paths in SARIF and JUnit (`folderInRepository`).
  var folder = ""

  /// Returns whether a missing translation counts for an unmet requirement of its language, for its catalog or for all catalogs.
  func isUnmet(_ missing: MissingTranslation) -> Bool {
    (verdict?.unmet ?? []).contains {
      $0.completion.language == missing.language && ($0.catalog == nil || $0.catalog == missing.catalog)
    }
  }

  /// Whether the fallback chains changed a figure.
  var hasFallbacks: Bool { report.languages.contains { $0.fallback > 0 } }

  var text: String {
    let rows = report.languages.map { language in
      [
        language.language.rawValue, Self.share(language), "\(language.translated)/\(language.total)",
        "\(language.needsReview)", "\(language.new)", "\(language.stale)",
      ] + (hasFallbacks ? ["\(language.fallback)"] : [])
    }
    let table = TextTable(header: columns, rows: rows, rightAligned: 1...(columns.count - 1)).description
    return verdict.map { $0.line + "\n\n" + table } ?? table
  }

  var markdown: String {
    let line = { (cells: [String]) in "| " + cells.joined(separator: " | ") + " |" }
    let rows = report.languages.map { language in
      line(
        [
          MarkdownText.language(language.language), Self.share(language), "\(language.translated)/\(language.total)",
          "\(language.needsReview)", "\(language.new)", "\(language.stale)",
        ] + (hasFallbacks ? ["\(language.fallback)"] : []))
    }
    let head = verdict.map { ["**\(Self.markdown($0.line))**", ""] } ?? []
    let rule = "| --- |" + String(repeating: " ---: |", count: columns.count - 1)
    return (head + [line(columns), rule] + rows + markdownMissing).joined(separator: "\n")
  }

  /// Returns the percentage, or a dash if there are no texts to translate.
  static func share(_ language: LanguageCompletion) -> String {
    language.total == 0 ? "–" : decimal(language.tenths) + " %"
  }

  /// The maximum number of missing translations in Markdown. Comments on pull requests have a limited length.
  private static let listed = 100

  /// A Markdown table of the first missing translations that count for an unmet requirement.
  private var markdownMissing: [String] {
    let unmet = details.filter { isUnmet($0.missing) }
    guard !unmet.isEmpty else { return [] }
    let hasFacts = unmet.contains { !$0.facts.isEmpty }
    var lines = ["", "| | | |" + (hasFacts ? " |" : ""), "| --- | --- | --- |" + (hasFacts ? " --- |" : "")]
    lines += unmet.prefix(Self.listed).map { detail in
      let facts = hasFacts ? [MarkdownText.code(detail.facts.joined(separator: "; "), limit: 200)] : []
      // In a code span, a text of the project cannot become markup, a link or a mention.
      let cells =
        [
          MarkdownText.code(detail.missing.language.rawValue),
          MarkdownText.code(detail.missing.catalog.text, limit: 200),
        ]
        + [MarkdownText.code(detail.quoted, limit: 200)] + facts
      return "| " + cells.joined(separator: " | ") + " |"
    }
    if unmet.count > Self.listed { lines += ["", "… and \(unmet.count - Self.listed) more"] }
    return lines
  }

  /// Returns the text of a paragraph without markup. Words that could be links, mentions or references are shown as code, because escaping does not
  /// prevent them.
  private static func markdown(_ text: String) -> String {
    text.split(separator: " ", omittingEmptySubsequences: false).map { word in
      isReference(word)
        ? MarkdownText.code(String(word), limit: 250, isCell: false) : escapedMarkdown(String(word))
    }.joined(separator: " ")
  }

  private static func isReference(_ word: Substring) -> Bool {
    word.contains("@") || word.contains("#") || word.contains("!") || word.contains("://")
      || word.lowercased().contains("www.")
  }

  /// Escapes the characters that are markup in Markdown or HTML.
  private static func escapedMarkdown(_ text: String) -> String {
    var words = String.UnicodeScalarView()
    for scalar in text.escapedForMarkupText.unicodeScalars {
      if "\\`*_[]|#~".unicodeScalars.contains(scalar) { words.append("\\") }
      words.append(scalar)
    }
    return String(words)
  }

  /// The report as JUnit XML: the verdict, then one test case for each language and catalog. The test case of a language that does not meet its
  /// requirement fails and lists the missing translations.
  var junit: String {
    var failures = 0
    var cases: [String] = []
    if let verdict {
      let name = "name=\"verdict\" classname=\"dragoman status\""
      failures += verdict.isMet ? 0 : 1
      cases.append(
        verdict.isMet
          ? "    <testcase \(name)/>"
          : """
              <testcase \(name)>
                <failure message="\(escaped(verdict.line))"/>
              </testcase>
          """)
    }
    let missingByCatalog = Dictionary(grouping: report.missing.lazy.filter(isUnmet), by: \.catalog)
    for catalog in report.catalogs {
      let missingByLanguage = Dictionary(grouping: missingByCatalog[catalog.catalog] ?? [], by: \.language)
      for language in catalog.languages {
        let name =
          "name=\"\(escaped(language.language.rawValue))\" classname=\"\(escaped(folder + catalog.catalog.text))\""
        let missing = missingByLanguage[language.language] ?? []
        guard !missing.isEmpty else {
          cases.append("    <testcase \(name)/>")
          continue
        }
        failures += 1
        let lines = missing.map { "\($0.state.rawValue): \(MissingDetail.shortened($0.key.text))" }
        cases.append(
          """
              <testcase \(name)>
                <failure message="\(decimal(language.tenths)) %">\(lines.map(escaped).joined(separator: "\n"))</failure>
              </testcase>
          """)
      }
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites>
        <testsuite name="localization" tests="\(cases.count)" failures="\(failures)">
      \(cases.joined(separator: "\n"))
        </testsuite>
      </testsuites>
      """
  }

  /// The languages that the badge covers: the languages with a requirement, or all languages if no language has a requirement.
  private var languagesOfBadge: [LanguageCompletion] {
    guard let judged = verdict?.judged, !judged.isEmpty else { return report.languages }
    let languages = Set(judged.map(\.completion.language))
    return report.languages.filter { languages.contains($0.language) }
  }

  /// A badge with the completion of the languages, for README files; `unknown` if there are no texts to count or the figures may be wrong. A failed
  /// verdict makes the badge red, and an unknown completion makes it gray. If the verdict passes, the badge is green. Without a verdict, the color
  /// depends on the percentage.
  var svg: String {
    let total = languagesOfBadge.reduce(0) { $0 + $1.total }
    let translated = languagesOfBadge.reduce(0) { $0 + $1.translated }
    let isKnown = total > 0 && isComplete && verdict?.obstacles.isEmpty ?? true
    let tenths = total == 0 ? 0 : translated * 1000 / total
    let color: String
    switch (verdict?.isMet, isKnown) {
    case (false, _): color = "#e05d44"
    case (_, false): color = "#9f9f9f"
    case (true, _): color = tenths == 1000 ? "#4c1" : "#97ca00"
    default: color = tenths == 1000 ? "#4c1" : tenths >= 900 ? "#97ca00" : tenths >= 700 ? "#dfb317" : "#e05d44"
    }
    let value = isKnown ? decimal(tenths) + " %" : "unknown"
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="120" height="20" role="img" aria-label="localized: \(value)">
        <title>\(escaped(verdict?.line ?? "localized: \(value)"))</title>
        <rect width="64" height="20" fill="#555"/><rect x="64" width="56" height="20" fill="\(color)"/>
        <g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
          <text x="32" y="14">localized</text><text x="92" y="14">\(value)</text>
        </g>
      </svg>
      """
  }

  var columns: [String] {
    let fallback = message("by fallback", comment: "Column of the table of status: count of texts of another language.")
    return [
      message("language", comment: "Column of the table of status."),
      message("complete", comment: "Column of the table of status: a percentage."),
      message("translated", comment: "Column of the table of status: count of total."),
      message("to review", comment: "Column of the table of status: count."),
      message("new", comment: "Column of the table of status: count of untranslated texts."),
      message("stale", comment: "Column of the table of status: count of texts no longer in code."),
    ] + (hasFallbacks ? [fallback] : [])
  }

  /// Escapes a text for HTML and XML. XML cannot represent most control characters, so they are replaced by visible ones.
  func escaped(_ text: String) -> String { text.withVisibleControls.escapedForMarkup }
}

/// A table of text for a terminal.
struct TextTable: CustomStringConvertible {
  let header: [String]
  let rows: [[String]]
  let rightAligned: ClosedRange<Int>

  /// The maximum number of characters in a cell. Without this limit, one long cell would pad every row.
  static let mostCharacters = 120

  var description: String {
    let lines = ([header] + rows).map { row in row.map(Self.clipped) }
    let widths = header.indices.map { column in
      lines.map { $0[column].count }.max() ?? 0
    }
    return lines.map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        line += (column == 0 ? "" : "  ") + (rightAligned.contains(column) ? padding + cell : cell + padding)
      }
      while line.last == " " { line.removeLast() }
      return line
    }.joined(separator: "\n")
  }

  private static func clipped(_ cell: String) -> String {
    guard cell.utf8.count > mostCharacters, cell.count > mostCharacters else { return cell }
    return cell.prefix(mostCharacters - 1) + "…"
  }
}
