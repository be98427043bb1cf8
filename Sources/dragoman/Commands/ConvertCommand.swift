import ArgumentParser
import GitSource
import Localization

/// `.strings` and `.stringsdict` files of all languages → one String Catalog a table.
struct ConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: HelpText.convertAbstract,
    discussion: HelpText.convertExample)

  @Argument(help: .init(HelpText.path), completion: .directory)
  var path = "."

  @Option(name: .customLong("table"), help: .init(HelpText.convertTables))
  var tables: [String] = []

  @Flag(help: .init(HelpText.dryRun))
  var dryRun = false

  @OptionGroup var extraction: ExtractionArguments
  @OptionGroup var output: ConsoleOptions

  func validate() throws {
    guard extraction.targets.isEmpty else {
      throw ValidationError(
        message(
          "convert needs the strings of all targets; leave --target out.", comment: "Refusal of --target by convert."))
    }
  }

  func run() throws {
    let console = output.console
    let directory = try openDirectory(path)
    let state = try ProjectSnapshot.read(directory, options: extraction.options)
    console.show(state.diagnostics)
    let groups = TableConversion.groups(of: state.project).filter {
      tables.isEmpty || tables.contains($0.path.stem)
    }
    if let missing = tables.first(where: { name in !groups.contains { $0.path.stem == name } }) {
      throw CommandFailure(
        .notFound,
        message(
          "convert table %@: no .strings or .stringsdict file of the source language is of this table", missing,
          comment: "An error: the name of a table."))
    }
    var converted = 0
    var isUnreadable = false
    for group in groups {
      do {
        let conversion = try TableConversion(group, of: state)
        if !dryRun { try directory.apply(conversion.edits) }
        console.show(conversion.diagnostics)
        guard !conversion.edits.isEmpty else { continue }
        tell(of: conversion, in: state.project, console)
        converted += 1
      } catch let fault as InputFault {
        console.show(fault.diagnostics)
        isUnreadable = true
      }
    }
    console.say(
      message("Tables converted: %lld.", converted, comment: "The last line of the command convert."))
    if isUnreadable || state.isUnreadable { throw ExitStatus.unreadableInput.code }
  }

  /// What was done, and what is left to do by hand in Xcode projects.
  private func tell(of conversion: TableConversion, in project: ProjectDescription, _ console: Console) {
    for path in conversion.edits.paths {
      console.result(conversion.edits.edits[path] == .remove ? "removed \(path)" : "wrote \(path)")
    }
    for target in project.targets where conversion.targets.contains(target.id) {
      guard case .xcode(let file) = target.kind else { continue }
      console.say(
        message(
          "%@: unless Xcode takes the folder as a whole, take %@ out of the target %@ and add %@ to it.",
          file.parent.text, "\(conversion.name).strings", target.name, conversion.path.text,
          comment: "What is left to do: an Xcode project, a file name, a target and the path of a String Catalog."))
    }
  }
}
