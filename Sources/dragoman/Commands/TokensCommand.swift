import ArgumentParser
import Daemon
import Foundation
import Localization
import Pipeline
import ReadModel

extension Role: ExpressibleByArgument {}

struct TokensCommand: ParsableCommand, DocumentedCommand {
  static let configuration = CommandConfiguration(
    "tokens", help, subcommands: [List.self, Add.self, Remove.self], defaultSubcommand: List.self)

  static let help = CommandHelp(
    message("List, add or remove the tokens of the API.", comment: "Describes the command tokens."),
    examples: ["dragoman tokens", "dragoman tokens add ci --role operator"],
    exits: [.done, .usage, .unreadableStore, .noStore, .busyStore])

  struct List: AsyncParsableCommand, DocumentedCommand {
    static let configuration = CommandConfiguration("list", help)

    static let help = CommandHelp(
      message(
        "List the tokens with their roles. The tokens themselves are not stored.",
        comment: "Describes the command tokens list."),
      examples: ["dragoman tokens list"], exits: [.done, .usage, .unreadableStore, .noStore, .busyStore])

    @OptionGroup var store: StoreOption
    @OptionGroup var output: ConsoleOptions

    func run() async throws {
      let tokens = try await store.desk().model().people.tokens()
      if tokens.isEmpty {
        output.console.say(message("There are no tokens.", comment: "Shown by tokens list if there are no tokens."))
      }
      for token in tokens {
        output.console.result("\(token.name)\t\(token.role.rawValue)\t\(token.created.formatted(.iso8601))")
      }
    }
  }

  struct Add: AsyncParsableCommand, DocumentedCommand {
    static let configuration = CommandConfiguration("add", help)

    static let help = CommandHelp(
      message("Add a token, and print it once.", comment: "Describes the command tokens add."),
      notes: [
        message(
          "Only the token's SHA-256 is stored. Anyone who has the token may do what its role allows.",
          comment: "Help for tokens add.")
      ],
      examples: ["dragoman tokens add ci --role viewer", "dragoman tokens add ann --role operator"],
      exits: [
        .done, .usage, .unreadableStore, .busyStore,
        .init(.disk, message("the store could not be written", comment: "Help: when a command exits with 74.")),
        .init(
          .refused, message("a token with this name already exists", comment: "Help: when a command exits with 77.")),
      ])

    @Argument(help: .init(HelpText.tokenName, valueName: "name")) var name: String
    @Option(help: .init(HelpText.tokenRole)) var role: Role
    @OptionGroup var store: StoreOption
    @OptionGroup var output: ConsoleOptions

    func validate() throws {
      guard Decisions.isTokenName(name) else { throw ValidationError(Decisions.tokenNameRule) }
    }

    func run() async throws {
      let token = try await store.desk(orNew: true).decisions().addToken(named: name, role: role)
      output.console.result(token.reveal())
    }
  }

  struct Remove: AsyncParsableCommand, DocumentedCommand {
    static let configuration = CommandConfiguration("remove", help)

    static let help = CommandHelp(
      message("Remove a token. Requests with it are refused at once.", comment: "Describes the command tokens remove."),
      examples: ["dragoman tokens remove ci"],
      exits: [
        .done, .usage, .unreadableStore,
        .init(
          .notFound, message("there is no store yet, or no such token", comment: "Help: when a command exits with 66.")),
        .busyStore,
        .init(.disk, message("the store could not be written", comment: "Help: when a command exits with 74.")),
      ])

    @Argument(help: .init(HelpText.tokenName, valueName: "name")) var name: String
    @OptionGroup var store: StoreOption
    @OptionGroup var output: ConsoleOptions

    func run() async throws {
      try await store.desk().decisions().removeToken(named: name)
      output.console.say(message("Removed %@.", name, comment: "The result of tokens remove: the name of a token."))
    }
  }
}
