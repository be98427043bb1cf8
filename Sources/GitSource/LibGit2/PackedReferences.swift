import Glibc

/// The file `packed-refs` of a mirror. All branches are written to it at once.
///
/// libgit2 would write and sync a file for each branch, and compare each branch's name with all other names. A first fetch of 100,000 branches would
/// take hours.
struct PackedReferences {
  /// The folder of the mirror.
  let folder: String

  private static let operation = "set the branches of the mirror"
  private var file: String { folder + "/packed-refs" }

  /// Replaces all branches. Other references are preserved.
  /// - Parameter branches: the branches with full names, sorted by the bytes of the names.
  func replaceBranches(with branches: [(name: String, id: ObjectID)]) throws(GitError) {
    let lock = file + ".lock"
    guard let written = unsafe Descriptor(open(lock, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)) else {
      throw errno == EEXIST
        ? GitError(.locked, Self.operation, "\(lock) exists: another git process is using the mirror")
        : GitError(.disk, Self.operation, systemError())
    }
    let (before, after) = others()
    var text = Array("# pack-refs with: peeled fully-peeled sorted \n".utf8)
    text.reserveCapacity(text.count + before.count + after.count + branches.count * 80)
    text += before
    for branch in branches { text += "\(branch.id.hex) \(branch.name)\n".utf8 }
    text += after
    guard written.writeAll(text[...]), fsync(written.number) == 0, unsafe rename(lock, file) == 0 else {
      let error = GitError(.disk, Self.operation, systemError())
      _ = unsafe unlink(lock)
      throw error
    }
    try syncFolder(folder)
    // A branch's own file overrides `packed-refs`, so these files are removed. If the removal is interrupted, the next refresh finds the old files
    // and sets the branches again.
    removeFiles(below: folder + "/refs/heads")
  }

  /// Returns the unchanged lines of all other references, split into lines that sort before the branches and lines that sort after them.
  private func others() -> (before: [UInt8], after: [UInt8]) {
    var (before, after): ([UInt8], [UInt8]) = ([], [])
    let prefix = Array("refs/heads/".utf8)
    var isBranch = false
    for line in (wholeFile(file) ?? []).split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
      // A line with `^` has the id of the target of the annotated tag in the previous line.
      let isPeeled = line.first == UInt8(ascii: "^")
      let name = line.dropFirst(41)
      if !isPeeled { isBranch = name.starts(with: prefix) }
      if isBranch { continue }
      if !isPeeled && name.lexicographicallyPrecedes(prefix) || isPeeled && after.isEmpty {
        before += line + [UInt8(ascii: "\n")]
      } else {
        after += line + [UInt8(ascii: "\n")]
      }
    }
    return (before, after)
  }

  private func removeFiles(below path: String) {
    for name in folderNames(path) ?? [] {
      let child = path + "/" + name
      if FileKind(child) == .folder {
        removeFiles(below: child)
        _ = unsafe rmdir(child)
      } else {
        _ = unsafe unlink(child)
      }
    }
  }
}
