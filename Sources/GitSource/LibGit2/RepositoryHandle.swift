import CLibGit2

/// One open repository of libgit2's with its object database. libgit2 wants one thread at a time in it.
///
/// Unchecked: the pool of ``GitRepository`` hands a handle to one caller at a time, and nobody else makes one.
@safe final class RepositoryHandle: @unchecked Sendable {
  let repository: OpaquePointer
  let objects: OpaquePointer
  /// HEAD and objects/ only.
  let isPlain: Bool

  /// - Parameter isPlain: HEAD and objects/ only, which libgit2 does not take for a repository: its object database is opened alone.
  init(folder: String, isPlain: Bool) throws(GitError) {
    LibGit2.start()
    var repository: OpaquePointer?
    var objects: OpaquePointer?
    let operation = "open \(folder)"
    // libgit2 opens these without asking what they are, and would wait at a named pipe for ever.
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
  /// The types of git's objects, numbered as git does.
  enum ObjectKind: Int32 {
    case commit = 1
    case tree = 2
    case blob = 3
    case tag = 4
  }

  func holds(_ id: ObjectID) -> Bool {
    var raw = id.raw
    return unsafe git_odb_exists(objects, &raw) == 1
  }

  /// Whether the object is there, with errors of the disk told apart from its absence.
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

  /// Whether the commit and its root tree are there.
  func holdsCommit(_ id: ObjectID) throws(GitError) -> Bool {
    guard try kindIfHeld(id) == .commit else { return false }
    return try kindIfHeld(commitTree(id)) == .tree
  }

  /// Size in bytes and type of an object, without its bytes.
  func header(of id: ObjectID) throws(GitError) -> (size: Int, kind: ObjectKind?) {
    var raw = id.raw
    var size = 0
    var type = GIT_OBJECT_INVALID
    try unsafe check("read object \(id)", git_odb_read_header(&size, &type, objects, &raw))
    return (size, ObjectKind(rawValue: type.rawValue))
  }

  /// An object's bytes as `body` wants them, without a copy in between.
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

  /// Stores an object's bytes; storing what is there already does nothing.
  func store(_ bytes: UnsafeRawBufferPointer, as kind: ObjectKind) throws(GitError) -> ObjectID {
    var raw = git_oid()
    try unsafe check(
      "write an object into \(unsafe String(cString: git_repository_path(repository)))",
      git_odb_write(
        &raw, objects, bytes.baseAddress, bytes.count, git_object_t(rawValue: kind.rawValue)))
    return ObjectID(raw)
  }
}
