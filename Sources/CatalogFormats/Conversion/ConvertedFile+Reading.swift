internal import Localization
internal import StructuredText

/// What a String Catalog takes of a file, and what it does not.
struct TableReading {
  var file: ConvertedFile
  /// The texts that a later one of their key overrules, each as a warning with its place.
  var overruled: [Diagnostic]
  /// The comments that belong to no key, with what is to be told where they go.
  var comments: [(text: String, diagnostic: Diagnostic)]
}

extension StringsFile {
  /// The keys that have a value which is no text: they stay with all their entries.
  var staying: Set<UnitKey> {
    switch content {
    case .text(let text): Set(text.entries.filter { text.value(of: $0) == nil }.map { text.key(of: $0) })
    case .propertyList(let list): Set(list.members.filter { $0.value.string == nil }.map { UnitKey($0.key) })
    }
  }

  /// Each key's last value, which counts at run time, with the comments of all its entries.
  func reading(as language: LocaleIdentifier, isSource: Bool) -> TableReading {
    let places = ConversionPlaces(path, lines)
    let staying = staying
    let values = values.filter { !staying.contains($0.key) }
    let comments = CatalogComments(
      tableComments, of: entries.map { ($0.key, $0.position.offset) }, in: path.name, takesHead: isSource)
    var seen: Set<UnitKey> = []
    let overruled = entries.reversed().filter { !seen.insert($0.key).inserted }.reversed()
      .filter { entry in values[entry.key].map { !$0.value.isExactly(entry.value) } ?? false }
    return TableReading(
      file: ConvertedFile(
        language: language,
        texts: values.values.sorted { $0.position.offset < $1.position.offset }.map {
          ConvertedFile.Text(key: $0.key, translation: Translation($0.value), place: places[$0.position])
        }, comments: comments.taken.map { places.comment($0.comment, of: $0.key) }),
      overruled: overruled.map { places[$0.position].earlier($0.key, $0.value) }, comments: places.leftOut(comments))
  }

  /// What its comments say.
  var comments: Set<UnitKey> { tableComments.texts }

  private var tableComments: TableComments {
    switch content {
    case .text(let text): .oldStyle(text.list)
    case .propertyList(let list): list.comments
    }
  }

  private var lines: LineMap {
    switch content {
    case .text(let text): LineMap(text.text)
    case .propertyList(let list): LineMap(list.text)
    }
  }
}

extension StringsDictFile {
  /// - Parameter kept: the keys that stay in the file with all they have.
  func reading(as language: LocaleIdentifier, isSource: Bool, without kept: Set<UnitKey>) -> TableReading {
    let places = ConversionPlaces(path, LineMap(list.text))
    let members = list.members.filter { !kept.contains(UnitKey($0.key)) }
    let comments = CatalogComments(
      list.comments, of: list.members.map { (UnitKey($0.key), $0.position.offset) }, in: path.name, takesHead: isSource)
    let last = Dictionary(members.map { (UnitKey($0.key), $0) }, uniquingKeysWith: { _, last in last })
    let overruled = members.filter { member in
      guard let counting = last[UnitKey(member.key)] else { return false }
      return counting.position != member.position && counting.value.content != member.value.content
    }
    let inMembers = members.flatMap { member in
      StringsDictEntry.rest(of: member.value).comments.map { comment in
        ConvertedFile.Comment(
          key: UnitKey(member.key), text: comment.value.string ?? "", place: places[comment.position])
      }
    }
    return TableReading(
      file: ConvertedFile(
        language: language,
        texts: entries.filter { !kept.contains($0.key) }.map {
          ConvertedFile.Text(key: $0.key, translation: $0.translation, place: places[$0.position])
        },
        comments: comments.taken.filter { !kept.contains($0.key) }.map { places.comment($0.comment, of: $0.key) }
          + inMembers),
      overruled: overruled.map { places[$0.position].earlier(UnitKey($0.key), Self.summary(of: $0.value)) },
      comments: places.leftOut(comments))
  }

  /// The keys that no String Catalog can hold (width rules, members of unknown meaning, shapes that Xcode would not compile or would lose
  /// a part of: formats.md A5, F), each with a warning that says why it stays.
  var staying: [(key: UnitKey, diagnostic: Diagnostic)] {
    let last = Dictionary(list.members.map { (UnitKey($0.key), $0.value) }, uniquingKeysWith: { _, last in last })
    let refused = entries.compactMap { entry in
      let translation = entry.translation.catalogForm
      let strangers = last[entry.key].map { StringsDictEntry.rest(of: $0).strangers } ?? []
      let refusal =
        strangers.isEmpty
        ? translation.unknownDevice.map { "a rule for an unknown device: \($0)" }
          ?? CatalogShape.refusal(of: translation)
        : "it has members that a .stringsdict does not support: "
          + strangers.map { MergeNode.quoted($0.key) }.joined(separator: ", ")
      return refusal.map { (entry.key, $0, entry.position) }
    }
    let places = ConversionPlaces(path, LineMap([]))
    return (kept.map { ($0.key, $0.reason, $0.position) } + refused).map { key, reason, position in
      let diagnostic = places[position].warning(
        "the key \"\(key)\" stays in this file, because a String Catalog cannot hold it: \(reason)",
        hint:
          "Xcode does not build a catalog beside a .stringsdict of the same name. Change the entry and convert the table "
          + "again, or move the entry to its own table")
      return (key, diagnostic)
    }
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

/// The comments of a table by the keys that a String Catalog has them at.
///
/// Xcode takes the last comment before a key, however far up it stands, also the head of a file (16 entries of real migrations, none to
/// the contrary). Here a key has all that stand between it and the entry before, what trails its line and what is in it; the last one has
/// also those to the end of the file. So none is lost but the head that Xcode's template gives a file, which tells of the file alone.
private struct CatalogComments {
  var taken: [(key: UnitKey, comment: TableComment)] = []
  /// Heads, and all comments of a table without keys.
  var left: [TableComment] = []

  /// - Parameters:
  ///   - members: the keys and their offsets in the order of the file.
  ///   - name: the file's.
  ///   - takesHead: whether the head goes to the first key where that has no other comment, as Xcode has it in the source language.
  init(_ comments: TableComments, of members: [(key: UnitKey, offset: Int)], in name: String, takesHead: Bool) {
    guard let first = members.first, let last = members.last else {
      left = comments.head + comments.tail
      return
    }
    for (key, offset) in members {
      var own = (comments.before[offset] ?? []) + (comments.within[offset] ?? [])
      if offset == first.offset { own = comments.head + own }
      if offset == last.offset { own += comments.tail }
      if offset == first.offset, let head = own.first, head.isHead(of: name), own.count > 1 || !takesHead {
        left.append(own.removeFirst())
      }
      taken += own.map { (key, $0) }
    }
  }
}

extension TableComment {
  /// Whether the first line is the name of this file, or of another of its kind that it was copied from, as in the head that Xcode's
  /// template gives a file.
  fileprivate func isHead(of name: String) -> Bool {
    let line = text.prefix { !$0.isNewline }
    let ending = name.split(separator: ".").last ?? ""
    return String(line).isExactly(name) || line.hasSuffix("." + ending) && !line.contains(where: \.isWhitespace)
  }
}

extension Translation {
  fileprivate var unknownDevice: String? {
    for text in [text] + substitutions.values.map(\.forms) {
      guard case .device(let devices) = text else { continue }
      if let unknown = devices.keys.sorted().first(where: { !Device.all.contains($0) }) { return unknown.rawValue }
    }
    return nil
  }
}

/// Where things stand in a file that is converted.
private struct ConversionPlaces {
  let path: TreePath
  let lines: LineMap

  init(_ path: TreePath, _ lines: LineMap) {
    self.path = path
    self.lines = lines
  }

  subscript(_ position: TextPosition) -> ConvertedFile.Place {
    ConvertedFile.Place(path: path, line: position.line, column: position.column)
  }

  func comment(_ comment: TableComment, of key: UnitKey) -> ConvertedFile.Comment {
    ConvertedFile.Comment(key: key, text: comment.text, place: self[lines.position(at: comment.offset)])
  }

  func leftOut(_ comments: CatalogComments) -> [(text: String, diagnostic: Diagnostic)] {
    comments.left.map { comment in
      let place = self[lines.position(at: comment.offset)]
      let told = MergeNode.quoted(comment.text, most: .max)
      return (comment.text, place.warning("dropped a comment that belongs to no key: " + told))
    }
  }
}

extension ConvertedFile.Place {
  func warning(_ message: String, hint: String? = nil) -> Diagnostic {
    Diagnostic(
      path: path.text, line: line, column: column, severity: .warning, message: message, hint: hint)
  }

  fileprivate func earlier(_ key: UnitKey, _ text: String) -> Diagnostic {
    warning(
      "dropped an earlier entry of the key \"\(key)\", because the last one counts at run time: "
        + MergeNode.quoted(text, most: .max))
  }
}
