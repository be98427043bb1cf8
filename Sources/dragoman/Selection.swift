import ArgumentParser
import Localization

/// `--target` and `--table`, shared by the commands that show or write a part of a project.
struct SelectionArguments: ParsableArguments {
  @Option(name: .customLong("target"), help: .init(HelpText.targets))
  var targets: [String] = []

  @Option(name: .customLong("table"), help: .init(HelpText.tables))
  var tables: [String] = []

  /// - Throws: where the project has no such target or table.
  func selection(in project: ProjectDescription) throws(CommandFailure) -> Selection {
    try Selection(targets: targets, tables: tables, in: project)
  }
}

/// The part of a project that a person asked for.
struct Selection {
  private let targets: Set<TargetID>?
  private let tables: Set<String>?
  /// By path; also those that code asks for and that are not there.
  private let feeding: [TreePath: Set<TargetID>]

  fileprivate init(targets: [String], tables: [String], in project: ProjectDescription) throws(CommandFailure) {
    let names = Set(project.targets.map(\.name)).sorted()
    for target in targets where !names.contains(target) {
      throw .unknown(
        target, among: names,
        message("no target %@", target, comment: "An error: a name that --target of a command gives."))
    }
    let known = Set(project.catalogs.map(\.table) + project.targets.flatMap(\.catalogs.keys)).sorted()
    for table in tables where !known.contains(table) {
      throw .unknown(
        table, among: known,
        message("no table %@", table, comment: "An error: a name that --table of a command gives."))
    }
    self.targets = targets.isEmpty ? nil : Set(project.targets.filter { targets.contains($0.name) }.map(\.id))
    self.tables = tables.isEmpty ? nil : Set(tables)
    var feeding: [TreePath: Set<TargetID>] = [:]
    for catalog in project.catalogs { feeding[catalog.path, default: []].formUnion(catalog.targets) }
    for target in project.targets {
      for path in target.catalogs.values { feeding[path, default: []].insert(target.id) }
    }
    self.feeding = feeding
  }

  /// Whether everything was asked for.
  var isWhole: Bool { targets == nil && tables == nil }

  /// - Parameter table: where it is not called as its file is.
  func contains(_ catalog: TreePath, table: String? = nil) -> Bool {
    (tables?.contains(table ?? catalog.stem) ?? true)
      && (targets.map { !$0.isDisjoint(with: feeding[catalog] ?? []) } ?? true)
  }

  /// For what has targets of its own.
  func contains(table: String, of owners: some Sequence<TargetID>) -> Bool {
    (tables?.contains(table) ?? true) && (targets.map { targets in owners.contains(where: targets.contains) } ?? true)
  }
}

/// `--language` of commands that show languages of a project.
struct LanguageArguments: ParsableArguments {
  @Option(name: .customLong("language"), help: .init(HelpText.shownLanguages))
  var languages: [String] = []

  /// The languages to show: those that were asked for, else all.
  /// - Throws: where the project has no such language.
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

extension CommandFailure {
  /// Something that a person asked for and that is not there, with the name that is nearest and, where they are few, all names.
  static func unknown(_ name: String, among names: [String], _ words: String) -> CommandFailure {
    let few = names.count <= 20 && !names.isEmpty ? " (\(names.joined(separator: ", ")))" : ""
    return CommandFailure(.notFound, words + NearestName.suffix(name, names) + few)
  }
}
