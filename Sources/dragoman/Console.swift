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
  func result(_ text: String) { Self.write(text + "\n", to: .standardOutput) }

  /// A result that brings its own line ends.
  func raw(_ text: String) { Self.write(text, to: .standardOutput) }

  /// Something that people may want to know while it happens.
  func say(_ text: String) {
    if !isQuiet { Self.write(text + "\n", to: .standardError) }
  }

  /// A line for a program that listens, whatever else is said.
  func line(_ text: String) { Self.write(text + "\n", to: .standardError) }

  /// Something that only `--verbose` shows.
  func detail(_ text: String) {
    if isVerbose { Self.write(text + "\n", to: .standardError) }
  }

  /// Something that went wrong; always shown.
  func failure(_ text: String) { Self.write(text + "\n", to: .standardError) }

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
    guard hasColor else { return diagnostic.description }
    let color =
      switch diagnostic.severity {
      case .error: "\u{1B}[31m"
      case .warning: "\u{1B}[33m"
      case .note: "\u{1B}[36m"
      }
    let word = diagnostic.severity.rawValue + ":"
    return diagnostic.description.replacing(word, with: color + word + "\u{1B}[0m", maxReplacements: 1)
  }

  /// Writes all bytes; a reader that has gone away ends the output, not the work.
  private static func write(_ text: String, to handle: FileHandle) {
    try? handle.write(contentsOf: Data(text.utf8))
  }
}

/// JSON as cli.md wants it: one object, UTF-8, keys sorted, a final newline.
func stableJSON(_ value: some Encodable) throws -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
}
