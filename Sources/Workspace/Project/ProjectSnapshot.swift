package import Localization

/// The localization of a tree: its layout, its catalogs, and the strings of its code.
package struct ProjectSnapshot: Sendable {
  /// The purpose of a snapshot.
  package enum Purpose: Sendable {
    /// Counting and comparing text units. Keys that no vendor translates are marked (`TableKeys.markUntranslated`).
    case comparison
    /// Syncing the catalogs with the code, creating catalogs, or showing the strings of the code. Only catalogs that a build changes are read.
    case sync
    /// Exporting, importing, converting or adding a language. Every key is read as it is in its file.
    case exchange
  }

  package let tree: any SourceTree
  package let tools: ProjectTools
  package private(set) var project: ProjectDescription
  /// The catalogs that could be read. Single languages of a catalog may be unread (`Catalog.unread`).
  package var catalogs: [TreePath: Catalog] = [:]
  /// The files of each catalog whose files could be read, by the catalog's path.
  package private(set) var files: [TreePath: CatalogFiles] = [:]
  package var extraction: Extraction
  /// The catalogs that could not be read, with the errors. Nothing may be written to them.
  package private(set) var unreadable: [TreePath: InputFault] = [:]
  /// Whether a file of a catalog cannot be read, probably because an object is missing from the repository. The object may be fetched later.
  package private(set) var lacksObjects = false
  package private(set) var catalogDiagnostics: [Diagnostic] = []
  /// The usage descriptions and the titles of quick actions that no table contains; empty until `findUsageDescriptions()` is called.
  package internal(set) var usageDescriptions = UsageDescriptions()
  /// The traits of the Swift files that extraction read; empty unless the snapshot was made by `forReview`.
  var traits: [TreePath: CodeTraits] = [:]

  /// Reads the layout and the catalogs. ``extract(_:cache:findsUnplaced:)`` reads the strings of code.
  /// - Parameters:
  ///   - excluded: the path patterns of files that are skipped.
  ///   - projects: the Xcode projects to read, with their dependencies; `nil` for all projects.
  ///   - isForExport: whether to describe the project as for an export (`ProjectDescription.forExport`).
  ///   - memory: a cache of catalogs that were read before.
  package init(
    _ tree: any SourceTree, for purpose: Purpose, with tools: ProjectTools, excluding excluded: [String] = [],
    projects: Set<TreePath>? = nil, isForExport: Bool = false, memory: CatalogMemory? = nil
  ) throws {
    let reads = Self.keepingCatalogs(tree)
    try self.init(
      describing: tree, through: reads, with: tools, excluding: excluded, projects: projects, isForExport: isForExport)
    try readCatalogs(of: reads, for: purpose, memory)
  }

  /// Reads the layout, and then the catalogs and the strings of code at the same time.
  /// - Parameter extraction: reads the strings of code. It receives the snapshot without catalogs, and waits for the catalogs when it needs them.
  package init(
    _ tree: any SourceTree, for purpose: Purpose, with tools: ProjectTools, excluding excluded: [String] = [],
    memory: CatalogMemory? = nil, threads: Int,
    extraction: @Sendable (_ described: Self, _ catalogs: @escaping AwaitedCatalogs) throws -> Extraction
  ) throws {
    let reads = Self.keepingCatalogs(tree)
    let described = try Self(
      describing: tree, through: reads, with: tools, excluding: excluded, projects: nil, isForExport: false)
    let (read, extraction) = try SharedWork.both(threads: threads) {
      var read = described
      try read.readCatalogs(of: reads, for: purpose, memory)
      return read
    } _: { wait in
      try extraction(described) { try wait().catalogs }
    }
    self = read
    self.extraction = extraction
  }

  /// - Parameter reads: the tree through which the layout is read. This tree keeps the bytes of catalogs.
  private init(
    describing tree: any SourceTree, through reads: any SourceTree, with tools: ProjectTools,
    excluding excluded: [String],
    projects: Set<TreePath>?, isForExport: Bool
  ) throws {
    var project = try tools.layout.project(in: reads, excluding: excluded)
    if let projects { project = project.restricted(to: projects) }
    if isForExport { project = project.forExport() }
    self.tree = tree
    self.tools = tools
    self.project = project
    extraction = Extraction(sourceLanguage: project.sourceLanguage)
  }

  private mutating func readCatalogs(
    of reads: any SourceTree, for purpose: Purpose, _ memory: CatalogMemory?
  ) throws {
    var reading = CatalogReading(memory)
    for catalog in project.catalogs.sorted(by: { $0.path < $1.path }) {
      guard let format = tools.format(catalog.path), purpose != .sync || format.isKeptInStep else { continue }
      try CancellationFlag.check()
      read(catalog, in: reads, as: format, &reading)
    }
    reading.finish()
    if purpose == .comparison { TableKeys.markUntranslated(&catalogs) }
  }

  private static func keepingCatalogs(_ tree: some SourceTree) -> any SourceTree { CatalogReads(tree) }

  private mutating func read(
    _ catalog: ProjectCatalog, in tree: any SourceTree, as format: any CatalogFormat, _ reading: inout CatalogReading
  ) {
    let path = catalog.path
    do throws(TreeError) {
      let files = try reading.files(of: catalog, in: tree)
      self.files[path] = files
      lacksObjects = lacksObjects || files.unread.values.contains(where: Self.isAbsent)
      do throws(InputFault) {
        let content = try reading.catalog(of: catalog, files, as: format)
        catalogs[path] = content
        self.files[path]?.origin = content.origin
        catalogDiagnostics += content.diagnostics
      } catch {
        unreadable[path] = error
        catalogDiagnostics += error.diagnostics
      }
    } catch {
      unreadable[path] = InputFault(error.diagnostic)
      lacksObjects = lacksObjects || Self.isAbsent(error)
      catalogDiagnostics.append(error.diagnostic)
    }
  }

  /// Returns whether an error can mean that an object is missing from the repository.
  private static func isAbsent(_ error: TreeError) -> Bool { error.kind == .unreadable || error.kind == .notFound }

  package var diagnostics: [Diagnostic] { project.diagnostics + catalogDiagnostics + extraction.diagnostics }

  /// Whether the whole layout of the tree could be read. If not, a catalog that was not found may still exist.
  package var isComplete: Bool { !project.diagnostics.contains { $0.severity == .error } }

  /// Whether nothing could be read: the snapshot has errors but neither strings nor catalogs.
  package var isUnreadable: Bool {
    catalogs.isEmpty && extraction.strings.isEmpty && diagnostics.contains { $0.severity == .error }
  }

  /// Returns whether a catalog, or its file of one of these languages, could not be read.
  /// - Parameter languages: `nil` for all languages.
  package func isPartlyUnread(in languages: [LocaleIdentifier]? = nil) -> Bool {
    !unreadable.isEmpty
      || catalogs.values.contains { catalog in
        languages?.contains { catalog.unread[$0] != nil } ?? !catalog.unread.isEmpty
      }
  }

  /// The catalogs that builds sync with the code. Extraction uses their keys.
  package var catalogsInCode: [TreePath: Catalog] { catalogs.filter { tools.isKeptInStep($0.key) } }

  /// The catalogs after a sync with the code.
  package var inStep: CatalogsInStep {
    CatalogsInStep(
      project, committed: catalogs, broken: Set(unreadable.keys), extraction: extraction,
      isKeptInStep: tools.isKeptInStep)
  }

  /// The conditions that a gate checks in addition to the counts.
  package var gate: CompletionGate {
    CompletionGate(
      project: project, catalogs: catalogs, unreadable: unreadable, extraction: extraction,
      isKeptInStep: tools.isKeptInStep)
  }

  /// Syncs the catalogs with the code.
  /// - Returns: the changed files, the catalogs, and the diagnostics of the sync (`CatalogsInStep.diagnostics`) and of catalogs that could not be
  ///   written.
  package func synced() -> (edits: TreeEdits, inStep: CatalogsInStep, diagnostics: [Diagnostic]) {
    let inStep = inStep
    var diagnostics = inStep.diagnostics
    let written = write(inStep.catalogs.filter { inStep.changes[$0.key] != nil })
    diagnostics += written.diagnostics
    return (written.edits, inStep, diagnostics)
  }

  /// Returns the edits that write catalogs to their files, or to new files.
  /// - Returns: the changed and new files, and diagnostics about catalogs that could not be written. The files of such a catalog are not changed.
  package func write(_ catalogs: [TreePath: Catalog]) -> (edits: TreeEdits, diagnostics: [Diagnostic]) {
    var edits = TreeEdits()
    var diagnostics: [Diagnostic] = []
    for (path, catalog) in catalogs.sorted(by: { $0.key < $1.key }) {
      guard let format = tools.format(path) else { continue }
      do {
        for (file, content) in try format.splice(catalog, over: files(of: catalog)) { edits.write(content, to: file) }
      } catch {
        diagnostics += error.diagnostics
      }
    }
    return (edits, diagnostics)
  }

  /// Returns the edits that register new languages of catalogs in the project files.
  /// - Parameter written: the written files of these catalogs.
  /// - Returns: the changes of project files, and diagnostics with the steps that a person must take.
  package func registering(
    _ catalogs: [TreePath: Catalog], written: TreeEdits
  ) -> (edits: TreeEdits, diagnostics: [Diagnostic]) {
    let new = NewLocalization.found(
      from: self.catalogs, to: catalogs, of: project.catalogs, written: Set(written.paths))
    return tools.layout.registering(new, of: project, in: tree)
  }

  /// Keeps only the selected catalogs.
  package mutating func restrict(to selection: Selection) {
    let tables = Dictionary(project.catalogs.map { ($0.path, $0.table) }, uniquingKeysWith: { first, _ in first })
    restrict { selection.contains($0, table: tables[$0]) }
    usageDescriptions.restrict { table, _, targets in selection.contains(table: table, of: targets) }
  }

  /// Keeps only the catalogs whose paths match a pattern.
  package mutating func restrict(to patterns: [PathPattern]) {
    restrict { path in patterns.contains { $0.covers(path) } }
    usageDescriptions.restrict { _, path, _ in patterns.contains { $0.covers(path) } }
    project.noteOutside(project.outside.filter { path in patterns.contains { $0.covers(path) } })
    catalogDiagnostics.removeAll { diagnostic in
      TreePath(checking: diagnostic.path).map { path in !patterns.contains { $0.covers(path) } } ?? false
    }
  }

  /// Removes the catalogs of submodules from the snapshot, because submodules are never written.
  /// - Returns: a warning with the next step for each of these catalogs to which strings in code belong.
  package mutating func leaveOutCatalogs(of tree: GraftedTree) -> [Diagnostic] {
    let strings = Dictionary(grouping: extraction.strings, by: \.catalog)
    let notes = strings.sorted { $0.key < $1.key }.compactMap { path, strings in
      tree.submodule(of: path).map { submodule in
        Diagnostic(
          path: path.text, severity: .warning,
          message: "\(strings.count == 1 ? "1 string belongs" : "\(strings.count) strings belong") to this catalog of "
            + "submodule \(submodule.path), which is only read: nothing is sent or delivered",
          hint: "translate it in a pipeline for \(submodule.url)")
      }
    }
    leaveOutCatalogs { tree.submodule(of: $0) != nil }
    return notes
  }

  /// Removes the catalogs of other repositories from the snapshot.
  package mutating func leaveOutCatalogs(where isForeign: (TreePath) -> Bool) {
    restrict { !isForeign($0) }
    usageDescriptions.restrict { _, path, _ in !isForeign(path) }
    catalogDiagnostics.removeAll { TreePath(checking: $0.path).map(isForeign) ?? false }
  }

  private mutating func restrict(_ isWanted: (TreePath) -> Bool) {
    catalogs = catalogs.filter { isWanted($0.key) }
    files = files.filter { isWanted($0.key) }
    unreadable = unreadable.filter { isWanted($0.key) }
    project.catalogs.removeAll { !isWanted($0.path) }
    extraction.strings.removeAll { !isWanted($0.catalog) }
    extraction.unplaced.removeAll { !isWanted($0.catalog) }
    extraction.incompleteCatalogs = extraction.incompleteCatalogs.filter { isWanted($0.key) }
    extraction.uncertainKeys = extraction.uncertainKeys.filter { isWanted($0.key) }
  }

  /// Adds a catalog that the tree does not have, such as a new table of an export.
  mutating func add(_ catalog: ProjectCatalog) { project.catalogs.append(catalog) }

  /// Returns a catalog's files. For a new catalog, the files have no bytes.
  package func files(of catalog: Catalog) -> CatalogFiles {
    files[catalog.path] ?? CatalogFiles(path: catalog.path, sourceLanguage: catalog.sourceLanguage)
  }
}
