import CLibGit2
import Glibc
internal import Localization

/// A file descriptor with one owner.
struct Descriptor: ~Copyable {
  let number: Int32

  /// - Parameter number: as a system call returned it; `nil` where it failed.
  init?(_ number: Int32) {
    guard number >= 0 else { return nil }
    self.number = number
  }

  deinit { _ = Glibc.close(number) }

  /// Everything to the end, at most `limit` bytes and one more.
  func readAll(limit: Int) -> [UInt8]? {
    var status = stat()
    guard unsafe fstat(number, &status) == 0 else { return nil }
    var bytes: [UInt8] = []
    // One more than the size, so that the end is seen in the first round.
    var room = min(max(Int(status.st_size), 0), limit) + 1
    while true {
      let before = bytes.count
      var failed = false
      let read = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
        var got = unsafe Glibc.read(number, buffer.baseAddress, buffer.count)
        while got < 0 && errno == EINTR {
          got = unsafe Glibc.read(number, buffer.baseAddress, buffer.count)
        }
        failed = got < 0
        count = max(got, 0)
      }
      // Nearly always all comes in the first round.
      if before == 0 { bytes = read } else { bytes.append(contentsOf: read) }
      if failed { return nil }
      if bytes.count == before || bytes.count > limit { return bytes }
      room = min(65_536, limit + 1 - bytes.count)
    }
  }

  /// Writes all of it. Long runs go as they are, short ones together.
  /// - Returns: whether it did; `errno` tells why not.
  func writeAll(_ content: FileContent) -> Bool {
    let most = 65_536
    var short: [UInt8] = []
    for run in content.runs {
      if run.count < most, short.count + run.count < 2 * most {
        short.append(contentsOf: run)
        continue
      }
      guard writeAll(short[...]) else { return false }
      short.removeAll(keepingCapacity: true)
      guard writeAll(run) else { return false }
    }
    return writeAll(short[...])
  }

  /// Writes all of it.
  /// - Returns: whether it did; `errno` tells why not.
  func writeAll(_ bytes: ArraySlice<UInt8>) -> Bool {
    var offset = 0
    while offset < bytes.count {
      let wrote = unsafe bytes.withUnsafeBytes {
        unsafe Glibc.write(number, $0.baseAddress.map { unsafe $0 + offset }, bytes.count - offset)
      }
      if wrote < 0 && errno == EINTR { continue }
      guard wrote > 0 else { return false }
      offset += wrote
    }
    return true
  }
}

/// A whole file; `nil` where it cannot be read, is no regular file or is larger than `limit`.
func wholeFile(_ path: String, limit: Int = 256 << 20) -> [UInt8]? {
  // A named pipe would keep a reader that waits.
  guard let file = unsafe Descriptor(Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)) else { return nil }
  var status = stat()
  guard unsafe fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
  guard let bytes = file.readAll(limit: limit), bytes.count <= limit else { return nil }
  return bytes
}

/// The names in a folder without `.` and `..`, in no order; `nil` where it cannot be listed.
func folderNames(_ path: String) -> [String]? {
  guard let folder = unsafe opendir(path) else { return nil }
  return unsafe remainingNames(folder)
}

/// Reads the names and closes the folder.
func remainingNames(_ folder: OpaquePointer) -> [String] {
  defer { unsafe closedir(folder) }
  var names: [String] = []
  while let entry = unsafe readdir(folder) {
    let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
      unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    if name != "." && name != ".." { names.append(name) }
  }
  return names
}

/// A name in a folder that stands for neither a file nor a folder, links followed.
func irregularName(in path: String) -> String? {
  guard let folder = unsafe opendir(path) else { return nil }
  defer { unsafe closedir(folder) }
  while let entry = unsafe readdir(folder) {
    let type = unsafe Int(entry.pointee.d_type)
    // Nearly every file system says here what a name stands for.
    if type == Int(DT_REG) || type == Int(DT_DIR) { continue }
    let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
      unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    if FileKind(path + "/" + name) == .other { return name }
  }
  return nil
}

/// Makes a folder and those above it.
/// - Parameter mode: of those that are made; less what the process withholds from new files.
func makeFolders(_ path: String, mode: mode_t = 0o777) throws(GitError) {
  if unsafe mkdir(path, mode) == 0 || errno == EEXIST { return }
  let above = TreePath.components(of: path).dropLast().joined(separator: "/")
  if errno == ENOENT && !above.isEmpty {
    try makeFolders((path.hasPrefix("/") ? "/" : "") + above, mode: mode)
    if unsafe mkdir(path, mode) == 0 || errno == EEXIST { return }
  }
  throw GitError(.disk, "make \(path)", systemError())
}

/// What `errno` says, in words.
func systemError() -> String { unsafe String(cString: strerror(errno)) }

/// Makes the names in a folder durable.
func syncFolder(_ path: String) throws(GitError) {
  guard let folder = unsafe Descriptor(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)), fsync(folder.number) == 0 else {
    throw GitError(.disk, "sync \(path)", systemError())
  }
}

/// Makes everything on a folder's file system durable: cheaper than a call for each of many files.
func syncFileSystem(of path: String) throws(GitError) {
  guard let folder = unsafe Descriptor(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)),
    dragoman_sync_file_system(folder.number) == 0
  else {
    throw GitError(.disk, "sync \(path)", systemError())
  }
}

/// Removes a folder and all below it. Symbolic links are removed and not followed.
func removeFolder(_ path: String) {
  for name in folderNames(path) ?? [] {
    let child = path + "/" + name
    if unsafe unlink(child) != 0 { removeFolder(child) }
  }
  _ = unsafe rmdir(path)
}
