internal import Foundation
internal import Glibc
package import Localization

/// A drop folder on this machine's disk.
///
/// Every component below the root is opened separately with O_NOFOLLOW. Therefore, links that are created during an operation are not
/// followed either.
package struct DirectoryStorage: DropStorage {
  package let place: String

  private let mode: mode_t

  /// - Parameters:
  ///   - root: the folder's path, which may be a link. ``makeFolder(_:)`` creates missing folders of the path.
  ///   - mode: the permissions of new files. In new folders, everybody with the permission to read a folder may also search it (`x`).
  package init(root: String, mode: UInt32 = 0o644) {
    place = root
    self.mode = mode
  }

  package func fullPath(_ path: TreePath) -> String { path.isRoot ? place : place + "/" + path.text }

  package func list(_ folder: TreePath) throws -> DropListing? {
    let handle: FolderHandle
    do { handle = try open(folder) } catch let error as VendorError where error.kind == .missing { return nil }
    var entries: [DropEntry] = []
    let names = try handle.names()
    guard names.readable.count + names.unreadable.count <= DropListing.limit else {
      throw VendorError(
        kind: .tooLarge, operation: "list \(fullPath(folder))", detail: "it has more than \(DropListing.limit) entries")
    }
    for name in names.readable {
      guard let status = handle.status(of: name) else { continue }
      entries.append(Self.entry(folder.appending(name), status))
    }
    return DropListing(entries: entries.sorted { $0.path < $1.path }, unreadableNames: names.unreadable.sorted())
  }

  package func obstacle(in folders: [String]) -> String? {
    for path in [place] + folders.map({ place + "/" + $0 }) {
      guard access(path, W_OK | X_OK) != 0, errno != ENOENT else { continue }
      let reason = String(cString: strerror(errno))
      return "this account cannot write to \(path) (\(reason)). Correct the owner or the permissions of the folder."
    }
    return nil
  }

  package func probeMissingRoot() -> VendorProbe {
    var status = stat()
    guard lstat(place, &status) != 0 else {
      return VendorProbe(faults: [
        "\(place) is a symbolic link to a folder that does not exist. Create that folder, or correct the link."
      ])
    }
    var parent = CanonicalPlace.path(place)
    repeat {
      parent = String(parent.prefix(upTo: parent.lastIndex(of: "/") ?? parent.startIndex))
    } while !parent.isEmpty && stat(parent, &status) != 0 && errno == ENOENT
    if parent.isEmpty { parent = "/" }
    guard access(parent, W_OK | X_OK) == 0 else {
      let reason = String(cString: strerror(errno))
      return VendorProbe(faults: [
        "\(place) does not exist, and this account cannot create it in \(parent) (\(reason)). Create the folder for this "
          + "account, or correct `path`."
      ])
    }
    return VendorProbe(facts: ["\(place) does not exist yet; the first run creates it."])
  }

  package func entry(_ path: TreePath) throws -> DropEntry? {
    do { return try open(path.parent).status(of: path.name).map { Self.entry(path, $0) } } catch let error
      as VendorError
      where error.kind == .missing
    { return nil }
  }

  private static func entry(_ path: TreePath, _ status: stat) -> DropEntry {
    let kind: DropEntry.Kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      default: .other
      }
    let time = max(seconds(status.st_mtim), seconds(status.st_ctim))
    return DropEntry(
      path: path, kind: kind, modified: Date(timeIntervalSince1970: time),
      tag: "\(status.st_ino) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)")
  }

  package func read(_ path: TreePath, limit: Int) throws -> [UInt8] {
    let operation = "read \(fullPath(path))"
    let folder = try open(path.parent)
    let file = openat(folder.handle, path.name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw POSIXFault.error(operation) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw POSIXFault.error(operation) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw VendorError(kind: .notAFile, operation: operation, detail: "it is a folder or a device, not a file")
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: min(256 << 10, max(4096, Int(clamping: status.st_size) &+ 1)))
    while true {
      let count = Glibc.read(file, &buffer, buffer.count)
      if count == 0 { return bytes }
      guard count > 0 else { throw POSIXFault.error(operation) }
      bytes += buffer[..<count]
      guard bytes.count <= limit else {
        throw VendorError(kind: .tooLarge, operation: operation, detail: "it is larger than \(limit) bytes")
      }
    }
  }

  package func create(_ path: TreePath, with bytes: [UInt8]) throws {
    try write(path, bytes)
    guard try open(path.parent).sync() else { throw POSIXFault.error("write \(fullPath(path))") }
  }

  package func createFirst(_ path: TreePath, with bytes: [UInt8]) throws {
    // Readers never see a partial file, because the complete file is renamed.
    let temporary = path.parent.appending(".\(UUID().uuidString).part")
    do {
      try write(temporary, bytes)
      try move(temporary, to: path)
    } catch {
      try remove(temporary)
      throw error
    }
  }

  /// Writes a new file. Afterwards the file's contents are durable, but the file's name is not yet durable.
  private func write(_ path: TreePath, _ bytes: [UInt8]) throws {
    let operation = "write \(fullPath(path))"
    let folder = try open(path.parent)
    let file = openat(folder.handle, path.name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
    guard file >= 0 else { throw POSIXFault.error(operation) }
    defer { close(file) }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress?.advanced(by: written), $0.count - written) }
      guard count > 0 else { throw POSIXFault.error(operation) }
      written += count
    }
    guard fsync(file) == 0 else { throw POSIXFault.error(operation) }
  }

  package func replace(_ path: TreePath, with bytes: [UInt8]) throws {
    let temporary = path.parent.appending(".\(path.name).part")
    try remove(temporary)
    try write(temporary, bytes)
    let folder = try open(path.parent)
    guard renameat(folder.handle, temporary.name, folder.handle, path.name) == 0 else {
      throw POSIXFault.error("write \(fullPath(path))")
    }
    guard folder.sync() else { throw POSIXFault.error("write \(fullPath(path))") }
  }

  package func move(_ path: TreePath, to new: TreePath) throws {
    let operation = "move \(fullPath(path)) to \(fullPath(new))"
    let from = try open(path.parent)
    let to = try open(new.parent)
    // Unlike a rename, a hard link fails for an existing name. Folders and some file systems do not support hard links. In these cases, the
    // name is checked before the rename.
    if linkat(from.handle, path.name, to.handle, new.name, 0) == 0 {
      guard unlinkat(from.handle, path.name, 0) == 0 else {
        let error = POSIXFault.error(operation)
        // Another process moved the file to another name at the same time, so the new link is removed.
        if error.kind == .missing { unlinkat(to.handle, new.name, 0) }
        throw error
      }
    } else {
      guard errno != EEXIST, to.status(of: new.name) == nil else {
        throw VendorError(kind: .exists, operation: operation, detail: "a file with this name already exists")
      }
      guard renameat(from.handle, path.name, to.handle, new.name) == 0 else { throw POSIXFault.error(operation) }
    }
    guard to.sync(), path.parent == new.parent || from.sync() else {
      throw POSIXFault.error(operation)
    }
  }

  package func copy(_ path: TreePath, to new: TreePath) throws {
    guard try open(new.parent).status(of: new.name) == nil else {
      throw VendorError(
        kind: .exists, operation: "copy to \(fullPath(new))", detail: "a file with this name already exists")
    }
    let temporary = new.parent.appending(".\(new.name).part")
    try remove(temporary)
    try copyContent(path, to: temporary)
    try move(temporary, to: new)
  }

  private func copyContent(_ path: TreePath, to new: TreePath) throws {
    guard let entry = try entry(path) else {
      throw VendorError(kind: .missing, operation: "copy \(fullPath(path))", detail: "no such file or folder")
    }
    switch entry.kind {
    case .file: try write(new, try read(path, limit: .max))
    case .folder:
      try makeFolder(new)
      for child in try list(path)?.entries ?? [] { try copyContent(child.path, to: new.appending(child.path.name)) }
      guard try open(new).sync() else { throw POSIXFault.error("copy to \(fullPath(new))") }
    case .other: break
    }
  }

  package func remove(_ path: TreePath) throws {
    let folder: FolderHandle
    do { folder = try open(path.parent) } catch let error as VendorError where error.kind == .missing { return }
    guard let status = folder.status(of: path.name) else { return }
    let isFolder = status.st_mode & S_IFMT == S_IFDIR
    if isFolder { for child in try list(path)?.entries ?? [] { try remove(child.path) } }
    guard unlinkat(folder.handle, path.name, isFolder ? AT_REMOVEDIR : 0) == 0 || errno == ENOENT else {
      throw POSIXFault.error("remove \(fullPath(path))")
    }
    guard folder.sync() else { throw POSIXFault.error("remove \(fullPath(path))") }
  }

  package func makeFolder(_ path: TreePath) throws {
    let folderMode = mode | (mode & 0o444) >> 2
    do {
      try FileManager.default.createDirectory(
        atPath: place, withIntermediateDirectories: true,
        attributes: folderMode == 0o700 ? [.posixPermissions: 0o700] : nil)
    } catch {
      // Foundation's error does not contain the reason. The error of the system call does.
      guard mkdir(place, folderMode) == 0 || errno == EEXIST else { throw POSIXFault.error("create folder \(place)") }
    }
    var made = TreePath.root
    for component in path.components {
      let parent = try open(made)
      made = made.appending(String(component))
      if mkdirat(parent.handle, String(component), folderMode) == 0 {
        guard parent.sync() else { throw POSIXFault.error("create folder \(fullPath(made))") }
      } else if errno != EEXIST {
        throw POSIXFault.error("create folder \(fullPath(made))")
      }
    }
    _ = try open(path)
  }

  package func changes(
    in folder: TreePath, note: @escaping @Sendable (String, DropArrival) -> Void
  ) -> AsyncStream<Void>? {
    guard (try? makeFolder(folder)) != nil, let handle = try? open(folder) else { return nil }
    // The watch uses the path of the open descriptor, so symbolic links are not followed.
    return withExtendedLifetime(handle) {
      DirectoryWatch.shared.changes(in: "/proc/self/fd/\(handle.handle)", note: note)
    }
  }

  private func open(_ folder: TreePath) throws -> FolderHandle {
    var handle = try FolderHandle(at: AT_FDCWD, place, follows: true, shown: place)
    var shown = place
    for component in folder.components {
      shown += "/" + component
      handle = try FolderHandle(at: handle.handle, String(component), follows: false, shown: shown)
    }
    return handle
  }

  private static func seconds(_ time: timespec) -> Double { Double(time.tv_sec) + Double(time.tv_nsec) / 1e9 }
}
