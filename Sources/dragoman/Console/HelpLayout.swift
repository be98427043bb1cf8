import Foundation

/// The layout of help texts in lines.
enum HelpLayout {
  /// The width of help texts in columns: the width in the variable COLUMNS or of the terminal, but at most 80, because longer lines are hard to read,
  /// and at least 40, because ArgumentParser needs about 30.
  static let columns: Int = {
    var size = winsize()
    let told = ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }
    let measured = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 ? Int(size.ws_col) : 0
    return min(80, max(40, told ?? (measured > 0 ? measured : 80)))
  }()

  /// Breaks a text at spaces outside brackets. All lines but the first are indented; the first begins `indent` columns from the left.
  static func wrapped(_ text: String, to columns: Int, indent: Int) -> String {
    var lines: [String] = []
    var line = ""
    for word in words(of: text) {
      if !line.isEmpty, indent + line.count + 1 + word.count > columns {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    lines.append(line)
    return lines.joined(separator: "\n" + String(repeating: " ", count: indent))
  }

  /// Wraps the usage, which ArgumentParser prints on one line of any length.
  static func wrappingUsage(in help: String) -> String {
    help.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      // ArgumentParser uses both spellings.
      guard let mark = ["USAGE: ", "Usage: "].first(where: { line.hasPrefix($0) }) else { return String(line) }
      return mark + wrapped(String(line.dropFirst(mark.count)), to: columns, indent: mark.count)
    }.joined(separator: "\n")
  }

  private static func words(of text: String) -> [String] {
    var words: [String] = []
    var word = ""
    var depth = 0
    for character in text {
      if character == "[" { depth += 1 }
      if character == "]" { depth -= 1 }
      if character == " " && depth == 0 {
        words.append(word)
        word = ""
      } else {
        word.append(character)
      }
    }
    return words + [word]
  }
}
