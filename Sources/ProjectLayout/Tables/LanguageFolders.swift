import Localization

/// The languages of the `.lproj` folders of a tree.
///
/// Folders next to each other whose names differ only in case, such as `UK.lproj` and `uk.lproj`, have the same language: the name in Xcode's
/// spelling, or otherwise the alphabetically first name.
struct LanguageFolders {
  private struct Place: Hashable {
    var folder: TreePath
    var language: LocaleIdentifier
  }

  /// The languages of folders whose names use another spelling.
  private var renamed: [TreePath: LocaleIdentifier] = [:]

  init(_ folders: some Sequence<TreePath>) {
    var spellings: [Place: Set<LocaleIdentifier>] = [:]
    var spelled: [(folder: TreePath, place: Place)] = []
    for folder in folders {
      guard let language = LocaleIdentifier(regionName: folder.stem) else { continue }
      let place = Place(folder: folder.parent, language: language.inUsualCase)
      spellings[place, default: []].insert(language)
      spelled.append((folder, place))
    }
    for (folder, place) in spelled {
      guard let found = spellings[place], found.count > 1 else { continue }
      renamed[folder] = found.contains(place.language) ? place.language : found.min()
    }
  }

  /// Returns the language of a folder; `nil` for a folder without a language, such as `Base.lproj`.
  func language(of folder: TreePath) -> LocaleIdentifier? {
    renamed[folder] ?? LocaleIdentifier(regionName: folder.stem)
  }
}
