package import Localization

/// Markdown of limited length, in the dialect that GitHub, GitLab, Gitea, Forgejo, Bitbucket and Azure DevOps share.
package struct MarkdownText {
  private(set) var text = ""
  private var left: Int

  /// - Parameter limit: the maximum length, in UTF-16 code units.
  init(limit: Int) { left = limit }

  /// Adds a text if it fits.
  /// - Returns: whether it fits.
  @discardableResult mutating func add(_ more: String) -> Bool {
    let count = more.utf16.count
    guard count <= left else { return false }
    text += more
    left -= count
    return true
  }

  /// Adds a table. Rows beyond `most` and rows that do not fit are left out, and their number is added below the table.
  mutating func add(header: String, rows: some Collection<String>, atMost most: Int) {
    let reserve = 60
    left -= reserve
    var shown = 0
    if add(header) {
      for row in rows.prefix(most) {
        guard add(row) else { break }
        shown += 1
      }
    }
    left += reserve
    let rest = rows.count - shown
    if rest > 0 { add("\n… and \(rest) more\n") }
  }

  /// Returns the name of a branch as code, for places outside tables. The name may contain backticks, because git allows them.
  static func code(branch: String) -> String { code(branch, limit: 250, isCell: false) }

  /// Returns the name of a language. A name in a catalog can be any text, so a name that is not an ordinary language tag is shown as code.
  package static func language(_ language: LocaleIdentifier, isCell: Bool = true) -> String {
    language.isWellFormed ? language.rawValue : code(language.rawValue, isCell: isCell)
  }

  /// Returns a text as code, so markup, mentions and links in it have no effect. Control characters are made visible.
  /// - Parameters:
  ///   - limit: the maximum number of characters. Longer texts are cut.
  ///   - isCell: whether the text is in a cell of a table.
  package static func code(_ text: String, limit: Int = 80, isCell: Bool = true) -> String {
    let cut = text.count > limit ? text.prefix(limit) + "…" : text[...]
    // A bar ends the cell, even in code, unless it is escaped.
    let visible = String(cut).withVisibleControls
    let shown = isCell ? visible.replacing("|", with: "\\|") : visible
    guard !shown.isEmpty else { return "" }
    var longest = 0
    var run = 0
    for character in shown {
      run = character == "`" ? run + 1 : 0
      longest = max(longest, run)
    }
    let fence = String(repeating: "`", count: longest + 1)
    let space = shown.hasPrefix("`") || shown.hasSuffix("`") ? " " : ""
    return fence + space + shown + space + fence
  }
}
