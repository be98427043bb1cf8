import CLibGit2
private import Glibc
private import Synchronization

/// The objects that this process recently wrote into a repository. This process hashed them, so their files can be copied without verification.
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

/// Files of new loose objects. All files are synced before the first file gets its final name, and the folders are synced afterwards. Therefore
/// writing any number of objects waits for the disk only about twice.
final class LooseFiles {
  /// The path of `objects/`.
  let folder: String
  private var files: [(id: ObjectID, temporary: String, descriptor: Int32, isNamed: Bool)] = []
  private var ids: Set<ObjectID> = []

  init(folder: String) { self.folder = folder }

  deinit {
    for file in files {
      _ = Glibc.close(file.descriptor)
      if !file.isNamed { _ = unsafe unlink(file.temporary) }
    }
  }

  func contains(_ id: ObjectID) -> Bool { ids.contains(id) }

  /// Writes a file under a temporary name.
  /// - Parameter bytes: the compressed object.
  func add(_ id: ObjectID, _ bytes: [UInt8]) throws(GitError) {
    let temporary = folder + "/tmp_obj_\(UInt64.random(in: 0 ... .max))"
    let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o444)
    guard descriptor >= 0 else { throw failure(id) }
    files.append((id, temporary, descriptor, isNamed: false))
    ids.insert(id)
    var rest = bytes[...]
    while !rest.isEmpty {
      let wrote = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if wrote < 0 && errno == EINTR { continue }
      guard wrote > 0 else { throw failure(id) }
      rest = rest.dropFirst(wrote)
    }
    // The disk writes this file while the next objects are prepared.
    dragoman_start_writing(descriptor)
  }

  /// Gives the files their final names, in the order in which they were added. Afterwards the files are durable under these names, and so are the
  /// names of other objects in the same folders.
  /// - Returns: the ids of the objects.
  func publish() throws(GitError) -> Set<ObjectID> {
    if let failed = syncTogether(files.map(\.descriptor)) {
      throw failure(files[failed.index].id, failed.code)
    }
    for file in files { DiskStep.note(.synced(file.id.hex)) }
    var folders: Set<String> = []
    for (index, file) in files.enumerated() {
      let place = folder + "/" + Self.name(of: file.id)
      let folder = String(place.dropLast(39))
      try makeFolders(folder)
      guard unsafe rename(file.temporary, place) == 0 else { throw failure(file.id) }
      files[index].isNamed = true
      DiskStep.note(.named(file.id.hex))
      folders.insert(folder)
    }
    try syncFolders(folders.sorted() + [folder])
    return ids
  }

  private func failure(_ id: ObjectID, _ code: Int32 = errno) -> GitError {
    GitError(.disk, "write object \(id) into \(folder)", systemError(code))
  }

  /// Returns the path of a loose object in `objects/`.
  static func name(of id: ObjectID) -> String { id.hex.prefix(2) + "/" + id.hex.dropFirst(2) }
}

/// A copy of loose objects, as files, from one database to another. Decompressing, hashing and compressing a 10 MB catalog again would take most of
/// the time of a push.
struct LooseCopy {
  /// The path of the source's `objects/`.
  let source: String
  /// The path of the target's `objects/`.
  let target: String

  private static let largestFile = 256 << 20

  /// Copies objects in the given order. Stops at the first object that has no readable file of at most 256 MiB, usually because the object is in a
  /// pack.
  /// - Returns: the objects that were copied.
  func copy(_ ids: [ObjectID]) throws(GitError) -> Set<ObjectID> {
    let files = LooseFiles(folder: target)
    for id in ids {
      // An object without a file ends the copy, because the following objects may refer to this object.
      guard let bytes = wholeFile(source + "/" + LooseFiles.name(of: id), limit: Self.largestFile) else { break }
      try files.add(id, bytes)
    }
    return try files.publish()
  }
}
