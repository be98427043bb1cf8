import Localization

/// A completion report as text, Markdown, JUnit XML or an SVG badge.
struct CompletionRendering {
  let report: CompletionReport
  /// Whether the requirements are met; `nil` if there are none.
  let verdict: CompletionVerdict?

  /// The JSON of `status`.
  struct Record: Encodable {
    let report: CompletionReport
    let verdict: CompletionVerdict?

    private enum CodingKeys: String, CodingKey { case verdict }

    func encode(to encoder: any Encoder) throws {
      try report.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encodeIfPresent(verdict, forKey: .verdict)
    }
  }

  var json: Record { Record(report: report, verdict: verdict) }

  var text: String {
    let rows = report.languages.map { language in
      [
        language.language.rawValue, decimal(language.tenths) + " %", "\(language.translated)/\(language.total)",
        "\(language.needsReview)", "\(language.new)", "\(language.stale)",
      ]
    }
    let table = TextTable(header: columns, rows: rows, rightAligned: 1...5).description
    return verdict.map { $0.line + "\n\n" + table } ?? table
  }

  var markdown: String {
    let line = { (cells: [String]) in "| " + cells.joined(separator: " | ") + " |" }
    let rows = report.languages.map { language in
      line([
        language.language.rawValue, decimal(language.tenths) + " %", "\(language.translated)/\(language.total)",
        "\(language.needsReview)", "\(language.new)", "\(language.stale)",
      ])
    }
    let head = verdict.map { ["**\(Self.markdown($0.line))**", ""] } ?? []
    return (head + [line(columns), "| --- | ---: | ---: | ---: | ---: | ---: |"] + rows).joined(separator: "\n")
  }

  /// The text of a paragraph, with the characters escaped that are markup in Markdown or HTML.
  private static func markdown(_ text: String) -> String {
    text.reduce(into: "") { words, character in
      switch character {
      case "\\", "`", "*", "_", "[", "]", "|", "#", "~": words += "\\" + String(character)
      case "<": words += "&lt;"
      case ">": words += "&gt;"
      case "&": words += "&amp;"
      default: words.append(character)
      }
    }
  }

  /// The verdict first, then one test case for each language and catalog. A language that does not meet its requirement fails, with its
  /// missing translations.
  var junit: String {
    var failures = 0
    var cases: [String] = []
    let unmet = Set((verdict?.unmet ?? []).map(\.completion.language))
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
    let missingByCatalog = Dictionary(
      grouping: report.missing.lazy.filter { unmet.contains($0.language) }, by: \.catalog)
    for catalog in report.catalogs {
      let missingByLanguage = Dictionary(grouping: missingByCatalog[catalog.catalog] ?? [], by: \.language)
      for language in catalog.languages {
        let name = "name=\"\(escaped(language.language.rawValue))\" classname=\"\(escaped(catalog.catalog.text))\""
        let missing = missingByLanguage[language.language] ?? []
        guard unmet.contains(language.language), !missing.isEmpty else {
          cases.append("    <testcase \(name)/>")
          continue
        }
        failures += 1
        let lines = missing.map { escaped("\($0.state.rawValue): \($0.key.text)") }.joined(separator: "\n")
        cases.append(
          """
              <testcase \(name)>
                <failure message="\(decimal(language.tenths)) %">\(lines)</failure>
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

  /// A badge with the completion of all languages, for README files.
  var svg: String {
    let total = report.languages.reduce(0) { $0 + $1.total }
    let translated = report.languages.reduce(0) { $0 + $1.translated }
    let tenths = total == 0 ? 1000 : translated * 1000 / total
    let hasFailed = verdict.map { !$0.isMet } ?? false
    let color =
      hasFailed
      ? "#e05d44" : tenths == 1000 ? "#4c1" : tenths >= 900 ? "#97ca00" : tenths >= 700 ? "#dfb317" : "#e05d44"
    let value = decimal(tenths) + " %"
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

  private var columns: [String] {
    [
      message("language", comment: "Column of the table of status."),
      message("complete", comment: "Column of the table of status: a percentage."),
      message("translated", comment: "Column of the table of status: count of total."),
      message("to review", comment: "Column of the table of status: count."),
      message("new", comment: "Column of the table of status: count of untranslated texts."),
      message("stale", comment: "Column of the table of status: count of texts no longer in code."),
    ]
  }

  private func escaped(_ text: String) -> String {
    // XML cannot represent most control characters.
    text.withVisibleControls.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}

/// A table of text for a terminal.
struct TextTable: CustomStringConvertible {
  let header: [String]
  let rows: [[String]]
  let rightAligned: ClosedRange<Int>

  /// The maximum number of characters in a cell. Without it, one long cell would pad every row.
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
