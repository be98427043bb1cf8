internal import Localization

/// A gettext file (.po) as far as Weblate's monolingual components need it: `msgid` is the key, `msgstr` the text in the file's language.
struct GettextFile: Hashable, Sendable {
  /// Names and values, in order.
  var header: [Field]
  var entries: [GettextEntry]
  /// Lines of obsolete strings, unchanged.
  var obsolete: [String] = []

  struct Field: Hashable, Sendable {
    var name: String
    var value: String
  }

  /// An empty file of a language.
  /// - Parameter code: Weblate's code of the language.
  init(code: String, plurals: GettextPlurals) {
    header = [
      Field(name: "Language", value: code), Field(name: "MIME-Version", value: "1.0"),
      Field(name: "Content-Type", value: "text/plain; charset=UTF-8"),
      Field(name: "Content-Transfer-Encoding", value: "8bit"), Field(name: "Plural-Forms", value: plurals.header),
      Field(name: "X-Generator", value: "Dragoman"),
    ]
    entries = []
  }

  init(header: [Field], entries: [GettextEntry], obsolete: [String]) {
    self.header = header
    self.entries = entries
    self.obsolete = obsolete
  }

  subscript(field name: String) -> String? {
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

  var bytes: [UInt8] {
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
struct GettextEntry: Hashable, Sendable {
  /// Comment lines that are neither notes nor flags, unchanged.
  var comments: [String] = []
  /// The developer's note, the lines after `#.`.
  var note: String?
  var flags: [String] = []
  /// `msgctxt`, which monolingual files do not need.
  var context: String?
  var id: String
  var isPlural = false
  /// `msgid_plural`; `nil` if it equals `msgid`, as in monolingual files.
  var plural: String?
  /// One for each plural form; one for a text that does not vary.
  var texts: [String]

  static let readOnly = "read-only"
  static let fuzzy = "fuzzy"
  static let limit = "max-length:"

  /// Whether people are asked to translate it.
  var isReadOnly: Bool {
    get { flags.contains(Self.readOnly) }
    set {
      flags.removeAll { $0 == Self.readOnly }
      if newValue { flags.append(Self.readOnly) }
    }
  }

  /// The length limit of translations, in characters.
  var maxLength: Int? {
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
  /// The lines between line feeds; a carriage return is part of its line.
  var utf8Lines: [String] {
    utf8.split(separator: 10, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
  }
}
