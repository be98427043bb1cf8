internal import Glibc
internal import Localization

/// An open descriptor of a folder. The descriptor is closed when the object is released.
final class FolderHandle {
  let handle: Int32
  private let shown: String

  init(at parent: Int32, _ name: String, follows: Bool, shown: String) throws(VendorError) {
    handle = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (follows ? 0 : O_NOFOLLOW))
    self.shown = shown
    guard handle >= 0 else { throw POSIXFault.error("open \(shown)") }
  }

  deinit { if handle >= 0 { close(handle) } }

  /// Makes the names in the folder durable, and returns whether this succeeded. The descriptor stays open until the system call has returned.
  func sync() -> Bool { withExtendedLifetime(self) { fsync(handle) == 0 } }

  /// Returns the status of an entry without following links; `nil` if the entry does not exist or its status cannot be read.
  func status(of name: String) -> stat? {
    var status = stat()
    return fstatat(handle, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
  }

  /// Returns the names in the folder. Names that are not UTF-8 are returned as unreadable names, escaped with `\xHH`.
  func names() throws(VendorError) -> (readable: [String], unreadable: [String]) {
    let own = openat(handle, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard own >= 0, let stream = fdopendir(own) else { throw POSIXFault.error("list \(shown)") }
    defer { closedir(stream) }
    var readable: [String] = []
    var unreadable: [String] = []
    while let entry = readdir(stream) {
      let bytes = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: UInt8.self, capacity: 256) { start in
          Array(UnsafeBufferPointer(start: start, count: 256).prefix { $0 != 0 })
        }
      }
      if let name = String(validating: bytes, as: UTF8.self) {
        if name != ".", name != ".." { readable.append(name) }
      } else {
        unreadable.append(String(escaping: bytes))
      }
    }
    return (readable, unreadable)
  }
}

/// The conversion of failed system calls to ``VendorError``.
enum POSIXFault {
  /// Returns the error for the current `errno`. Call this function directly after the failed system call.
  static func error(_ operation: String) -> VendorError {
    let code = errno
    let kind: VendorError.Kind =
      switch code {
      case ENOENT: .missing
      case EEXIST: .exists
      case EACCES, EPERM, EROFS: .refused
      case ELOOP, ENOTDIR, EISDIR, ENXIO: .notAFile
      default: .disk
      }
    let link = code == ELOOP || code == ENOTDIR ? " (symbolic links are not followed)" : ""
    return VendorError(kind: kind, operation: operation, detail: String(cString: strerror(code)) + link)
  }
}
