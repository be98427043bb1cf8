import Localization
private import Synchronization

/// Reads the tree of one commit: its layout, its catalogs and the strings in its code. This blocks.
final class SnapshotReader: Sendable {
  let layout: any ProjectReader
  private let extractor: any StringExtractor
  private let extractorVersion: String
  private let formats: @Sendable (TreePath) -> (any CatalogFormat)?
  private let definition: PipelineDefinition
  private let threads: Int
  private let cache: (any Cache)?
  /// The catalogs of the last commit that was read. The next commit shares most of them.
  private let catalogs = Mutex<[FilesKey: ReadCatalog]>([:])

  /// The files from which a catalog was read.
  private struct FilesKey: Hashable {
    var files: ProjectCatalog
    var blobs: [TreePath: BlobID]

    init(_ catalog: ProjectCatalog, blobs: [TreePath: BlobID]) {
      files = catalog
      files.targets = []
      self.blobs = blobs
    }
  }

  private struct ReadCatalog {
    var catalog: Catalog
    var files: CatalogFiles
  }

  init(
    definition: PipelineDefinition, reader: any ProjectReader, extractor: any StringExtractor,
    extractorVersion: String, formats: @escaping @Sendable (TreePath) -> (any CatalogFormat)?, cache: (any Cache)?,
    threads: Int
  ) {
    self.definition = definition
    layout = reader
    self.extractor = extractor
    self.extractorVersion = extractorVersion
    self.formats = formats
    self.cache = cache
    self.threads = threads
  }

  func load(_ info: CommitInfo, tree: any SourceTree) throws -> Snapshot {
    let project = try layout.project(in: tree, excluding: definition.extract.exclude)
    var diagnostics = project.diagnostics
    var committed: [TreePath: Catalog] = [:]
    var files: [TreePath: CatalogFiles] = [:]
    var broken: [TreePath: InputFault] = [:]
    var lacksObjects = false
    var kept: [FilesKey: ReadCatalog] = [:]
    for catalog in project.catalogs {
      let path = catalog.path
      guard let format = formats(path) else { continue }
      try CancellationFlag.check()
      do {
        let read = try read(catalog, of: tree, as: format, keeping: &kept)
        committed[path] = read.catalog
        files[path] = read.files
        diagnostics += read.catalog.diagnostics
        lacksObjects = lacksObjects || read.files.unread.values.contains(where: Self.isAbsent)
      } catch let fault as InputFault {
        broken[path] = fault
        diagnostics += fault.diagnostics
      } catch let error as TreeError {
        broken[path] = InputFault(error.diagnostic)
        lacksObjects = lacksObjects || Self.isAbsent(error)
        diagnostics.append(error.diagnostic)
      }
    }
    catalogs.withLock { $0 = kept }
    TableKeys.settle(&committed)
    // For legacy tables, extraction reads the existing keys itself.
    let inStepOnly = committed.filter { formats($0.key)?.isKeptInStep == true }
    let extraction = try extract(info, project: project, tree: tree, existing: inStepOnly)
    diagnostics += extraction.diagnostics
    var snapshot = Snapshot(
      commit: info, project: project, tree: tree, committed: committed, files: files, synced: committed, changed: [],
      broken: broken, lacksObjects: lacksObjects, isComplete: !project.diagnostics.contains { $0.severity == .error },
      diagnostics: [],
      languages: [], parsedFiles: extraction.parsedFiles, found: extraction.strings)
    let inStep = CatalogsInStep(
      project, committed: committed, broken: Set(broken.keys), extraction: extraction,
      isKeptInStep: { formats($0)?.isKeptInStep == true })
    snapshot.synced = inStep.catalogs
    let gate = CompletionGate(project: project, catalogs: committed, unreadable: broken, extraction: extraction)
    snapshot.obstacles = gate.obstacles + gate.unheld(inStep)
    snapshot.changed = Set(inStep.changes.keys)
    diagnostics += inStep.diagnostics
    snapshot.languages = (definition.languages.map(Set.init) ?? project.languages)
      .subtracting([project.sourceLanguage]).sorted()
    var seen: Set<Diagnostic> = []
    snapshot.diagnostics = diagnostics.filter { seen.insert($0).inserted }
    return snapshot
  }

  /// Whether an object is missing from the mirror.
  private static func isAbsent(_ error: TreeError) -> Bool { error.kind == .unreadable || error.kind == .notFound }

  private func read(
    _ catalog: ProjectCatalog, of tree: any SourceTree, as format: any CatalogFormat,
    keeping kept: inout [FilesKey: ReadCatalog]
  ) throws -> ReadCatalog {
    var blobs: [TreePath: BlobID]? = [:]
    for path in catalog.paths {
      if let blob = try? tree.entry(at: path)?.blob { blobs?[path] = blob } else { blobs = nil }
    }
    let key = blobs.map { FilesKey(catalog, blobs: $0) }
    if let key, let known = catalogs.withLock({ $0[key] }) {
      kept[key] = known
      return known
    }
    var files = try catalog.files(in: tree)
    let content = try format.read(files)
    files.origin = content.origin
    let read = ReadCatalog(catalog: content, files: files)
    if let key, files.unread.isEmpty { kept[key] = read }
    return read
  }

  /// Returns the strings of a tree, from the cache if the tree was read before. A damaged cache entry counts as missing.
  private func extract(
    _ info: CommitInfo, project: ProjectDescription, tree: any SourceTree, existing: [TreePath: Catalog]
  ) throws -> Extraction {
    var key = ByteWriter()
    for part in ["extraction", extractorVersion, info.tree] { key.write(part) }
    key.write(definition.extract.macros) { $0.write($1) }
    key.write(definition.extract.exclude) { $0.write($1) }
    let name = ContentDigest.hexadecimal(of: key.bytes)
    if let stored = try cache?.value(for: name), let extraction = try? Extraction(encoded: stored) {
      return extraction
    }
    let options = ExtractionOptions(macros: definition.extract.macros, threads: threads)
    let extraction = try extractor.extract(project, from: tree, existing: existing, options: options, cache: cache)
    // An incomplete result is not cached: a later attempt may be able to read everything.
    if !extraction.diagnostics.contains(where: { $0.severity == .error }) {
      try cache?.setValue(extraction.encoded, for: name)
    }
    return extraction
  }
}
