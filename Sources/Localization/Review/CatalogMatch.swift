/// Finds the catalog that the `original` of a returned file means: by its path, and by what the file holds where the path alone does
/// not tell. A catalog that cannot be read is found by its path, too: its units must not go to another that has the same texts.
struct CatalogMatch {
  enum Result {
    /// The path is the catalog's.
    case exact(TreePath)
    /// One path ends in the other, or names the file of another language beside it, and only one catalog's does.
    case suffix(TreePath)
    /// Of the catalogs whose path could be meant, the one that has these texts.
    case content(TreePath, known: Int, of: Int)
    case ambiguous([TreePath])
    case none
  }

  private let catalogs: [TreePath: Catalog]
  /// Those that cannot be read among them.
  private let known: Set<TreePath>
  private let paths: [TreePath]
  /// From where paths may lead: the folders of the projects, the likeliest first, then the root of the tree.
  private let folders: [TreePath]

  init(_ catalogs: [TreePath: Catalog], unreadable: Set<TreePath> = [], projectFolders: [TreePath] = []) {
    self.catalogs = catalogs
    folders = projectFolders.filter { !$0.isRoot || $0 == projectFolders.first } + [.root]
    known = unreadable.union(catalogs.keys)
    paths = known.sorted()
  }

  /// `original` is relative to the project's folder, which may lie below or above the root of the tree, or beside a
  /// package (`../../Kit/…`; xcode-formats.md B1): so an exact match counts first, from the folder of a project and from the root,
  /// then a unique one by whole components from the end. A newer Xcode, a move or a vendor may have changed the folders or
  /// the format: of the catalogs of the same name the one counts that has at least half of the texts, and twice as many as
  /// any other.
  func find(_ file: ExchangeFile) -> Result {
    if let result = byPath(file) { return result }
    let wanted = Self.inTree(file.original)
    guard !wanted.isRoot else { return .none }
    let names = Self.names(of: wanted)
    if let path = names.dropFirst().first(where: known.contains) { return .suffix(path) }
    // Vendors name a table by the file of the language that they return.
    let siblings = paths.filter {
      wanted.isInLanguageFolder && $0.isInLanguageFolder && $0.ending == wanted.ending
        && $0.withoutLanguage == wanted.withoutLanguage
    }
    if siblings.count == 1 { return .suffix(siblings[0]) }
    let ending = paths.filter { path in names.contains { Self.ends(path, in: $0) || Self.ends($0, in: path) } }
    if ending.count == 1 { return .suffix(ending[0]) }
    let candidates = ending.isEmpty ? paths.filter { Self.isNamesake($0, of: wanted) } : ending
    guard !candidates.isEmpty else { return .none }
    // What one of them holds is not known, so that what the others hold tells nothing.
    guard candidates.allSatisfy({ catalogs[$0] != nil }) else { return .ambiguous(candidates) }
    if let best = best(of: candidates, for: file.units) { return best }
    return ending.isEmpty ? .none : .ambiguous(ending)
  }

  /// The catalog to which the path leads: from the folder of the project that an export of the tree is of, as Xcode writes it, else from that
  /// of another project, which is told. Where it leads to several the texts tell which is meant. Where they do not, it is the one of the
  /// first folder; among other projects nothing chooses.
  private func byPath(_ file: ExchangeFile) -> Result? {
    var found: [TreePath] = []
    var isFirst = false
    for (index, folder) in folders.enumerated() {
      let original = folder.isRoot ? file.original : folder.text + "/" + file.original
      guard let path = TreePath(checking: original), known.contains(path), !found.contains(path) else { continue }
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
    // A share needs no more than this many, and there may be a hundred packages with a `Localizable.xcstrings`.
    let stride = max(1, units.count / 500)
    let sample = units.indices.filter { $0.isMultiple(of: stride) }.map { units[$0] }
    let counts = candidates.map { path in (path: path, known: sample.count { isKnown($0, in: path) }) }
    guard let best = counts.max(by: { $0.known < $1.known }), best.known * 2 >= sample.count, best.known > 0,
      counts.allSatisfy({ $0.path == best.path || $0.known * 2 <= best.known })
    else { return nil }
    return .content(best.path, known: best.known, of: sample.count)
  }

  /// Whether the catalog has the unit's key with its source text.
  private func isKnown(_ unit: ExchangeUnit, in path: TreePath) -> Bool {
    guard let catalog = catalogs[path], let entry = catalog.entries[unit.key], let given = unit.source else {
      return false
    }
    let source = SourceForms(key: unit.key, entry: entry, sourceLanguage: catalog.sourceLanguage)
    return source.text(at: unit.path).unnumbered.isExactly(given.unnumbered)
  }

  /// The path without what leads out of the tree, so that it can stand in a report. Tools on Windows separate by backslashes.
  static func inTree(_ original: String) -> TreePath {
    let components = original.split { $0 == "/" || $0 == "\\" }.filter {
      $0 != "." && $0 != ".." && !$0.utf8.contains(0)
    }
    return TreePath(trusted: components.joined(separator: "/"))
  }

  /// Xcode up to 16 names a catalog of an interface file by that file: `Base.lproj/Main.xib` for `mul.lproj/Main.xcstrings`, or for
  /// `Main.xcstrings` beside the folder (xcode-formats.md B1, G).
  private static func names(of wanted: TreePath) -> [TreePath] {
    guard wanted.isInterface, wanted.isInLanguageFolder else {
      return [wanted]
    }
    let folder = wanted.parent.parent
    let catalog = wanted.stem + ".xcstrings"
    return [wanted, folder.appending("mul.lproj").appending(catalog), folder.appending(catalog)]
  }

  /// Names that differ in case or Unicode form are the same file on the disks that exports are made on.
  private static func ends(_ path: TreePath, in suffix: TreePath) -> Bool {
    let (all, end) = (path.components, suffix.components)
    return end.count <= all.count && zip(all.suffix(end.count), end).allSatisfy { $0.lowercased() == $1.lowercased() }
  }

  /// The same table or interface file, maybe in another folder or another of the formats that a project moves between.
  private static func isNamesake(_ path: TreePath, of wanted: TreePath) -> Bool {
    let formats = Set(["xcstrings", "strings", "stringsdict"] + TreePath.interfaceEndings)
    guard path.name.lowercased() != wanted.name.lowercased() else { return true }
    return path.stem.lowercased() == wanted.stem.lowercased() && formats.contains(path.ending.lowercased())
      && formats.contains(wanted.ending.lowercased())
  }
}
