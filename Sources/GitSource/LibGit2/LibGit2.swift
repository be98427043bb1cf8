import CLibGit2
private import Glibc

/// The global state of libgit2. The library is initialized once and never shut down, because other threads may still use handles.
enum LibGit2 {
  /// Initializes libgit2. Call this before any other use of the library.
  static func start() { _ = started }

  /// The maximum size of the cached trees of all repositories together, in bytes.
  static let cacheSize = 32 << 20

  private static let started: Bool = {
    git_libgit2_init()
    // The host's own configuration (insteadOf, proxies, credential helpers) must not affect us.
    for level in [
      GIT_CONFIG_LEVEL_SYSTEM, GIT_CONFIG_LEVEL_XDG, GIT_CONFIG_LEVEL_GLOBAL,
      GIT_CONFIG_LEVEL_PROGRAMDATA,
    ] {
      unsafe dragoman_git_set_search_path(Int32(level.rawValue), "")
    }
    // Nothing from a repository is executed, so its owner is not checked.
    dragoman_git_set_owner_validation(0)
    // Like git, we hash objects only when a transfer receives them; a damaged object fails to decompress. Hashing every object on each read took half
    // of the reading time.
    dragoman_git_set_strict_hash_verification(0)
    // By default libgit2 maps whole packs, and all pages that are read from the packs count as memory of this process.
    dragoman_git_set_pack_windows(4 << 20, 48 << 20)
    // Commits are not cached: each handle would keep all commits that its walks read, which caused most of the daemon's memory growth. Trees stay
    // cached, because the next commit shares most of them. By default, a process keeps up to 256 MiB of them.
    dragoman_git_set_cache_limit(GIT_OBJECT_COMMIT, 0)
    dragoman_git_set_cache_size(cacheSize)
    // Objects and references survive a power failure: each file is synced before it is renamed, and then its folder is synced.
    dragoman_git_enable_fsync(1)
    // Each open pack uses a file descriptor. libgit2 closes the least recently used pack and opens it again when needed.
    dragoman_git_set_open_packs(128)
    // These extensions do not change how objects and references are read. If they are not allowed, libgit2 cannot open a partial clone.
    let harmless = ["partialclone", "worktreeconfig", "preciousobjects"]
    var pointers = unsafe harmless.map { unsafe UnsafePointer<CChar>(strdup($0)) }
    unsafe dragoman_git_set_extensions(&pointers, pointers.count)
    for index in unsafe pointers.indices {
      unsafe free(UnsafeMutablePointer(mutating: pointers[index]))
    }
    return true
  }()
}

/// A pointer from libgit2 with a single owner, and the function that frees the pointer.
@safe struct Owned: ~Copyable {
  let pointer: OpaquePointer
  private let release: @convention(c) (OpaquePointer?) -> Void

  /// Runs `make`, which stores the new pointer, and takes ownership of the pointer.
  init(
    _ release: @escaping @convention(c) (OpaquePointer?) -> Void,
    _ operation: @autoclosure () -> String,
    make: (inout OpaquePointer?) -> Int32
  ) throws(GitError) {
    var pointer: OpaquePointer?
    try unsafe check(operation(), make(&pointer))
    guard let made = unsafe pointer else {
      throw GitError(.failed, operation(), "libgit2 returned no object")
    }
    unsafe self.pointer = made
    unsafe self.release = release
  }

  deinit { unsafe release(pointer) }
}

/// Throws libgit2's error for a negative code, and returns any other code. The error is thread-local, so it is read before anything else runs.
/// libgit2 may have set no error.
@discardableResult
func check(_ operation: @autoclosure () -> String, _ code: Int32) throws(GitError) -> Int32 {
  guard code < 0 else { return code }
  throw lastError(operation(), code)
}

/// Returns the thread's last libgit2 error as a `GitError`, and clears it in libgit2. For common errors, the message is replaced by one with the next
/// step.
func lastError(_ operation: String, _ code: Int32) -> GitError {
  var message = "libgit2 gave no reason"
  var errorClass = GIT_ERROR_NONE.rawValue
  if let last = unsafe git_error_last(), let text = unsafe last.pointee.message {
    message = unsafe String(cString: text)
    errorClass = unsafe UInt32(bitPattern: last.pointee.klass)
  }
  git_error_clear()
  message = withoutTemporaryName(message)
  return GitError(
    kind(of: code, class: errorClass, message: message), operation,
    words(for: message) ?? "\(message) (libgit2 code \(code))")
}

/// Replaces the path of a temporary file in a message with the path of the file's folder. The file name differs at each attempt; without the file
/// name, equal failures have equal messages and are logged only once.
private func withoutTemporaryName(_ message: String) -> String {
  guard let start = message.range(of: "temporary file '"),
    let end = message[start.upperBound...].firstIndex(of: "'"),
    let name = message[start.upperBound..<end].lastIndex(of: "/")
  else { return message }
  return "\(message[..<start.lowerBound])temporary file in '\(message[start.upperBound..<name])\(message[end...])"
}

/// Returns a message with the next step, for errors that operators commonly see; `nil` for all other errors.
private func words(for message: String) -> String? {
  if message.contains("No space left on device") {
    return "the disk is full (\(message)). Free some space; Dragoman retries later"
  }
  if message.contains("Permission denied") || message.contains("Read-only file system") {
    return "\(message). Check the owner and permissions of the folder, and whether its disk is read-only; Dragoman "
      + "retries later"
  }
  // An example is `failed to lock file '/srv/birds.git/refs/heads/main.lock' for writing`.
  guard let start = message.range(of: "failed to lock file '"),
    let end = message[start.upperBound...].firstIndex(of: "'")
  else { return nil }
  let file = message[start.upperBound..<end]
  return
    "\(file) exists: another git process is using that repository, or was killed there. If none is running, delete "
    + "the file; Dragoman retries later"
}

private func kind(of code: Int32, class errorClass: UInt32, message: String) -> GitError.Kind {
  switch code {
  case GIT_EAUTH.rawValue: return .unauthorized
  case GIT_ECERTIFICATE.rawValue: return .refused
  case GIT_ELOCKED.rawValue, GIT_EMODIFIED.rawValue: return .locked
  case GIT_EAMBIGUOUS.rawValue: return .ambiguousRevision
  case GIT_EMISMATCH.rawValue: return .missingObject
  case GIT_EUSER.rawValue: return .cancelled
  default: break
  }
  switch errorClass {
  case GIT_ERROR_NET.rawValue, GIT_ERROR_HTTP.rawValue, GIT_ERROR_SSL.rawValue:
    return networkKind(of: message)
  case GIT_ERROR_ODB.rawValue, GIT_ERROR_OBJECT.rawValue, GIT_ERROR_ZLIB.rawValue,
    GIT_ERROR_TREE.rawValue:
    return .missingObject
  case GIT_ERROR_OS.rawValue, GIT_ERROR_FILESYSTEM.rawValue: return .disk
  // A pack or a pack index has wrong content.
  case GIT_ERROR_INDEXER.rawValue: return .missingObject
  // A newer git created the repository, for example with `extensions.objectformat = sha256`.
  case GIT_ERROR_REPOSITORY.rawValue where message.contains("unsupported"): return .unsupported
  default: return code == GIT_ENOTFOUND.rawValue ? .missingObject : .failed
  }
}

/// Returns the kind of a network error. libgit2 1.5 reports an HTTP status only in the error message.
private func networkKind(of message: String) -> GitError.Kind {
  if message.contains("redirect") { return .refused }
  if message.contains("authentication") { return .unauthorized }
  guard let marker = message.range(of: "status code: ") else { return .unreachable }
  switch message[marker.upperBound...].prefix(3) {
  case "401", "407": return .unauthorized
  case "403": return .refused
  case "404", "410": return .noSuchRemote
  default: return .unreachable
  }
}
