internal import Localization
internal import StructuredText

/// The content of a file that is put into the String Catalog, and the content that is dropped.
struct TableReading {
  var file: ConvertedFile
  /// A warning for each text that a later entry with the same key overrides with a different text.
  var overruled: [Diagnostic]
  /// The comments that belong to no key, each with the warning to report unless the comment stays in the file.
  var comments: [(text: String, diagnostic: Diagnostic)]
}

extension StringsFile {
  /// The keys that have at least one value that is not text. All entries with these keys stay in the file.
  var staying: Set<UnitKey> {
    switch content {
    case .text(let text): Set(text.entries.filter { text.value(of: $0) == nil }.map { text.key(of: $0) })
    case .propertyList(let list): Set(list.members.filter { $0.value.string == nil }.map { UnitKey($0.key) })
    }
  }

  /// Returns the last value of each key that does not stay in the file. The last value wins at run time; the comments are those of all entries with
  /// the key.
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

  /// The texts of the file's comments.
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
  /// Returns the last value of each key, which wins at run time, with the comments of all entries with the key.
  /// - Parameter kept: the keys that stay in the file unchanged. The result omits them.
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

  /// The keys whose values a String Catalog cannot contain, each with a warning that states the reason, for example a width rule, an unknown device,
  /// members of unknown meaning, or a shape that Xcode would not compile or would partly lose (xcode-formats.md A5, F).
  var staying: [(key: UnitKey, diagnostic: Diagnostic)] {
    let last = Dictionary(list.members.map { (UnitKey($0.key), $0.value) }, uniquingKeysWith: { _, last in last })
    let refused = entries.compactMap { entry in
      let translation = entry.translation.catalogForm
      let strangers = last[entry.key].map { StringsDictEntry.rest(of: $0).strangers } ?? []
      let refusal =
        strangers.isEmpty
        ? translation.unknownDevice.map { "a rule for an unknown device: \($0)" }
          ?? CatalogShape.refusal(of: translation)
        : "it has unknown members: "
          + strangers.map { MergeNode.quoted($0.key) }.joined(separator: ", ")
      return refusal.map { (entry.key, $0, entry.position) }
    }
    let places = ConversionPlaces(path, LineMap([]))
    return (kept.map { ($0.key, $0.reason, $0.position) } + refused).map { key, reason, position in
      let diagnostic = places[position].warning(
        "the key \"\(key)\" stays in this file, because a String Catalog cannot hold it: \(reason)",
        hint:
          "Xcode does not build a catalog next to a .stringsdict of the same name. Change the entry and convert the table "
          + "again, or move the entry to its own table")
      return (key, diagnostic)
    }
  }

  /// Returns the texts of a value, with the keys of nested values, for a message.
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

/// The comments of a table, assigned to the keys of the String Catalog.
///
/// Xcode uses only the last comment before a key, however far before the key it stands, and even if it is the header of the file (seen in 16 entries
/// of real migrations, without a counterexample). Our conversion assigns more comments to a key: all comments between the key and the previous entry,
/// the comment at the end of the key's line, and the comments inside the entry. The last key also gets the comments up to the end of the file. The
/// header of Xcode's file template is dropped, because it describes only the file, unless the source language's first key has no other comment.
private struct CatalogComments {
  var taken: [(key: UnitKey, comment: TableComment)] = []
  /// The comments that are assigned to no key: file headers, and all comments of a table without keys.
  var left: [TableComment] = []

  /// Assigns the comments of a table to its keys.
  /// - Parameters:
  ///   - members: the keys and their offsets in file order.
  ///   - name: the file name.
  ///   - takesHead: whether the first key gets the file header if it has no other comment, as in Xcode for the source language.
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
  /// Returns whether the first line is a file name, as in the header of Xcode's file template. It can be the name of this file, or of a
  /// file of the same type from which this file was copied.
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

/// Positions in a file that is being converted.
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
      "dropped an earlier entry of the key \"\(key)\", because the last entry counts at run time: "
        + MergeNode.quoted(text, most: .max))
  }
}
