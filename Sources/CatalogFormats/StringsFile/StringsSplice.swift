internal import Localization
internal import StructuredText

/// Changes entries of a `.strings` file in text form. Apart from white space around added and removed entries, no other byte is changed.
struct StringsSplice {
  private let file: StringsText
  /// The layout, which is detected from the whole file when it is first needed.
  private lazy var layout = StringsLayout(of: file)
  private lazy var printer = StringsPrinter(layout: layout)
  private var edits = ByteEdits()

  init(_ file: StringsText) { self.file = file }

  /// Returns the file with the changes.
  static func written(_ changes: [UnitKey: StringsEdit], over file: StringsText) -> [UInt8] {
    var splice = StringsSplice(file)
    splice.apply(changes)
    var text = splice.edits.applied(to: file.text)
    if changes.values.contains(.remove) { trimEnd(of: &text, as: file) }
    return file.encoding.bytes(of: text)
  }

  /// Removes the line breaks at the end that the original does not have. They remain after the last entry is removed.
  private static func trimEnd(of text: inout [UInt8], as original: StringsText) {
    let isBreak = { (byte: UInt8) in byte == 0x0A || byte == 0x0D }
    let lineEnd: UInt8 = original.breaksWithCR ? 0x0D : 0x0A
    let wanted = original.text.reversed().prefix(while: isBreak).count { $0 == lineEnd }
    let end = text.reversed().prefix(while: isBreak)
    guard end.count < text.count else { return }
    for _ in 0..<max(0, end.count { $0 == lineEnd } - wanted) {
      text.removeLast()
      if lineEnd == 0x0A, text.last == 0x0D { text.removeLast() }
    }
  }

  private mutating func apply(_ changes: [UnitKey: StringsEdit]) {
    /// The index of the last entry of each changed key.
    var last: [UnitKey: Int] = [:]
    var removed: Set<Int> = []
    for (index, entry) in file.entries.enumerated() {
      let key = file.key(of: entry)
      guard let change = changes[key] else { continue }
      last[key] = index
      if change == .remove { removed.insert(index) }
    }
    var added: [(key: UnitKey, value: String, comment: String?)] = []
    for (key, change) in changes {
      switch (change, last[key]) {
      case (.value(let value, let comment), nil), (.both(let value, let comment), nil):
        added.append((key, value, comment))
      case (.value(let value, _), let index?): set(file.entries[index], value)
      case (.comment(let comment), let index?): set(index, comment: comment)
      case (.both(let value, let comment), let index?):
        set(file.entries[index], value)
        set(index, comment: comment)
      case (.comment, nil), (.remove, _): break
      }
    }
    for (index, extent) in extents(of: removed) { remove(extent, ofFirst: index, removed: removed) }
    if !added.isEmpty { add(added.sorted { $0.key < $1.key }, removed: removed) }
  }

  private mutating func set(_ entry: StringsText.Entry, _ value: String) {
    let list = file.list
    guard file.value(of: entry)?.isExactly(value) != true else { return }
    var output: [UInt8] = []
    if entry.member.key == entry.member.value {
      output.append(contentsOf: " = ".utf8)
      QuotedText.print(value, into: &output)
      edits.insert(output, at: list.range(of: entry.member.key).upperBound)
    } else {
      let range = list.range(of: entry.member.value)
      let quote = list.kind(of: entry.member.value) == .string ? file.text[range.lowerBound] : UInt8(ascii: "\"")
      QuotedText.print(value, quote: quote, into: &output)
      edits.replace(range, with: output)
    }
  }

  private mutating func set(_ index: Int, comment: String?) {
    guard !file.comment(at: index).isExactly(comment) else { return }
    let own = file.ownComments(at: index)
    if let first = own.first, let last = own.last {
      let range = file.comments[first].range.lowerBound..<file.comments[last].range.upperBound
      if let comment {
        edits.replace(range, with: printed(comment: comment))
      } else {
        edits.remove(wholeLines(of: range) ?? range)
      }
    } else if let comment {
      let start = file.list.range(of: file.entries[index].member.key).lowerBound
      edits.insert(printed(comment: comment) + layout.lineBreak + indentation(before: start), at: start)
    }
  }

  // MARK: Removing

  /// Returns the range of an entry, including its comments.
  private func extent(of index: Int) -> Range<Int> {
    let entry = file.entries[index]
    var start = file.list.range(of: entry.member.key).lowerBound
    var end = entry.end
    let own = file.ownComments(at: index)
    if let first = own.first, let last = own.last {
      start = min(start, file.comments[first].range.lowerBound)
      end = max(end, file.comments[last].range.upperBound)
    }
    // Comments after the entry on its line are removed with the entry, even if they do not count as the entry's comment.
    if let last = trailingComment(of: index) { end = max(end, last.range.upperBound) }
    return start..<end
  }

  /// Returns the last comment that follows an entry on its line; `nil` if there is none.
  private func trailingComment(of index: Int) -> StringsText.Comment? {
    let next = index + 1 < file.entries.count ? file.entries[index + 1].comments : file.lastComments
    return file.comments[next].last(where: \.trailsEntry)
  }

  /// Returns the ranges of the removed entries, each with the index of its first entry. Adjacent entries on one line form one range, because they
  /// share the spaces between them.
  private func extents(of removed: Set<Int>) -> [(first: Int, extent: Range<Int>)] {
    var found: [(first: Int, extent: Range<Int>)] = []
    for index in removed.sorted() {
      let extent = extent(of: index)
      if let last = found.last, last.extent.upperBound <= extent.lowerBound,
        file.text[last.extent.upperBound..<extent.lowerBound].allSatisfy({ $0 == 0x20 || $0 == 0x09 })
      {
        found[found.count - 1].extent = last.extent.lowerBound..<extent.upperBound
      } else {
        found.append((index, extent))
      }
    }
    return found
  }

  /// Removes an entry, or adjacent entries on one line. If their lines have no other text, the lines and the following empty line are
  /// removed. If no empty line follows and the layout has empty lines, the preceding empty line is removed instead. If their lines have other
  /// text, only the entries and the spaces on one side of them are removed.
  private mutating func remove(_ extent: Range<Int>, ofFirst index: Int, removed: Set<Int>) {
    let text = file.lines
    guard var range = wholeLines(of: extent) else {
      edits.remove(file.lines.withSpaces(around: extent))
      return
    }
    if range.upperBound < text.count {
      var end = range.upperBound
      if text[end] == 0x0D { end += 1 }
      if end < text.count, text[end] == 0x0A {
        edits.remove(range.lowerBound..<end + 1)
        return
      }
    }
    // If the previous entry is removed too, the empty line may already be removed with that entry.
    if layout.separatesEntries, index > 0, !removed.contains(index - 1), text[..<range.lowerBound].hasSuffix("\n\n") {
      range = range.lowerBound - 1..<range.upperBound
    } else if layout.separatesEntries, index > 0, !removed.contains(index - 1),
      text[..<range.lowerBound].hasSuffix("\n\r\n")
    {
      range = range.lowerBound - 2..<range.upperBound
    }
    edits.remove(range)
  }

  /// Returns a range extended to complete lines; `nil` if these lines also have other content.
  private func wholeLines(of range: Range<Int>) -> Range<Int>? {
    let text = file.lines
    let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    var start = range.lowerBound
    while start > 0, isSpace(text[start - 1]) { start -= 1 }
    guard start == 0 || text[start - 1] == 0x0A, !text.isFollowed(at: range.upperBound) else { return nil }
    var end = range.upperBound
    while end < text.count, isSpace(text[end]) || text[end] == 0x0D { end += 1 }
    return start..<min(end + 1, text.count)
  }

  private func indentation(before offset: Int) -> [UInt8] {
    let spaces = file.lines.indentation(ofLineAt: offset)
    return spaces.endIndex == offset ? Array(spaces) : []
  }

  // MARK: Adding

  private mutating func add(_ added: [(key: UnitKey, value: String, comment: String?)], removed: Set<Int>) {
    let staying = file.entries.indices.filter { !removed.contains($0) }
    guard let first = staying.first, let last = staying.last else { return addToEmpty(added) }
    let keys = staying.map { file.key(of: file.entries[$0]).text }
    let order = file.entries.count > 1 ? TableOrder.order(of: file.entries.map { file.key(of: $0).text }) : nil
    let gap = layout.lineBreak + (layout.separatesEntries ? layout.lineBreak : [])
    var inserted: [Int: [(key: UnitKey, value: String, comment: String?)]] = [:]
    for entry in added {
      let place = order.map { TableOrder.place(of: entry.key.text, among: keys, $0) } ?? staying.count
      inserted[place, default: []].append(entry)
    }
    for (place, entries) in inserted {
      let ordered = order.map { precedes in entries.sorted { precedes($0.key.text, $1.key.text) } } ?? entries
      for entry in ordered {
        let index = place == 0 ? first : place == staying.count ? last : staying[place - 1]
        let neighbour = extent(of: index)
        // After a `//` comment, no entry can be inserted on the same line.
        let endsLine =
          place > 0 && trailingComment(of: index).map { file.text[$0.range].starts(with: "//".utf8) } == true
        let isInline = !endsLine && file.lines.isFollowed(at: neighbour.upperBound)
        // On a line with several entries, the comment is omitted, because it would belong to the previous entry.
        let bytes = printed(isInline ? (entry.key, entry.value, nil) : entry)
        switch (place, isInline) {
        case (0, true): edits.insert(bytes + [0x20], at: neighbour.lowerBound)
        case (0, false): edits.insert(bytes + gap, at: wholeLines(of: neighbour)?.lowerBound ?? neighbour.lowerBound)
        case (_, true): edits.insert([0x20] + bytes, at: neighbour.upperBound)
        case (_, false): edits.insert(gap + bytes, at: file.lines.endOfSpaces(at: neighbour.upperBound))
        }
      }
    }
  }

  /// Adds entries to a file that has no entries or whose entries are all removed.
  private mutating func addToEmpty(_ added: [(key: UnitKey, value: String, comment: String?)]) {
    let text = file.lines
    var output: [UInt8] = []
    for entry in added { output += printed(entry) + layout.lineBreak + layout.lineBreak }
    if file.isBraced {
      edits.insert(output, at: file.list.range(of: file.list.root).upperBound - 1)
      return
    }
    if file.entries.isEmpty {
      var lead: [UInt8] = []
      if let end = text.last, end != 0x0A { lead = layout.lineBreak }
      if !file.lastComments.isEmpty, !text.suffix(2).allSatisfy({ $0 == 0x0A }) { lead += layout.lineBreak }
      edits.insert(lead + output, at: text.count)
    } else {
      edits.insert(output, at: text.count)
    }
  }

  private mutating func printed(_ entry: (key: UnitKey, value: String, comment: String?)) -> [UInt8] {
    var output: [UInt8] = []
    if let comment = entry.comment { output += printed(comment: comment) + layout.lineBreak }
    printer.print(entry: entry.key.text, entry.value, into: &output)
    return output
  }

  /// Returns a comment with the file's line breaks. Comments of a `Catalog` use LF.
  private mutating func printed(comment: String) -> [UInt8] {
    var output: [UInt8] = []
    let lineBreak = String(decoding: layout.lineBreak, as: UTF8.self)
    StringsPrinter.print(comment: comment.replacing("\n", with: lineBreak), into: &output)
    return output
  }
}

extension ArraySlice<UInt8> {
  fileprivate func hasSuffix(_ text: StaticString) -> Bool {
    suffix(text.utf8CodeUnitCount).elementsEqual(text.description.utf8)
  }
}
