package import Localization

/// What a commit holds for translators: its catalogs as committed, and in step with its code.
package struct Snapshot: Sendable {
  package var commit: CommitInfo
  package var project: ProjectDescription
  package var tree: any SourceTree
  /// As the files say.
  package var committed: [TreePath: Catalog]
  /// The files of each catalog of `committed`, by its path.
  package var files: [TreePath: CatalogFiles]
  /// In step with the code.
  package var synced: [TreePath: Catalog]
  /// The catalogs of `synced` that differ from `committed`.
  package var changed: Set<TreePath>
  /// Catalogs that could not be read, with what is wrong: nothing is known about their units.
  package var broken: [TreePath: InputFault]
  /// Whether a catalog is there and its bytes cannot be had: an object is missing from the mirror. Unlike a fault of the file, that may pass.
  package var lacksObjects: Bool
  /// Whether the layout of the whole tree was understood. Where it was not, a missing catalog proves nothing.
  package var isComplete: Bool
  package var diagnostics: [Diagnostic]
  /// What is to be translated into, without the source language, sorted.
  package var languages: [LocaleIdentifier]
  package var parsedFiles: Int
  /// What its code holds, catalog by catalog.
  package var found: [ExtractedString]
  /// Why a gate cannot judge the commit (`CompletionGate`).
  package var obstacles: [String]

  package init(
    commit: CommitInfo, project: ProjectDescription, tree: any SourceTree, committed: [TreePath: Catalog],
    files: [TreePath: CatalogFiles], synced: [TreePath: Catalog], changed: Set<TreePath>,
    broken: [TreePath: InputFault],
    lacksObjects: Bool = false, isComplete: Bool, diagnostics: [Diagnostic], languages: [LocaleIdentifier],
    parsedFiles: Int, found: [ExtractedString], obstacles: [String] = []
  ) {
    self.commit = commit
    self.project = project
    self.tree = tree
    self.committed = committed
    self.files = files
    self.synced = synced
    self.changed = changed
    self.broken = broken
    self.lacksObjects = lacksObjects
    self.isComplete = isComplete
    self.diagnostics = diagnostics
    self.languages = languages
    self.parsedFiles = parsedFiles
    self.found = found
    self.obstacles = obstacles
  }

  /// Whether nothing can be said about a catalog's units on this commit.
  package func isUncertain(_ catalog: TreePath) -> Bool {
    broken[catalog] != nil || (!isComplete && synced[catalog] == nil)
  }

  /// Whether nothing can be said about a catalog's units in a language, since the language's file cannot be read.
  package func isUncertain(_ catalog: TreePath, in language: LocaleIdentifier) -> Bool {
    isUncertain(catalog) || synced[catalog]?.unread[language] != nil
  }
}

extension Snapshot {
  /// Whether the commit meets what is required; `nil` where nothing is.
  package func verdict(_ requirements: [CompletionRequirement]) -> CompletionVerdict? {
    guard !requirements.isEmpty else { return nil }
    let catalogs = committed.sorted { $0.key < $1.key }.map(\.value)
    return CompletionVerdict(
      Completion.report(catalogs: catalogs, languages: languages), requirements: requirements, obstacles: obstacles)
  }
}
