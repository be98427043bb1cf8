import Localization
import Workspace

/// A reader of the trees of a pipeline's commits: their layout, their catalogs and the strings in their code. Calls block.
final class SnapshotReader: Sendable {
  let tools: ProjectTools
  private let extractorVersion: String
  private let definition: PipelineDefinition
  private let threads: Int
  private let cache: (any Cache)?
  private let memory: CatalogMemory
  /// The patterns of the catalogs that belong to the pipeline; empty for all catalogs.
  private let paths: [PathPattern]

  init(
    definition: PipelineDefinition, tools: ProjectTools, extractorVersion: String, cache: (any Cache)?, threads: Int,
    catalogs: CatalogMemory
  ) {
    self.definition = definition
    self.tools = tools
    self.extractorVersion = extractorVersion
    self.cache = cache
    self.threads = threads
    memory = catalogs
    paths = definition.extract.pathPatterns
  }

  func load(_ info: CommitInfo, tree: any SourceTree) throws -> Snapshot {
    var state = try ProjectSnapshot(
      tree, for: .comparison, with: tools, excluding: definition.extract.exclude, memory: memory, threads: threads
    ) { try extraction(of: $0, info, $1) }
    state.findUsageDescriptions()
    var outsidePaths: Set<TreePath> = []
    if !paths.isEmpty {
      let all = Set(state.catalogs.keys).union(state.unreadable.keys)
      state.restrict(to: paths)
      outsidePaths = all.subtracting(state.catalogs.keys).subtracting(state.unreadable.keys)
    }
    let submodules = tree as? GraftedTree
    let notes = submodules.map { $0.notes + state.leaveOutCatalogs(of: $0) } ?? []
    let inStep = state.inStep
    let gate = state.gate
    let wanted = try definition.languages.map(Set.init) ?? languages(of: state, submodules)
    // All units of a round have the project's source language, so nothing is translated into it.
    let languages = wanted.subtracting([state.project.sourceLanguage])
    let uncounted = wanted.contains(state.project.sourceLanguage) ? gate.ofOtherSources : []
    var seen: Set<Diagnostic> = []
    let untold = state.usageDescriptions.warnings(in: languages, fallbacks: definition.fallbacks)
    var snapshot = Snapshot(
      commit: info, project: state.project, tree: tree, committed: state.catalogs, files: state.files,
      synced: inStep.catalogs, changed: Set(inStep.changes.keys), broken: state.unreadable,
      outsidePaths: outsidePaths,
      lacksObjects: state.lacksObjects, isComplete: state.isComplete,
      diagnostics: (notes + state.diagnostics + inStep.diagnostics + untold).filter { seen.insert($0).inserted },
      languages: languages.sorted(), parsedFiles: state.extraction.parsedFiles, found: state.extraction.strings,
      obstacles: gate.obstacles + gate.ahead(inStep) + uncounted + state.usageDescriptions.obstacles,
      unread: gate.unread)
    snapshot.usageDescriptions = state.usageDescriptions
    return snapshot
  }

  /// Returns the languages of the project. Languages that only a submodule has are not languages of the pipeline.
  private func languages(of state: ProjectSnapshot, _ submodules: GraftedTree?) throws -> Set<LocaleIdentifier> {
    guard let submodules, !submodules.grafts.isEmpty else { return state.project.languages }
    return try tools.layout.project(in: submodules.base, excluding: definition.extract.exclude).languages
  }

  func advice(on tree: any SourceTree) throws -> [AdviceFinding] {
    var state = try ProjectSnapshot.forReview(
      tree, with: tools, excluding: definition.extract.exclude, memory: memory,
      ExtractionOptions(macros: definition.extract.macros, threads: threads), cache: cache)
    if !paths.isEmpty { state.restrict(to: paths) }
    if let submodules = tree as? GraftedTree { _ = state.leaveOutCatalogs(of: submodules) }
    return try Advice(on: state, threads: threads).findings
  }

  /// Returns the strings of a tree, from the cache if the tree was read before. A damaged entry is ignored.
  private func extraction(
    of state: ProjectSnapshot, _ info: CommitInfo, _ catalogs: @escaping ProjectSnapshot.AwaitedCatalogs
  ) throws -> Extraction {
    var key = ByteWriter()
    // The contents of submodules are not part of the commit's own tree.
    let tree = (state.tree as? GraftedTree)?.id ?? info.tree
    let isGate = !definition.require.isEmpty || !definition.requireOnBranches.isEmpty
    for part in [isGate ? "strings for a gate" : "strings", extractorVersion, tree] { key.write(part) }
    key.write(definition.extract.macros) { $0.write($1) }
    key.write(definition.extract.exclude) { $0.write($1) }
    let name = ContentDigest.hexadecimal(of: key.bytes)
    if let stored = try cache?.value(for: name), let extraction = try? Extraction(encoded: stored) {
      return extraction
    }
    let options = ExtractionOptions(macros: definition.extract.macros, threads: threads)
    let extraction = try state.strings(options, cache: cache, findsUnplaced: isGate, catalogs)
    // An incomplete result is not cached: a later attempt may be able to read everything.
    if !extraction.diagnostics.contains(where: { $0.severity == .error }) {
      try cache?.setValue(extraction.encoded, for: name)
    }
    return extraction
  }
}
