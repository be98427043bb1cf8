import Localization

/// The localization files that two branches changed since their merge base, including files that one branch renamed.
///
/// Git also detects such renames, but merges the files by lines.
struct MovedFiles {
  /// A file that both branches changed.
  struct Pair: Hashable {
    /// The file's names on the watched head and on the delivery branch.
    let head: TreePath
    let branch: TreePath

    /// The file's name in the merge base.
    let former: TreePath

    /// The file's name in the merge: the new name if a branch renamed the file.
    var merged: TreePath { head == former ? branch : head }
  }

  private(set) var pairs: [Pair] = []

  /// Pairs the changes of the two branches.
  /// - Parameters:
  ///   - head: the changes of the watched branch.
  ///   - branch: the changes of the delivery branch.
  ///   - renames: the catalogs that moved on the watched branch, according to the ledger. Git does not detect a move if most of the file
  ///     changed.
  ///   - isIncluded: whether a file is merged by keys.
  init(head: [TreeChange], branch: [TreeChange], renames: [TreePath: TreePath], isIncluded: (TreePath) -> Bool) {
    let (onHead, onBranch) = (Self.names(head), Self.names(branch))
    let added = Set(head.filter { $0.kind == .added }.map(\.path))
    let removed = Set(head.filter { $0.kind == .removed }.map(\.path))
    for (former, name) in onBranch.sorted(by: { $0.key < $1.key }) where isIncluded(former) && isIncluded(name) {
      var present = onHead[former]
      if removed.contains(former), case let newest = renames.newest(of: former), added.contains(newest) {
        present = newest
      }
      guard let present, isIncluded(present), present == name || present == former || name == former else { continue }
      pairs.append(Pair(head: present, branch: name, former: former))
    }
  }

  /// Returns the names of changed files by their former names.
  private static func names(_ changes: [TreeChange]) -> [TreePath: TreePath] {
    var names: [TreePath: TreePath] = [:]
    for change in changes {
      if case .renamed(let former) = change.kind {
        names[former] = change.path
      } else if names[change.path] == nil {
        names[change.path] = change.path
      }
    }
    return names
  }
}
