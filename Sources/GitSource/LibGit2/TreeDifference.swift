import CLibGit2
import Localization
import Pipeline

/// The differences between two trees, found by libgit2.
struct TreeDifference: ~Copyable {
  private let diff: Owned

  /// - Parameters:
  ///   - old: the old tree; `nil` if all files count as added.
  ///   - contextLines: the number of unchanged lines that a patch shows around a change.
  /// - Throws: `unsupported` if the trees differ in too many paths.
  init(
    _ handle: RepositoryHandle, from old: ObjectID?, to new: ObjectID, contextLines: UInt32 = 0
  ) throws(GitError) {
    let operation = "compare \(old.map { $0.hex } ?? "nothing") with \(new)"
    try handle.checkDifference(old, new, operation)
    let oldTree = try old.map { (id) throws(GitError) in try Tree(handle, id) }
    let newTree = try Tree(handle, new)
    diff = try unsafe Self.compare(handle, oldTree?.owned.pointer, newTree.owned.pointer, contextLines, operation)
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
    _ handle: RepositoryHandle, _ old: OpaquePointer?, _ new: OpaquePointer, _ contextLines: UInt32,
    _ operation: String
  ) throws(GitError) -> Owned {
    var options = unsafe git_diff_options()
    try unsafe check(operation, git_diff_options_init(&options, UInt32(GIT_DIFF_OPTIONS_VERSION)))
    unsafe options.context_lines = contextLines
    let diff = try unsafe Owned(git_diff_free, operation) {
      unsafe git_diff_tree_to_tree(&$0, handle.repository, old, new, &options)
    }
    // Detecting a rename of a changed file requires the file's content, which a mirror may lack. In that case only exact renames are detected.
    var renames = unsafe git_diff_find_options()
    try unsafe check(operation, git_diff_find_options_init(&renames, UInt32(GIT_DIFF_FIND_OPTIONS_VERSION)))
    unsafe renames.flags = GIT_DIFF_FIND_RENAMES.rawValue
    if unsafe git_diff_find_similar(diff.pointer, &renames) < 0 {
      unsafe renames.flags = GIT_DIFF_FIND_RENAMES.rawValue | GIT_DIFF_FIND_EXACT_MATCH_ONLY.rawValue
      try unsafe check(operation, git_diff_find_similar(diff.pointer, &renames))
    }
    return diff
  }

  /// The changes, sorted by the bytes of their paths.
  var changes: [TreeChange] {
    deltas.map { delta in TreeChange(path: delta.path, kind: delta.kind) }.sorted { $0.path < $1.path }
  }

  /// Returns the numbers of added and removed lines of each file, as `git show --stat` counts them. They are 0 for binary files and for missing
  /// content.
  func statistics(_ handle: RepositoryHandle) -> [FileStatistics] {
    var found: [FileStatistics] = []
    for (index, delta) in deltas.enumerated() {
      let lines = lines(of: index, handle)
      found.append(FileStatistics(path: delta.path, added: lines?.added ?? 0, removed: lines?.removed ?? 0))
    }
    return found.sorted { $0.path < $1.path }
  }

  /// Returns all changes in the format of `git diff`. Bytes that are not UTF-8 are replaced.
  func patch(_ operation: String) throws(GitError) -> String {
    var text = unsafe git_buf()
    defer { unsafe git_buf_dispose(&text) }
    try unsafe check(operation, git_diff_to_buf(&text, diff.pointer, GIT_DIFF_FORMAT_PATCH))
    return unsafe String(decoding: UnsafeRawBufferPointer(start: text.ptr, count: text.size), as: UTF8.self)
  }

  /// Counts the added and removed lines of a file. Returns `nil` for a binary file and for missing content. Only the part between the common start
  /// and end of the two texts is compared, because comparing takes several times longer than reading.
  private func lines(of index: Int, _ handle: RepositoryHandle) -> (added: Int, removed: Int)? {
    guard let delta = unsafe git_diff_get_delta(diff.pointer, index),
      let old = try? unsafe Blob(handle, delta.pointee.old_file),
      let new = try? unsafe Blob(handle, delta.pointee.new_file)
    else { return nil }
    let (a, b) = unsafe Self.differing(old.bytes, new.bytes)
    var patch: OpaquePointer?
    defer { unsafe git_patch_free(patch) }
    // libgit2 detects a binary file by its first bytes, which may be outside the compared part.
    guard !old.isBinary, !new.isBinary,
      unsafe git_patch_from_buffers(&patch, a.baseAddress, a.count, nil, b.baseAddress, b.count, nil, nil) == 0
    else {
      git_error_clear()
      return nil
    }
    var (added, removed) = (0, 0)
    unsafe git_patch_line_stats(nil, &added, &removed, patch)
    return (added, removed)
  }

  /// Returns both texts without their common lines at the start and at the end.
  private static func differing(
    _ old: UnsafeRawBufferPointer, _ new: UnsafeRawBufferPointer
  ) -> (UnsafeRawBufferPointer, UnsafeRawBufferPointer) {
    let shorter = min(old.count, new.count)
    func word(_ text: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
      unsafe text.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }
    var start = 0
    while start + 8 <= shorter, unsafe word(old, start) == word(new, start) { start += 8 }
    while start < shorter, unsafe old[start] == new[start] { start += 1 }
    while start > 0, unsafe old[start - 1] != UInt8(ascii: "\n") { start -= 1 }
    var end = 0
    while end + 8 <= shorter - start, unsafe word(old, old.count - 8 - end) == word(new, new.count - 8 - end) {
      end += 8
    }
    while end < shorter - start, unsafe old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
    func isLineStart(_ text: UnsafeRawBufferPointer, _ offset: Int) -> Bool {
      unsafe offset == 0 || text[offset - 1] == UInt8(ascii: "\n")
    }
    while end > 0, unsafe !isLineStart(old, old.count - end) || !isLineStart(new, new.count - end) { end -= 1 }
    return unsafe (
      UnsafeRawBufferPointer(rebasing: old[start..<(old.count - end)]),
      UnsafeRawBufferPointer(rebasing: new[start..<(new.count - end)])
    )
  }

  /// The content of one side of a delta; empty if the file does not exist on that side.
  private struct Blob: ~Copyable {
    private let object: Owned?
    let isBinary: Bool

    init(_ handle: RepositoryHandle, _ file: git_diff_file) throws(GitError) {
      guard unsafe file.flags & GIT_DIFF_FLAG_EXISTS.rawValue != 0 else {
        object = nil
        isBinary = false
        return
      }
      var id = unsafe file.id
      let blob = try unsafe Owned(git_blob_free, "read a file to count its lines") {
        unsafe git_blob_lookup(&$0, handle.repository, &id)
      }
      isBinary = unsafe git_blob_is_binary(blob.pointer) == 1
      object = consume blob
    }

    var bytes: UnsafeRawBufferPointer {
      switch object {
      case .some(let blob):
        unsafe UnsafeRawBufferPointer(
          start: git_blob_rawcontent(blob.pointer), count: Int(git_blob_rawsize(blob.pointer)))
      case nil: unsafe UnsafeRawBufferPointer(start: nil, count: 0)
      }
    }
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
