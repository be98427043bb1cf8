import Glibc

/// The file `packed-refs` of one of our mirrors, written at once for many branches.
///
/// libgit2 writes a file for each branch, syncs it, and compares its name with those of all others: a first fetch of 100,000 branches would
/// take hours.
struct PackedReferences {
  /// The folder of the mirror.
  let folder: String

  private static let operation = "set the branches of the mirror"
  private var file: String { folder + "/packed-refs" }

  /// Replaces all branches. Other references stay.
  /// - Parameter branches: by full name, sorted by bytes.
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
    // Files of references take precedence. If this is interrupted, the next look finds the old ones and sets the branches again.
    removeFiles(below: folder + "/refs/heads")
  }

  /// Returns the lines of other references, as they are: those that sort before the branches, and those after.
  private func others() -> (before: [UInt8], after: [UInt8]) {
    var (before, after): ([UInt8], [UInt8]) = ([], [])
    let prefix = Array("refs/heads/".utf8)
    var isBranch = false
    for line in (wholeFile(file) ?? []).split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
      // The id of an annotated tag's target, which belongs to the line before.
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
