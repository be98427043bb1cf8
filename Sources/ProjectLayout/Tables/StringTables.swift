import Localization

/// The `.strings` files that stand for the catalogs of tables that have none: projects that keep what genstrings writes
/// (xcode-extraction.md F). Strings of code are found there; sync never changes them.
enum StringTables {
  /// Of the files of each table the one in the source language, by table: that of `en.lproj`, else of `Base.lproj`, else one that is not
  /// localized.
  /// - Parameter language: `nil` where the project does not name one.
  static func inSourceLanguage(_ paths: some Sequence<TreePath>, _ language: LocaleIdentifier?) -> [String: TreePath] {
    let folders = folderNames(of: language ?? "en") + ["Base"]
    func rank(_ path: TreePath) -> Int? {
      path.isInLanguageFolder ? folders.firstIndex(of: path.parent.stem) : folders.count
    }
    var found: [String: (rank: Int, path: TreePath)] = [:]
    for path in paths {
      guard let rank = rank(path) else { continue }
      if let known = found[path.stem], (known.rank, known.path) <= (rank, path) { continue }
      found[path.stem] = (rank, path)
    }
    return found.mapValues(\.path)
  }

  /// What stands for catalogs where folders alone tell the targets: in a project that has no catalog at all, the tables in English or
  /// the base language, since no one says which language is the source.
  static func standIns(_ tables: [TreeEntry], besides catalogs: [TreeEntry], _ regions: Regions) -> [TreeEntry] {
    let taken = Set(catalogs.map { regions.top(of: $0.path.parent) })
    let open = tables.filter {
      regions.package(of: $0.path.parent) == nil && !taken.contains(regions.top(of: $0.path.parent))
    }
    return Dictionary(grouping: open, by: { resourceFolder(of: $0.path) }).flatMap { _, entries in
      let chosen = Set(inSourceLanguage(entries.map(\.path), nil).values)
      return entries.filter { chosen.contains($0.path) }
    }.sorted { $0.path < $1.path }
  }

  /// Targets of a tree without any catalog, which all tell their strings: someone who has no table yet wants to see them, too. One that
  /// lacks a table of code writes to the only one of its project, as genstrings over all its sources does, if that is a larger target's:
  /// an app's extensions share its table, and an app does not write to a table of its services.
  /// - Parameter idle: tests, plug-ins and macros, which never hold text for people.
  static func completed(_ targets: [ProjectTarget], idle: Set<TargetID>) -> [ProjectTarget] {
    func size(_ target: ProjectTarget) -> Int { target.swiftSources.count + target.otherSources.count }
    var tables: [ProjectTarget.Kind: [String: [TreePath: Int]]] = [:]
    for target in targets where !idle.contains(target.id) {
      guard case .xcode = target.kind else { continue }
      for (table, path) in target.catalogs where !isOfOneTarget(table) {
        tables[target.kind, default: [:]][table, default: [:]].merge([path: size(target)], uniquingKeysWith: max)
      }
    }
    return targets.map { target in
      guard !idle.contains(target.id) else { return target }
      var target = target
      target.feedsCatalogs = true
      for (table, paths) in tables[target.kind] ?? [:] where target.catalogs[table] == nil {
        if paths.count == 1, let only = paths.first, only.value >= size(target) { target.catalogs[table] = only.key }
      }
      return target
    }
  }

  /// Whether a table holds what belongs to a target itself, not texts that its code names.
  private static func isOfOneTarget(_ table: String) -> Bool {
    table == "InfoPlist" || table.hasSuffix("-InfoPlist") || table == "AppShortcuts"
  }

  /// The folder of resources that a catalog, or a table that stands for one, lies in: a language's folder is none.
  static func resourceFolder(of path: TreePath) -> TreePath {
    path.ending == "strings" ? path.folderOfLanguages : path.parent
  }

  /// What the folder of a language can be called: `pt-BR`, `pt_BR`, `English`.
  static func folderNames(of language: LocaleIdentifier) -> [String] {
    [language.rawValue, language.rawValue.split(separator: "-").joined(separator: "_")]
      + LanguageAliases.folderNames.filter { $0.value == language.rawValue }.map(\.key).sorted()
  }
}
