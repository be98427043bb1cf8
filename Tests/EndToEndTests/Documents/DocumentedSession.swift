import Foundation
import TestSupport

/// The files and commands of a page of docs/, in order.
///
/// A ```` ```console ```` block is a session: lines that begin with `$ ` are commands, and the lines below a command are its output, including
/// standard error. A line `…` matches any lines, and `…` within a line matches any text. A block whose info string ends with a path, such as ````
/// ```swift Sources/Birds/Birds.swift ````, is a file that the reader creates.
struct DocumentedSession {
  enum Step {
    case file(path: String, text: String)
    case command(line: Int, text: String, output: [String])
  }

  let page: String
  private(set) var steps: [Step] = []
  /// The blocks of other kinds, such as YAML without a path.
  private(set) var others: [(language: String, text: String)] = []

  init(page: String, _ text: String) {
    self.page = page
    var block: (info: String, first: Int, lines: [String])?
    for (number, line) in text.components(separatedBy: "\n").enumerated() {
      if line.hasPrefix("```") {
        if let open = block {
          take(open.info, open.lines, from: open.first)
          block = nil
        } else {
          block = (String(line.dropFirst(3)), number + 2, [])
        }
      } else {
        block?.lines.append(line)
      }
    }
  }

  private mutating func take(_ info: String, _ lines: [String], from first: Int) {
    let words = info.split(separator: " ").map(String.init)
    if words == ["console"] {
      for (offset, line) in lines.enumerated() {
        if line.hasPrefix("$ ") {
          steps.append(.command(line: first + offset, text: String(line.dropFirst(2)), output: []))
        } else if case .command(let number, let text, let output)? = steps.last {
          steps[steps.count - 1] = .command(line: number, text: text, output: output + [line])
        }
      }
    } else if words.count == 2, let path = words.last {
      steps.append(.file(path: path, text: lines.joined(separator: "\n") + "\n"))
    } else {
      others.append((words.first ?? "", lines.joined(separator: "\n")))
    }
  }

  /// Runs the page in a folder, in one shell, with the program in `PATH`.
  /// - Returns: the differences from the page.
  func run(in folder: TemporaryFolder) throws -> [String] {
    let mark = "\u{1}\u{2}"
    var script = ["set -u", "exec 2>&1"]
    var commands: [(line: Int, text: String, output: [String])] = []
    for (number, step) in steps.enumerated() {
      switch step {
      case .file(let path, let text):
        try folder.write(text, to: "files/\(number)")
        script.append("mkdir -p \"$(dirname '\(path)')\" && cp '\(folder.file("files/\(number)"))' '\(path)'")
      case .command(let line, let text, let output):
        commands.append((line, text, output))
        // `$?` is the exit code of the previous command.
        script.append("status=$?; printf '%s\\n' '\(mark)'; (exit $status)\n\(text)")
      }
    }
    try folder.write(script.joined(separator: "\n") + "\n", to: "session.sh")
    try FileManager.default.createDirectory(atPath: folder.file("home"), withIntermediateDirectories: true)
    let program = URL(filePath: dragomanPath()).deletingLastPathComponent().path
    var environment = [
      "PATH": "\(program):/usr/bin:/bin", "HOME": folder.file("home"), "LC_ALL": "C", "SWIFT_BACKTRACE": "enable=no",
      "GIT_CONFIG_NOSYSTEM": "1",
    ]
    for role in ["AUTHOR", "COMMITTER"] {
      environment["GIT_\(role)_NAME"] = "Mary"
      environment["GIT_\(role)_EMAIL"] = "mary@example.com"
      environment["GIT_\(role)_DATE"] = "1700000000 +0000"
    }
    let end = try ProgramEnd.of(
      "/bin/bash", [folder.file("session.sh")], in: folder.file("home"), environment: environment)
    let parts = end.output.components(separatedBy: mark + "\n").dropFirst()
    guard parts.count == commands.count else {
      return ["\(page): \(commands.count) commands, \(parts.count) of them ran: \(end.output.suffix(2000))"]
    }
    return zip(commands, parts).compactMap { command, output in
      let lines = output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).dropLast()
      guard !Self.fits(command.output, Array(lines)) else { return nil }
      return """
        \(page):\(command.line): $ \(command.text)
        shown:
        \(command.output.joined(separator: "\n"))
        printed:
        \(lines.joined(separator: "\n"))
        """
    }
  }

  /// Returns whether lines match the lines of a page, in which `…` matches anything.
  static func fits(_ pattern: [String], _ lines: [String]) -> Bool {
    guard let first = pattern.first else { return lines.isEmpty }
    let rest = Array(pattern.dropFirst())
    guard first != "…" else { return (0...lines.count).contains { fits(rest, Array(lines.dropFirst($0))) } }
    guard let line = lines.first, fits(line: first, line) else { return false }
    return fits(rest, Array(lines.dropFirst()))
  }

  private static func fits(line pattern: String, _ line: String) -> Bool {
    let parts = pattern.components(separatedBy: "…")
    guard parts.count > 1, let head = parts.first, let tail = parts.last else { return pattern == line }
    guard line.hasPrefix(head), line.hasSuffix(tail), line.count >= head.count + tail.count else { return false }
    var rest = line.dropFirst(head.count).dropLast(tail.count)
    for part in parts.dropFirst().dropLast() {
      guard let found = rest.firstRange(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return true
  }
}
