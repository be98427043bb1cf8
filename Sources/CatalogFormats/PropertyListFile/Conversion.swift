package import Localization
internal import StructuredText

extension StringsFile {
  /// Whether every value is a text, so that nothing is left of the file when its entries are elsewhere.
  package var holdsTextsAlone: Bool {
    switch content {
    case .text(let text): text.entries.allSatisfy { text.value(of: $0) != nil }
    case .propertyList(let list): list.members.allSatisfy { $0.value.string != nil }
    }
  }

  /// The comments of each entry in the order of the file, one after the other, as a String Catalog takes them.
  package var commentsByKey: [(key: UnitKey, comment: String)] {
    guard case .text(let text) = content else {
      return entries.compactMap { entry in entry.comment.map { (entry.key, $0) } }
    }
    return text.entries.indices.compactMap { index in
      let own = text.ownComments(at: index).map { text.comments[$0] }.filter { !isHead($0, of: text) }
      let words = own.map { Self.words(of: $0, in: text) }.filter { !$0.isEmpty }
      return words.isEmpty ? nil : (text.key(of: text.entries[index]), words.joined(separator: "\n"))
    }
  }

  /// The comments that belong to no key, each as a warning with its place: no String Catalog can hold them. One that begins with the
  /// file's name is the head that Xcode's template gives a file, whether or not an empty line sets it apart; Xcode's migration does not
  /// take it either.
  package var commentsOfNoKey: [Diagnostic] {
    guard case .text(let text) = content else { return [] }
    var owned: Set<Int> = []
    for index in text.entries.indices { owned.formUnion(text.ownComments(at: index)) }
    let lines = LineMap(text.text)
    return text.comments.indices.filter { !owned.contains($0) || isHead(text.comments[$0], of: text) }.map { index in
      let place = lines.position(at: text.comments[index].range.lowerBound)
      return Diagnostic(
        path: path.text, line: place.line, column: place.column, severity: .warning,
        message: "convert: a comment that belongs to no key is left out: "
          + MergeNode.quoted(Self.words(of: text.comments[index], in: text)))
    }
  }

  private func isHead(_ comment: StringsText.Comment, of text: StringsText) -> Bool {
    let first = Self.words(of: comment, in: text).prefix { !$0.isNewline }
    return String(first).isExactly(path.name)
  }

  private static func words(of comment: StringsText.Comment, in text: StringsText) -> String {
    let content = String(decoding: text.content(of: comment), as: UTF8.self)
    return String(content.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
      .replacing("\r\n", with: "\n")
  }
}

extension StringsDictFile {
  /// The keys that no String Catalog can hold (width rules, shapes that Xcode would not compile or would lose a part of: formats.md A5,
  /// F), each with a warning that says why it stays.
  package var staying: [(key: UnitKey, diagnostic: Diagnostic)] {
    let refused = entries.compactMap { entry in
      CatalogShape.refusal(of: entry.translation.catalogForm).map { (entry.key, $0, entry.position) }
    }
    return (kept.map { ($0.key, $0.reason, $0.position) } + refused).map { key, reason, place in
      let diagnostic = Diagnostic(
        path: path.text, line: place.line, column: place.column, severity: .warning,
        message: "convert: the key \"\(key)\" stays in this file, since no String Catalog can hold it: \(reason)",
        hint: "move it to a table of its own: a catalog that varies and a .stringsdict of one table exclude each other")
      return (key, diagnostic)
    }
  }
}
