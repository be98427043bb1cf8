package import Localization

/// A gettext file (.po): the header, the strings with notes, flags, contexts and plural forms, and obsolete strings. In monolingual files, such as
/// Weblate's, `msgid` is the key and `msgstr` is the text in the file's language.
package struct GettextFile: Hashable, Sendable {
  /// The names and values of the header, in order.
  package var header: [Field]
  package var entries: [GettextEntry]
  /// The lines of obsolete strings, unchanged.
  package var obsolete: [String] = []

  package struct Field: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Creates a file without strings.
  /// - Parameters:
  ///   - code: the platform's code of the language.
  ///   - plurals: the numbered plural forms of the language.
  package init(code: String, plurals: GettextPlurals) {
    header = [
      Field(name: "Language", value: code), Field(name: "MIME-Version", value: "1.0"),
      Field(name: "Content-Type", value: "text/plain; charset=UTF-8"),
      Field(name: "Content-Transfer-Encoding", value: "8bit"), Field(name: "Plural-Forms", value: plurals.header),
      Field(name: "X-Generator", value: "Dragoman"),
    ]
    entries = []
  }

  package init(header: [Field], entries: [GettextEntry], obsolete: [String]) {
    self.header = header
    self.entries = entries
    self.obsolete = obsolete
  }

  /// The number of plural forms that the header states; 0 if the header states no number.
  package var formCount: Int {
    guard let rule = self[field: "Plural-Forms"], let start = rule.firstRange(of: "nplurals=")?.upperBound else {
      return 0
    }
    return Int(rule[start...].prefix { $0.isASCII && $0.isNumber }) ?? 0
  }

  package subscript(field name: String) -> String? {
    get { header.first { $0.name.lowercased() == name.lowercased() }?.value }
    set {
      let index = header.firstIndex { $0.name.lowercased() == name.lowercased() }
      switch (index, newValue) {
      case (let index?, let value?): header[index].value = value
      case (nil, let value?): header.append(Field(name: name, value: value))
      case (let index?, nil): header.remove(at: index)
      case (nil, nil): break
      }
    }
  }

  package var bytes: [UInt8] {
    let fields = header.map { "\($0.name): \($0.value)\n" }
    var text = "msgid \"\"\nmsgstr \"\"\n" + fields.map { Self.quoted($0) + "\n" }.joined()
    for entry in entries { text += "\n" + entry.text }
    if !obsolete.isEmpty { text += "\n" + obsolete.joined(separator: "\n") + "\n" }
    return Array(text.utf8)
  }

  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": quoted += "\\\\"
      case "\"": quoted += "\\\""
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case "\r": quoted += "\\r"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

/// A string of a gettext file.
package struct GettextEntry: Hashable, Sendable {
  /// Comment lines that are neither notes nor flags, unchanged.
  package var comments: [String] = []
  /// The developer's note, the lines after `#.`.
  package var note: String?
  package var flags: [String] = []
  /// The value of `msgctxt`, which monolingual files do not need.
  package var context: String?
  package var id: String
  package var isPlural = false
  /// The value of `msgid_plural`; `nil` if the value equals `msgid`, as in monolingual files.
  package var plural: String?
  /// The texts: one for each plural form, or a single text for a string without plural forms.
  package var texts: [String]

  package init(
    comments: [String] = [], note: String? = nil, flags: [String] = [], context: String? = nil, id: String,
    isPlural: Bool = false, plural: String? = nil, texts: [String]
  ) {
    self.comments = comments
    self.note = note
    self.flags = flags
    self.context = context
    self.id = id
    self.isPlural = isPlural
    self.plural = plural
    self.texts = texts
  }

  static let readOnly = "read-only"
  static let fuzzy = "fuzzy"
  static let limit = "max-length:"

  /// Whether the string is read-only, so people cannot translate it.
  package var isReadOnly: Bool {
    get { flags.contains(Self.readOnly) }
    set {
      flags.removeAll { $0 == Self.readOnly }
      if newValue { flags.append(Self.readOnly) }
    }
  }

  /// The length limit of translations, in characters; `nil` if there is no limit.
  package var maxLength: Int? {
    get { flags.lazy.filter { $0.hasPrefix(Self.limit) }.compactMap { Int($0.dropFirst(Self.limit.count)) }.first }
    set {
      flags.removeAll { $0.hasPrefix(Self.limit) }
      if let newValue { flags.append("\(Self.limit)\(newValue)") }
    }
  }

  var text: String {
    var lines = comments
    if let note { lines += note.utf8Lines.map { $0.isEmpty ? "#." : "#. " + $0 } }
    if !flags.isEmpty { lines.append("#, " + flags.joined(separator: ", ")) }
    if let context { lines.append("msgctxt " + GettextFile.quoted(context)) }
    lines.append("msgid " + GettextFile.quoted(id))
    if isPlural {
      lines.append("msgid_plural " + GettextFile.quoted(plural ?? id))
      for (index, text) in texts.enumerated() { lines.append("msgstr[\(index)] " + GettextFile.quoted(text)) }
    } else {
      lines.append("msgstr " + GettextFile.quoted(texts.first ?? ""))
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension String {
  /// The lines of the text. Lines end only at line feeds, so a carriage return is part of its line.
  var utf8Lines: [String] {
    utf8.split(separator: 10, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
  }
}
