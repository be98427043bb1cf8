internal import Localization

/// A reader of glossaries in CSV (RFC 4180). The first row contains the names of the columns: languages, `id`, `definition` or `description`, `note`
/// or `comment`, and `subject`. A column with another name is ignored and reported with a note. The separator is the most frequent of comma,
/// semicolon and tab in the first row. Empty rows are skipped. Each other row that cannot be used is skipped and reported with a warning.
enum CSVGlossaryReader {
  private enum Column {
    case language(LocaleIdentifier)
    case id, definition, note, subject
    case ignored
  }

  static func read(
    _ text: [UInt8], at path: String
  ) throws(InputFault) -> (glossary: Glossary, diagnostics: [Diagnostic]) {
    guard String(validating: text, as: UTF8.self) != nil else {
      throw InputFault(
        Diagnostic(path: path, severity: .error, message: "the file is not UTF-8", hint: "save it as CSV UTF-8"))
    }
    var diagnostics: [Diagnostic] = []
    func report(_ line: Int, _ message: String, _ hint: String? = nil, as severity: Diagnostic.Severity = .warning) {
      diagnostics.append(Diagnostic(path: path, line: line, severity: severity, message: message, hint: hint))
    }
    var rows = CSVRows(text)
    var columns: [Column] = []
    guard let head = try rows.next(path) else {
      throw InputFault(Diagnostic(path: path, severity: .error, message: "the file is empty", hint: nil))
    }
    for name in head.fields {
      let column = column(named: name)
      if case .ignored = column, !name.isEmpty {
        report(
          head.line, "ignored: the column “\(name)” is neither a language nor id, definition, note or subject",
          as: .note)
      }
      columns.append(column)
    }
    let languages = columns.filter { if case .language = $0 { true } else { false } }.count
    guard languages > 0 else {
      throw InputFault(
        Diagnostic(
          path: path, line: 1, severity: .error, message: "the first row has no language",
          hint: "begin with a row such as en,de,fr,definition"))
    }
    var glossary = Glossary()
    while let row = try rows.next(path) {
      guard !row.fields.allSatisfy(\.isEmpty) else { continue }
      guard row.fields.dropFirst(columns.count).allSatisfy(\.isEmpty) else {
        report(
          row.line, "skipped: the row has \(row.fields.count) fields; the first row has \(columns.count)",
          "put fields with a separator in quotation marks")
        continue
      }
      var entry = GlossaryEntry(terms: [])
      for (column, field) in zip(columns, row.fields) where !field.isEmpty {
        switch column {
        case .language(let language): entry.terms.append(GlossaryTerm(language: language, text: field))
        case .id: entry.id = field
        case .definition: entry.definition = field
        case .note: entry.note = field
        case .subject: entry.subject = field
        case .ignored: break
        }
      }
      if entry.terms.isEmpty {
        report(row.line, "skipped: the row has no term")
      } else {
        glossary.entries.append(entry)
      }
    }
    return (glossary, diagnostics)
  }

  private static func column(named name: String) -> Column {
    switch name.lowercased() {
    case "id": return .id
    case "definition", "description": return .definition
    case "note", "comment": return .note
    case "subject": return .subject
    default:
      let language = LocaleIdentifier(name.replacing("_", with: "-"))
      return language.isWellFormed && KnownLanguages.contains(language) ? .language(language) : .ignored
    }
  }
}

/// A reader that splits CSV into rows and fields, in one pass.
struct CSVRows {
  private let text: [UInt8]
  private var position = 0
  private var line = 1
  private let separator: UInt8

  init(_ text: [UInt8]) {
    self.text = text
    let head = text.prefix { $0 != 0x0A }
    let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    let counts = candidates.map { candidate in head.filter { $0 == candidate }.count }
    separator = zip(candidates, counts).max { $0.1 < $1.1 }?.0 ?? UInt8(ascii: ",")
  }

  /// Returns the next row and the line on which it begins; `nil` at the end.
  mutating func next(_ path: String) throws(InputFault) -> (fields: [String], line: Int)? {
    guard position < text.count else { return nil }
    let start = line
    var fields: [String] = []
    while true {
      fields.append(try field(path))
      guard position < text.count else { return (fields, start) }
      let byte = text[position]
      position += 1
      if byte == separator { continue }
      // Any other byte is the line break at the end of the row: LF, CR or CRLF.
      if byte == 0x0D, position < text.count, text[position] == 0x0A { position += 1 }
      line += 1
      return (fields, start)
    }
  }

  private mutating func field(_ path: String) throws(InputFault) -> String {
    var bytes: [UInt8] = []
    guard position < text.count, text[position] == UInt8(ascii: "\"") else {
      while position < text.count, text[position] != separator, text[position] != 0x0A, text[position] != 0x0D {
        bytes.append(text[position])
        position += 1
      }
      return Self.trimmed(bytes)
    }
    let start = line
    position += 1
    while position < text.count {
      let byte = text[position]
      position += 1
      if byte == UInt8(ascii: "\"") {
        guard position < text.count, text[position] == byte else {
          // Text between the closing quotation mark and the separator is added to the field.
          while position < text.count, text[position] != separator, text[position] != 0x0A, text[position] != 0x0D {
            bytes.append(text[position])
            position += 1
          }
          return Self.trimmed(bytes)
        }
        position += 1
      }
      if byte == 0x0A { line += 1 }
      bytes.append(byte)
    }
    throw InputFault(
      Diagnostic(
        path: path, line: start, severity: .error, message: "a quotation mark is never closed",
        hint: "close the quotation mark, or double it if it is part of the text"))
  }

  private static func trimmed(_ bytes: [UInt8]) -> String {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    return String(decoding: bytes.drop(while: isSpace).reversed().drop(while: isSpace).reversed(), as: UTF8.self)
  }
}
