import Localization

/// The text of calls in source files. A file is read when it is first needed.
struct SourceCalls {
  private let tree: any SourceTree
  private var lines: [TreePath: [Substring]] = [:]
  /// The maximum number of lines of a call that are read after its first line.
  private static let mostLines = 16

  init(_ tree: any SourceTree) { self.tree = tree }

  /// Returns whether the call around a literal has an argument `comment:` that is not empty.
  mutating func hasComment(at site: ExtractionSite) -> Bool {
    let text = text(at: site)
    guard let label = text.firstRange(of: "comment:") else { return false }
    let value = text[label.upperBound...].drop(while: \.isWhitespace)
    return !value.hasPrefix("\"\"") || value.hasPrefix("\"\"\"")
  }

  /// Returns whether the call around a literal contains a text after the literal's beginning.
  mutating func mentions(_ text: String, at site: ExtractionSite) -> Bool { self.text(at: site).contains(text) }

  /// Returns whether one of these texts precedes a site on its line.
  mutating func isAfter(_ texts: [String], at site: ExtractionSite) -> Bool {
    let lines = lines(of: site.path)
    guard lines.indices.contains(site.line - 1) else { return false }
    let before = String(decoding: lines[site.line - 1].utf8.prefix(site.column - 1), as: UTF8.self)
    return texts.contains { before.contains($0) }
  }

  /// Returns the text from a site to the end of its call; empty if the file has no such line.
  private mutating func text(at site: ExtractionSite) -> String {
    let lines = lines(of: site.path)
    guard lines.indices.contains(site.line - 1) else { return "" }
    let first = Substring(String(decoding: lines[site.line - 1].utf8.dropFirst(site.column - 1), as: UTF8.self))
    let rest = [first] + lines[site.line...].prefix(Self.mostLines)
    var depth = 0
    var text = ""
    for character in rest.joined(separator: "\n") {
      if character == "(" { depth += 1 }
      if character == ")" {
        depth -= 1
        // If the site is a literal, the call ends at the first unmatched closing parenthesis. If the site is a function name, the call ends at the
        // parenthesis that closes the first opening parenthesis.
        if depth < 0 || (depth == 0 && first.first != "\"") { break }
      }
      text.append(character)
    }
    return text
  }

  private mutating func lines(of path: TreePath) -> [Substring] {
    if let known = lines[path] { return known }
    let text = (try? tree.read(path)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    let split = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    lines[path] = split
    return split
  }
}
