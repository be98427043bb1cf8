import Localization

/// The `.strings` files that replace missing catalogs in projects that keep the output of genstrings (xcode-extraction.md F). Strings in code belong
/// to these files, but sync never changes them.
enum StringTables {
  /// Returns the source language's file of each table. This is the file in the source language's folder, such as `en.lproj`, or otherwise the file in
  /// `Base.lproj`, or otherwise a file that is not localized.
  /// - Parameter language: the source language; `nil` if the project states none, which means English.
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

  /// Returns the files that replace catalogs for targets derived from folders. In a project without any catalog, these are the tables in English, in
  /// `Base.lproj` or outside language folders, because nothing states the source language.
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

  /// Completes the targets of a tree without any catalog. All targets that are not idle report their strings, because people who have no table yet
  /// also want to see the strings.
  ///
  /// A target without a table for its code uses the only table of its project, as when genstrings reads all sources. The target of that table must be
  /// at least as large: an app's extensions share the app's table, but an app does not use a table of its services.
  /// - Parameter idle: the targets without texts for users: tests, plug-ins and macros.
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

  /// Returns whether a table contains texts about the target itself instead of texts that its code uses.
  private static func isOfOneTarget(_ table: String) -> Bool {
    table == "InfoPlist" || table.hasSuffix("-InfoPlist") || table == "AppShortcuts"
  }

  /// Returns the resource folder that contains a catalog, or a table that replaces a catalog. A language's folder is not a resource folder.
  static func resourceFolder(of path: TreePath) -> TreePath {
    path.ending == "strings" ? path.folderOfLanguages : path.parent
  }

  /// Returns the possible names of a language's folder: `pt-BR`, `pt_BR`, `English`.
  static func folderNames(of language: LocaleIdentifier) -> [String] {
    [language.rawValue, language.rawValue.split(separator: "-").joined(separator: "_")]
      + LanguageAliases.folderNames.filter { $0.value == language.rawValue }.map(\.key).sorted()
  }
}
