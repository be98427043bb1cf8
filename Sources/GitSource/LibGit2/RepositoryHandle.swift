import CLibGit2

/// An open libgit2 repository with its object database. libgit2 allows only one thread at a time to use it.
///
/// `Sendable` is unchecked: the pool of ``GitRepository`` gives each handle to one caller at a time, and a network child uses its handle on one
/// thread.
@safe final class RepositoryHandle: @unchecked Sendable {
  let repository: OpaquePointer
  let objects: OpaquePointer
  /// Whether only the object database is open (see `GitRepository.isPlain`).
  let isPlain: Bool
  /// The record of the objects that this handle stores; `nil` if nothing is recorded.
  let written: WrittenObjects?
  /// The objects that are being stored together; `nil` outside `storingTogether`.
  var together: LooseFiles?

  /// - Parameter isPlain: whether to open only the object database, because libgit2 rejects the repository or must not read its
  ///   configuration.
  init(folder: String, isPlain: Bool, written: WrittenObjects? = nil) throws(GitError) {
    self.written = written
    LibGit2.start()
    var repository: OpaquePointer?
    var objects: OpaquePointer?
    let operation = "open \(folder)"
    // libgit2 opens these files without checking their type, and would block forever on a named pipe.
    for name in ["HEAD", "config", "packed-refs", "objects/info/alternates"] {
      if let kind = FileKind(folder + "/" + name), kind != .file {
        throw GitError(.obstructed, operation, "\(name) is not a regular file")
      }
    }
    if isPlain {
      try unsafe check(operation, git_odb_open(&objects, folder + "/objects"))
      let code = unsafe git_repository_wrap_odb(&repository, objects)
      if code < 0 {
        let error = lastError(operation, code)
        unsafe git_odb_free(objects)
        throw error
      }
    } else {
      try unsafe check(
        operation,
        git_repository_open_ext(&repository, folder, GIT_REPOSITORY_OPEN_NO_SEARCH.rawValue, nil))
      let code = unsafe git_repository_odb(&objects, repository)
      if code < 0 {
        let error = lastError(operation, code)
        unsafe git_repository_free(repository)
        throw error
      }
    }
    guard let repository = unsafe repository, let objects = unsafe objects else {
      throw GitError(.failed, operation, "libgit2 returned no repository")
    }
    unsafe self.repository = repository
    unsafe self.objects = objects
    self.isPlain = isPlain
  }

  deinit {
    unsafe git_odb_free(objects)
    unsafe git_repository_free(repository)
  }
}

extension RepositoryHandle {
  /// The types of git objects, with git's numbers.
  enum ObjectKind: Int32 {
    case commit = 1
    case tree = 2
    case blob = 3
    case tag = 4

    /// The name of the type in the header of an object.
    var word: String {
      switch self {
      case .commit: "commit"
      case .tree: "tree"
      case .blob: "blob"
      case .tag: "tag"
      }
    }
  }

  func holds(_ id: ObjectID) -> Bool { exists(id, git_odb_lookup_flags_t(rawValue: 0)) }

  /// Returns whether the object exists as a file or in a pack that libgit2 has already listed. `holds` lists the packs again if an object is not
  /// found, because another process may have added packs.
  func holdsInListedPacks(_ id: ObjectID) -> Bool { exists(id, GIT_ODB_LOOKUP_NO_REFRESH) }

  private func exists(_ id: ObjectID, _ flags: git_odb_lookup_flags_t) -> Bool {
    var raw = id.raw
    return unsafe git_odb_exists_ext(objects, &raw, flags.rawValue) == 1
  }

  /// Returns the type of an object; `nil` if it does not exist. Disk errors are thrown.
  func kindIfHeld(_ id: ObjectID) throws(GitError) -> ObjectKind? {
    var raw = id.raw
    var size = 0
    var type = GIT_OBJECT_INVALID
    let code = unsafe git_odb_read_header(&size, &type, objects, &raw)
    if code == GIT_ENOTFOUND.rawValue {
      git_error_clear()
      return nil
    }
    try check("read object \(id)", code)
    return ObjectKind(rawValue: type.rawValue)
  }

  /// Returns whether the object exists and its beginning can be read.
  func canRead(_ id: ObjectID) -> Bool { (try? kindIfHeld(id)) ?? nil != nil }

  /// Returns whether the commit and its root tree exist and can be read.
  func canReadCommit(_ id: ObjectID) throws(GitError) -> Bool {
    do throws(GitError) { return try holdsCommit(id) } catch {
      guard error.kind == .missingObject else { throw error }
      return false
    }
  }

  /// Returns whether the commit and its root tree exist.
  /// - Throws: an error if one of them is damaged.
  func holdsCommit(_ id: ObjectID) throws(GitError) -> Bool {
    guard try kindIfHeld(id) == .commit else { return false }
    return try kindIfHeld(commitTree(id)) == .tree
  }

  /// Returns the size in bytes and the type of an object, without reading its content.
  func header(of id: ObjectID) throws(GitError) -> (size: Int, kind: ObjectKind?) {
    var raw = id.raw
    var size = 0
    var type = GIT_OBJECT_INVALID
    try unsafe check("read object \(id)", git_odb_read_header(&size, &type, objects, &raw))
    return (size, ObjectKind(rawValue: type.rawValue))
  }

  /// Calls `body` with an object's type and bytes, without copying the bytes.
  func withObject<R>(
    _ id: ObjectID,
    _ body: (_ kind: ObjectKind?, _ bytes: UnsafeRawBufferPointer) throws(GitError) -> R
  ) throws(GitError) -> R {
    var raw = id.raw
    let object = try unsafe Owned(git_odb_object_free, "read object \(id)") {
      unsafe git_odb_read(&$0, objects, &raw)
    }
    let bytes = unsafe UnsafeRawBufferPointer(
      start: git_odb_object_data(object.pointer), count: git_odb_object_size(object.pointer))
    return try unsafe body(
      ObjectKind(rawValue: git_odb_object_type(object.pointer).rawValue), bytes)
  }
}
