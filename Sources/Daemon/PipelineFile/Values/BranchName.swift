internal import Pipeline

/// Git's rules for branch names (git-check-ref-format), and the rules for patterns of them.
enum BranchName {
  /// Returns why the text is not a branch name; `nil` if it is one.
  ///
  /// - Parameter isPattern: whether `*` and `?` are allowed.
  static func fault(_ text: String, isPattern: Bool) -> String? {
    for scalar in text.unicodeScalars {
      if scalar.value <= 0x20 || scalar.value == 0x7F { return "holds a space or a control character" }
      if "~^:\\".unicodeScalars.contains(scalar) { return "holds `\(scalar)`, which no branch name may" }
      if scalar == "[" {
        return isPattern ? "holds `[`; patterns know *, ** and ? only" : "holds `[`, which no branch name may"
      }
      if !isPattern, scalar == "*" || scalar == "?" { return "holds `\(scalar)`, which no branch name may" }
    }
    if text.contains("..") || text.contains("@{") || text == "@" { return "holds `..` or `@{`, or is `@`" }
    if text.hasPrefix("refs/") { return "begins with refs/; write the branch's name alone" }
    if text.hasPrefix("-") { return "begins with a dash" }
    for component in text.split(separator: "/", omittingEmptySubsequences: false) {
      if component.isEmpty { return "begins or ends with a slash, or holds two in a row" }
      if component.hasPrefix(".") || component.hasSuffix(".") || component.hasSuffix(".lock") {
        return "has a part that begins or ends with a dot, or ends with .lock"
      }
    }
    return nil
  }
}

extension Field {
  func branchPattern() -> BranchPattern? {
    guard let text = text("a branch or pattern") else { return nil }
    if let fault = BranchName.fault(text, isPattern: true) {
      report("\(shown) \(fault)", hint: "write a branch such as main, or a pattern such as release/*")
      return nil
    }
    return BranchPattern(text)
  }

  func branchPatterns() -> [Located<BranchPattern>]? {
    items("a list of branches and patterns", example: "[main, \"release/*\"]")?
      .distinct({ $0.branchPattern() }, sameAs: { $0 })
  }
}
