import ArgumentParser
import Localization
import Workspace

/// `--target` and `--table`, shared by the commands that show or write a part of a project.
struct SelectionArguments: ParsableArguments {
  @Option(name: .customLong("target"), help: .init(HelpText.targets, valueName: "name"))
  var targets: [String] = []

  @Option(name: .customLong("table"), help: .init(HelpText.tables, valueName: "name"))
  var tables: [String] = []

  /// - Throws: if the project has no such target or table.
  func selection(in project: ProjectDescription) throws(CommandFailure) -> Selection {
    do throws(UnknownName) {
      return try Selection(targets: targets, tables: tables, in: project)
    } catch {
      let words =
        switch error.kind {
        case .target:
          message("no target %@", error.name, comment: "An error: a name that --target of a command gives.")
        case .table:
          message("no table %@", error.name, comment: "An error: a name that --table of a command gives.")
        }
      throw .unknown(error.name, among: error.known, words)
    }
  }
}

/// `--language` of commands that show languages of a project.
struct LanguageArguments: ParsableArguments {
  @Option(name: .customLong("language"), help: .init(HelpText.shownLanguages, valueName: "language"))
  var languages: [String] = []

  /// The languages to show: the requested ones, otherwise all.
  /// - Throws: if the project has no such language.
  func chosen(among known: Set<LocaleIdentifier>) throws(CommandFailure) -> [LocaleIdentifier] {
    guard !languages.isEmpty else { return known.sorted() }
    let asked = languages.map(LocaleIdentifier.init(_:))
    for language in asked where !known.contains(language) {
      throw .unknown(
        language.rawValue, among: known.map(\.rawValue).sorted(),
        message(
          "the project has no translations into %@", language.rawValue,
          comment: "An error: a language that --language of a command gives."))
    }
    return Set(asked).sorted()
  }
}

/// A language that a person names. It need not be one that the project has.
extension LocaleIdentifier: ExpressibleByArgument {
  package init?(argument: String) {
    self.init(argument)
    guard isWellFormed, KnownLanguages.contains(self) else { return nil }
  }
}

/// Refuses a language that is about to be written into project files in letters that Xcode does not use for it, such as `pt-br`, and tags that
/// are no language of a translation, such as `und`.
func refuseUnusual(_ language: LocaleIdentifier) throws {
  guard !["und", "mul", "mis", "zxx"].contains(language.rawValue.lowercased()) else {
    throw CommandFailure(
      .usage, message("%@ is not a language to translate into", language.rawValue, comment: "An error: a language."))
  }
  let usual = language.inUsualCase
  guard usual != language else { return }
  throw CommandFailure(
    .usage,
    message(
      "no language %1$@; did you mean %2$@?", language.rawValue, usual.rawValue,
      comment: "An error: a language, and its usual form."))
}

extension CommandFailure {
  /// A requested name that does not exist, with the nearest known name and, if they are few, all names.
  static func unknown(
    _ name: String, among names: [String], _ words: String, _ status: ExitStatus = .notFound
  ) -> CommandFailure {
    let few = names.count <= 20 && !names.isEmpty ? " (\(names.joined(separator: ", ")))" : ""
    return CommandFailure(status, words + NearestName.suffix(name, names) + few)
  }
}
