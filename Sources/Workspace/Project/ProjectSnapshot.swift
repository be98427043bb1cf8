package import Localization

/// The localization of a tree: its layout, its catalogs, and the strings of its code.
package struct ProjectSnapshot: Sendable {
  /// The purpose of a snapshot.
  package enum Purpose: Sendable {
    /// To count and compare text units: keys that no vendor translates are marked (`TableKeys.markUntranslated`).
    case comparison
    /// To sync the catalogs with the code: only catalogs that a build changes are read.
    case sync
    /// To export, import or convert: every key as its file has it.
    case exchange
  }

  package let tree: any SourceTree
  package let tools: ProjectTools
  package private(set) var project: ProjectDescription
  /// The catalogs that could be read, some without a language (`Catalog.unread`).
  package var catalogs: [TreePath: Catalog] = [:]
  /// The files of every catalog whose files could be read, by its path.
  package private(set) var files: [TreePath: CatalogFiles] = [:]
  package var extraction: Extraction
  /// Catalogs that could not be read, with what is wrong: nothing may be written to them.
  package private(set) var unreadable: [TreePath: InputFault] = [:]
  /// Whether bytes of a catalog cannot be read although the tree lists it: an object is missing from the repository. It may be fetched later.
  package private(set) var lacksObjects = false
  package private(set) var catalogDiagnostics: [Diagnostic] = []
  /// The usage descriptions that no table holds, if they were looked for.
  package internal(set) var usageDescriptions = UsageDescriptions()
  /// The traits of Swift files that were screened during extraction.
  var traits: [TreePath: CodeTraits] = [:]

  /// Reads layout and catalogs. Strings of code are read by ``extract(_:cache:)``.
  /// - Parameters:
  ///   - excluded: path patterns that are left out.
  ///   - projects: the Xcode projects to read, with what they depend on; `nil`: all.
  ///   - isForExport: describes the project as Xcode's export sees it.
  ///   - memory: catalogs that were read before.
  package init(
    _ tree: any SourceTree, for purpose: Purpose, with tools: ProjectTools, excluding excluded: [String] = [],
    projects: Set<TreePath>? = nil, isForExport: Bool = false, memory: CatalogMemory? = nil
  ) throws {
    let reads = Self.keepingCatalogs(tree)
    try self.init(
      describing: tree, through: reads, with: tools, excluding: excluded, projects: projects, isForExport: isForExport)
    try readCatalogs(of: reads, for: purpose, memory)
  }

  /// Reads layout, catalogs and the strings of code, the last two at the same time.
  /// - Parameter extraction: gets the snapshot without its catalogs, and waits for these when it needs them.
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

  /// - Parameter reads: the tree; keeps the bytes of catalogs that are read for the layout.
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

  /// Returns whether an object is missing from the repository.
  private static func isAbsent(_ error: TreeError) -> Bool { error.kind == .unreadable || error.kind == .notFound }

  package var diagnostics: [Diagnostic] { project.diagnostics + catalogDiagnostics + extraction.diagnostics }

  /// Whether the whole layout of the tree was understood. If not, a missing catalog proves nothing.
  package var isComplete: Bool { !project.diagnostics.contains { $0.severity == .error } }

  /// Whether nothing could be read: there are errors, and neither strings nor catalogs.
  package var isUnreadable: Bool {
    catalogs.isEmpty && extraction.strings.isEmpty && diagnostics.contains { $0.severity == .error }
  }

  /// The catalogs whose keys extraction uses: those that builds sync with the code.
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
  /// - Returns: the changed files, the catalogs, and diagnostics: what could not be written, and where keys were only added, and why.
  package func synced() -> (edits: TreeEdits, inStep: CatalogsInStep, diagnostics: [Diagnostic]) {
    let inStep = inStep
    var diagnostics = inStep.diagnostics
    let written = write(inStep.catalogs.filter { inStep.changes[$0.key] != nil })
    diagnostics += written.diagnostics
    return (written.edits, inStep, diagnostics)
  }

  /// Writes catalogs over their files, a new file if there is none yet.
  /// - Returns: the files that differ or are new, and what could not be written: such a catalog's files are left as they are.
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

  /// Registers, in the project files, the languages that catalogs have gained.
  /// - Parameter written: the files that hold them.
  /// - Returns: what changes in project files, and what a person has to do.
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

  /// Keeps only the catalogs below some of the patterns.
  package mutating func restrict(to patterns: [PathPattern]) {
    restrict { path in patterns.contains { $0.covers(path) } }
    usageDescriptions.restrict { _, path, _ in patterns.contains { $0.covers(path) } }
    project.noteOutside(project.outside.filter { path in patterns.contains { $0.covers(path) } })
    catalogDiagnostics.removeAll { diagnostic in
      TreePath(checking: diagnostic.path).map { path in !patterns.contains { $0.covers(path) } } ?? false
    }
  }

  /// Leaves out the catalogs of submodules, which are never written.
  /// - Returns: for each of them that strings in code belong to, a warning with the next step.
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

  /// Leaves out the catalogs of other repositories.
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

  /// Adds a catalog that the tree does not have, such as one that an export makes.
  mutating func add(_ catalog: ProjectCatalog) { project.catalogs.append(catalog) }

  /// Returns a catalog's files; without bytes if it is new.
  package func files(of catalog: Catalog) -> CatalogFiles {
    files[catalog.path] ?? CatalogFiles(path: catalog.path, sourceLanguage: catalog.sourceLanguage)
  }
}
