internal import Pipeline

/// Git's rules for branch names (git-check-ref-format), and our rules for branch patterns.
enum BranchName {
  /// Returns the reason why the text is not a valid branch name; `nil` if it is valid.
  ///
  /// - Parameter isPattern: whether `*` and `?` are allowed.
  static func fault(_ text: String, isPattern: Bool) -> String? {
    for scalar in text.unicodeScalars {
      if scalar.value <= 0x20 || scalar.value == 0x7F { return "contains a space or a control character" }
      if "~^:\\".unicodeScalars.contains(scalar) { return "contains `\(scalar)`, which git forbids in branch names" }
      if scalar == "[" {
        return isPattern
          ? "contains `[`; patterns support only *, ** and ?"
          : "contains `[`, which git forbids in branch names"
      }
      if !isPattern, scalar == "*" || scalar == "?" {
        return "contains `\(scalar)`, which git forbids in branch names"
      }
    }
    if text.contains("..") || text.contains("@{") || text == "@" { return "contains `..` or `@{`, or is `@`" }
    if text.hasPrefix("refs/") { return "starts with refs/; write only the branch name" }
    if text.hasPrefix("-") { return "starts with a dash" }
    for component in text.split(separator: "/", omittingEmptySubsequences: false) {
      if component.isEmpty { return "starts or ends with a slash, or has two in a row" }
      if component.hasPrefix(".") || component.hasSuffix(".") || component.hasSuffix(".lock") {
        return "has a part that starts or ends with a dot, or ends with .lock"
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
