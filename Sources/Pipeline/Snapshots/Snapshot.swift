package import Localization
package import Workspace

/// The localizable content of a commit: its catalogs as committed, and after sync with its code.
package struct Snapshot: Sendable {
  package var commit: CommitInfo
  package var project: ProjectDescription
  package var tree: any SourceTree
  /// The catalogs as committed.
  package var committed: [TreePath: Catalog]
  /// The files of each catalog of `committed`, by its path.
  package var files: [TreePath: CatalogFiles]
  /// The usage descriptions that no table of the commit contains.
  package var usageDescriptions = UsageDescriptions()
  /// The catalogs after sync with the code.
  package var synced: [TreePath: Catalog]
  /// The catalogs of `synced` that differ from `committed`.
  package var changed: Set<TreePath>
  /// Catalogs that could not be read, with the errors. Their units are unknown.
  package var broken: [TreePath: InputFault]
  /// The catalogs of the commit that the pipeline's `extract.paths` exclude.
  package var outsidePaths: Set<TreePath>
  /// Whether an object of a catalog is missing from the mirror. Unlike an error in the file, this can be temporary.
  package var lacksObjects: Bool
  /// Whether the layout of the whole tree could be read. If not, a catalog that was not found may still exist.
  package var isComplete: Bool
  package var diagnostics: [Diagnostic]
  /// The target languages, sorted.
  package var languages: [LocaleIdentifier]
  package var parsedFiles: Int
  /// The strings in the code, grouped by catalog.
  package var found: [ExtractedString]
  /// The reasons why a gate cannot judge the commit (`CompletionGate`), except those that depend on the judged languages, such as unreadable
  /// language files. `verdict` adds these.
  package var obstacles: [String]
  /// The parts of the commit that could not be read and whose source texts may be missing (`CompletionGate.unread`).
  package var unread: [String]

  package init(
    commit: CommitInfo, project: ProjectDescription, tree: any SourceTree, committed: [TreePath: Catalog],
    files: [TreePath: CatalogFiles], synced: [TreePath: Catalog], changed: Set<TreePath>,
    broken: [TreePath: InputFault], outsidePaths: Set<TreePath> = [],
    lacksObjects: Bool = false, isComplete: Bool, diagnostics: [Diagnostic], languages: [LocaleIdentifier],
    parsedFiles: Int, found: [ExtractedString], obstacles: [String] = [],
    unread: [String] = []
  ) {
    self.commit = commit
    self.project = project
    self.tree = tree
    self.committed = committed
    self.files = files
    self.synced = synced
    self.changed = changed
    self.broken = broken
    self.outsidePaths = outsidePaths
    self.lacksObjects = lacksObjects
    self.isComplete = isComplete
    self.diagnostics = diagnostics
    self.languages = languages
    self.parsedFiles = parsedFiles
    self.found = found
    self.obstacles = obstacles
    self.unread = unread
  }

  /// Returns whether the units of a catalog in this commit are unknown.
  package func isUncertain(_ catalog: TreePath) -> Bool {
    broken[catalog] != nil || (!isComplete && synced[catalog] == nil)
  }

  /// Returns whether the units of a catalog in a language are unknown because the whole catalog or the language's file cannot be read.
  package func isUncertain(_ catalog: TreePath, in language: LocaleIdentifier) -> Bool {
    isUncertain(catalog) || synced[catalog]?.unread[language] != nil
  }
}

extension Snapshot {
  /// Returns whether a path is in a submodule that is read with the repository. Nothing is written to submodules.
  package func isInSubmodule(_ path: TreePath) -> Bool { (tree as? GraftedTree)?.submodule(of: path) != nil }

  /// Returns the verdict on whether the commit meets the requirements; `nil` if there are no requirements.
  package func verdict(
    _ requirements: [CompletionRequirement], fallbacks: LanguageFallbacks = LanguageFallbacks()
  ) -> CompletionVerdict? {
    guard !requirements.isEmpty else { return nil }
    let judged = fallbacks.languages.union(languages)
    let unread = CompletionGate.unread(in: judged, of: committed) + CompletionGate.unjudged(in: judged, of: project)
    var verdict = CompletionVerdict(
      completion(fallbacks), requirements: requirements, obstacles: obstacles + unread)
    let unmet = Set(verdict.unmet.map(\.completion.language))
    verdict.notes = usageDescriptions.notes(in: unmet, fallbacks: fallbacks)
    return verdict
  }

  /// The reasons why strings of the code may be missing if the pipeline has no gate. Targets without a catalog are searched only for a
  /// gate.
  package var unsearched: [String] {
    let targets = project.targetsWithoutCatalog.sorted()
    guard let first = targets.first else { return [] }
    let count =
      targets.count == 1
      ? "1 target has no catalog and was not searched for strings"
      : "\(targets.count) targets have no catalog and were not searched for strings; the first"
    return ["\(count): \(first); set `require` in the pipeline file to search all targets"]
  }

  /// The catalogs whose strings count: the committed catalogs, with the usage descriptions that they should contain.
  package var counted: [TreePath: Catalog] { committed.merging(usageDescriptions.catalogs) { _, whole in whole } }

  /// Returns the completion of the languages in the catalogs as committed.
  package func completion(_ fallbacks: LanguageFallbacks = LanguageFallbacks()) -> CompletionReport {
    let catalogs = counted.sorted { $0.key < $1.key }.map(\.value)
    return Completion.report(
      catalogs: catalogs, languages: (Set(languages).union(fallbacks.chains.keys)).sorted(), fallbacks: fallbacks)
  }
}
