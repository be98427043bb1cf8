import Localization

/// Where the strings of a file that is itself localized go: a storyboard, a xib, an intent definition.
enum LocalizedFileCatalog {
  /// The files of a target that have a catalog, of each the one that the others translate, in the order of the catalogs.
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

  /// - Parameter catalogs: every catalog of the project that strings may go to.
  /// - Returns: `mul.lproj/<name>.xcstrings` beside the folder `Base.lproj` that the file lies in, where Xcode puts it, else
  ///   `<name>.xcstrings` beside that folder; `nil` where there is neither. Xcode makes no such catalog on its own, so the strings of
  ///   a file without one go nowhere.
  private static func catalog(of file: TreePath, among catalogs: Set<TreePath>) -> TreePath? {
    let name = file.stem + ".xcstrings"
    let folder = file.folderOfLanguages
    let collected = folder.appending("mul.lproj").appending(name)
    if catalogs.contains(collected) { return collected }
    let beside = folder.appending(name)
    // One that a `.strings` a language translates is a catalog itself.
    if catalogs.contains(file) { return file }
    return file.isInLanguageFolder && catalogs.contains(beside) ? beside : nil
  }

  /// Of two files for one catalog the one that the other translates: that in `Base.lproj`, else in the folder of the source language,
  /// else the first by path.
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
