import CLibGit2
import Localization
private import Synchronization

/// The paths in a work tree's index whose files may be absent from the work tree.
struct WorkTreeIndex {
  /// The paths that git leaves out of the work tree (`skip-worktree`), relative to the root of the work tree.
  private(set) var skipped: [String] = []
  /// The paths of all submodules, initialized or not, relative to the root of the work tree.
  private(set) var submodules: [String] = []

  /// Reads the index. Both lists are empty if the index cannot be read.
  init(file: String) {
    // libgit2 would block on a named pipe.
    guard FileKind(file) == .file else { return }
    LibGit2.start()
    let opened = try? unsafe Owned(git_index_free, "read \(file)") { unsafe git_index_open(&$0, file) }
    guard let index = opened else { return }
    for position in 0..<(unsafe git_index_entrycount(index.pointer)) {
      guard let entry = unsafe git_index_get_byindex(index.pointer, position), let path = unsafe entry.pointee.path
      else { continue }
      if unsafe entry.pointee.mode == GIT_FILEMODE_COMMIT.rawValue {
        unsafe submodules.append(String(cString: path))
      } else if unsafe UInt32(entry.pointee.flags_extended) & GIT_INDEX_ENTRY_SKIP_WORKTREE.rawValue != 0 {
        unsafe skipped.append(String(cString: path))
      }
    }
  }
}

/// The index of the repository that contains a directory. The paths are relative to the directory. The index is read only once.
final class DirectoryIndex: Sendable {
  struct Paths {
    var skipped: [TreePath] = []
    var submodules: Set<TreePath> = []
  }

  private let directory: String
  private let read = Mutex<Paths?>(nil)

  init(of directory: String) { self.directory = directory }

  var paths: Paths {
    read.withLock { read in
      if let read { return read }
      var paths = Paths()
      if let location = try? RepositoryLocation.find(directory, searchingUpwards: true), !location.isPlain {
        let index = WorkTreeIndex(file: location.files.folder + "/index")
        func relative(_ text: String) -> TreePath? { TreePath(checking: text)?.relative(to: location.place) }
        paths = Paths(
          skipped: index.skipped.compactMap(relative), submodules: Set(index.submodules.compactMap(relative)))
      }
      read = paths
      return paths
    }
  }
}
