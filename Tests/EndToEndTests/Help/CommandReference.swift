import Foundation

@testable import dragoman

/// The generated parts of docs/reference/cli.md. The text between them is written by hand.
struct CommandReference {
  /// Options that the page documents once for all commands.
  private static let common: Set = ["--quiet", "--verbose"]
  private static let width = 140
  private static let end = "<!-- end -->\n"

  private let commands: [CommandDescription]

  init(_ commands: [CommandDescription]) { self.commands = commands }

  struct Fault: Error, CustomStringConvertible { let description: String }

  /// Returns the page with each part generated again.
  /// - Throws: an error if the page lacks the part of a command, or has a part that is not for a command.
  func replacing(in page: String) throws -> String {
    var page = page
    for command in commands {
      let start = Self.start(command.description)
      guard let first = page.range(of: start),
        let last = page.range(of: Self.end, range: first.upperBound..<page.endIndex)
      else {
        throw Fault(
          description:
            "docs/reference/cli.md has no part for \(command). Add a heading and the lines\n\(start)\(Self.end)"
        )
      }
      page.replaceSubrange(first.upperBound..<last.lowerBound, with: part(of: command))
    }
    let known = Set(commands.map { Self.start($0.description) })
    for line in page.split(separator: "\n") where line.hasPrefix("<!-- made by") && !known.contains(line + "\n") {
      throw Fault(description: "docs/reference/cli.md has a part for a command that does not exist: \(line)")
    }
    return page
  }

  private static func start(_ name: String) -> String { "<!-- made by `make cli-reference`: \(name) -->\n" }

  private func part(of command: CommandDescription) -> String {
    command.path.count == 1 ? overview(of: command) : details(of: command)
  }

  /// Returns a table of the commands, without their subcommands.
  private func overview(of program: CommandDescription) -> String {
    let rows = commands.filter { $0.path.count == 2 }.map { command in
      ["[`\(command)`](#\(command.path[1]))", Self.prose(command.help.overview)]
    }
    return Self.table(["command", "what it does"], rows) + "\n"
  }

  private func details(of command: CommandDescription) -> String {
    var blocks = ([command.help.overview] + command.help.notes).map { text in
      HelpLayout.wrapped(Self.prose(text), to: Self.width, indent: 0)
    }
    let usage = Self.common.reduce(command.usage) { $0.replacing(" [\($1)]", with: "") }
    blocks.append(Self.code(HelpLayout.wrapped(usage, to: 100, indent: command.description.count + 1)))
    let rows = command.arguments.filter { !Self.common.contains($0.synopsis) }.map(Self.row)
    let subcommands = commands.filter { $0.path.dropLast() == command.path }.map { subcommand in
      [
        "[`\(subcommand)`](#\(subcommand.path.dropFirst().joined(separator: "-")))",
        Self.prose(subcommand.help.overview),
      ]
    }
    if !subcommands.isEmpty { blocks.append(Self.table(["subcommand", "what it does"], subcommands)) }
    if !rows.isEmpty { blocks.append(Self.table(["argument", "meaning", "default"], rows)) }
    blocks.append("Examples:\n\n" + Self.code(command.help.examples.joined(separator: "\n")))
    let exits = command.help.exits.map { ["\($0.status.rawValue)", Self.prose($0.reason)] }
    blocks.append(Self.table(["exit code", "when"], exits))
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private static func row(_ argument: ArgumentDescription) -> [String] {
    var text = argument.abstract ?? ""
    var fallback = argument.defaultValue.map { "`\($0)`" } ?? ""
    // ArgumentParser does not provide some defaults. In these cases, the help text ends with the default.
    if let match = text.firstMatch(of: #/ \(default: (.*)\)$/#) {
      let words = String(match.1)
      fallback = words.hasPrefix(".") ? "`\(words)`" : prose(words)
      text.removeSubrange(match.range)
    }
    if !argument.isOptional { fallback = "required" }
    let values = (argument.allValues ?? []).map { "`\($0)`" }.joined(separator: ", ")
    if !values.isEmpty { text += " One of \(values)." }
    return ["`\(argument.synopsis)`", prose(text), fallback]
  }

  /// Returns a text with its options formatted as code.
  private static func prose(_ text: String) -> String {
    text.replacing(#/(^|[ (])(--[a-z][a-z\-]*)/#) { "\($0.1)`\($0.2)`" }
  }

  private static func code(_ text: String) -> String { "```\n\(text)\n```" }

  private static func table(_ header: [String], _ rows: [[String]]) -> String {
    ([header, header.map { _ in "---" }] + rows).map { cells in
      "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
    }.joined(separator: "\n")
  }
}
