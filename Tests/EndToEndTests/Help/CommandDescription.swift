import ArgumentParser
import Foundation

@testable import dragoman

/// A command and its arguments, as described by ArgumentParser's dump.
struct CommandDescription: CustomStringConvertible {
  /// The path of the command, such as `["dragoman", "rounds", "show"]`.
  let path: [String]
  let type: any DocumentedCommand.Type
  /// The arguments in the order of the help text, without `--version` and `--help`.
  let arguments: [ArgumentDescription]

  var help: CommandHelp { type.help }
  var description: String { path.joined(separator: " ") }

  /// The usage on one line.
  var usage: String { path.count == 1 ? Dragoman.usageString() : Dragoman.usageString(for: type) }

  /// The names of the options, each with its dashes.
  var optionNames: Set<String> { Set(arguments.flatMap(\.optionNames)).union(["--version", "--help", "-h"]) }

  /// Returns all commands. The program is first, and each command precedes its subcommands.
  static func all() throws -> [CommandDescription] {
    struct Dump: Decodable { let command: CommandDump }
    let dump = try JSONDecoder().decode(Dump.self, from: Data(Dragoman._dumpHelp().utf8))
    return try described(Dragoman.self, dump.command, below: [])
  }

  struct Undocumented: Error { let name: String }

  private static func described(
    _ type: any ParsableCommand.Type, _ dump: CommandDump, below parents: [String]
  ) throws -> [CommandDescription] {
    guard let documented = type as? any DocumentedCommand.Type else { throw Undocumented(name: dump.commandName) }
    let path = parents + [dump.commandName]
    let own = CommandDescription(
      path: path, type: documented,
      arguments: (dump.arguments ?? []).filter { !["version", "help"].contains($0.preferredName?.name) })
    return try [own]
      + type.configuration.subcommands.flatMap { subcommand in
        let name = subcommand.configuration.commandName
        guard let dump = dump.subcommands?.first(where: { $0.commandName == name }) else {
          throw Undocumented(name: name ?? "\(subcommand)")
        }
        return try described(subcommand, dump, below: path)
      }
  }
}

/// A command in the output of `_dumpHelp`.
private struct CommandDump: Decodable {
  let commandName: String
  let subcommands: [CommandDump]?
  let arguments: [ArgumentDescription]?
}

/// An argument or option in the output of `_dumpHelp`.
struct ArgumentDescription: Decodable {
  enum Kind: String, Decodable { case positional, option, flag }

  struct Name: Decodable {
    let kind: String
    let name: String
  }

  let kind: Kind
  let isOptional: Bool
  let names: [Name]?
  let preferredName: Name?
  let valueName: String?
  let defaultValue: String?
  let allValues: [String]?
  let abstract: String?

  var optionNames: [String] { (names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name } }

  /// The argument as in a usage line: `<path>`, `--check` or `--format <format>`.
  var synopsis: String {
    let name = preferredName.map { "--" + $0.name }
    switch kind {
    case .flag: return name ?? ""
    case .positional: return "<\(valueName ?? "")>"
    case .option: return "\(name ?? "") <\(valueName ?? "")>"
    }
  }
}

enum HelpLanguage {
  /// Whether messages are in English, which is the language of the reference.
  static let isEnglish: Bool = {
    let environment = ProcessInfo.processInfo.environment
    let language = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
    return ["C", "POSIX", "en"].contains { language.hasPrefix($0) }
  }()
}
