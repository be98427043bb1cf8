import CLibGit2
import Glibc
internal import Localization

/// A file descriptor with one owner. It is closed when the owner releases it.
struct Descriptor: ~Copyable {
  let number: Int32

  /// - Parameter number: the result of a system call that opens a file.
  /// - Returns: `nil` if the call failed.
  init?(_ number: Int32) {
    guard number >= 0 else { return nil }
    self.number = number
  }

  deinit { _ = Glibc.close(number) }

  /// Reads to the end of the file, but at most `limit` + 1 bytes. Returns `nil` if reading fails.
  func readAll(limit: Int) -> [UInt8]? {
    var status = stat()
    guard unsafe fstat(number, &status) == 0 else { return nil }
    var bytes: [UInt8] = []
    // The buffer has room for one byte more than the file, or than `limit` if the file is larger. In that case, this byte shows in the first pass
    // that the file is too large.
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
      // The first pass nearly always reads the whole file.
      if before == 0 { bytes = read } else { bytes.append(contentsOf: read) }
      if failed { return nil }
      if bytes.count == before || bytes.count > limit { return bytes }
      room = min(65_536, limit + 1 - bytes.count)
    }
  }

  /// Writes all content. Long runs are written directly; short runs are combined into larger writes.
  /// - Returns: whether writing succeeded. If not, `errno` has the reason.
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

  /// Writes all bytes.
  /// - Returns: whether writing succeeded. If not, `errno` has the reason.
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

/// Reads a whole file; returns `nil` if it cannot be read, is not a regular file, or is larger than `limit`.
func wholeFile(_ path: String, limit: Int = 256 << 20) -> [UInt8]? {
  // Without O_NONBLOCK, opening a named pipe would block.
  guard let file = unsafe Descriptor(Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)) else { return nil }
  var status = stat()
  guard unsafe fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
  guard let bytes = file.readAll(limit: limit), bytes.count <= limit else { return nil }
  return bytes
}

/// Returns the names in a folder except `.` and `..`, in no particular order; `nil` if the folder cannot be listed.
func folderNames(_ path: String) -> [String]? {
  guard let folder = unsafe opendir(path) else { return nil }
  return unsafe remainingNames(folder)
}

/// Returns the remaining names in an open folder, except `.` and `..`, and closes the folder.
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

/// Returns the names in a folder that are UTF-8, including `.` and `..`, and separately the names that are not UTF-8. Both lists are empty if the
/// folder cannot be listed.
func validatedNames(_ path: String) -> (names: [String], unreadable: [[UInt8]]) {
  guard let folder = unsafe opendir(path) else { return ([], []) }
  defer { unsafe closedir(folder) }
  var found: (names: [String], unreadable: [[UInt8]]) = ([], [])
  while let entry = unsafe readdir(folder) {
    let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
    if let text = String(validating: name, as: UTF8.self) {
      found.names.append(text)
    } else {
      found.unreadable.append(name)
    }
  }
  return found
}

/// Returns the name of a folder's first entry that is something other than a file or a folder, such as a named pipe. Symbolic links are followed.
/// Returns `nil` if no entry is found or the folder cannot be listed.
func irregularName(in path: String) -> String? {
  guard let folder = unsafe opendir(path) else { return nil }
  defer { unsafe closedir(folder) }
  while let entry = unsafe readdir(folder) {
    let type = unsafe Int(entry.pointee.d_type)
    // Nearly all file systems report the type in the directory entry.
    if type == Int(DT_REG) || type == Int(DT_DIR) { continue }
    let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
      unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    if FileKind(path + "/" + name) == .other { return name }
  }
  return nil
}

/// Creates a folder and its parents.
/// - Parameter mode: the mode of created folders. The umask still applies.
func makeFolders(_ path: String, mode: mode_t = 0o777) throws(GitError) {
  if unsafe mkdir(path, mode) == 0 || errno == EEXIST { return }
  let above = TreePath.components(of: path).dropLast().joined(separator: "/")
  if errno == ENOENT && !above.isEmpty {
    try makeFolders((path.hasPrefix("/") ? "/" : "") + above, mode: mode)
    if unsafe mkdir(path, mode) == 0 || errno == EEXIST { return }
  }
  throw GitError(.disk, "make \(path)", systemError())
}

/// Returns the error message for a value of `errno`.
func systemError(_ code: Int32 = errno) -> String { unsafe String(cString: strerror(code)) }

/// Removes a folder and its contents. Symbolic links are removed but not followed.
func removeFolder(_ path: String) {
  for name in folderNames(path) ?? [] {
    let child = path + "/" + name
    if unsafe unlink(child) != 0 { removeFolder(child) }
  }
  _ = unsafe rmdir(path)
}
