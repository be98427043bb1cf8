private import Glibc
import Localization

/// A folder that is locked for writing. Releasing the object closes the folder, which releases the lock.
final class LockedFolder {
  let handle: Descriptor
  init(_ handle: consuming Descriptor) { self.handle = handle }
}

/// A file that does not have its final name yet. Releasing the object without naming the file deletes the file.
///
/// Where the file system supports it (`O_TMPFILE`), the file has no name at all, so nothing is left if the process is killed. Otherwise, the file has
/// a temporary name in its folder.
final class UnnamedFile {
  let path: TreePath
  let folder: LockedFolder
  let handle: Descriptor
  /// Whether a file with the final name existed when this file was created. Only such a file is replaced.
  private let replaces: Bool
  /// The temporary name; `nil` if the file has none.
  private var name: String?

  /// - Parameter canBeUnnamed: whether to create a file without a name if the file system supports it.
  /// - Returns: `nil` if the file cannot be created. `errno` then has the reason.
  init?(for path: TreePath, in folder: LockedFolder, replaces: Bool, canBeUnnamed: Bool = true) {
    self.path = path
    self.folder = folder
    self.replaces = replaces
    if canBeUnnamed,
      let unnamed = unsafe Descriptor(openat(folder.handle.number, ".", O_WRONLY | Self.temporary | O_CLOEXEC, 0o600)),
      unsafe access(Self.path(of: unnamed), F_OK) == 0
    {
      handle = unnamed
      return
    }
    let own = Self.temporaryName(for: path)
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    guard let named = unsafe Descriptor(openat(folder.handle.number, own, flags, 0o600)) else { return nil }
    handle = named
    name = own
  }

  /// Gives the file its final name.
  /// - Returns: the value of `errno` if this failed, for example EEXIST if a file appeared that did not exist before; otherwise `nil`.
  func giveName() -> Int32? {
    let folder = folder.handle.number
    guard replaces else { return link(as: path.name) }
    if name == nil {
      // A link cannot replace a file, so the file is renamed from a temporary name.
      let own = Self.temporaryName(for: path)
      if let code = link(as: own) { return code }
      name = own
    }
    guard let own = name else { return nil }
    guard unsafe renameat(folder, own, folder, path.name) == 0 else { return errno }
    name = nil
    return nil
  }

  /// Links the file as `target`, which must not exist. A temporary name of the file stays until the object is released.
  /// - Returns: as for `giveName`.
  private func link(as target: String) -> Int32? {
    let folder = folder.handle.number
    guard let own = name else {
      return unsafe linkat(AT_FDCWD, Self.path(of: handle), folder, target, AT_SYMLINK_FOLLOW) == 0 ? nil : errno
    }
    if unsafe linkat(folder, own, folder, target, 0) != 0 {
      guard errno != EEXIST else { return EEXIST }
      // Without hard links, a file that appears at this moment would be replaced.
      var status = stat()
      guard unsafe fstatat(folder, target, &status, AT_SYMLINK_NOFOLLOW) != 0 else { return EEXIST }
      guard unsafe renameat(folder, own, folder, target) == 0 else { return errno }
      name = nil
    }
    return nil
  }

  deinit {
    if let name { unsafe unlinkat(folder.handle.number, name, 0) }
  }

  /// `O_TMPFILE`, which is not imported because its definition is an expression: `__O_TMPFILE | O_DIRECTORY`.
  private static let temporary: Int32 = 0o20_000_000 | O_DIRECTORY

  private static func path(of file: borrowing Descriptor) -> String { "/proc/self/fd/\(file.number)" }

  // MARK: temporary names

  private static let ending = ".dragoman"
  private static let digits = 20

  private static func temporaryName(for path: TreePath) -> String {
    let number = String(UInt64.random(in: 0 ... .max))
    // A name has at most 255 bytes.
    var start = path.name.prefix(80)
    while start.utf8.count > 200 { start.removeLast() }
    return ".\(start).\(String(repeating: "0", count: digits - number.count))\(number)\(ending)"
  }

  /// Returns whether a file has a temporary name. No process that runs uses the file, because its folder is locked.
  static func isTemporaryName(_ name: String) -> Bool {
    guard name.hasPrefix("."), name.hasSuffix(ending) else { return false }
    let number = name.dropLast(ending.count).suffix(digits + 1)
    return number.count == digits + 1 && number.first == "."
      && number.dropFirst().allSatisfy { ("0"..."9").contains($0) }
      && name.count > digits + ending.count + 2
  }
}
