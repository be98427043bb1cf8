import ArgumentParser
import Foundation
import Localization
import Synchronization

/// The options `--quiet` and `--verbose`, shared by all commands.
struct ConsoleOptions: ParsableArguments {
  @Flag(help: .init(HelpText.quiet))
  var quiet = false

  @Flag(help: .init(HelpText.verbose))
  var verbose = false

  var console: Console { Console(isQuiet: quiet, isVerbose: verbose) }
}

/// A writer of results to standard output, and of all other messages to standard error.
///
/// Printed text may come from a repository, a vendor or a server, so control characters and bidirectional marks are escaped.
struct Console: Sendable {
  let isQuiet: Bool
  let isVerbose: Bool
  let hasColor: Bool

  init(isQuiet: Bool, isVerbose: Bool) {
    self.isQuiet = isQuiet
    self.isVerbose = isVerbose
    hasColor = isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["NO_COLOR"]?.isEmpty ?? true
  }

  /// Writes a result of one line to standard output. A line break in a path or a text must not begin a new line, because a program that reads the
  /// output would take that line for a result.
  func result(_ line: String) { Self.write(line.withVisibleControlsInColumns + "\n", to: .standardOutput) }

  /// Writes a result of several lines to standard output. The parts of a line must not contain line breaks.
  func text(_ text: String) { Self.write(text.withVisibleControlsInLines + "\n", to: .standardOutput) }

  /// Writes results to standard output, each on its own line and a thousand lines at a time.
  func results(_ lines: [String]) {
    var rest = lines[...]
    while !rest.isEmpty {
      let text = rest.prefix(1000).map { $0.withVisibleControlsInColumns + "\n" }.joined()
      Self.write(text, to: .standardOutput)
      rest = rest.dropFirst(1000)
    }
  }

  /// Writes a result that already contains its line ends, without escaping anything.
  func raw(_ text: String) { Self.write(text, to: .standardOutput) }

  /// Writes a progress message for people, unless quiet.
  func say(_ line: String) {
    if !isQuiet { Self.write(line.withVisibleControlsInColumns + "\n", to: .standardError) }
  }

  /// Writes one line of JSON to standard error for a program that reads it, even with `--quiet`.
  func line(_ text: String) { Self.write(escapingJSON(Array(text.utf8)) + "\n", to: .standardError) }

  /// Writes a message that only `--verbose` shows.
  func detail(_ line: String) {
    if isVerbose { Self.write(line.withVisibleControlsInColumns + "\n", to: .standardError) }
  }

  /// Writes an error, or a warning that is shown even with `--quiet`.
  func failure(_ line: String) { Self.write(line.withVisibleControlsInColumns + "\n", to: .standardError) }

  /// Writes an error of several lines, such as the usage of a command.
  func failureText(_ text: String) { Self.write(text.withVisibleControlsInLines + "\n", to: .standardError) }

  /// Writes diagnostics to standard error in the format of compilers, `path:line:column: error: message`, each once: errors always, warnings unless
  /// quiet, notes only if verbose and not quiet.
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

  /// The reason why results could not be written to standard output; `nil` if all were written. A reader that closes its pipe needs no more results,
  /// so a closed pipe is not a fault.
  static var outputFault: String? { lostOutput.withLock(\.self) }

  private static let lostOutput = Mutex<String?>(nil)

  /// Writes all bytes. If this fails, the command continues. The first failure of standard output is kept for `outputFault`.
  private static func write(_ text: String, to handle: FileHandle) {
    do { try handle.write(contentsOf: Data(text.utf8)) } catch {
      guard handle.fileDescriptor == STDOUT_FILENO, systemCode(error) != EPIPE else { return }
      lostOutput.withLock { $0 = $0 ?? systemReason(error) }
    }
  }
}

/// Escapes the characters that JSON allows unescaped and that could manipulate a terminal. In JSON they can occur only in strings.
///
/// The function copies bytes, because appending each scalar to a string took longer than encoding the JSON.
func escapingJSON(_ json: [UInt8]) -> String {
  var output: [UInt8] = []
  var copied = 0
  var index = 0
  while index < json.count {
    guard let (scalar, length) = unsafeScalar(in: json, at: index) else {
      index += 1
      continue
    }
    if output.isEmpty { output.reserveCapacity(json.count + 64) }
    let digits = String(scalar, radix: 16)
    output += json[copied..<index]
    output += Array(("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
    index += length
    copied = index
  }
  return String(decoding: copied == 0 ? json : output + json[copied...], as: UTF8.self)
}

/// Returns the scalar at an offset, and the number of its bytes, if it could manipulate a terminal: U+007F to U+009F, U+061C, and the bidirectional
/// marks and line separators from U+200E on. Otherwise returns `nil`.
private func unsafeScalar(in text: [UInt8], at index: Int) -> (scalar: UInt32, length: Int)? {
  let first = text[index]
  guard first == 0xE2 || first == 0xC2 || first == 0xD8 || first == 0x7F else { return nil }
  let byte = { (offset: Int) -> UInt8 in index + offset < text.count ? text[index + offset] : 0 }
  switch (first, byte(1), byte(2)) {
  case (0x7F, _, _): return (0x7F, 1)
  case (0xC2, let last, _) where (0x80...0x9F).contains(last): return (UInt32(last), 2)
  case (0xD8, 0x9C, _): return (0x061C, 2)
  case (0xE2, 0x80, let last) where last == 0x8E || last == 0x8F || (0xA8...0xAE).contains(last):
    return (0x2000 + UInt32(last & 0x3F), 3)
  case (0xE2, 0x81, let last) where (0xA6...0xA9).contains(last): return (0x2040 + UInt32(last & 0x3F), 3)
  default: return nil
  }
}

/// Encodes JSON as cli.md specifies it: one object or list, UTF-8, sorted keys, a final newline.
func stableJSON(_ value: some Encodable) throws -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  encoder.dateEncodingStrategy = .iso8601
  return escapingJSON([UInt8](try encoder.encode(value))) + "\n"
}
