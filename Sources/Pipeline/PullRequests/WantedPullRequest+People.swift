extension WantedPullRequest {
  /// Returns the wanted title and body for an open pull request that people may have extended. A title that is not one of ours was written
  /// or extended by a person, and is kept. Only our part of the body is replaced. If the body does not contain our part, our part is
  /// appended. If the body would be too long, our part is shortened; if the short form does not fit either, the present body is kept.
  /// If there is no open pull request, nothing is changed.
  /// - Parameter limit: the limit of the whole body, in UTF-16 code units.
  func over(_ found: PullRequest?, limit: Int) -> WantedPullRequest {
    guard let found, found.state == .open else { return self }
    return text(over: found, limit: limit)
  }

  /// Returns the wanted title and body, as `over` does, for a pull request in any state.
  func text(over found: PullRequest, limit: Int) -> WantedPullRequest {
    var merged = self
    if !Proposal.isOwn(found.title, as: title) { merged.title = found.title }
    merged.body = body(over: found.body, limit: limit)
    return merged
  }

  private func body(over found: String, limit: Int) -> String {
    guard !beginning.isEmpty, !ending.isEmpty else { return body }
    // Forges change line ends.
    let text = found.replacing("\r\n", with: "\n").replacing(PullRequestExtras.pending, with: "")
      .replacing(PullRequestExtras.mergePending, with: "")
    var (before, after) = (text[...], text[text.endIndex...])
    if let start = text.firstRange(of: beginning), let end = end(of: text[start.upperBound...]) {
      (before, after) = (text[..<start.lowerBound], text[end...])
      guard before.contains(where: { !$0.isWhitespace }) || after.contains(where: { !$0.isWhitespace }) else {
        return body
      }
    } else {
      guard let last = text.lastIndex(where: { !$0.isWhitespace }) else { return body }
      before = text[...last] + "\n\n---\n\n"
    }
    let own = Self.trimmed(body)
    let lines = own.split(separator: "\n")
    // If a person's text leaves too little space, our part consists of the lines that identify it, without its tables.
    let short = [lines.first ?? "", "\n---", lines.last ?? ""].joined(separator: "\n")
    for part in [String(own), short] {
      // The removed sentences leave empty lines at the end, which are removed too.
      let whole = "\(before)\(part)\(Self.trimmed(String(after)))"
      if whole.utf16.count <= limit { return whole }
    }
    return text
  }

  /// Returns the end of our part, which is the end of `ending` in the last line of our part. The first such line counts, because a person may
  /// have quoted it below.
  private func end(of text: Substring) -> String.Index? {
    text.split(separator: "\n").first { line in
      line.hasPrefix(lastLine) && line.firstRange(of: ending) != nil
    }.flatMap { $0.firstRange(of: ending)?.upperBound }
  }

  private static func trimmed(_ text: String) -> Substring {
    text.lastIndex { !$0.isWhitespace }.map { text[...$0] } ?? ""
  }
}
