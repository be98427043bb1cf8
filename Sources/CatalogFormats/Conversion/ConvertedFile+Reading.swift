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

  /// What a String Catalog takes of the file: each key's last value, which counts at run time, and the comments of all its entries.
  package func converted(as language: LocaleIdentifier) -> ConvertedFile {
    let lines = lines
    return ConvertedFile(
      language: language,
      texts: values.values.sorted { $0.position.offset < $1.position.offset }.map {
        ConvertedFile.Text(key: $0.key, translation: Translation($0.value), place: place($0.position))
      },
      comments: commentsByKey.map { key, comment in
        ConvertedFile.Comment(key: key, text: comment.text, place: place(lines.position(at: comment.offset)))
      })
  }

  /// What no String Catalog takes, each as a warning with its place: comments that belong to no key, and entries that a later one of
  /// their key overrules with another text.
  package var leftOut: [Diagnostic] {
    let last = values
    let lines = lines
    var seen: Set<UnitKey> = []
    let overruled = entries.reversed().filter { !seen.insert($0.key).inserted }.reversed()
      .filter { last[$0.key]?.value.isExactly($0.value) != true }
    return overruled.map { place($0.position).earlier($0.key, $0.value) }
      + commentsOfNoKey.map { place(lines.position(at: $0.offset)).loose($0.text) }
  }

  /// In the order of the file.
  private var commentsByKey: [(key: UnitKey, comment: TableComment)] {
    switch content {
    case .propertyList(let list): return list.commentsByKey
    case .text(let text):
      return text.entries.indices.flatMap { index in
        text.catalogComments(at: index, named: path.name).map { (text.key(of: text.entries[index]), $0) }
      }
    }
  }

  private var commentsOfNoKey: [TableComment] {
    switch content {
    case .propertyList(let list): return list.comments.loose
    case .text(let text):
      let owned = Set(commentsByKey.map(\.comment.offset))
      return text.comments.compactMap { TableComments.comment($0.range, of: text.list) }
        .filter { !owned.contains($0.offset) }
    }
  }

  private var lines: LineMap {
    switch content {
    case .text(let text): LineMap(text.text)
    case .propertyList(let list): LineMap(list.text)
    }
  }

  private func place(_ position: TextPosition) -> ConvertedFile.Place {
    ConvertedFile.Place(path: path, line: position.line, column: position.column)
  }
}

extension StringsText {
  /// The comments of an entry as a String Catalog takes them. Xcode takes the last one before the key, however far up it stands, also the
  /// head of a file (eight real migrations); those on the lines before it, on the entry's line and within it come along, so that none is
  /// lost that tells of the key.
  func catalogComments(at index: Int, named file: String) -> [TableComment] {
    let entry = entries[index]
    let taken = ownComments(at: index).map { comments[$0] }
    var own = taken.compactMap { TableComments.comment($0.range, of: list) }
    own += TableComments.inside(entry.member, of: list)
    // A head that stands on a comment of the entry's own.
    if own.count > 1 { own.removeAll { isHead($0, of: file) } }
    if own.isEmpty, let last = entry.comments.last(where: { !comments[$0].trailsEntry }) {
      own = TableComments.comment(comments[last].range, of: list).map { [$0] } ?? []
    }
    return own
  }

  /// Whether a comment begins with the file's name, as the head does that Xcode's template gives a file.
  private func isHead(_ comment: TableComment, of file: String) -> Bool {
    String(comment.text.prefix { !$0.isNewline }).isExactly(file)
  }
}

extension StringsDictFile {
  /// What a String Catalog takes of the file.
  /// - Parameter kept: the keys that stay in it.
  package func converted(as language: LocaleIdentifier, without kept: Set<UnitKey>) -> ConvertedFile {
    let texts = entries.filter { !kept.contains($0.key) }.map {
      ConvertedFile.Text(key: $0.key, translation: $0.translation.withKnownForms, place: place($0.position))
    }
    let lines = LineMap(list.text)
    var comments = list.commentsByKey.map { key, comment in
      ConvertedFile.Comment(key: key, text: comment.text, place: place(lines.position(at: comment.offset)))
    }
    for member in list.members {
      for comment in StringsDictEntry.comments(in: member.value) {
        comments.append(
          ConvertedFile.Comment(
            key: UnitKey(member.key), text: comment.value.string ?? "", place: place(comment.position)))
      }
    }
    return ConvertedFile(language: language, texts: texts, comments: comments.filter { !kept.contains($0.key) })
  }

  /// What no String Catalog takes, each as a warning with its place: comments that belong to no key, entries that a later one of their
  /// key overrules, and members of unknown meaning.
  /// - Parameter kept: the keys that stay in the file with all they have.
  package func leftOut(without kept: Set<UnitKey>) -> [Diagnostic] {
    let last = Dictionary(list.members.map { (UnitKey($0.key), $0) }, uniquingKeysWith: { _, last in last })
    var found: [Diagnostic] = []
    for member in list.members where !kept.contains(UnitKey(member.key)) {
      let key = UnitKey(member.key)
      guard let counting = last[key] else { continue }
      if counting.position != member.position {
        if counting.value.content != member.value.content {
          found.append(place(member.position).earlier(key, Self.summary(of: member.value)))
        }
        continue
      }
      for stranger in StringsDictEntry.strangers(in: member.value) {
        found.append(place(stranger.position).stranger(stranger.key, of: key, Self.summary(of: stranger.value)))
      }
    }
    let lines = LineMap(list.text)
    return found + list.comments.loose.map { place(lines.position(at: $0.offset)).loose($0.text) }
  }

  /// The keys that no String Catalog can hold (width rules, shapes that Xcode would not compile or would lose a part of: formats.md A5,
  /// F), each with a warning that says why it stays.
  package var staying: [(key: UnitKey, diagnostic: Diagnostic)] {
    let refused = entries.compactMap { entry in
      let translation = entry.translation.withKnownForms.catalogForm
      let refusal = translation.unknownDevice.map { "a rule for a device that is not known: \($0)" }
      return (refusal ?? CatalogShape.refusal(of: translation)).map { (entry.key, $0, entry.position) }
    }
    return (kept.map { ($0.key, $0.reason, $0.position) } + refused).map { key, reason, position in
      let diagnostic = place(position).warning(
        "the key \"\(key)\" stays in this file, since no String Catalog can hold it: \(reason)",
        hint: "move it to a table of its own: a catalog that varies and a .stringsdict of one table exclude each other")
      return (key, diagnostic)
    }
  }

  private func place(_ position: TextPosition) -> ConvertedFile.Place {
    ConvertedFile.Place(path: path, line: position.line, column: position.column)
  }

  /// A value in one line.
  private static func summary(of value: PropertyListValue) -> String {
    switch value.content {
    case .string(let text): text
    case .dictionary(let members): members.map { "\($0.key): \(summary(of: $0.value))" }.joined(separator: ", ")
    case .array(let elements): elements.map(summary).joined(separator: ", ")
    case .integer(let number): String(number)
    case .real(let number): String(number)
    case .boolean(let value): String(value)
    case .data, .date: "data"
    }
  }
}

extension TableList {
  /// The comments of each member in the order of the file.
  fileprivate var commentsByKey: [(key: UnitKey, comment: TableComment)] {
    members.flatMap { member in
      let offset = member.position.offset
      return ((comments.before[offset] ?? []) + (comments.within[offset] ?? [])).map { (UnitKey(member.key), $0) }
    }
  }
}

extension Translation {
  /// Without plural forms of no category, which are members of unknown meaning: no catalog is valid with them.
  fileprivate var withKnownForms: Translation {
    var translation = self
    let known = Set(PluralCategory.all)
    for (name, substitution) in substitutions {
      translation.substitutions[name]?.forms = substitution.forms.withForms(of: known)
    }
    return translation
  }

  fileprivate var unknownDevice: String? {
    for text in [text] + substitutions.values.map(\.forms) {
      guard case .device(let devices) = text else { continue }
      if let unknown = devices.keys.sorted().first(where: { !Device.all.contains($0) }) { return unknown.rawValue }
    }
    return nil
  }
}

extension VariedText {
  fileprivate func withForms(of categories: Set<PluralCategory>) -> VariedText {
    switch self {
    case .plural(let forms): .plural(forms.filter { categories.contains($0.key) })
    case .device(let forms): .device(forms.mapValues { $0.withForms(of: categories) })
    case .text, .phrases: self
    }
  }
}

extension ConvertedFile.Place {
  package func warning(_ message: String, hint: String? = nil) -> Diagnostic {
    Diagnostic(
      path: path.text, line: line, column: column, severity: .warning, message: "convert: " + message, hint: hint)
  }

  fileprivate func loose(_ text: String) -> Diagnostic {
    warning("a comment that belongs to no key is left out: " + MergeNode.quoted(text))
  }

  fileprivate func earlier(_ key: UnitKey, _ text: String) -> Diagnostic {
    warning(
      "an earlier entry of the key \"\(key)\" is left out, since the last one counts at run time: "
        + MergeNode.quoted(text))
  }

  fileprivate func stranger(_ name: String, of key: UnitKey, _ text: String) -> Diagnostic {
    warning(
      "'\(name)' of the key \"\(key)\" is left out, since it means nothing in a .stringsdict: " + MergeNode.quoted(text)
    )
  }
}
