import Localization

/// A comment that suppresses findings: `dragoman:ignore`, followed by the ids of rules. If nothing follows, it suppresses all rules.
enum Suppression {
  static let mark: StaticString = "dragoman:ignore"

  /// Returns whether a line of a comment suppresses a rule.
  static func suppresses(_ rule: String, in line: some StringProtocol) -> Bool {
    var rest = Substring(line)
    while let range = rest.firstRange(of: mark.description) {
      rest = rest[range.upperBound...]
      let text = rest[..<(rest.firstRange(of: "*/")?.lowerBound ?? rest.endIndex)]
      if text.allSatisfy(\.isWhitespace) || rules(in: text).contains(rule) { return true }
    }
    return false
  }

  /// Returns the ids at the beginning of the text after the mark. Case and punctuation around the ids are ignored. The ids end at a colon after an id,
  /// or at the first word that is not an id; a reason may follow. If the text begins with another word, the comment suppresses nothing.
  private static func rules(in text: Substring) -> [String] {
    var found: [String] = []
    // In `dragoman:ignored` and `dragoman:ignore-all`, the mark is a part of another word.
    guard text.first.map({ $0 != "-" && !isOfWord($0) }) ?? true else { return found }
    for word in text.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
      let inner = word.drop { !isOfWord($0) }
      // A dash or a similar sign may precede the first id.
      if inner.isEmpty, found.isEmpty { continue }
      let name = inner.prefix { $0 == "-" || $0.isASCII && $0.isLetter }
      let end = inner[name.endIndex...]
      let id = name.lowercased()
      guard AdviceRule.all.contains(where: { $0.id == id }), !(end.first.map(isOfWord) ?? false) else { break }
      found.append(id)
      // The reason may follow the colon without a space.
      if end.contains(where: { $0 == ":" || isOfWord($0) }) { break }
    }
    return found
  }

  private static func isOfWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }
}

/// The suppressions in source files. A file is read when a finding in it is checked.
struct SourceSuppressions {
  private let tree: any SourceTree
  /// The lines of each file, each with the rest of the line from its first comment on; empty for a file without suppressions.
  private var lines: [TreePath: [(text: Substring, comment: Substring?)]] = [:]

  init(_ tree: any SourceTree) { self.tree = tree }

  /// Returns whether a comment in code or in the catalog suppresses a finding.
  mutating func suppress(_ rule: String, _ remark: Remark, of unit: AdvisedUnit?) -> Bool {
    let comments = [unit?.entry.comment, unit?.string?.comment].compactMap(\.self)
    for comment in comments where comment.holds(Suppression.mark) {
      if comment.split(whereSeparator: \.isNewline).contains(where: { Suppression.suppresses(rule, in: $0) }) {
        return true
      }
    }
    var sites = unit?.string?.sites.map { ($0.path, $0.line) } ?? []
    if case .file(let path, let line?, _) = remark.location { sites.append((path, line)) }
    return sites.contains { suppress(rule, at: $0.0, line: $0.1) }
  }

  private mutating func suppress(_ rule: String, at path: TreePath, line: Int) -> Bool {
    let lines = lines(of: path)
    guard !lines.isEmpty else { return false }
    return [line - 1, line].contains { number in
      guard lines.indices.contains(number - 1) else { return false }
      let (text, comment) = lines[number - 1]
      guard let comment else { return false }
      // A comment after code applies to that line, not to the next line.
      guard number == line || text[..<comment.startIndex].allSatisfy(\.isWhitespace) else { return false }
      return Suppression.suppresses(rule, in: comment)
    }
  }

  private mutating func lines(of path: TreePath) -> [(text: Substring, comment: Substring?)] {
    if let known = lines[path] { return known }
    let text = (try? tree.read(path)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    // Most files have no suppression and do not have to be split into lines.
    let split =
      text.holds(Suppression.mark)
      ? text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) : []
    var swift = SwiftComments()
    let read = split.map { line in
      (text: line, comment: path.ending == "swift" ? swift.comment(in: line) : Self.comment(in: line))
    }
    lines[path] = read
    return read
  }

  /// Returns the comment in a line of a file that is not Swift: the rest of the line from the first `//` on, or from the first `/*` on if the line
  /// has no `//`; `nil` if it has neither.
  private static func comment(in line: Substring) -> Substring? {
    (line.firstRange(of: "//") ?? line.firstRange(of: "/*")).map { line[$0.lowerBound...] }
  }
}
