import Foundation
import TestSupport
import Testing

/// Comparisons of the commands and options in messages with the existing commands and options.
@Suite("Commands and options in messages", .enabled(if: HelpLanguage.isEnglish))
struct HintTests {
  /// A string literal in a source file.
  private struct Literal {
    var place: String
    var text: String
  }

  /// Options of other programs in messages, and options for Dragoman's own child processes.
  private static let foreign: Set = [
    "--git-network-child", "--unshallow", "--refetch", "--no-filter", "--encoding", "--template", "--include",
    "--global",
  ]
  /// Folders whose literals are not messages to users, for example arguments for other programs.
  private static let callers = [
    "Sources/ChildPrograms/", "Sources/TestSupport/", "Sources/VendorServers/", "Sources/sdk-facts/",
    "Sources/plural-rules/", "Sources/Simulation/",
    "Sources/Dashboard/Assets/",
  ]

  /// Returns the string literals of a file.
  private static func literals(of text: String, at place: String) -> [Literal] {
    let code = text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.drop { $0 == " " }.hasPrefix("//") ? "" : String($0) }.joined(separator: "\n")
    return code.matches(of: /"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"/).map { match in
      let line = code[..<match.range.lowerBound].count { $0 == "\n" } + 1
      return Literal(place: "\(place):\(line)", text: String(match.output).replacing("\\\n", with: ""))
    }
  }

  private static func all() throws -> [Literal] {
    let root = SharedFolder.root
    let names = FileManager.default.enumerator(atPath: root.appending(path: "Sources").path)?.compactMap {
      $0 as? String
    }
    return try (names ?? []).filter { $0.hasSuffix(".swift") }.map { "Sources/" + $0 }
      .filter { name in !callers.contains { name.hasPrefix($0) } }.sorted().flatMap { name in
        literals(of: try String(contentsOf: root.appending(path: name), encoding: .utf8), at: name)
      }
  }

  /// Returns the faults in the commands that a text contains.
  private static func faults(in text: String, _ commands: [CommandDescription]) -> [String] {
    let byPath = Dictionary(commands.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    func subcommands(of path: [String]) -> Set<String> {
      Set(commands.map(\.path).filter { $0.count == path.count + 1 && $0.starts(with: path) }.compactMap(\.last))
    }
    var faults: [String] = []
    for match in text.matches(of: /(`?)dragoman ([a-z][^`\n"]*)/) {
      var words = match.output.2.split(separator: " ").map(String.init)[...]
      var path = ["dragoman"]
      while let word = words.first, subcommands(of: path).contains(word.trimmed) {
        path.append(word.trimmed)
        words = words.dropFirst()
        if word.trimmed != word { break }
      }
      guard path.count > 1 else {
        // In prose, any word can follow the program's name.
        if !match.output.1.isEmpty { faults.append("no command dragoman \(words.first ?? "")") }
        continue
      }
      var names = byPath[path]?.optionNames ?? []
      // A command with subcommands runs its default subcommand.
      for name in subcommands(of: path) { names.formUnion(byPath[path + [name]]?.optionNames ?? []) }
      let isCode = !match.output.1.isEmpty
      // In prose, the options of a command directly follow the command.
      for word in isCode ? words[...] : words.prefix(4)
      where word.trimmed.hasPrefix("--") && !names.contains(word.trimmed) {
        faults.append("\(path.joined(separator: " ")) has no \(word.trimmed)")
      }
    }
    return faults
  }

  @Test("every command mentioned in a message exists, with its options")
  func commands() throws {
    let commands = try CommandDescription.all()
    #expect(commands.count > 40)
    for literal in try Self.all() {
      for fault in Self.faults(in: literal.text, commands) { Issue.record("\(literal.place): \(fault)") }
    }
  }

  @Test(
    "every option mentioned in a message exists in the command of the file or in a command that the message names"
  )
  func options() throws {
    let commands = try CommandDescription.all()
    let every = commands.reduce(into: Set<String>()) { $0.formUnion($1.optionNames) }
    var seen = 0
    for (file, literals) in Dictionary(grouping: try Self.all(), by: { String($0.place.prefix { $0 != ":" }) }) {
      let own = try Self.commands(of: file, commands)
      for literal in literals {
        for match in literal.text.matches(of: /(?:^|[^-\w])(--[a-z][a-z-]*[a-z])/) {
          let name = String(match.output.1)
          seen += 1
          // A text about another command contains that command's name.
          let named = commands.filter {
            $0.path.count > 1 && literal.text.contains($0.path.dropFirst().joined(separator: " "))
          }
          let known = own.isEmpty ? every : (own + named).reduce(into: Set<String>()) { $0.formUnion($1.optionNames) }
          guard !Self.foreign.contains(name), !known.contains(name) else { continue }
          Issue.record("\(literal.place): \(own.isEmpty ? "no command" : "\(own)") has \(name)")
        }
      }
    }
    #expect(seen > 100)
  }

  /// Returns the commands whose names a file declares; empty for a file outside `Sources/dragoman/Commands`.
  private static func commands(of file: String, _ commands: [CommandDescription]) throws -> [CommandDescription] {
    guard file.hasPrefix("Sources/dragoman/Commands/") else { return [] }
    let text = try String(contentsOf: SharedFolder.root.appending(path: file), encoding: .utf8)
    let names = Set(text.matches(of: /CommandConfiguration\(\s*"([a-z-]+)"/).map { String($0.output.1) })
    return commands.filter { names.contains($0.path.last ?? "") }
  }

  @Test("the check of commands in messages finds wrong commands and options")
  func check() throws {
    let commands = try CommandDescription.all()
    let faults = { Self.faults(in: $0, commands) }
    #expect(faults("run `dragoman rounds show 3`, or dragoman uses it").isEmpty)
    #expect(faults("`dragoman held --format json`").isEmpty)
    #expect(faults("`dragoman round list`") == ["no command dragoman round"])
    #expect(faults("use dragoman serve --pipeline x") == ["dragoman serve has no --pipeline"])
    #expect(faults("`dragoman status --folder x`.") == ["dragoman status has no --folder"])
  }
}

extension String {
  /// The word without trailing punctuation.
  fileprivate var trimmed: String { String(reversed().drop { ".,;:)”'\"".contains($0) }.reversed()) }
}
