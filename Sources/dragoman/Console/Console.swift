import ArgumentParser
import Foundation
import Localization

/// How much is said, shared by all commands.
struct ConsoleOptions: ParsableArguments {
  @Flag(help: .init(HelpText.quiet))
  var quiet = false

  @Flag(help: .init(HelpText.verbose))
  var verbose = false

  var console: Console { Console(isQuiet: quiet, isVerbose: verbose) }
}

/// Standard output for results, standard error for everything else.
///
/// Whatever is printed may come from a repository, a vendor or a server: control characters and marks of direction are written out.
struct Console: Sendable {
  let isQuiet: Bool
  let isVerbose: Bool
  let hasColor: Bool

  init(isQuiet: Bool, isVerbose: Bool) {
    self.isQuiet = isQuiet
    self.isVerbose = isVerbose
    hasColor = isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["NO_COLOR"]?.isEmpty ?? true
  }

  /// A result: goes to standard output, with a newline.
  func result(_ text: String) { Self.write(text.withVisibleControlsInLines + "\n", to: .standardOutput) }

  /// Results, each on a line of its own, written a thousand at a time.
  func results(_ lines: [String]) {
    var rest = lines[...]
    while !rest.isEmpty {
      let text = rest.prefix(1000).map { $0.withVisibleControlsInLines + "\n" }.joined()
      Self.write(text, to: .standardOutput)
      rest = rest.dropFirst(1000)
    }
  }

  /// A result that brings its own line ends.
  func raw(_ text: String) { Self.write(text, to: .standardOutput) }

  /// Something that people may want to know while it happens.
  func say(_ text: String) {
    if !isQuiet { Self.write(text.withVisibleControlsInLines + "\n", to: .standardError) }
  }

  /// A line of JSON for a program that listens, whatever else is said.
  func line(_ text: String) { Self.write(escapingJSON(text) + "\n", to: .standardError) }

  /// Something that only `--verbose` shows.
  func detail(_ text: String) {
    if isVerbose { Self.write(text.withVisibleControlsInLines + "\n", to: .standardError) }
  }

  /// Something that went wrong; always shown.
  func failure(_ text: String) { Self.write(text.withVisibleControlsInLines + "\n", to: .standardError) }

  /// Diagnostics in the compiler's form, each once, errors always, the others unless quiet.
  func show(_ diagnostics: [Diagnostic]) {
    var seen: Set<Diagnostic> = []
    for diagnostic in diagnostics where seen.insert(diagnostic).inserted {
      guard diagnostic.severity == .error || !isQuiet else { continue }
      guard diagnostic.severity != .note || isVerbose else { continue }
      Self.write(colored(diagnostic) + "\n", to: .standardError)
    }
  }

  private func colored(_ diagnostic: Diagnostic) -> String {
    let text = diagnostic.description.withVisibleControlsInLines
    guard hasColor else { return text }
    let color =
      switch diagnostic.severity {
      case .error: "\u{1B}[31m"
      case .warning: "\u{1B}[33m"
      case .note: "\u{1B}[36m"
      }
    let word = diagnostic.severity.rawValue + ":"
    return text.replacing(word, with: color + word + "\u{1B}[0m", maxReplacements: 1)
  }

  /// Writes all bytes; a reader that has gone away ends the output, not the work.
  private static func write(_ text: String, to handle: FileHandle) {
    try? handle.write(contentsOf: Data(text.utf8))
  }
}

/// JSON with the characters escaped that could paint a terminal, and that JSON allows as they are: they stand in strings only.
func escapingJSON(_ json: String) -> String {
  // U+007F to U+009F, and the marks of direction and line separators from U+200E on.
  guard json.utf8.contains(where: { $0 == 0x7F || $0 == 0xC2 || $0 == 0xE2 }) else { return json }
  var text = ""
  for scalar in json.unicodeScalars {
    switch scalar.value {
    case 0x7F...0x9F, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069:
      let digits = String(scalar.value, radix: 16)
      text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: text.unicodeScalars.append(scalar)
    }
  }
  return text
}

/// JSON as cli.md wants it: one object, UTF-8, keys sorted, a final newline.
func stableJSON(_ value: some Encodable) throws -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  encoder.dateEncodingStrategy = .iso8601
  return escapingJSON(String(decoding: try encoder.encode(value), as: UTF8.self)) + "\n"
}
