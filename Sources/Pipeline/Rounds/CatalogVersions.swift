import Localization

/// One catalog in several commits. Each version of the catalog's files is read once, and only the requested content is kept.
struct CatalogVersions<Content> {
  enum Version: Hashable {
    /// The catalog was read; the value is the index of its content in `contents`.
    case read(Int)
    /// The commit does not have the catalog.
    case absent
    /// The commit or the catalog cannot be read, or the limit is reached.
    case unknown
  }

  /// The content of each version that was read.
  private(set) var contents: [Content] = []
  /// The catalog under its current name and, if one file holds all languages, its former names.
  private let names: [ProjectCatalog]
  /// The commit of the snapshot, and the snapshot's version of the catalog, which is not read again.
  private let known: (commit: CommitID, catalog: Catalog?)
  private let format: any CatalogFormat
  private let limit: Int
  private let content: (Catalog) -> Content
  private let mirror: any RepositoryMirror
  private var ofCommits: [CommitID: Version] = [:]
  private var ofFiles: [[TreePath: BlobID]: Version] = [:]

  /// - Parameters:
  ///   - path: the path of the catalog in `snapshot`.
  ///   - languages: the languages to read, even if the snapshot no longer has a file for them.
  ///   - limit: the maximum number of versions to read.
  ///   - content: returns the part of a version that is kept.
  /// - Returns: `nil` if the snapshot does not have the catalog, or the catalog's format is unknown.
  init?(
    of path: TreePath, in snapshot: Snapshot, _ languages: Set<LocaleIdentifier>, _ renames: [TreePath: TreePath],
    limit: Int, _ context: PipelineContext, content: @escaping (Catalog) -> Content
  ) {
    guard var catalog = snapshot.project.catalogs.first(where: { $0.path == path }), let format = context.formats(path)
    else { return nil }
    if !path.holdsAllLanguages {
      for language in languages where language != catalog.sourceLanguage {
        catalog.localizations[language] = catalog.files.path(for: language)
      }
    }
    var names = [catalog]
    if path.holdsAllLanguages {
      for former in renames.names(before: path) {
        names.append(catalog)
        names[names.count - 1].path = former
      }
    }
    self.names = names
    known = (snapshot.commit.id, snapshot.committed[path])
    self.format = format
    self.limit = limit
    self.content = content
    // The wrapped mirror is used, because submodules are not fetched for old commits.
    mirror = (context.mirror as? any WrappingMirror)?.wrapped ?? context.mirror
  }

  mutating func version(at commit: CommitID) async throws -> Version {
    if let known = ofCommits[commit] { return known }
    do {
      let version = try await read(at: commit)
      ofCommits[commit] = version
      return version
    } catch let error where !(error is CancellationError) {
      return .unknown
    }
  }

  private mutating func read(at commit: CommitID) async throws -> Version {
    let tree = try await mirror.tree(of: commit)
    guard var catalog = try names.first(where: { try tree.entry(at: $0.path) != nil }) else { return .absent }
    var blobs: [TreePath: BlobID] = [:]
    for path in catalog.paths { blobs[path] = try tree.entry(at: path)?.blob }
    if let known = ofFiles[blobs] { return known }
    guard ofFiles.count < limit else { return .unknown }
    catalog.localizations = catalog.localizations.filter { blobs[$0.value] != nil }
    let present = commit == known.commit ? known.catalog : nil
    guard let read = try? present ?? format.read(catalog.files(in: tree)) else {
      ofFiles[blobs] = .unknown
      return .unknown
    }
    let version = Version.read(contents.count)
    contents.append(content(read))
    ofFiles[blobs] = version
    return version
  }
}

extension CatalogVersions<Catalog> {
  /// Creates an instance that keeps only the given entries of each version. The format's data about the file is dropped, because it is as
  /// large as the file.
  init?(
    of path: TreePath, in snapshot: Snapshot, _ languages: Set<LocaleIdentifier>, _ keys: Set<UnitKey>,
    _ renames: [TreePath: TreePath], limit: Int, _ context: PipelineContext
  ) {
    self.init(of: path, in: snapshot, languages, renames, limit: limit, context) { catalog in
      var some = Catalog(
        path: catalog.path, sourceLanguage: catalog.sourceLanguage,
        entries: catalog.entries.filter { keys.contains($0.key) })
      some.unread = catalog.unread
      return some
    }
  }
}
