import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import dragoman

/// The `--help` output of every command, which must be specific and correct and fit into 80 columns.
@Suite("Help of the commands", .enabled(if: HelpLanguage.isEnglish))
struct HelpTests {
  @Test("--help and help print a command's overview, examples and exit codes in 80 columns")
  func own() throws {
    let folder = try TemporaryFolder()
    for command in try CommandDescription.all() {
      let name = Array(command.path.dropFirst())
      for arguments in [name + ["--help"], ["help"] + name] {
        let end = try dragoman(arguments, in: folder.path)
        #expect(end.status == 0, "\(arguments)")
        let words = Self.words(end.output)
        #expect(words.hasPrefix("OVERVIEW: \(Self.words(command.help.overview)) "), "\(arguments)")
        for text in command.help.notes + command.help.examples { #expect(words.contains(Self.words(text))) }
        for exit in command.help.exits {
          #expect(words.contains(" \(exit.status.rawValue) \(Self.words(exit.reason))"), "\(arguments)")
        }
        for line in end.output.split(separator: "\n") { #expect(line.count <= 80, "\(arguments): \(line)") }
      }
    }
  }

  @Test("every command has a separate overview, an example, and sorted exit codes")
  func complete() throws {
    let commands = try CommandDescription.all()
    #expect(Set(commands.map(\.help.overview)).count == commands.count)
    for command in commands {
      #expect(!command.help.examples.isEmpty, "\(command)")
      let codes = command.help.exits.map(\.status.rawValue)
      #expect(codes == Set(codes).sorted(), "\(command)")
      // The program itself lists all exit codes of its commands.
      #expect(command.path.count == 1 || codes.first == 0 && codes.contains(64), "\(command)")
    }
  }

  @Test("every example in a help text is a valid invocation of the command")
  func examples() throws {
    for command in try CommandDescription.all() {
      var count = 0
      for example in command.help.examples {
        guard let words = Self.arguments(of: example) else { continue }
        count += 1
        let parsed = try Dragoman.parseAsRoot(words)
        let isOwn = type(of: parsed) == command.type || !command.type.configuration.subcommands.isEmpty
        #expect(isOwn, "\(example)")
      }
      #expect(count > 0, "\(command)")
    }
  }

  @Test("every option in a list of options is accepted")
  func options() throws {
    for command in try CommandDescription.all() where command.type.configuration.subcommands.isEmpty {
      let required = command.arguments.filter { !$0.isOptional }.flatMap(Self.given)
      for argument in command.arguments where argument.isOptional {
        let words = command.path.dropFirst() + Self.given(argument) + required
        #expect(throws: Never.self, "\(words)") { _ = try Dragoman.parseAsRoot(Array(words)) }
      }
    }
  }

  @Test("every option mentioned in a help text is an option of the command")
  func namedOptions() throws {
    for command in try CommandDescription.all() where command.path.count > 1 {
      let texts =
        [command.help.overview] + command.help.notes + command.help.exits.map(\.reason)
        + command.arguments.compactMap(\.abstract)
      for text in texts {
        for match in text.matches(of: #/--[a-z][a-z\-]*/#) {
          #expect(command.optionNames.contains(String(match.output)), "\(command): \(text)")
        }
      }
    }
  }

  @Test("--target, --table and --language reject unknown names with 66 in every command that has them")
  func unknownNames() throws {
    let repository = try TemporaryRepository()
    try repository.commit([
      "Package.swift": """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(name: "Kit", defaultLocalization: "en", targets: [.target(name: "Kit")])
      """,
      "Sources/Kit/Kit.swift": "import Foundation\nlet hello = String(localized: \"Hello\")\n",
      "Sources/Kit/Localizable.xcstrings": #"{ "sourceLanguage": "en", "strings": { "Hello": {} }, "version": "1.0" }"#,
    ])
    var count = 0
    for command in try CommandDescription.all() {
      for option in ["--target", "--table", "--language"] where command.optionNames.contains(option) {
        // These commands accept languages that the project lacks.
        if option == "--language", ["import", "export", "init", "explain"].contains(command.path[1]) { continue }
        let required: [String: [String]] = [
          "diff": ["HEAD", "HEAD"], "export": ["--output", "out"],
          "compile": ["Sources/Kit/Localizable.xcstrings", "--output", "out"],
        ]
        let end = try dragoman(
          command.path.dropFirst() + (required[command.path[1]] ?? []) + [option, "xx"], in: repository.path)
        #expect(end.status == 66 && end.errors.contains("xx"), "\(command) \(option): \(end.status) \(end.errors)")
        count += 1
      }
    }
    #expect(count >= 15)
  }

  @Test("options that would have no effect are rejected with 64")
  func withoutEffect() throws {
    let folder = try TemporaryFolder()
    for (arguments, words) in [
      (["extract", "--why", "Hello", "--table", "Localizable"], "--target"),
      (["run", "pipeline.yaml", "--format", "json"], "--once"),
      (["export", "--template", "--language", "de", "--output", "out"], "--language en"),
    ] {
      let end = try dragoman(arguments, in: folder.path)
      #expect(end.status == 64 && end.errors.contains(words), "\(arguments): \(end.status) \(end.errors)")
    }
  }

  /// Returns a text in which each run of spaces and line breaks is replaced with one space.
  private static func words(_ text: String) -> String {
    text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
  }

  /// Returns the arguments in an example. For a merge driver, these are the arguments that git would pass. The result is `nil` if the example does
  /// not run the program.
  private static func arguments(of example: String) -> [String]? {
    var words = shellWords(example.replacing("\\\n", with: " "))
    if words.first == "git", let driver = words.last { words = shellWords(driver) }
    guard let program = words.first, program == "dragoman" || program.hasSuffix("/dragoman") else { return nil }
    return Array(words.dropFirst().prefix { $0 != ">" })
  }

  /// Splits a command line into words, with quotes but without escapes.
  private static func shellWords(_ line: String) -> [String] {
    line.matches(of: #/"([^"]*)"|'([^']*)'|[^ "']+/#).map { match in
      String(match.output.1 ?? match.output.2 ?? match.output.0)
    }
  }

  /// Returns an argument with a valid value.
  private static func given(_ argument: ArgumentDescription) -> [String] {
    let samples = [
      "version/build": "16.0/16A242d", "percent": "95", "selector": "key=Hello", "language[=as]": "pt-PT",
      "chain": "es-MX=es-419,es", "number": "30", "count": "30", "id": "7",
    ]
    let value = argument.allValues?.first ?? samples[argument.valueName ?? ""] ?? "de"
    switch argument.kind {
    case .flag: return argument.optionNames.prefix(1).map(\.self)
    case .positional: return [value]
    case .option: return argument.optionNames.prefix(1) + [value]
    }
  }
}
