import Localization

/// The assignments and inclusions of an `.xcconfig` file, in file order.
///
/// The grammar is Xcode's, as swift-build reads it. Each line has one assignment or directive. `//` starts a comment anywhere, `;` can end a value,
/// and a `\` at the end of a line continues the value on the next line. Conditions follow the name in brackets.
struct ConfigurationFile: Sendable {
  enum Statement: Sendable {
    case assignment(SettingAssignment)
    case inclusion(file: String, isOptional: Bool, line: Int, column: Int)
  }

  private(set) var statements: [Statement] = []
  private(set) var diagnostics: [Diagnostic] = []
  /// Whether the file could not be read. In that case its assignments are unknown.
  var isUnread = false

  init(_ bytes: [UInt8], at path: TreePath) {
    guard !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF]), !bytes.contains(0) else {
      isUnread = true
      diagnostics = [
        Diagnostic(
          path: path.text, line: 1, column: 1, severity: .error, message: "this settings file is not UTF-8",
          hint: "save it as UTF-8")
      ]
      return
    }
    let conflicts = MergeConflicts.diagnostics(in: bytes, at: path)
    guard conflicts.isEmpty else {
      // Neither side of the merge is used, because it is unknown which of them a build will have.
      isUnread = true
      diagnostics = conflicts
      return
    }
    var scan = Scan(bytes: bytes, path: path)
    scan.run()
    statements = scan.statements
    diagnostics = scan.diagnostics
  }

  private struct Scan {
    let bytes: [UInt8]
    let path: TreePath
    var statements: [Statement] = []
    var diagnostics: [Diagnostic] = []
    private var index = 0
    private var line = 1
    private var lineStart = 0
    /// The maximum number of faults that are reported for one file.
    private static let mostFaults = 20

    init(bytes: [UInt8], path: TreePath) {
      self.bytes = bytes
      self.path = path
      if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    private var column: Int { index - lineStart + 1 }

    mutating func run() {
      while index < bytes.count {
        skipSpace()
        if isAtEnd {
          // The line is empty or has only a comment.
        } else if bytes[index] == UInt8(ascii: "#") {
          directive()
        } else if Self.isLetter(bytes[index]) {
          assignment()
        } else {
          fault("expected the name of a setting")
        }
        skipLine()
        skipLineEnd()
      }
    }

    // MARK: Lines

    private var isAtEnd: Bool { index >= bytes.count || bytes[index] == 0x0A || bytes[index] == 0x0D }

    private var isAtComment: Bool {
      index + 1 < bytes.count && bytes[index] == UInt8(ascii: "/") && bytes[index + 1] == UInt8(ascii: "/")
    }

    private mutating func skipSpace() {
      while index < bytes.count, Self.isSpace(bytes[index]) { index += 1 }
      if isAtComment { skipLine() }
    }

    private mutating func skipLine() { while !isAtEnd { index += 1 } }

    private mutating func skipLineEnd() {
      guard index < bytes.count else { return }
      index += bytes[index] == 0x0D && index + 1 < bytes.count && bytes[index + 1] == 0x0A ? 2 : 1
      line += 1
      lineStart = index
    }

    private mutating func fault(_ cause: String) {
      guard diagnostics.count < Self.mostFaults else { return }
      diagnostics.append(
        Diagnostic(
          path: path.text, line: line, column: column, severity: .warning,
          message: "\(cause); this line is ignored"))
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    // MARK: Statements

    private mutating func directive() {
      index += 1
      skipSpace()
      let start = index
      while !isAtEnd, !Self.isSpace(bytes[index]), bytes[index] != UInt8(ascii: "\"") { index += 1 }
      let word = text(start..<index)
      guard word == "include" || word == "include?" else { return fault("#\(word) is not a directive") }
      skipSpace()
      guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
        return fault("expected a file name in quotes after #\(word)")
      }
      let place = column
      index += 1
      let name = index
      while !isAtEnd, bytes[index] != UInt8(ascii: "\"") { index += 1 }
      guard !isAtEnd else { return fault("the file name has no closing quote") }
      statements.append(
        .inclusion(file: text(name..<index), isOptional: word == "include?", line: line, column: place))
    }

    private mutating func assignment() {
      let start = index
      while index < bytes.count, Self.isNamePart(bytes[index]) { index += 1 }
      let name = text(start..<index)
      skipSpace()
      var conditions: [SettingCondition] = []
      while index < bytes.count, bytes[index] == UInt8(ascii: "[") {
        index += 1
        let from = index
        while !isAtEnd, bytes[index] != UInt8(ascii: "]") { index += 1 }
        guard !isAtEnd else { return fault("a condition has no closing bracket") }
        conditions += SettingCondition.list(text(from..<index))
        index += 1
        skipSpace()
      }
      guard index < bytes.count, bytes[index] == UInt8(ascii: "=") else {
        return fault("expected `=` after \(name)")
      }
      index += 1
      skipSpace()
      let place = (line, column)
      var parts: [String] = []
      while true {
        let part = value()
        guard part.hasSuffix("\\"), index < bytes.count else {
          if !part.isEmpty { parts.append(part) }
          break
        }
        let kept = part.dropLast().trimming()
        if !kept.isEmpty { parts.append(kept) }
        skipLine()
        skipLineEnd()
        skipSpace()
      }
      statements.append(
        .assignment(
          SettingAssignment(
            name: name, conditions: conditions, value: parts.joined(separator: " "), path: path, line: place.0,
            column: place.1)))
    }

    private mutating func value() -> String {
      let start = index
      while !isAtEnd, !isAtComment { index += 1 }
      var end = index
      func trim() { while end > start, Self.isSpace(bytes[end - 1]) { end -= 1 } }
      trim()
      if end > start, bytes[end - 1] == UInt8(ascii: ";") {
        end -= 1
        trim()
      }
      return text(start..<end)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0B || byte == 0x0C }

    private static func isLetter(_ byte: UInt8) -> Bool {
      byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z") || byte == UInt8(ascii: "_")
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
      isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
  }
}

extension Substring {
  fileprivate func trimming() -> String {
    String(drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }
}
