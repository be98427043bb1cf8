/// A server's messages, from the side band or from error packets.
struct ServerWords {
  private var text = ""

  /// Adds the next piece of text. Lines may be split anywhere.
  mutating func add(_ piece: String) {
    text += piece
    if text.utf8.count > 16_384 { text = String(text.suffix(4096)) }
  }

  /// The last four lines that are not progress reports, joined into one line.
  var summary: String {
    let lines = text.split(whereSeparator: { $0.isNewline }).map { Self.cleaned(String($0)) }
      .filter { !$0.isEmpty && !Self.isProgress($0) }
    return lines.suffix(4).joined(separator: "; ")
  }

  private static func isProgress(_ line: String) -> Bool {
    let starts = [
      "Enumerating objects", "Counting objects", "Compressing objects", "Writing objects", "Receiving objects",
      "Resolving deltas", "Total ", "Processing references", "Checking connectivity",
    ]
    return starts.contains { line.hasPrefix($0) }
  }

  /// Returns a line without control characters and without a `remote:` prefix, with at most 300 characters.
  static func cleaned(_ line: String) -> String {
    let scalars = line.unicodeScalars.map { scalar -> Unicode.Scalar in
      scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.properties.generalCategory == .format
        ? " " : scalar
    }
    var text = Substring(String(String.UnicodeScalarView(scalars)))
    func trim() {
      text = text.drop { $0 == " " }
      while text.last == " " { text.removeLast() }
    }
    trim()
    if text.hasPrefix("remote: ") {
      text = text.dropFirst(8)
      trim()
    }
    return text.count > 300 ? text.prefix(300) + "…" : String(text)
  }

  /// Returns a message that includes the server's own message, if there is one.
  static func quoting(_ what: String, _ words: String) -> String {
    words.isEmpty ? what : "\(what); the server said: \"\(words)\""
  }
}
