internal import Localization

/// A reader of gettext files. Unknown lines are errors, because a file that was not fully read must not be written back.
package struct GettextReader {
  /// The field of the current string to which continuation lines are appended.
  private enum Place {
    case context, id, plural
    case text(Int)
  }

  private struct Draft {
    var entry = GettextEntry(id: "", texts: [])
    var note: [String] = []
    var hasID = false
    var isEmpty = true
  }

  private var file = GettextFile(header: [], entries: [], obsolete: [])
  private var draft = Draft()
  private var place: Place?
  private var isHeaderRead = false

  /// Reads a file.
  /// - Parameters:
  ///   - operation: the request, for error messages.
  ///   - mayBeEmpty: whether an empty response is a valid file without strings. For files that are changed and written back, an empty response
  ///     must be an error, because the upload would remove the strings that were not read.
  /// - Throws: `VendorError` of kind `protocolFault` if the file is not UTF-8, has no header, or has an unreadable line, which the message names.
  package static func read(
    _ bytes: [UInt8], of operation: String, mayBeEmpty: Bool = false
  ) throws(VendorError) -> GettextFile {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw VendorError(kind: .protocolFault, at: operation, detail: "the gettext file is not UTF-8")
    }
    var reader = GettextReader()
    for (index, line) in text.utf8Lines.enumerated() {
      guard reader.take(line) else {
        throw VendorError(
          kind: .protocolFault, at: operation,
          detail: "line \(index + 1) of the gettext file cannot be read: \(line.prefix(60).debugDescription)")
      }
    }
    reader.finish()
    guard reader.isHeaderRead || mayBeEmpty && bytes.isEmpty else {
      throw VendorError(
        kind: .protocolFault, at: operation, detail: "the response is not a gettext file: it has no header")
    }
    return reader.file
  }

  private mutating func take(_ line: String) -> Bool {
    if line.utf8.allSatisfy({ $0 == 0x20 || $0 == 9 || $0 == 13 }) {
      finish()
      return true
    }
    if line.begins("#~") {
      finish()
      file.obsolete.append(line)
      return true
    }
    if line.begins("#") {
      if place != nil { finish() }
      takeComment(line)
      return true
    }
    if line.begins("\"") { return append(line) }
    guard let space = line.unicodeScalars.firstIndex(where: { $0 == " " || $0 == "\t" }) else { return false }
    let word = line[..<space]
    switch word {
    case "msgctxt":
      if place != nil { finish() }
      place = .context
      draft.entry.context = ""
    case "msgid":
      if draft.hasID { finish() }
      place = .id
      draft.hasID = true
    case "msgid_plural":
      place = .plural
      draft.entry.isPlural = true
    case "msgstr": place = .text(0)
    default:
      guard word.hasPrefix("msgstr["), word.hasSuffix("]"), let index = Int(word.dropFirst(7).dropLast()),
        (0..<16).contains(index)
      else { return false }
      place = .text(index)
    }
    if case .text(let index)? = place {
      while draft.entry.texts.count <= index { draft.entry.texts.append("") }
    }
    draft.isEmpty = false
    return append(String(line.unicodeScalars[space...].drop { $0 == " " || $0 == "\t" }))
  }

  private mutating func takeComment(_ line: String) {
    draft.isEmpty = false
    if line.begins("#.") {
      let rest = line.unicodeScalars.dropFirst(2)
      draft.note.append(String(rest.first == " " ? rest.dropFirst() : rest))
    } else if line.begins("#,") {
      draft.entry.flags += line.dropFirst(2).split(separator: ",").map { String($0.drop { $0 == " " }) }
        .map { String($0.reversed().drop { $0 == " " }.reversed()) }.filter { !$0.isEmpty }
    } else {
      draft.entry.comments.append(line)
    }
  }

  private mutating func append(_ quoted: String) -> Bool {
    guard let text = Self.unquoted(quoted), let place else { return false }
    switch place {
    case .context: draft.entry.context = (draft.entry.context ?? "") + text
    case .id: draft.entry.id += text
    case .plural: draft.entry.plural = (draft.entry.plural ?? "") + text
    case .text(let index): draft.entry.texts[index] += text
    }
    return true
  }

  private mutating func finish() {
    defer {
      draft = Draft()
      place = nil
    }
    guard !draft.isEmpty, draft.hasID else { return }
    if draft.entry.id.isEmpty, draft.entry.context == nil {
      isHeaderRead = true
      file.header = (draft.entry.texts.first ?? "").utf8Lines.compactMap { line in
        guard let colon = line.firstIndex(of: ":") else { return nil }
        return GettextFile.Field(
          name: String(line[..<colon]), value: String(line[line.index(after: colon)...].drop { $0 == " " }))
      }
      return
    }
    if draft.entry.plural == draft.entry.id { draft.entry.plural = nil }
    if !draft.note.isEmpty { draft.entry.note = draft.note.joined(separator: "\n") }
    file.entries.append(draft.entry)
  }

  /// Removes the quotation marks and escapes of a text.
  /// - Returns: `nil` if the text is not a valid quoted text.
  private static func unquoted(_ text: String) -> String? {
    var scalars = text.unicodeScalars[...]
    while let last = scalars.last, last == " " || last == "\t" || last == "\r" { scalars.removeLast() }
    guard scalars.count >= 2, scalars.popFirst() == "\"", scalars.popLast() == "\"" else { return nil }
    var result = String.UnicodeScalarView()
    while let scalar = scalars.popFirst() {
      if scalar == "\"" { return nil }
      guard scalar == "\\" else {
        result.append(scalar)
        continue
      }
      switch scalars.popFirst() {
      case "n": result.append("\n")
      case "t": result.append("\t")
      case "r": result.append("\r")
      case "a": result.append("\u{7}")
      case "b": result.append("\u{8}")
      case "v": result.append("\u{B}")
      case "f": result.append("\u{C}")
      case let other?: result.append(other)
      case nil: return nil
      }
    }
    return String(result)
  }
}

extension String {
  /// Returns whether the text starts with these bytes. `hasPrefix` cannot be used, because Swift treats a quotation mark and a combining mark after
  /// it as one character.
  fileprivate func begins(_ start: String) -> Bool { utf8.starts(with: start.utf8) }
}
