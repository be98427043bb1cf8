import Localization
import Synchronization

/// The descriptions of the trees that were read last.
///
/// A description hangs on the names of all files, and on the bytes of those that were read for it: project files, manifests, settings,
/// the heads of catalogs. A tree that has the same names and the same bytes there has the same description, but for the ids of its files.
final class LayoutMemory: Sendable {
  private struct Remembered: Sendable {
    var tree: String
    var excluded: [String]
    /// The files whose bytes it hangs on.
    var read: Set<TreePath>
    var description: ProjectDescription
  }

  /// The newest last. Branches take turns, and few of them at once.
  private let remembered = Mutex<[Remembered]>([])
  private static let most = 4

  /// - Returns: `nil` where no tree is remembered that tells it.
  func description(of tree: any VersionedTree, excluding excluded: [String]) -> ProjectDescription? {
    let known = remembered.withLock { $0 }.filter { $0.excluded == excluded }
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

  /// - Parameter recording: what was read for the description; where a part of it could not be read, nothing is kept.
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
  /// Takes over the ids of files whose bytes have changed.
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

/// A tree that notes which files are read.
final class RecordingTree: SourceTree {
  private struct Notes {
    var read: Set<TreePath> = []
    /// Whether the repository could not give what the tree names: another time it may.
    var isDamaged = false
  }

  private let base: any SourceTree
  private let notes = Mutex(Notes())

  init(_ base: any SourceTree) { self.base = base }

  /// The files that were asked for; `nil` where something could not be read.
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

  private func noted(_ error: TreeError) -> TreeError {
    if error.kind == .unreadable { notes.withLock { $0.isDamaged = true } }
    return error
  }
}
