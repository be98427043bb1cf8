import CLibGit2
private import CLibZ
private import Localization

extension RepositoryHandle {
  /// Stores an object. Storing an existing object only updates its modification time.
  func store(_ bytes: UnsafeRawBufferPointer, as kind: ObjectKind) throws(GitError) -> ObjectID {
    guard let together else { return try unsafe storeAlone(bytes, as: kind) }
    return try unsafe storeTogether(bytes, as: kind, with: together)
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

  /// Runs `body`, and then syncs all objects that `body` stored. They are durable when this function returns. If `body` throws, none of them is
  /// stored. libgit2 would sync each object and its folder before writing the next object.
  ///
  /// `body` cannot read the objects that it has stored.
  /// - Parameter folder: the path of `objects/`.
  func storingTogether<R>(in folder: String, _ body: () throws(GitError) -> R) throws(GitError) -> R {
    together = LooseFiles(folder: folder)
    defer { together = nil }
    let result = try body()
    for id in try together?.publish() ?? [] { written?.add(id) }
    return result
  }

  private func storeTogether(
    _ bytes: UnsafeRawBufferPointer, as kind: ObjectKind, with files: LooseFiles
  ) throws(GitError) -> ObjectID {
    let header = Array("\(kind.word) \(bytes.count)\0".utf8)
    nonisolated(unsafe) let content = unsafe bytes
    let folder = files.folder
    // A large object is hashed on one processor while another compresses it and writes its file.
    let parts = SharedWork.map(2, atLeast: bytes.count < Self.large ? 2 : 1) { range in
      unsafe (
        id: range.contains(0) ? hash(content, as: kind) : nil,
        file: range.contains(1) ? looseFile(header, content, in: folder) : nil
      )
    }
    guard let id = parts.lazy.compactMap(\.id).first, let file = parts.lazy.compactMap(\.file).first else {
      throw GitError(.failed, "compress an object of \(bytes.count) bytes", "out of memory")
    }
    if files.contains(id) { return id }
    // The packs are not listed again, because most objects are new. If another process has meanwhile added a pack with the object, the object is
    // stored twice.
    guard !holdsInListedPacks(id) else {
      // Updates the existing object's modification time, because maintenance removes old objects that have no reference.
      return try unsafe storeAlone(bytes, as: kind)
    }
    files.add(id, try file.get())
    return id
  }

  private static let large = 1 << 16
}

private func hash(_ content: UnsafeRawBufferPointer, as kind: RepositoryHandle.ObjectKind) -> ObjectID? {
  var raw = git_oid()
  let code = unsafe git_odb_hash(&raw, content.baseAddress, content.count, git_object_t(rawValue: kind.rawValue))
  return code == 0 ? ObjectID(raw) : nil
}

/// Compresses an object, and writes the result to a file with a temporary name.
/// - Returns: `nil` if the object cannot be compressed.
private func looseFile(
  _ header: [UInt8], _ content: UnsafeRawBufferPointer, in folder: String
) -> Result<LooseFile, GitError>? {
  guard let bytes = unsafe deflated(header, content) else { return nil }
  return Result { () throws(GitError) in try LooseFile(bytes, in: folder) }
}

/// Compresses an object as fast as zlib can, as git does for loose objects.
/// - Returns: `nil` if memory is exhausted, and for an object of 4 GB or more, because zlib cannot represent its size.
private func deflated(_ header: [UInt8], _ content: UnsafeRawBufferPointer) -> [UInt8]? {
  var stream = unsafe z_stream()
  let level = unsafe deflateInit_(&stream, Z_BEST_SPEED, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
  guard level == Z_OK else { return nil }
  defer { unsafe deflateEnd(&stream) }
  let most = unsafe deflateBound(&stream, uLong(header.count + content.count))
  guard let room = UInt32(exactly: most), let length = UInt32(exactly: content.count) else { return nil }
  var code = Z_OK
  let result = unsafe [UInt8](unsafeUninitializedCapacity: Int(room)) { buffer, count in
    unsafe stream.next_out = buffer.baseAddress
    unsafe stream.avail_out = room
    code = unsafe header.withUnsafeBytes { unsafe stream.deflate($0, UInt32(header.count), Z_NO_FLUSH) }
    if code == Z_OK { code = unsafe stream.deflate(content, length, Z_FINISH) }
    count = unsafe Int(room - stream.avail_out)
  }
  return code == Z_STREAM_END ? result : nil
}

extension z_stream {
  /// Compresses the next part of the input. The output must have room for the result.
  fileprivate mutating func deflate(_ part: UnsafeRawBufferPointer, _ length: UInt32, _ flush: Int32) -> Int32 {
    unsafe next_in = UnsafeMutablePointer(mutating: part.assumingMemoryBound(to: UInt8.self).baseAddress)
    unsafe avail_in = length
    return unsafe CLibZ.deflate(&self, flush)
  }
}
