import Localization

/// A search for the catalogs of files that are themselves localized: storyboards, xibs and intent definitions.
enum LocalizedFileCatalog {
  /// Returns the files of a target that have a catalog, sorted by catalog. If several files have the same catalog, only the original is returned.
  static func files(
    of target: ProjectTarget, among catalogs: Set<TreePath>, in language: LocaleIdentifier
  ) -> [(path: TreePath, catalog: TreePath)] {
    var files: [TreePath: TreePath] = [:]
    for path in target.otherSources.map(\.path) where path.isInterface {
      guard let catalog = catalog(of: path, among: catalogs) else { continue }
      files[catalog] = files[catalog].map { original($0, path, in: language) } ?? path
    }
    return files.sorted { $0.key < $1.key }.map { ($0.value, $0.key) }
  }

  /// - Parameter catalogs: all catalogs of the project that can receive strings.
  /// - Returns: the first of these catalogs that exists: `mul.lproj/<name>.xcstrings` next to the file's language folder, where Xcode creates it; the
  ///   file itself, if it is translated with `.strings` files; `<name>.xcstrings` next to the language folder. `nil` if none of them exists. Xcode
  ///   creates a catalog for such a file only on request, so the strings of a file without a catalog are not extracted.
  private static func catalog(of file: TreePath, among catalogs: Set<TreePath>) -> TreePath? {
    let folder = file.folderOfLanguages
    let collected = folder.appending("mul.lproj").stringCatalog(of: file.stem)
    if catalogs.contains(collected) { return collected }
    let beside = folder.stringCatalog(of: file.stem)
    // A file that is translated with `.strings` files is itself a catalog.
    if catalogs.contains(file) { return file }
    return file.isInLanguageFolder && catalogs.contains(beside) ? beside : nil
  }

  /// Returns the original of two files for one catalog: the file in `Base.lproj`, or else the file in the folder of the source language, or else a
  /// file outside `.lproj` folders, or else the first by path.
  private static func original(_ a: TreePath, _ b: TreePath, in language: LocaleIdentifier) -> TreePath {
    func rank(_ path: TreePath) -> Int {
      let folder = path.parent
      guard folder.ending == "lproj" else { return 2 }
      if folder.stem == "Base" { return 0 }
      return folder.stem == language.rawValue ? 1 : 3
    }
    return (rank(a), a) <= (rank(b), b) ? a : b
  }
}
