import Localization
import Synchronization

/// A cache of the descriptions of the most recent trees.
///
/// A description depends on the names of all files, and on the bytes of the files that were read for it: project files, manifests, settings
/// and catalogs. A tree with the same names and the same bytes in these files has the same description, except for the ids of its files.
final class LayoutMemory: Sendable {
  private struct Remembered: Sendable {
    var tree: String
    var excluded: [String]
    /// The files on whose bytes the description depends.
    var read: Set<TreePath>
    var description: ProjectDescription
  }

  /// The cached descriptions, the newest last. A few are enough, because few branches change at the same time.
  private let remembered = Mutex<[Remembered]>([])
  private static let most = 4
  private let other: LayoutMemory?

  /// - Parameter other: another memory whose descriptions are used too but never changed.
  init(beside other: LayoutMemory? = nil) { self.other = other }

  private var all: [Remembered] { (other?.all ?? []) + remembered.withLock { $0 } }

  /// Returns the description of a tree from the cache, with updated ids of files; `nil` if no cached tree has the same description.
  func description(of tree: any VersionedTree, excluding excluded: [String]) -> ProjectDescription? {
    let known = all.filter { $0.excluded == excluded }
    if let same = known.last(where: { $0.tree == tree.id }) { return same.description }
    for candidate in known.reversed() {
      guard let modified = tree.modifiedFiles(since: candidate.tree),
        !modified.contains(where: { candidate.read.contains($0.path) })
      else { continue }
      var own = candidate
      own.tree = tree.id
      own.description.update(modified)
      keep(own)
      return own.description
    }
    return nil
  }

  /// - Parameter recording: the record of the files that were read for the description. If an object of the tree could not be read, nothing is
  ///   cached.
  func keep(
    _ description: ProjectDescription, of tree: String, excluding excluded: [String], _ recording: RecordingTree
  ) {
    guard let read = recording.filesRead else { return }
    keep(Remembered(tree: tree, excluded: excluded, read: read, description: description))
  }

  private func keep(_ new: Remembered) {
    remembered.withLock { remembered in
      remembered.append(new)
      if remembered.count > Self.most { remembered.removeFirst() }
    }
  }
}

extension ProjectDescription {
  /// Updates the ids of modified files.
  fileprivate mutating func update(_ modified: [TreeEntry]) {
    guard !modified.isEmpty else { return }
    let byPath = Dictionary(modified.map { ($0.path, $0) }) { first, _ in first }
    for target in targets.indices {
      for index in targets[target].swiftSources.indices {
        if let entry = byPath[targets[target].swiftSources[index].path] { targets[target].swiftSources[index] = entry }
      }
      for index in targets[target].otherSources.indices {
        if let entry = byPath[targets[target].otherSources[index].path] { targets[target].otherSources[index] = entry }
      }
    }
  }
}

/// A tree that records the files that are read from it.
final class RecordingTree: SourceTree {
  private struct Notes {
    var read: Set<TreePath> = []
    /// Whether the repository lacks an object of the tree. A later attempt may succeed.
    var isDamaged = false
  }

  private let base: any SourceTree
  private let notes = Mutex(Notes())

  init(_ base: any SourceTree) { self.base = base }

  /// The files that were requested; `nil` if an object could not be read.
  fileprivate var filesRead: Set<TreePath>? { notes.withLock { $0.isDamaged ? nil : $0.read } }

  func list(_ folder: TreePath) throws(TreeError) -> [TreeEntry] {
    do { return try base.list(folder) } catch { throw noted(error) }
  }

  func entry(at path: TreePath) throws(TreeError) -> TreeEntry? {
    do { return try base.entry(at: path) } catch { throw noted(error) }
  }

  func read(_ path: TreePath) throws(TreeError) -> [UInt8] {
    notes.withLock { _ = $0.read.insert(path) }
    do { return try base.read(path) } catch { throw noted(error) }
  }

  func holdsMore(than entries: Int) -> Bool { base.holdsMore(than: entries) }
  func filesLeftOut() -> [TreePath] { base.filesLeftOut() }

  private func noted(_ error: TreeError) -> TreeError {
    if error.kind == .unreadable { notes.withLock { $0.isDamaged = true } }
    return error
  }
}
