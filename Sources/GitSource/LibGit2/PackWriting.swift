import CLibGit2

/// A writer of a pack with objects of a repository. It uses one thread. ``RepositoryHandle/limitPackMemory()`` limits its memory.
@safe struct PackWriter: ~Copyable {
  private let builder: Owned
  private let operation: String
  private(set) var count = 0

  init(_ handle: RepositoryHandle, _ operation: String) throws(GitError) {
    self.operation = operation
    builder = try unsafe Owned(git_packbuilder_free, operation) {
      unsafe git_packbuilder_new(&$0, handle.repository)
    }
    _ = unsafe git_packbuilder_set_threads(builder.pointer, 1)
  }

  /// Adds an object to the pack.
  /// - Parameter name: the file name. libgit2 uses it to find similar objects: files with the same name often have similar content.
  mutating func add(_ id: ObjectID, name: [UInt8]? = nil) throws(GitError) {
    var raw = id.raw
    let text = name.map { String(decoding: $0, as: UTF8.self) }
    try unsafe check(operation, git_packbuilder_insert(builder.pointer, &raw, text))
    count += 1
  }

  /// Writes and syncs the pack and its index. A pack with the same objects may already exist under the same name.
  /// - Parameters:
  ///   - folder: the path of `objects/pack`.
  ///   - isCancelled: called regularly; writing stops when it returns `true`.
  /// - Returns: the pack's name without an extension.
  consuming func write(to folder: String, isCancelled: () -> Bool = { false }) throws(GitError) -> String {
    var code: Int32 = 0
    withoutActuallyEscaping(isCancelled) { isCancelled in
      let check = CancellationCheck(isCancelled)
      let payload = unsafe Unmanaged.passUnretained(check).toOpaque()
      _ = unsafe git_packbuilder_set_callbacks(builder.pointer, notePackProgress, payload)
      code = unsafe git_packbuilder_write(builder.pointer, folder, 0o400, noteIndexProgress, payload)
      _ = unsafe git_packbuilder_set_callbacks(builder.pointer, nil, nil)
      withExtendedLifetime(check) {}
    }
    try check(operation, code)
    try syncFolder(folder)
    return "pack-" + (unsafe git_packbuilder_name(builder.pointer).map { unsafe String(cString: $0) } ?? "")
  }
}

private final class CancellationCheck {
  let isCancelled: () -> Bool

  init(_ isCancelled: @escaping () -> Bool) { self.isCancelled = isCancelled }
}

private func isCancelled(_ payload: UnsafeMutableRawPointer?) -> Int32 {
  guard let payload = unsafe payload else { return 0 }
  let check = unsafe Unmanaged<CancellationCheck>.fromOpaque(payload).takeUnretainedValue()
  return check.isCancelled() ? GIT_EUSER.rawValue : 0
}

private let notePackProgress: git_packbuilder_progress = { _, _, _, payload in unsafe isCancelled(payload) }
private let noteIndexProgress: git_indexer_progress_cb = { _, payload in unsafe isCancelled(payload) }

extension RepositoryHandle {
  /// Limits the memory for packing. The limits are written to the repository's configuration, from which libgit2 reads them.
  func limitPackMemory() {
    var config: OpaquePointer?
    guard unsafe git_repository_config(&config, repository) == 0 else { return git_error_clear() }
    defer { unsafe git_config_free(config) }
    for (name, value) in [
      ("pack.windowmemory", Int64(32 << 20)), ("pack.deltacachesize", 32 << 20), ("core.bigfilethreshold", 16 << 20),
    ] {
      var known: Int64 = 0
      if unsafe git_config_get_int64(&known, config, name) == 0, known == value { continue }
      if unsafe git_config_set_int64(config, name, value) < 0 { git_error_clear() }
    }
    git_error_clear()
  }

  /// Packs all loose references into one file.
  func packReferences() throws(GitError) {
    var database: OpaquePointer?
    try unsafe check("pack references", git_repository_refdb(&database, repository))
    defer { unsafe git_refdb_free(database) }
    try unsafe check("pack references", git_refdb_compress(database))
  }
}
