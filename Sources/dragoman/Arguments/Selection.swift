import ArgumentParser
import Localization
import Workspace

/// The options `--target` and `--table`, shared by the commands that show or write a part of a project.
struct SelectionArguments: ParsableArguments {
  @Option(name: .customLong("target"), help: .init(HelpText.targets, valueName: "name"))
  var targets: [String] = []

  @Option(name: .customLong("table"), help: .init(HelpText.tables, valueName: "name"))
  var tables: [String] = []

  /// Returns the part of a project that the options select.
  /// - Throws: an error if the project has no such target or table.
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

/// The option `--language` of commands that show the languages of a project or compile catalogs.
struct LanguageArguments: ParsableArguments {
  @Option(name: .customLong("language"), help: .init(HelpText.shownLanguages, valueName: "language"))
  var languages: [String] = []

  /// Returns the requested languages, or all known languages if none is requested.
  /// - Parameter source: the source language. If it is requested but is not among the known languages, the error explains this.
  /// - Throws: an error if the project has no such language.
  func chosen(
    among known: Set<LocaleIdentifier>, source: LocaleIdentifier? = nil
  ) throws(CommandFailure) -> [LocaleIdentifier] {
    guard !languages.isEmpty else { return known.sorted() }
    let asked = languages.map(LocaleIdentifier.init(_:))
    for language in asked where !known.contains(language) {
      guard language != source else {
        throw CommandFailure(
          .notFound,
          message(
            "%1$@ is the source language; give target languages (%2$@)", language.rawValue,
            known.map(\.rawValue).sorted().joined(separator: ", "),
            comment: "An error: a language that --language gives, and the languages of the project."))
      }
      throw .unknown(
        language, among: known,
        message(
          "the project has no translations into %@", language.rawValue,
          comment: "An error: a language that --language of a command gives."))
    }
    return Set(asked).sorted()
  }
}

extension LocaleIdentifier {
  /// Parses a language identifier from the command line. The project need not have the language.
  /// - Throws: `ValidationError` if the argument is not a language identifier. The error for `de_DE` suggests `de-DE`.
  static func parse(_ argument: String) throws -> LocaleIdentifier {
    let language = LocaleIdentifier(argument)
    guard language.isWellFormed, KnownLanguages.contains(language) else { throw notALanguage(argument) }
    return language
  }

  static func notALanguage(_ argument: String) -> ValidationError {
    let usual = LanguageMatch.newName(of: LocaleIdentifier(argument)).flatMap { KnownLanguages.contains($0) ? $0 : nil }
    guard let usual, usual.rawValue != argument else {
      return ValidationError(
        message("%@ is not a language identifier such as de or pt-BR.", argument, comment: "Refusal of --language."))
    }
    return ValidationError(
      message(
        "%1$@ is not a language identifier such as de or pt-BR; did you mean %2$@?", argument, usual.rawValue,
        comment: "Refusal of --language: what was given, and its usual form."))
  }
}

/// Refuses a spelling that Xcode does not write into project files, such as `pt-br`, and a tag that cannot be a target language, such as `und`.
func refuseUnusual(_ language: LocaleIdentifier) throws {
  guard !["und", "mul", "mis", "zxx"].contains(language.rawValue.lowercased()) else {
    throw CommandFailure(
      .usage, message("%@ cannot be a target language", language.rawValue, comment: "An error: a language."))
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
  /// Returns the error for a requested name that does not exist. It suggests the nearest known name and lists all names if there are at most 20.
  static func unknown(
    _ name: String, among names: [String], _ words: String, _ status: ExitStatus = .notFound
  ) -> CommandFailure {
    CommandFailure(status, words + NearestName.suffix(name, names) + list(names))
  }

  /// Returns the error for a requested language that does not exist. It suggests the nearest known language and lists all languages if there are at
  /// most 20.
  static func unknown(
    _ language: LocaleIdentifier, among known: Set<LocaleIdentifier>, _ words: String,
    _ status: ExitStatus = .notFound
  ) -> CommandFailure {
    CommandFailure(
      status, words + LanguageMatch([known]).suffix(language.rawValue) + list(known.map(\.rawValue).sorted()))
  }

  private static func list(_ names: [String]) -> String {
    names.count <= 20 && !names.isEmpty ? " (\(names.joined(separator: ", ")))" : ""
  }
}
