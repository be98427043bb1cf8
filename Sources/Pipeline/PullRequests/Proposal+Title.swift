extension Proposal {
  /// The length that a title reserves for everything except the name of the branch, in UTF-16 code units.
  private static let rest = 120
  /// The end of the title if no translations are delivered.
  static let inStep = "catalogs in step with the code"

  /// Returns the title, in which a long branch name is shortened. The part before the colon depends only on the branch: a title with
  /// another beginning was written by a person.
  /// - Parameter limit: the maximum length, in UTF-16 code units.
  func title(limit: Int) -> String {
    var shorter = self
    shorter.branch = Self.cut(branch, to: max(limit - Self.rest, 20))
    return Self.cut(shorter.title, to: limit)
  }

  /// Returns whether a title is one of ours for the branch, such as `Translations for main: de, fr`. Returns `false` if a person extended
  /// the title.
  /// - Parameter wanted: a title of ours.
  static func isOwn(_ title: String, as wanted: String) -> Bool {
    let beginning = wanted.prefix { $0 != ":" } + ": "
    guard title.hasPrefix(beginning) else { return false }
    let rest = title.dropFirst(beginning.count)
    if rest == inStep || rest.wholeMatch(of: /[0-9]+ languages/) != nil { return true }
    // A title that was too long ends with an ellipsis.
    return rest.wholeMatch(of: /[a-z]{2,3}([-_][A-Za-z0-9]+)*(, [a-z]{2,3}([-_][A-Za-z0-9]+)*)*/) != nil
      || rest.hasSuffix("…")
  }

  private static func cut(_ text: String, to limit: Int) -> String {
    guard text.utf16.count > limit else { return text }
    var kept = text[...]
    while kept.utf16.count >= limit { kept.removeLast() }
    return kept + "…"
  }
}
