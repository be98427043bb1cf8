import ArgumentParser

/// The text that describes a command in `--help` and docs/reference/cli.md, without arguments and options.
struct CommandHelp: Sendable {
  /// An exit code with its meaning.
  struct Exit: Sendable {
    let status: ExitStatus
    let reason: String

    init(_ status: ExitStatus, _ reason: String) {
      self.status = status
      self.reason = reason
    }
  }

  /// The purpose of the command in one or two sentences, also shown in the list of commands.
  let overview: String
  /// Further information for users. Each element is a paragraph.
  let notes: [String]
  /// Command lines to copy. A test parses them and checks that each line fits into a terminal.
  let examples: [String]
  /// The exit codes in ascending order.
  let exits: [Exit]

  init(_ overview: String, notes: [String] = [], examples: [String], exits: [Exit]) {
    self.overview = overview
    self.notes = notes
    self.examples = examples
    self.exits = exits
  }

  /// Returns the text after the overview in `--help`.
  func discussion(columns: Int = HelpLayout.columns) -> String {
    var parts = notes
    parts.append(
      ([message("EXAMPLES:", comment: "Heading in the help of a command, above command lines.")]
        + examples.flatMap { $0.split(separator: "\n").map { "  " + $0 } }).joined(separator: "\n"))
    if !exits.isEmpty {
      let lines = exits.map { exit in
        let code = String(exit.status.rawValue)
        let label = "  " + code + String(repeating: " ", count: 4 - code.count)
        // ArgumentParser breaks a line whose length is equal to the width of the terminal.
        return label + HelpLayout.wrapped(exit.reason, to: columns - 1, indent: label.count)
      }
      parts.append(
        ([message("EXIT CODES:", comment: "Heading in the help of a command, above codes and when they are given.")]
          + lines).joined(separator: "\n"))
    }
    return parts.joined(separator: "\n\n")
  }
}

/// Exit codes that several commands share.
extension CommandHelp.Exit {
  static let done = Self(.done, message("done", comment: "Help: when a command exits with 0."))
  static let usage = Self(.usage, message("wrong usage", comment: "Help: when a command exits with 64."))
  static let nothingReadable = Self(
    .unreadableInput, message("nothing could be read", comment: "Help: when a command exits with 65."))
  static let unusablePipeline = Self(
    .unreadableInput,
    message(
      "a pipeline file, bundle or catalog cannot be read; everything else was done",
      comment: "Help: when a command exits with 65."))
  static let faultyPipeline = Self(
    .unreadableInput, message("a pipeline file has a fault", comment: "Help: when a command exits with 65."))
  static let unreadableStore = Self(
    .unreadableInput,
    message("the store is damaged, or a newer version wrote it", comment: "Help: when a command exits with 65."))
  static let noFile = Self(.notFound, message("a file was not found", comment: "Help: when a command exits with 66."))
  static let noFolder = Self(
    .notFound, message("the folder was not found", comment: "Help: when a command exits with 66."))
  static let noSuchTable = Self(
    .notFound, message("a path, target or table was not found", comment: "Help: when a command exits with 66."))
  static let noSuchPart = Self(
    .notFound,
    message("a path, revision, target or table was not found", comment: "Help: when a command exits with 66."))
  static let noSuchPartOrLanguage = Self(
    .notFound,
    message("a path, revision, target, table or language was not found", comment: "Help: when a command exits with 66.")
  )
  static let noPipeline = Self(
    .notFound,
    message("a pipeline file, repository or branch was not found", comment: "Help: when a command exits with 66."))
  static let noStore = Self(.notFound, message("there is no store yet", comment: "Help: when a command exits with 66."))
  static let noStoreOrPipeline = Self(
    .notFound,
    message("there is no store yet, or no such pipeline in it", comment: "Help: when a command exits with 66."))
  static let noRound = Self(
    .notFound, message("there is no store yet, or no such round", comment: "Help: when a command exits with 66."))
  static let unreachable = Self(
    .unavailable,
    message(
      "a server could not be reached, or another dragoman uses the store",
      comment: "Help: when a command exits with 69."))
  static let busyStore = Self(
    .unavailable, message("the store is busy", comment: "Help: when a command exits with 69."))
  static let unwrittenStore = Self(
    .disk, message("the store could not be written", comment: "Help: when a command exits with 74."))
  static let notWritten = Self(
    .disk, message("a file could not be written", comment: "Help: when a command exits with 74."))
  static let needsPerson = Self(
    .refused,
    message(
      "credentials or permissions are missing, or a person must resolve a conflict first",
      comment: "Help: when a command exits with 77."))
}

/// A command whose help is described by a `CommandHelp`.
protocol DocumentedCommand: ParsableCommand {
  static var help: CommandHelp { get }
}

extension CommandConfiguration {
  init(
    _ name: String, _ help: CommandHelp, version: String = "", subcommands: [any ParsableCommand.Type] = [],
    defaultSubcommand: (any ParsableCommand.Type)? = nil
  ) {
    self.init(
      commandName: name, abstract: help.overview, discussion: help.discussion(), version: version,
      subcommands: subcommands, defaultSubcommand: defaultSubcommand)
  }
}
