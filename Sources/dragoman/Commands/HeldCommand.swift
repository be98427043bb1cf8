import ArgumentParser
import Daemon
import Foundation
import Localization
import Pipeline
import ReadModel

/// The command `held`, which shows returned units that could not be delivered, and records people's decisions about them.
struct HeldCommand: ParsableCommand, DocumentedCommand {
  static let configuration = CommandConfiguration(
    "held", help, subcommands: [List.self, Show.self, Take.self, Drop.self, Edit.self], defaultSubcommand: List.self)

  static let help = CommandHelp(
    message("Show held units, and take, drop or edit them.", comment: "Describes the command held."),
    notes: [
      message(
        """
        A held unit came back from a vendor, but was not delivered for the reason shown. A daemon that uses the store applies \
        decisions within seconds; otherwise, the next run applies them.
        """, comment: "Help for held.")
    ],
    examples: ["dragoman held", "dragoman held take 12"],
    exits: [.done, .usage, .unreadableStore, .noStore, .busyStore])

  static let exits: [CommandHelp.Exit] = [
    .done, .usage, .unreadableStore,
    .init(
      .notFound,
      message("there is no store yet, or it has no such held unit", comment: "Help: when a command exits with 66.")),
    .busyStore,
    .init(.disk, message("the store could not be written", comment: "Help: when a command exits with 74.")),
  ]

  struct List: AsyncParsableCommand, DocumentedCommand {
    static let configuration = CommandConfiguration("list", help)

    static let help = CommandHelp(
      message("List the held units with their reasons.", comment: "Describes the command held list."),
      examples: ["dragoman held list", "dragoman held list --pipeline birds --format json"],
      exits: [.done, .usage, .unreadableStore, .noStoreOrPipeline, .busyStore])

    @Option(help: .init(HelpText.heldPipeline, valueName: "name"))
    var pipeline: String?
    @OptionGroup var store: StoreOption
    @Option(help: .init(HelpText.format)) var format = OutputFormat.text
    @OptionGroup var output: ConsoleOptions

    func run() async throws {
      let model = try store.desk().model()
      let held = try await model.held(of: pipeline)
      if held.isEmpty, let pipeline { try await model.checkPipeline(pipeline) }
      switch format {
      case .json: output.console.raw(try stableJSON(held))
      case .text:
        if held.isEmpty {
          output.console.say(message("Nothing is held.", comment: "Shown by held if nothing is held."))
        }
        for unit in held { output.console.text(HeldText.lines(unit)) }
      }
    }
  }

  struct Show: AsyncParsableCommand, DocumentedCommand {
    static let configuration = CommandConfiguration("show", help)

    static let help = CommandHelp(
      message("Show a held unit with its forms.", comment: "Describes the command held show."),
      examples: ["dragoman held show 12"], exits: HeldCommand.exits)

    @OptionGroup var unit: HeldArguments
    @Option(help: .init(HelpText.format)) var format = OutputFormat.text
    @OptionGroup var output: ConsoleOptions

    func run() async throws {
      let details = try await unit.store.desk().model().held(unit.unitID, on: unit.branch)
      switch format {
      case .json: output.console.raw(try stableJSON(details))
      case .text:
        output.console.text(HeldText.lines(details.unit))
        for form in details.forms {
          let name = form.form.isEmpty ? "" : "\(form.form): "
          output.console.result("  \(name)“\(form.source)” → “\(form.target)”".withVisibleControls)
        }
      }
    }
  }

  struct Take: AsyncParsableCommand, DocumentedCommand {
    static let configuration = CommandConfiguration("take", help)

    static let help = CommandHelp(
      message(
        "Accept a held unit despite the reason for which it is held.", comment: "Describes the command held take."),
      examples: ["dragoman held take 12 --branch main"],
      exits: HeldCommand.exits + [
        .init(.refused, message("this reason cannot be overruled", comment: "Help: when a command exits with 77."))
      ])

    @OptionGroup var unit: HeldArguments
    @OptionGroup var output: ConsoleOptions

    func run() async throws {
      let branch = try await unit.heldBranch()
      let taken = try await unit.store.desk().decisions().take(unit.unitID, on: branch)
      output.console.say(
        message("The next merge takes %@.", HeldText.name(taken), comment: "The result of held take: a unit."))
    }
  }

  struct Drop: AsyncParsableCommand, DocumentedCommand {
    static let configuration = CommandConfiguration("drop", help)

    static let help = CommandHelp(
      message(
        """
        Discard a held unit and the vendor's earlier returns for its string. The string is sent again if it is still untranslated.
        """, comment: "Describes the command held drop."),
      examples: ["dragoman held drop 12"], exits: HeldCommand.exits)

    @OptionGroup var unit: HeldArguments
    @OptionGroup var output: ConsoleOptions

    func run() async throws {
      let branch = try await unit.heldBranch()
      let dropped = try await unit.store.desk().decisions().drop(unit.unitID, on: branch)
      for unit in dropped {
        output.console.say(message("Dropped %@.", HeldText.name(unit), comment: "The result of held drop: a unit."))
      }
    }
  }

  struct Edit: AsyncParsableCommand, DocumentedCommand {
    static let configuration = CommandConfiguration("edit", help)

    static let help = CommandHelp(
      message(
        "Replace the texts of a held unit. They are reviewed like those of the vendor.",
        comment: "Describes the command held edit."
      ),
      examples: ["dragoman held edit 12 --text \"%lld Vögel\""], exits: HeldCommand.exits)

    @OptionGroup var unit: HeldArguments
    @Option(name: .customLong("text"), help: .init(HelpText.heldText)) var texts: [String]
    @OptionGroup var output: ConsoleOptions

    func run() async throws {
      let branch = try await unit.heldBranch()
      let edited = try await unit.store.desk().decisions().edit(unit.unitID, on: branch, texts: texts)
      output.console.say(
        message(
          "The next merge reviews the new text of %@.", HeldText.name(edited),
          comment: "The result of held edit: a unit."))
    }
  }
}

/// The arguments that select a held unit on a branch.
struct HeldArguments: ParsableArguments {
  @Argument(help: .init(HelpText.heldID, valueName: "id")) var id: Int64
  @Option(help: .init(HelpText.heldBranch, valueName: "name")) var branch: String?
  @OptionGroup var store: StoreOption

  var unitID: ReturnedUnitID { ReturnedUnitID(rawValue: id) }

  /// Returns the branch of `--branch`, or else the only branch on which the unit is held.
  /// - Throws: an error if `--branch` is missing and the unit is not held, or is held on several branches.
  func heldBranch() async throws -> String {
    if let branch { return branch }
    let branches = try await store.desk().held().filter { $0.id == unitID }.map(\.branch)
    guard let only = branches.first else { throw PipelineError.notHeld(unitID, on: nil) }
    guard branches.count == 1 else {
      throw CommandFailure(
        .usage,
        message(
          "the unit is held on several branches: %@. Choose one with --branch", branches.joined(separator: ", "),
          comment: "An error: names of branches."))
    }
    return only
  }
}

private enum HeldText {
  static func name(_ unit: HeldUnit) -> String {
    "\(unit.pipeline) \(unit.branch) \(unit.language) \(unit.unit.catalog): \(unit.unit.key.text.debugDescription)"
      .withVisibleControls
  }

  static func lines(_ unit: HeldUnit) -> String {
    "\(unit.id.rawValue)\t\(name(unit))\n\t“\(unit.text)”".withVisibleControlsInLines + "\n\t"
      + (unit.reason?.sentence
      ?? message(
        "a reason from a newer version of Dragoman",
        comment: "Shown instead of a reason that this version does not know."))
      .withVisibleControls
  }
}
