import CLibGit2
private import Glibc
private import Synchronization

/// The objects that this process recently wrote into a repository. It hashed them itself, so their files can be copied without a check.
final class WrittenObjects: Sendable {
  private let ids = Mutex<Set<ObjectID>>([])
  private static let most = 4096

  func add(_ id: ObjectID) {
    ids.withLock { ids in
      if ids.count >= Self.most { ids.removeAll() }
      ids.insert(id)
    }
  }

  func contains(_ id: ObjectID) -> Bool { ids.withLock { $0.contains(id) } }
}

/// Copies loose objects between two databases as files. To inflate, hash and deflate a catalog of 10 MB again would take most of the time
/// of a push.
struct LooseCopy {
  /// The path of the source's `objects/`.
  let source: String
  /// The path of the target's `objects/`.
  let target: String

  private static let largestFile = 256 << 20

  /// Copies objects in the given order, up to the first one that is in a pack. All files are synced before the first of them is renamed to
  /// its final name; the folder `objects/` is not synced.
  /// - Returns: the objects that were copied.
  func copy(_ ids: [ObjectID]) throws(GitError) -> Set<ObjectID> {
    var files: [(id: ObjectID, temporary: String, descriptor: Int32)] = []
    defer {
      for file in files {
        _ = Glibc.close(file.descriptor)
        _ = unsafe unlink(file.temporary)
      }
    }
    for id in ids {
      // One that is in a pack ends it: those that follow may refer to it.
      guard let bytes = wholeFile(source + "/" + Self.name(of: id), limit: Self.largestFile) else { break }
      let temporary = target + "/tmp_obj_\(UInt64.random(in: 0 ... .max))"
      let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o444)
      guard descriptor >= 0 else { throw failure(id) }
      files.append((id, temporary, descriptor))
      try write(bytes[...], to: descriptor, id)
      // The files are written at the same time, and synced together.
      dragoman_start_writing(descriptor)
    }
    for file in files { guard fsync(file.descriptor) == 0 else { throw failure(file.id) } }
    var folders: Set<String> = []
    for file in files {
      let place = target + "/" + Self.name(of: file.id)
      let folder = String(place.dropLast(39))
      try makeFolders(folder)
      guard unsafe rename(file.temporary, place) == 0 else { throw failure(file.id) }
      folders.insert(folder)
    }
    for folder in folders { try syncFolder(folder) }
    return Set(files.map(\.id))
  }

  private func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32, _ id: ObjectID) throws(GitError) {
    var rest = bytes
    while !rest.isEmpty {
      let wrote = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if wrote < 0 && errno == EINTR { continue }
      guard wrote > 0 else { throw failure(id) }
      rest = rest.dropFirst(wrote)
    }
  }

  private func failure(_ id: ObjectID) -> GitError { GitError(.disk, "copy object \(id) to \(target)", systemError()) }

  /// The path of a loose object in `objects/`.
  private static func name(of id: ObjectID) -> String { id.hex.prefix(2) + "/" + id.hex.dropFirst(2) }
}
