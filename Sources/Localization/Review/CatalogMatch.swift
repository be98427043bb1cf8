/// Finds the catalog that the `original` of a returned file refers to: by path, and by the file's texts if the path is ambiguous. Catalogs
/// that cannot be read are also matched by path, so that their units are not imported into another catalog with the same texts.
struct CatalogMatch {
  enum Result {
    /// The path of the file is the path of this catalog.
    case exact(TreePath)
    /// Only this catalog matches the file's path, but not exactly: one of the paths ends with the other, the file's path is relative to the folder of
    /// another project, the file is an interface file and the catalog contains its texts, or the catalog has another language's file in the place
    /// of the file.
    case suffix(TreePath)
    /// Several paths match, or only the file's name does, and this catalog has the texts of the file. `known` of the `of` compared texts are in the
    /// catalog.
    case content(TreePath, known: Int, of: Int)
    case ambiguous([TreePath])
    case none
  }

  private let catalogs: [TreePath: Catalog]
  /// The paths of these catalogs and of the catalogs that cannot be read.
  private let paths: CatalogPaths
  /// The folders that paths may be relative to: the folders of the projects, most likely first, then the root of the tree.
  private let folders: [TreePath]

  init(_ catalogs: [TreePath: Catalog], unreadable: Set<TreePath> = [], projectFolders: [TreePath] = []) {
    self.catalogs = catalogs
    folders = projectFolders.filter { !$0.isRoot || $0 == projectFolders.first } + [.root]
    paths = CatalogPaths(unreadable.union(catalogs.keys))
  }

  /// The maximum number of catalogs whose texts are compared with the texts of one file. A project may have a hundred packages with a
  /// `Localizable.xcstrings`.
  private static let mostCompared = 200

  /// Finds the catalog that a file's `original` refers to. `original` is relative to the project's folder, which may be below or above the root of
  /// the tree, or next to a package (`../../Kit/…`; xcode-formats.md B1). An exact match from a project's folder or the root has precedence, then a
  /// unique match of the last path components. If neither match exists, because a newer Xcode, a move or a vendor changed the folders or the format,
  /// a catalog with the same name is chosen if it has at least half of the file's texts and at least twice as many of these texts as any other
  /// catalog. If no folder matches, the file must also have at least half of the catalog's texts.
  func find(_ file: ExchangeFile) -> Result {
    if let result = byPath(file) { return result }
    let wanted = Self.inTree(file.original)
    guard !wanted.isRoot else { return .none }
    let names = Self.names(of: wanted)
    if let path = names.dropFirst().first(where: paths.contains) { return .suffix(path) }
    // Vendors may give the path of the file in the returned language.
    let siblings = paths.siblings(of: wanted)
    if siblings.count == 1 { return .suffix(siblings[0]) }
    let limit = Self.mostCompared + 1
    let ending = Set(names.flatMap { paths.matching($0, limit: limit) }).sorted()
    if ending.count == 1 { return .suffix(ending[0]) }
    let candidates = ending.isEmpty ? paths.namesakes(of: wanted, limit: limit) : ending
    guard !candidates.isEmpty else { return .none }
    // If the contents of one candidate are unknown, comparing the texts of the others proves nothing.
    guard candidates.count <= Self.mostCompared, candidates.allSatisfy({ catalogs[$0] != nil }) else {
      return .ambiguous(candidates)
    }
    guard let best = best(of: candidates, for: file.units) else { return ending.isEmpty ? .none : .ambiguous(ending) }
    if ending.isEmpty, case .content(let path, _, _) = best, !isWhole(file.units, of: path) { return .none }
    return best
  }

  /// Returns whether units cover at least half of a catalog's translatable keys. An export can contain tables that the project lacks. The file of
  /// such a table must not be imported into a table of the same name in another folder only because the tables share a few texts.
  private func isWhole(_ units: [ExchangeUnit], of path: TreePath) -> Bool {
    guard let catalog = catalogs[path] else { return false }
    let keys = Set(units.lazy.filter { isKnown($0, in: path) }.map(\.key))
    return catalog.entries.values.lazy.filter(\.shouldTranslate).prefix(keys.count * 2 + 1).count <= keys.count * 2
  }

  /// Returns the catalog at the file's path. The path is relative to the folder of the exported project, as in Xcode, or else to the folder of
  /// another project or the root of the tree. A path relative to another project is reported. If several catalogs match, the catalog with the file's
  /// texts is chosen, or else the catalog in the first folder. If none is in the first folder, the result is ambiguous. `nil` if no catalog has this
  /// path.
  private func byPath(_ file: ExchangeFile) -> Result? {
    var found: [TreePath] = []
    var isFirst = false
    for (index, folder) in folders.enumerated() {
      let original = folder.isRoot ? file.original : folder.text + "/" + file.original
      guard let path = TreePath(checking: original), paths.contains(path), !found.contains(path) else { continue }
      if index == 0 { isFirst = true }
      found.append(path)
    }
    guard let first = found.first else { return nil }
    if found.count > 1 {
      if found.allSatisfy({ catalogs[$0] != nil }), let best = best(of: found, for: file.units) {
        if case .content(first, _, _) = best, isFirst { return .exact(first) }
        return best
      }
      if !isFirst { return .ambiguous(found) }
    }
    let isPlain = TreePath(checking: file.original) == first
    return isFirst || isPlain ? .exact(first) : .suffix(first)
  }

  private func best(of candidates: [TreePath], for units: [ExchangeUnit]) -> Result? {
    // About 500 units are enough to estimate the share of known texts.
    let stride = max(1, units.count / 500)
    let sample = units.indices.filter { $0.isMultiple(of: stride) }.map { units[$0] }
    let counts = candidates.map { path in (path: path, known: sample.count { isKnown($0, in: path) }) }
    guard let best = counts.max(by: { $0.known < $1.known }), best.known * 2 >= sample.count, best.known > 0,
      counts.allSatisfy({ $0.path == best.path || $0.known * 2 <= best.known })
    else { return nil }
    return .content(best.path, known: best.known, of: sample.count)
  }

  /// Returns whether the catalog has the unit's key with its source text.
  private func isKnown(_ unit: ExchangeUnit, in path: TreePath) -> Bool {
    guard let catalog = catalogs[path], let entry = catalog.entries[unit.key], let given = unit.source else {
      return false
    }
    let source = SourceForms(key: unit.key, entry: entry, sourceLanguage: catalog.sourceLanguage)
    return source.text(at: unit.path).unnumbered.isExactly(given.unnumbered)
  }

  /// Returns a file's `original` as a path in the tree, without `..` and other components that are not names. A backslash also separates
  /// components, because tools on Windows write it.
  static func inTree(_ original: String) -> TreePath {
    let components = original.split { $0 == "/" || $0 == "\\" }.filter {
      $0 != "." && $0 != ".." && !$0.utf8.contains(0)
    }
    return TreePath(trusted: components.joined(separator: "/"))
  }

  /// Returns the paths that the catalog may have. Up to Xcode 16, the `original` for a catalog of an interface file is the path of this file:
  /// `Base.lproj/Main.xib` for `mul.lproj/Main.xcstrings` or for `Main.xcstrings` next to the folder (xcode-formats.md B1, G).
  private static func names(of wanted: TreePath) -> [TreePath] {
    guard wanted.isInterface, wanted.isInLanguageFolder else {
      return [wanted]
    }
    return [wanted] + wanted.stringCatalogs
  }
}
