import CLibGit2
import Localization

/// The index of a work tree.
enum WorkTreeIndex {
  /// The paths that git leaves out of the work tree (`skip-worktree`), from the root of the work tree.
  /// - Returns: an empty array if the index cannot be read.
  static func skipped(inIndexAt file: String) -> [String] {
    // libgit2 would block on a named pipe.
    guard FileKind(file) == .file else { return [] }
    LibGit2.start()
    let opened = try? unsafe Owned(git_index_free, "read \(file)") { unsafe git_index_open(&$0, file) }
    guard let index = opened else { return [] }
    var found: [String] = []
    for position in 0..<(unsafe git_index_entrycount(index.pointer)) {
      guard let entry = unsafe git_index_get_byindex(index.pointer, position),
        unsafe UInt32(entry.pointee.flags_extended) & GIT_INDEX_ENTRY_SKIP_WORKTREE.rawValue != 0,
        let path = unsafe entry.pointee.path
      else { continue }
      unsafe found.append(String(cString: path))
    }
    return found
  }
}
