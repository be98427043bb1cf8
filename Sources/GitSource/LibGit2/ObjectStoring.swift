import CLibGit2
private import CLibZ
private import Localization

extension RepositoryHandle {
  /// Stores an object. Storing an existing object only renews its time.
  func store(_ bytes: UnsafeRawBufferPointer, as kind: ObjectKind) throws(GitError) -> ObjectID {
    try unsafe together == nil ? storeAlone(bytes, as: kind) : storeTogether(bytes, as: kind)
  }

  private func storeAlone(_ bytes: UnsafeRawBufferPointer, as kind: ObjectKind) throws(GitError) -> ObjectID {
    var raw = git_oid()
    try unsafe check(
      "write an object into \(unsafe String(cString: git_repository_path(repository)))",
      git_odb_write(
        &raw, objects, bytes.baseAddress, bytes.count, git_object_t(rawValue: kind.rawValue)))
    let id = ObjectID(raw)
    written?.add(id)
    return id
  }

  /// Runs `body`, and writes the objects that it stores at its end. When this returns, they are durable. libgit2 syncs each object and its
  /// folder before it writes the next one.
  ///
  /// `body` cannot read objects that it stored.
  /// - Parameter folder: the path of `objects/`.
  func storingTogether<R>(in folder: String, _ body: () throws(GitError) -> R) throws(GitError) -> R {
    together = LooseFiles(folder: folder)
    defer { together = nil }
    let result = try body()
    for id in try together?.publish() ?? [] { written?.add(id) }
    return result
  }

  private func storeTogether(_ bytes: UnsafeRawBufferPointer, as kind: ObjectKind) throws(GitError) -> ObjectID {
    let header = Array("\(kind.word) \(bytes.count)\0".utf8)
    let object = unsafe header + bytes
    // A large object is hashed on one processor and compressed on another one.
    let parts = SharedWork.map(2, atLeast: bytes.count < Self.large ? 2 : 1) { range in
      (
        id: range.contains(0) ? hash(object[header.count...], as: kind) : nil,
        file: range.contains(1) ? deflated(object) : nil
      )
    }
    guard let id = parts.lazy.compactMap(\.id).first, let file = parts.lazy.compactMap(\.file).first else {
      throw GitError(.failed, "compress an object of \(bytes.count) bytes", "out of memory")
    }
    if together?.contains(id) == true { return id }
    guard !holds(id) else {
      // Renews its time, so that maintenance does not remove it.
      return try unsafe storeAlone(bytes, as: kind)
    }
    try together?.add(id, file)
    return id
  }

  private static let large = 1 << 16
}

private func hash(_ content: ArraySlice<UInt8>, as kind: RepositoryHandle.ObjectKind) -> ObjectID? {
  var raw = git_oid()
  let code = unsafe content.withUnsafeBytes {
    unsafe git_odb_hash(&raw, $0.baseAddress, $0.count, git_object_t(rawValue: kind.rawValue))
  }
  return code == 0 ? ObjectID(raw) : nil
}

/// Compresses as fast as zlib can, as git does for loose objects.
private func deflated(_ bytes: [UInt8]) -> [UInt8]? {
  var size = compressBound(uLong(bytes.count))
  var code = Z_OK
  let result = unsafe [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, count in
    code = unsafe bytes.withUnsafeBufferPointer {
      unsafe compress2(buffer.baseAddress, &size, $0.baseAddress, uLong($0.count), Z_BEST_SPEED)
    }
    count = code == Z_OK ? Int(size) : 0
  }
  return code == Z_OK ? result : nil
}
