import Localization

/// The catalogs of a tree that have one file per language. They are `.strings` and `.stringsdict` tables, and storyboards, xibs and intent
/// definitions with a `.strings` file per language.
///
/// A catalog's path is that of the file from which Xcode takes the source texts: the file in `Base.lproj`, or otherwise in the development language's
/// folder (xcode-formats.md B3). As in Xcode, files outside `.lproj` folders are not localized.
struct ClassicCatalogs {
  /// The files of one localized resource of a target: the children of a variant group, or the files with the same name in the `.lproj` folders of one
  /// folder.
  struct Claim {
    var files: Set<TreePath>
    var target: TargetID?
    /// The development language; `nil` for that of the whole tree.
    var language: LocaleIdentifier?

    /// Returns a claim for each localized resource among files that are not in variant groups.
    static func byName(_ files: some Sequence<TreePath>, of target: TargetID?, in language: LocaleIdentifier?)
      -> [Claim]
    {
      Dictionary(grouping: files, by: { $0.isInLanguageFolder ? $0.withoutLanguage : $0 })
        .sorted { $0.key < $1.key }.map { Claim(files: Set($0.value), target: target, language: language) }
    }
  }

  private(set) var catalogs: [TreePath: ProjectCatalog] = [:]
  private(set) var diagnostics: [Diagnostic] = []
  /// The files whose translations are not counted (`ProjectDescription.unjudged`).
  private(set) var unjudged: Set<TreePath> = []
  /// The targets of each stray table (`ProjectDescription.strayTables`).
  private(set) var strays: [TreePath: Set<TargetID>] = [:]
  private let tables: [TargetID: [String: TreePath]]
  private let sourceLanguage: LocaleIdentifier
  private let languages: LanguageFolders
  /// The String Catalogs of the tree.
  private let stringCatalogs: Set<TreePath>
  /// The localized files of the tree, by path without the language folder.
  private let stored: [TreePath: [TreePath]]
  /// The files that each target includes, directly or through a folder.
  private let taken: [TargetID?: Set<TreePath>]
  /// A table without its language and ending. Names of tables are compared by canonical equivalence.
  private struct Table: Hashable {
    let folder: TreePath
    let name: String

    init(_ path: TreePath) {
      folder = path.withoutLanguage.parent
      name = path.stem
    }
  }

  /// The `.strings` tables among `catalogs`.
  private var stringsTables: Set<Table> = []

  init(_ claims: [Claim], targets: [ProjectTarget], listing: TreeListing, sourceLanguage: LocaleIdentifier) {
    self.sourceLanguage = sourceLanguage
    languages = LanguageFolders(listing.languageFolders.keys)
    stringCatalogs = Set(listing.catalogs.map(\.path))
    stored = Dictionary(
      grouping: listing.localizable.filter(\.isInLanguageFolder), by: \.withoutLanguage)
    taken = claims.reduce(into: [:]) { $0[$1.target, default: []].formUnion($1.files) }
    tables = Dictionary(targets.map { ($0.id, $0.catalogs) }, uniquingKeysWith: { first, _ in first })
    for claim in claims { add(claim) }
    tellOfRivals()
  }

  /// Returns the kind of a file that contains the texts of one language; `nil` for other files.
  private static func kind(of path: TreePath) -> CatalogKind? {
    path.catalogKind.flatMap { $0.holdsAllLanguages ? nil : $0 }
  }

  // MARK: Grouping

  private mutating func add(_ claim: Claim) {
    let language = claim.language ?? sourceLanguage
    let localized = claim.files.filter(\.isInLanguageFolder).sorted()
    noteStrays(claim.files.subtracting(localized), of: claim)
    let kinds = Dictionary(grouping: localized, by: Self.kind)
    if let interfaces = kinds[.interface] {
      if let collected = interfaces.lazy.compactMap(stringCatalog).first {
        tellOfOverruled(kinds[.strings] ?? [], by: collected)
      } else {
        add(interfaces, translations: kinds[.strings] ?? [], of: claim, in: language)
      }
    } else if let tables = kinds[.strings] {
      add(tables, translations: [], of: claim, in: language)
    }
    for kind in CatalogKind.allCases where kind != .interface && kind != .strings {
      if let tables = kinds[kind] { add(tables, translations: [], of: claim, in: language) }
    }
  }

  /// Adds a catalog that has one file per language.
  /// - Parameters:
  ///   - files: the files of the catalog. If the source language's file is missing, there is no catalog, and the files are reported.
  ///   - translations: the `.strings` files of an interface file.
  private mutating func add(
    _ files: [TreePath], translations: [TreePath], of claim: Claim, in language: LocaleIdentifier
  ) {
    let folders = ["Base"] + StringTables.folderNames(of: language)
    func rank(_ path: TreePath) -> Int? { folders.firstIndex(of: path.parent.stem) }
    let ranked = files.compactMap { path in rank(path).map { (rank: $0, path: path) } }
    guard let source = ranked.min(by: { ($0.rank, $0.path) < ($1.rank, $1.path) })?.path else {
      noteStrays(files, of: claim)
      if let first = files.first, rival(of: first) == nil { tellOfNoSource(first, besides: files, in: language) }
      return
    }
    var catalog =
      catalogs[source]
      ?? ProjectCatalog(path: source, table: source.stem, sourceLanguage: language, targets: [])
    if let target = claim.target, !catalog.targets.contains(target) {
      catalog.targets = (catalog.targets + [target]).sorted()
    }
    // The files that the project lists are added first. Among them, files in language folders in Xcode's current spelling come before the others.
    let listed = (translations + files).sorted { (Self.spelling($0), $0) < (Self.spelling($1), $1) }
    for path in listed where path != source { add(path, to: &catalog, language) }
    let kinds: Set<CatalogKind?> = source.isInterface ? [.interface, .strings] : [Self.kind(of: source)]
    for folder in Set(listed.map(\.withoutLanguage)).sorted() {
      for path in stored[folder] ?? [] where kinds.contains(Self.kind(of: path)) && !claim.files.contains(path) {
        addUnlisted(path, to: &catalog, language, claim)
      }
    }
    catalogs[source] = catalog
    if Self.kind(of: source) == .strings { stringsTables.insert(Table(source)) }
  }

  private mutating func noteStrays(_ files: some Sequence<TreePath>, of claim: Claim) {
    guard let target = claim.target else { return }
    for path in files where !path.isInterface && Self.kind(of: path) != nil {
      strays[path, default: []].insert(target)
    }
  }

  /// Returns the String Catalog that has the table of a stray file in one of the file's targets; `nil` if there is none.
  private func rival(of stray: TreePath) -> (catalog: TreePath, target: TargetID)? {
    for target in (strays[stray] ?? []).sorted() {
      if let catalog = tables[target]?[stray.stem], catalog.isStringCatalog { return (catalog, target) }
    }
    return nil
  }

  private static func spelling(_ path: TreePath) -> Int {
    path.isInterface
      ? 2 : LocaleIdentifier(regionName: path.parent.stem)?.inUsualCase.rawValue == path.parent.stem ? 0 : 1
  }

  private mutating func add(_ path: TreePath, to catalog: inout ProjectCatalog, _ source: LocaleIdentifier) {
    guard let language = languages.language(of: path.parent) else { return }
    guard language != source else {
      // Next to a source file in `Base.lproj`, this file is the table in the source language itself. Next to any other source file, its folder is
      // only another spelling of the same language.
      if catalog.path.parent.stem == "Base", !path.isInterface { catalog.twin = catalog.twin ?? path }
      return
    }
    if let known = catalog.localizations[language] {
      guard known != path else {
        catalog.unlisted.remove(path)
        return
      }
      diagnostics.append(
        Diagnostic(
          path: path.text, severity: .warning,
          message: "skipped this file: \(known) has the same language, \(language)",
          hint: "keep one of the two folders"))
    } else {
      catalog.localizations[language] = path
    }
  }

  /// Adds a file that exists in a language's folder but is not in the claim. Without this, a new file for the language would overwrite it. The file
  /// is reported, unless another claim of the target has it.
  private mutating func addUnlisted(
    _ path: TreePath, to catalog: inout ProjectCatalog, _ source: LocaleIdentifier, _ claim: Claim
  ) {
    guard let language = languages.language(of: path.parent), language != source,
      catalog.localizations[language] == nil
    else { return }
    catalog.localizations[language] = path
    // Another group of the target, or a folder that the target includes as a whole, may contain the file.
    guard taken[claim.target]?.contains(path) != true else { return }
    catalog.unlisted.insert(path)
    diagnostics.append(
      Diagnostic(
        path: path.text, severity: .warning,
        message:
          "the project does not list this file next to \(catalog.path), so no build uses it for \(language)",
        hint: "add it to the localizations of \(catalog.path.name) in Xcode, or remove it"))
  }

  /// Returns the String Catalog that contains an interface file's texts (xcode-formats.md G); `nil` if there is none.
  private func stringCatalog(of interface: TreePath) -> TreePath? {
    interface.stringCatalogs.first(where: stringCatalogs.contains)
  }

  // MARK: Diagnostics

  private mutating func tellOfOverruled(_ translations: [TreePath], by catalog: TreePath) {
    for path in translations where LocaleIdentifier(regionName: path.parent.stem) != nil {
      diagnostics.append(
        Diagnostic(
          path: path.text, severity: .warning,
          message: "skipped this file: \(catalog) has the texts of \(path.stem)",
          hint: "remove it from the project"))
    }
  }

  /// Reports a localized file that does not exist in the source language. The report is a warning for a `.stringsdict` if there is a `.strings` file
  /// of the same table, because an app then shows the forms of the `.stringsdict` instead of the texts of the `.strings` file, whose translations are
  /// counted. Otherwise, it is a note.
  private mutating func tellOfNoSource(_ path: TreePath, besides files: [TreePath], in language: LocaleIdentifier) {
    let isShown = Self.kind(of: path) == .stringsDict && stringsTables.contains(Table(path))
    if isShown { unjudged.formUnion(files) }
    diagnostics.append(
      Diagnostic(
        path: path.text, severity: isShown ? .warning : .note,
        message: "there is no \(path.name) in Base.lproj or \(language).lproj, so its translations "
          + "were skipped",
        hint: "add the file for \(language)"))
  }

  /// Reports tables that a target has both in a String Catalog and in `.strings` or `.stringsdict` files. Xcode refuses to build such a target.
  private mutating func tellOfRivals() {
    for path in strays.keys.sorted() {
      if let rival = rival(of: path) { tell(of: path, beside: rival.catalog, in: rival.target) }
    }
    for catalog in catalogs.values.sorted(by: { $0.path < $1.path }) where !catalog.path.isInterface {
      for target in catalog.targets {
        guard let rival = tables[target]?[catalog.table], rival.isStringCatalog else { continue }
        tell(of: catalog.path, beside: rival, in: target)
        break
      }
    }
  }

  private mutating func tell(of path: TreePath, beside rival: TreePath, in target: TargetID) {
    // For a file of the source language, `convert` finds only a String Catalog that is next to the language folders.
    let isConvertible =
      path.isInLanguageFolder
      && (catalogs[path] == nil || path.folderOfLanguages.stringCatalog(of: path.stem) == rival)
    diagnostics.append(
      Diagnostic(
        path: path.text, severity: .warning,
        message: "\(rival) has the table \(path.stem) of target \(target) too, and Xcode refuses to build both",
        hint: isConvertible
          ? "`dragoman convert` removes this file if the catalog has all its texts, and otherwise names the keys that differ"
          : "move the texts that the catalog lacks into it, then remove this file from the target"))
  }
}
