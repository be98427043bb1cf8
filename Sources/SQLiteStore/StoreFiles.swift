package import Glibc
import LedgerStore

/// Functions that create the folder and files of a store. Only the owner can read the files, and usually the folder (see `isGivenByGroup`). Created
/// folders are synced to disk; callers sync the files.
///
/// The files are private because the ledger contains unpublished texts and names of people. If an older version of Dragoman set wider permissions,
/// these permissions are restricted.
package enum StoreFiles {
  /// Gives a file its final name, unless a file with this name exists.
  /// - Parameter link: makes a hard link. Some file systems, such as those of USB disks, have no hard links.
  /// - Returns: `false` if a file with this name exists. The file then keeps its former name.
  static func giveName(
    _ path: String, to part: String, link: (String, String) -> Int32 = { Glibc.link($0, $1) }
  ) throws(StoreError) -> Bool {
    if link(part, path) == 0 {
      try remove(part)
      return true
    }
    guard errno != EEXIST else { return false }
    // Without hard links, a new empty file reserves the name until it is replaced.
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      guard errno == EEXIST else { throw cannotWrite(path) }
      return false
    }
    close(descriptor)
    guard rename(part, path) == 0 else {
      let code = errno
      unlink(path)
      errno = code
      throw cannotWrite(path)
    }
    return true
  }

  /// Creates the folder and its parents, or restricts the permissions of an existing folder. Makes git ignore the folder.
  static func prepareFolder(_ folder: String) throws(StoreError) {
    try LedgerPresence.requireTarget(of: folder)
    var missing: [String] = []
    var path = folder
    var status = stat()
    while stat(path, &status) != 0 {
      guard errno == ENOENT else { throw cannotCreate(folder) }
      missing.append(path)
      path = parent(of: path)
    }
    for path in missing.reversed() {
      guard mkdir(path, path == folder ? 0o700 : 0o777) == 0 || errno == EEXIST else { throw cannotCreate(folder) }
    }
    guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      errno = ENOTDIR
      throw cannotCreate(folder)
    }
    if !isGivenByGroup(status) { try restrict(folder, to: 0o700) }
    try hideFromGit(folder)
    for path in missing { try sync(folder: parent(of: path)) }
  }

  /// Returns whether another account owns the folder, this account is in the folder's group, and only the owner and the group can write to the
  /// folder. An example is the root of a Kubernetes volume (`fsGroup`). This account cannot change the permissions of such a folder. The files in the
  /// folder are restricted to their owner, and nobody outside the group can replace these files.
  package static func isGivenByGroup(_ status: stat) -> Bool {
    guard status.st_uid != geteuid(), status.st_mode & 0o072 == 0o070 else { return false }
    var groups = [gid_t](repeating: 0, count: Int(NGROUPS_MAX) + 1)
    let count = max(0, Int(getgroups(Int32(groups.count), &groups)))
    return status.st_gid == getegid() || groups.prefix(count).contains(status.st_gid)
  }

  /// Makes git ignore the folder. The folder is often in a work tree, and its files must not be committed.
  private static func hideFromGit(_ folder: String) throws(StoreError) {
    let descriptor = open(folder + "/.gitignore", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      guard errno == EEXIST else { throw cannotWrite(folder) }
      return try restrict(folder + "/.gitignore", to: 0o600)
    }
    defer { close(descriptor) }
    guard write(descriptor, "*\n", 2) == 2 else { throw cannotWrite(folder) }
  }

  /// Creates an empty database file, or restricts the permissions of an existing file and of SQLite's additional files. SQLite gives new additional
  /// files the permissions of the database.
  static func prepareDatabase(_ path: String) throws(StoreError) {
    // An existing file is not opened, because closing it would release the locks of other SQLite connections of this process.
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      close(descriptor)
    } else if errno != EEXIST {
      throw cannotWrite(path)
    }
    for ending in ["", "-wal", "-shm", "-journal"] { try restrict(path + ending, to: 0o600) }
    try makeWritable(besides: path)
  }

  /// Makes SQLite's additional files writable if the database is writable. SQLite creates them as read-only while the database is read-only, and
  /// could not write to them later.
  private static func makeWritable(besides path: String) throws(StoreError) {
    var database = stat()
    guard stat(path, &database) == 0, database.st_mode & S_IWUSR != 0 else { return }
    for beside in [path + "-wal", path + "-shm"] {
      var status = stat()
      guard stat(beside, &status) == 0, status.st_mode & S_IWUSR == 0 else { continue }
      guard chmod(beside, status.st_mode | S_IWUSR) == 0 else { throw cannotWrite(beside) }
    }
  }

  /// Syncs a folder to disk, which makes the file names in it durable.
  static func sync(folder: String) throws(StoreError) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      // A folder without read permission cannot be synced. This error is ignored, because the file system writes the folder within seconds anyway.
      guard errno == EACCES else { throw cannotWrite(folder) }
      return
    }
    defer { close(descriptor) }
    // EINVAL: the file system does not support this call for folders.
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw cannotWrite(folder) }
  }

  /// Syncs the content of a file to disk.
  static func sync(file path: String) throws(StoreError) {
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw cannotWrite(path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw cannotWrite(path) }
  }

  /// Copies a file and syncs the copy. Only the owner can read the copy.
  static func copy(_ path: String, to copy: String) throws(StoreError) {
    let source = open(path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { throw cannotRead(path) }
    defer { close(source) }
    let target = open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard target >= 0 else { throw cannotWrite(copy) }
    defer { close(target) }
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = read(source, &buffer, buffer.count)
      guard count >= 0 else { throw cannotRead(path) }
      guard count > 0 else { break }
      var written = 0
      while written < count {
        let more = buffer[written..<count].withUnsafeBytes { write(target, $0.baseAddress, $0.count) }
        guard more > 0 else { throw cannotWrite(copy) }
        written += more
      }
    }
    guard fsync(target) == 0 else { throw cannotWrite(copy) }
  }

  /// Deletes a file if it exists.
  static func remove(_ path: String) throws(StoreError) {
    guard unlink(path) == 0 || errno == ENOENT else { throw cannotWrite(path) }
  }

  static func parent(of path: String) -> String {
    var parts = path.split(separator: "/", omittingEmptySubsequences: true)
    guard !parts.isEmpty else { return path.hasPrefix("/") ? "/" : "." }
    parts.removeLast()
    let rest = parts.joined(separator: "/")
    if path.hasPrefix("/") { return "/" + rest }
    return rest.isEmpty ? "." : rest
  }

  private static func restrict(_ path: String, to mode: mode_t) throws(StoreError) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT { return }
      throw cannotWrite(path)
    }
    guard status.st_mode & 0o777 & ~mode != 0 else { return }
    guard chmod(path, mode & status.st_mode) == 0 else {
      throw StoreError(
        .unwritable, operation: "restrict permissions",
        detail: "other users may read \(path), and its permissions cannot be restricted (\(reason)). "
          + "Run Dragoman as its owner, or choose another folder with --store (with PostgreSQL: DRAGOMAN_FOLDER)")
    }
  }

  static func cannotWrite(_ path: String) -> StoreError {
    StoreError(
      .unwritable, operation: "open store",
      detail: "cannot write \(path) (\(reason)). Check the permissions of its folder")
  }

  private static func cannotRead(_ path: String) -> StoreError {
    StoreError(
      .unwritable, operation: "open store",
      detail: "cannot read \(path) (\(reason)). Check the permissions of the file, and the disk")
  }

  private static func cannotCreate(_ folder: String) -> StoreError {
    StoreError(
      .unwritable, operation: "open store",
      detail: "cannot create the store folder \(folder) (\(reason)). Check the permissions of the folder above it")
  }

  private static var reason: String { String(cString: strerror(errno)) }

  /// The identity of a file, which shows whether the file was replaced.
  struct Identity: Equatable, Sendable {
    private let device: UInt64
    private let inode: UInt64

    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
    }
  }
}
