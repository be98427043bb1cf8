import Glibc
import Localization
private import Synchronization

/// The inodes, sizes and times of the files of a directory when they were first read, and the names in its folders when they were first listed. A
/// file that has changed or appeared since then is neither overwritten nor removed, because its content would be lost.
final class FileStamps: Sendable {
  /// An identifier of a file's version. Replacing the file or writing to it changes the stamp.
  private struct Stamp: Equatable {
    var inode: UInt64
    var size: Int
    var modified: [Int]

    init(_ status: stat) {
      inode = UInt64(status.st_ino)
      size = Int(status.st_size)
      modified = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    }
  }

  private struct State {
    var stamps: [TreePath: Stamp] = [:]
    /// The names in each listed folder, in lower case, because a file system that ignores case finds a file under several names.
    var names: [TreePath: Set<String>] = [:]
    /// The files that we wrote or removed. Nothing is known about them any more.
    var own: Set<TreePath> = []

    /// Whether a file with this path did not exist when its folder, or a folder that contains its folder, was listed.
    func wasAbsent(_ path: TreePath) -> Bool {
      guard !own.contains(path) else { return false }
      var path = path
      while !path.isRoot {
        if let names = names[path.parent] { return !names.contains(path.name.lowercased()) }
        path = path.parent
      }
      return false
    }
  }

  private let state = Mutex(State())

  func note(_ path: TreePath, _ status: stat) {
    state.withLock { state in
      if state.stamps[path] == nil { state.stamps[path] = Stamp(status) }
    }
  }

  /// Notes the names of everything in a folder.
  func note(_ folder: TreePath, _ names: [String]) {
    state.withLock { state in
      if state.names[folder] == nil { state.names[folder] = Set(names.map { $0.lowercased() }) }
    }
  }

  /// Forgets the stamp of a file that we wrote or removed.
  func forget(_ path: TreePath) {
    state.withLock { state in
      state.stamps[path] = nil
      state.own.insert(path)
    }
  }

  /// Throws an error if a file has changed or was removed since it was first read, or was created since its folder was listed.
  func check(_ path: TreePath, in folder: borrowing Descriptor) throws(TreeError) {
    let (noted, wasAbsent) = state.withLock { ($0.stamps[path], $0.stamps[path] == nil && $0.wasAbsent(path)) }
    guard noted != nil || wasAbsent else { return }
    var status = stat()
    let isThere = unsafe fstatat(folder.number, path.name, &status, AT_SYMLINK_NOFOLLOW) == 0
    if let noted {
      guard isThere else { throw Self.changed(path, "removed") }
      if Stamp(status) != noted { throw Self.changed(path, "changed") }
    } else if isThere {
      throw Self.changed(path, "created")
    }
  }

  /// Returns the error for a file that another program has changed.
  /// - Parameter what: what happened to the file, as a participle.
  static func changed(_ path: TreePath, _ what: String) -> TreeError {
    TreeError(
      path: path, kind: .unwritable,
      detail: "was \(what) by another program while this command ran, so it was left as it is. Run the command again")
  }
}
