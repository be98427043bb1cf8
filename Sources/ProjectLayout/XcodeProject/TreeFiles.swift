import Localization

/// An index of the files of a tree, for the paths in a project file.
///
/// This is a class because the indices by folded path are created only when a path is not found in its exact spelling.
final class TreeFiles {
  private var entries: [TreePath: TreeEntry] = [:]
  /// The files in path order. The files of one folder are adjacent.
  private let ordered: [TreeEntry]
  private let folders: Set<TreePath>
  /// The files by folded path, because macOS file systems ignore case and Unicode normalization.
  private lazy var foldedFiles: [String: TreePath] = Dictionary(
    ordered.map { (Self.folded($0.path), $0.path) }, uniquingKeysWith: { first, _ in first })
  private lazy var foldedFolders: [String: TreePath] = Dictionary(
    folders.sorted().map { (Self.folded($0), $0) }, uniquingKeysWith: { first, _ in first })

  /// The C headers by folder.
  private(set) lazy var headers: [TreePath: [TreeEntry]] = Dictionary(grouping: listedHeaders, by: \.path.parent)
  private let listedHeaders: [TreeEntry]

  init(_ listing: TreeListing) {
    listedHeaders = listing.headers
    let lists = [
      listing.swift, listing.dataModels, listing.others, listing.catalogs.filter(\.isFile), listing.headers,
      listing.tables,
      listing.otherTables, listing.propertyLists, listing.settingsFiles, listing.projects,
    ]
    ordered = lists.flatMap { $0 }.sorted { $0.path < $1.path }
    folders = listing.folders
    entries.reserveCapacity(ordered.count)
    for entry in ordered { entries[entry.path] = entry }
  }

  /// Returns the file at a path, in the spelling that git stores; `nil` if there is none.
  func find(_ path: TreePath) -> TreeEntry? {
    entries[path] ?? foldedFiles[Self.folded(path)].flatMap { entries[$0] }
  }

  /// Returns the file at a path in exactly this spelling, or the files below it.
  func exactly(_ path: TreePath) -> [TreeEntry] { entries[path].map { [$0] } ?? Array(below(path)) }

  /// Returns the folder at a path, in the spelling that git stores; `nil` if there is none.
  func folder(_ path: TreePath) -> TreePath? {
    folders.contains(path) ? path : foldedFolders[Self.folded(path)]
  }

  /// Returns every file below a folder, in path order.
  func below(_ folder: TreePath) -> ArraySlice<TreeEntry> {
    guard !folder.isRoot else { return ordered[...] }
    let prefix = folder.text + "/"
    let start = firstIndex { !$0.text.utf8.lexicographicallyPrecedes(prefix.utf8) }
    // All paths with the prefix are adjacent, and `0` is the character after `/`.
    let next = folder.text + "0"
    return ordered[start..<max(start, firstIndex { !$0.text.utf8.lexicographicallyPrecedes(next.utf8) })]
  }

  private func firstIndex(where holds: (TreePath) -> Bool) -> Int {
    var (low, high) = (0, ordered.count)
    while low < high {
      let middle = (low + high) / 2
      if holds(ordered[middle].path) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private static func folded(_ path: TreePath) -> String { path.text.lowercased() }
}
