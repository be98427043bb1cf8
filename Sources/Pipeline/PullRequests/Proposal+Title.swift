extension Proposal {
  /// How much of a title is left for everything but the name of the branch.
  private static let rest = 120

  /// The title, with a shorter name of the branch if it is too long. The part before the colon depends only on the branch, because a title with
  /// another one was written by a person.
  /// - Parameter limit: in units of UTF-16.
  func title(limit: Int) -> String {
    var shorter = self
    shorter.branch = Self.cut(branch, to: max(limit - Self.rest, 20))
    return Self.cut(shorter.title, to: limit)
  }

  private static func cut(_ text: String, to limit: Int) -> String {
    guard text.utf16.count > limit else { return text }
    var kept = text[...]
    while kept.utf16.count >= limit { kept.removeLast() }
    return kept + "…"
  }
}
