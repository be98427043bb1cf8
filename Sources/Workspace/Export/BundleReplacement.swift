package import CatalogFormats
package import Localization

/// The edits that write a bundle into a folder that may contain an older bundle of the same language.
package enum BundleReplacement {
  /// Returns edits that write the files of a bundle and then remove the files of the older bundle that the new one lacks.
  ///
  /// Files that are not part of a bundle (`XCLoc.isPart`) stay. `Notes` stays unless the new bundle has notes, because people can also add notes to an
  /// exported bundle.
  /// - Parameters:
  ///   - folder: the folder that contains the bundles.
  ///   - isComplete: whether everything in the project could be read. If not, no file is removed, because the file of an unreadable catalog may be
  ///     missing only for this reason.
  /// - Throws: if the older bundle cannot be listed.
  package static func edits(
    for bundle: XCLocBundle, in folder: some SourceTree, isComplete: Bool
  ) throws(TreeError) -> TreeEdits {
    let name = XCLoc.name(of: bundle.targetLanguage)
    var edits = TreeEdits()
    for (path, bytes) in XCLoc.files(of: bundle) { edits.write(bytes, to: name.appending(path)) }
    guard isComplete else { return edits }
    var failure: TreeError?
    let older = folder.walk(name, unreadable: { if $0.kind != .notFound { failure = failure ?? $0 } })
    if let failure { throw failure }
    // A file system that ignores case would remove a new file if its name differs from that of an older file only in case.
    let written = Set(edits.edits.keys.map { $0.text.lowercased() })
    for entry in older where entry.isFile && !written.contains(entry.path.text.lowercased()) {
      guard let path = entry.path.relative(to: name), XCLoc.isPart(path) else { continue }
      if bundle.notes.isEmpty, path.isWithin(XCLoc.notes) { continue }
      edits.remove(entry.path)
    }
    return edits
  }
}
