import Foundation
import Localization

/// The result of `status` as one HTML page, to attach to a release or to print. The page has no scripts and loads no other files.
struct CompletionPage {
  let rendering: CompletionRendering
  /// The subject: the name of the project, and the revision if there is one.
  let subject: String
  let now: Date
  /// The maximum number of missing translations that are listed.
  private static let listed = 5000

  var html: String {
    let title = escaped(message("Localization of %@", subject, comment: "Title of a page: a project."))
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title)</title>
      <style>\(Self.style)</style>
      </head>
      <body>
      <main>
      <h1>\(title)</h1>
      \(verdict)
      \(languages)
      \(catalogs)
      \(missing)
      <footer>\(escaped("dragoman \(dragomanVersion), \(now.formatted(.iso8601))"))</footer>
      </main>
      </body>
      </html>
      """
  }

  private var verdict: String {
    guard let verdict = rendering.verdict else { return "" }
    let word = verdict.isMet ? "PASS" : "FAIL"
    let rest = verdict.line.dropFirst(word.count + 1)
    return "<p class=\"verdict \(word.lowercased())\"><strong>\(word)</strong> \(escaped(String(rest)))</p>"
  }

  private var languages: String {
    let rows = rendering.report.languages.map { language in
      let cells =
        [
          "\(language.translated)/\(language.total)", "\(language.needsReview)", "\(language.new)", "\(language.stale)",
        ] + (rendering.hasFallbacks ? ["\(language.fallback)"] : [])
      return "<tr><th scope=\"row\">\(escaped(language.language.rawValue))</th>\(bar(language))"
        + cells.map { "<td>\($0)</td>" }.joined() + "</tr>"
    }
    return table(rendering.columns, rows)
  }

  /// A table with the completion of each catalog in each language; empty if there is only one catalog or no language.
  private var catalogs: String {
    let names = rendering.report.languages.map(\.language)
    guard rendering.report.catalogs.count > 1, !names.isEmpty else { return "" }
    let rows = rendering.report.catalogs.map { catalog in
      let byLanguage = Dictionary(
        catalog.languages.map { ($0.language, $0) }, uniquingKeysWith: { first, _ in first })
      let cells = names.map { name in byLanguage[name].map(bar) ?? "<td></td>" }
      return "<tr><th scope=\"row\">\(escaped(catalog.catalog.text))</th>\(cells.joined())</tr>"
    }
    let header = [message("catalog", comment: "Column of a table.")] + names.map(\.rawValue)
    return "<h2>\(escaped(message("Catalogs", comment: "Heading of a page.")))</h2>" + table(header, rows)
  }

  private var missing: String {
    let details = rendering.details
    guard !details.isEmpty else { return "" }
    let hasFacts = details.contains { !$0.facts.isEmpty }
    let rows = details.prefix(Self.listed).map { detail in
      let unit = detail.missing
      let state = unit.state == .new ? "new" : "to review"
      var cells = [
        escaped(unit.language.rawValue), state, "<bdi>\(escaped(MissingDetail.shortened(detail.source)))</bdi>",
        "<code>\(escaped(MissingDetail.shortened(unit.key.text)))</code>",
        escaped(unit.catalog.text + (detail.line.map { ":\($0)" } ?? "")),
      ]
      if hasFacts {
        let age = detail.age(now: now).map { $0 == 1 ? "1 day" : "\($0) days" }
        cells.append(escaped((detail.facts + [age].compactMap(\.self)).joined(separator: "; ")))
      }
      let mark = rendering.isUnmet(unit) ? " class=\"unmet\"" : ""
      return "<tr\(mark)>" + cells.map { "<td>\($0)</td>" }.joined() + "</tr>"
    }
    let header =
      [
        message("language", comment: "Column of the table of status."), message("state", comment: "Column of a table."),
        message("source text", comment: "Column of a table."), message("key", comment: "Column of a table."),
        message("place", comment: "Column of a table: a file and a line."),
      ] + (hasFacts ? [message("origin and progress", comment: "Column of a table.")] : [])
    let rest =
      details.count > rows.count
      ? "<p>" + escaped(message("… and %lld more", details.count - rows.count, comment: "The end of a list.")) + "</p>"
      : ""
    return "<h2>\(escaped(message("Missing", comment: "Heading of a page.")))</h2>" + table(header, rows) + rest
  }

  private func table(_ header: [String], _ rows: [String]) -> String {
    "<div class=\"scroll\"><table><thead><tr>"
      + header.map { "<th scope=\"col\">\(escaped($0))</th>" }.joined() + "</tr></thead><tbody>\n"
      + rows.joined(separator: "\n") + "\n</tbody></table></div>"
  }

  /// Returns a cell with a percentage. The background color shows the range of the percentage.
  private func bar(_ language: LanguageCompletion) -> String {
    guard language.total > 0 else { return "<td>\(CompletionRendering.share(language))</td>" }
    let level =
      language.tenths == 1000 ? "full" : language.tenths >= 900 ? "most" : language.tenths >= 500 ? "some" : "few"
    return "<td class=\"\(level)\">\(CompletionRendering.share(language))</td>"
  }

  private func escaped(_ text: String) -> String { rendering.escaped(text) }

  private static let style = """
    :root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
    body{margin:0}main{max-width:72rem;margin:0 auto;padding:1rem}
    table{border-collapse:collapse;width:100%}th,td{padding:.3rem .6rem;text-align:start;vertical-align:top;border-bottom:1px solid #8886}
    thead th{border-bottom-width:2px}.scroll{overflow-x:auto}td{overflow-wrap:anywhere;min-width:4.5rem}
    .verdict{padding:.6rem 1rem;border-inline-start:.4rem solid}.pass{border-color:#1a7f37}.fail{border-color:#c62828}
    .full{background:#1a7f3733}.most{background:#8a8a0033}.some{background:#b8690033}.few,.unmet{background:#c6282822}
    footer{margin-top:2rem;opacity:.75}@media print{.scroll{overflow:visible}main{max-width:none}}
    """
}
