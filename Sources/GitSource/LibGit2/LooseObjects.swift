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

/// The file of a new object under a temporary name. When nothing refers to this instance any more, the file is closed, and removed unless it has got
/// its final name.
final class LooseFile: Sendable {
  fileprivate let path: String
  fileprivate let descriptor: Int32
  private let isNamed = Atomic(false)

  /// Creates the file, and lets the disk write it while the next objects are prepared.
  /// - Parameters:
  ///   - folder: the path of `objects/`.
  ///   - bytes: the compressed object.
  init(_ bytes: [UInt8], in folder: String) throws(GitError) {
    path = folder + "/tmp_obj_\(UInt64.random(in: 0 ... .max))"
    descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o444)
    guard descriptor >= 0 else { throw Self.failure(folder) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let wrote = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if wrote < 0 && errno == EINTR { continue }
      guard wrote > 0 else { throw Self.failure(folder) }
      rest = rest.dropFirst(wrote)
    }
    dragoman_start_writing(descriptor)
  }

  deinit {
    guard descriptor >= 0 else { return }
    _ = Glibc.close(descriptor)
    if !isNamed.load(ordering: .relaxed) { _ = unsafe unlink(path) }
  }

  /// Gives the file its final name.
  /// - Returns: whether it succeeded; otherwise `errno` holds the reason.
  fileprivate func rename(to place: String) -> Bool {
    guard unsafe Glibc.rename(path, place) == 0 else { return false }
    isNamed.store(true, ordering: .relaxed)
    return true
  }

  private static func failure(_ folder: String) -> GitError {
    GitError(.disk, "write an object into \(folder)", systemError())
  }
}

/// Files of new loose objects. All files are synced before the first file gets its final name, and the folders are synced afterwards. Therefore
/// writing any number of objects waits for the disk only about twice.
final class LooseFiles {
  /// The path of `objects/`.
  let folder: String
  private var files: [(id: ObjectID, file: LooseFile)] = []
  private var ids: Set<ObjectID> = []

  init(folder: String) { self.folder = folder }

  func contains(_ id: ObjectID) -> Bool { ids.contains(id) }

  /// Adds the object whose content is in this file.
  func add(_ id: ObjectID, _ file: LooseFile) {
    files.append((id, file))
    ids.insert(id)
  }

  /// Gives the files their final names, in the order in which they were added. Afterwards the files are durable under these names, and so are the
  /// names of other objects in the same folders.
  /// - Returns: the ids of the objects.
  func publish() throws(GitError) -> Set<ObjectID> {
    if let failed = syncTogether(files.map(\.file.descriptor)) {
      throw failure(files[failed.index].id, failed.code)
    }
    for file in files { DiskStep.note(.synced(file.id.hex)) }
    var folders: Set<String> = []
    for (id, file) in files {
      let place = folder + "/" + Self.name(of: id)
      let folder = String(place.dropLast(39))
      try makeFolders(folder)
      guard file.rename(to: place) else { throw failure(id) }
      DiskStep.note(.named(id.hex))
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
      files.add(id, try LooseFile(bytes, in: target))
    }
    return try files.publish()
  }
}
