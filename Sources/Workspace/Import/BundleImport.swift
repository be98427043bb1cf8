package import Localization

/// The review of the bundles of one import against a project. The bundles are reviewed in order, each against the catalogs with the changes of the
/// earlier bundles.
///
/// A bundle may have keys that are in code but not in a table of `.strings` files, because no build writes keys into such a table. Such a bundle is
/// reviewed a second time, with the entries that an export adds for these keys (``CodeEntries``). The code is read at most once, and only if a bundle
/// needs it.
package struct BundleImport: Sendable {
  private let snapshot: ProjectSnapshot
  private let extraction: ExtractionOptions
  private let review: @Sendable (_ files: [ExchangeFile], _ catalogs: [TreePath: Catalog]) -> ReviewedImport
  private var inCode: CodeEntries?
  /// The results of all bundles so far.
  package private(set) var reviewed = ReviewedImport()
  /// The files to write, by catalog. They have the changes of all bundles so far.
  package private(set) var files: [TreePath: [TreePath: FileContent]] = [:]

  /// Creates the review of an import. No bundle is reviewed yet.
  /// - Parameters:
  ///   - snapshot: a snapshot of the project, read with the purpose `exchange`.
  ///   - folders: the folders to which paths of a bundle may be relative, the most likely folder first.
  ///   - extraction: the options for reading keys from code.
  package init(
    into snapshot: ProjectSnapshot, meanings: LanguageMeanings, folders: [TreePath], choices: ImportChoices,
    extraction: ExtractionOptions
  ) {
    self.snapshot = snapshot
    self.extraction = extraction
    review = { files, catalogs in
      ImportReview(
        catalogs: catalogs, unreadable: snapshot.unreadable, projectLanguages: snapshot.project.languages,
        meanings: meanings, projectFolders: folders, policy: .asXcode, choices: choices
      ).review(files)
    }
  }

  /// Reviews the next bundle.
  /// - Returns: the results for this bundle. Changes that a catalog's format cannot express are held.
  /// - Throws: an error if the code is needed and cannot be read.
  package mutating func add(_ bundle: [ExchangeFile]) throws -> ReviewedImport {
    var catalogs = snapshot.catalogs.merging(reviewed.catalogs) { _, new in new }
    if let inCode { catalogs = inCode.added(to: catalogs) }
    var next = review(bundle, catalogs)
    if inCode == nil, CodeEntries.areNeeded(after: next) {
      let found = try CodeEntries(of: snapshot.tree, with: snapshot.tools, extraction, beside: snapshot.catalogs)
      inCode = found
      catalogs = found.added(to: catalogs)
      next = review(bundle, catalogs)
    }
    let paths = next.catalogs.keys.sorted()
    for (path, spliced) in zip(paths, splices(of: next.catalogs, paths, over: catalogs)) {
      if let spliced {
        files[path] = spliced
        continue
      }
      guard let format = snapshot.tools.format(path), let before = catalogs[path] else { continue }
      let own = self
      let bytes = next.holdRefused(in: path, original: before) { (catalog) throws(InputFault) in
        try own.splice(catalog, over: before, format)
      }
      // The bytes include the changes of earlier bundles, but not the changes of this bundle that the format refused to write.
      if let bytes { files[path] = bytes }
    }
    reviewed.add(next)
    return next
  }

  /// The smallest number of catalogs that justifies another thread.
  private static let catalogsOfThread = 8

  /// Writes changed catalogs, on all processors.
  /// - Returns: the files to write for each path; `nil` if the catalog has no format, or the format refuses a change.
  private func splices(
    of changed: [TreePath: Catalog], _ paths: [TreePath], over catalogs: [TreePath: Catalog]
  ) -> [[TreePath: FileContent]?] {
    SharedWork.map(paths.count, atLeast: Self.catalogsOfThread) { range in
      paths[range].map { path in
        guard let format = snapshot.tools.format(path), let before = catalogs[path], let after = changed[path] else {
          return nil
        }
        return try? splice(after, over: before, format)
      }
    }.flatMap(\.self)
  }

  private func splice(
    _ catalog: Catalog, over before: Catalog, _ format: any CatalogFormat
  ) throws(InputFault) -> [TreePath: FileContent] {
    try format.splice(inCode?.removed(from: catalog) ?? catalog, over: snapshot.files(of: before))
  }
}
