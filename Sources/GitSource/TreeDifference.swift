import CLibGit2
import Localization
import Pipeline

/// What differs between two trees, as libgit2 finds it.
struct TreeDifference: ~Copyable {
  private let diff: Owned

  /// - Parameter old: `nil`: everything is added.
  init(_ handle: RepositoryHandle, from old: ObjectID?, to new: ObjectID) throws(GitError) {
    let operation = "compare \(old.map { $0.hex } ?? "nothing") with \(new)"
    let oldTree = try old.map { (id) throws(GitError) in try Tree(handle, id) }
    let newTree = try Tree(handle, new)
    diff = try unsafe Self.compare(handle, oldTree?.owned.pointer, newTree.owned.pointer, operation)
  }

  private final class Tree {
    let owned: Owned

    init(_ handle: RepositoryHandle, _ id: ObjectID) throws(GitError) {
      var raw = id.raw
      owned = try unsafe Owned(git_tree_free, "read tree \(id)") {
        unsafe git_tree_lookup(&$0, handle.repository, &raw)
      }
    }
  }

  private static func compare(
    _ handle: RepositoryHandle, _ old: OpaquePointer?, _ new: OpaquePointer, _ operation: String
  ) throws(GitError) -> Owned {
    var options = unsafe git_diff_options()
    try unsafe check(operation, git_diff_options_init(&options, UInt32(GIT_DIFF_OPTIONS_VERSION)))
    unsafe options.context_lines = 0
    let diff = try unsafe Owned(git_diff_free, operation) {
      unsafe git_diff_tree_to_tree(&$0, handle.repository, old, new, &options)
    }
    // A rename with changes is told by content, which may be missing from a mirror; then only exact ones are told.
    var renames = unsafe git_diff_find_options()
    try unsafe check(operation, git_diff_find_options_init(&renames, UInt32(GIT_DIFF_FIND_OPTIONS_VERSION)))
    unsafe renames.flags = GIT_DIFF_FIND_RENAMES.rawValue
    if unsafe git_diff_find_similar(diff.pointer, &renames) < 0 {
      unsafe renames.flags = GIT_DIFF_FIND_RENAMES.rawValue | GIT_DIFF_FIND_EXACT_MATCH_ONLY.rawValue
      try unsafe check(operation, git_diff_find_similar(diff.pointer, &renames))
    }
    return diff
  }

  /// In the order of the paths' bytes.
  var changes: [TreeChange] {
    deltas.map { delta in TreeChange(path: delta.path, kind: delta.kind) }.sorted { $0.path < $1.path }
  }

  /// Lines added and removed, as `git show --stat` counts them: none in a binary file, and none in one whose content is missing.
  var statistics: [FileStatistics] {
    var found: [FileStatistics] = []
    for (index, delta) in deltas.enumerated() {
      var added = 0
      var removed = 0
      var patch: OpaquePointer?
      if unsafe git_patch_from_diff(&patch, diff.pointer, index) == 0, let patch = unsafe patch {
        unsafe git_patch_line_stats(nil, &added, &removed, patch)
        unsafe git_patch_free(patch)
      } else {
        git_error_clear()
      }
      found.append(FileStatistics(path: delta.path, added: added, removed: removed))
    }
    return found.sorted { $0.path < $1.path }
  }

  private var deltas: [(path: TreePath, kind: TreeChange.Kind)] {
    var found: [(path: TreePath, kind: TreeChange.Kind)] = []
    for index in 0..<(unsafe git_diff_num_deltas(diff.pointer)) {
      guard let delta = unsafe git_diff_get_delta(diff.pointer, index) else { continue }
      let old = unsafe path(delta.pointee.old_file)
      let new = unsafe path(delta.pointee.new_file)
      switch unsafe delta.pointee.status {
      case GIT_DELTA_ADDED, GIT_DELTA_COPIED: found.append((new, .added))
      case GIT_DELTA_DELETED: found.append((old, .removed))
      case GIT_DELTA_RENAMED: found.append((new, .renamed(from: old)))
      default: found.append((new, .modified))
      }
    }
    return found
  }

  private func path(_ file: git_diff_file) -> TreePath {
    TreePath(trusted: unsafe file.path.map { unsafe String(cString: $0) } ?? "")
  }
}
