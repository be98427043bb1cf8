private import Glibc

/// Which folder of a path is the repository.
struct RepositoryLocation {
  var folder: String
  /// libgit2 takes it for no repository, because there is no refs/.
  var isPlain: Bool

  static func find(_ path: String, searchingUpwards: Bool) throws(GitError) -> RepositoryLocation {
    let operation = "open \(path)"
    guard var candidate = absolute(path) else {
      throw GitError(.noSuchPath, operation, "no such file or folder")
    }
    guard FileKind(candidate) == .folder else {
      throw GitError(.notARepository, operation, "is a file, not a folder")
    }
    while true {
      if FileKind(candidate + "/.git") != nil {
        return RepositoryLocation(folder: candidate + "/.git", isPlain: false)
      }
      if looksBare(candidate) {
        return RepositoryLocation(
          folder: candidate, isPlain: FileKind(candidate + "/refs") != .folder)
      }
      guard searchingUpwards, candidate != "/", let slash = candidate.lastIndex(of: "/") else {
        throw GitError(.notARepository, operation, "not a git repository")
      }
      candidate = slash == candidate.startIndex ? "/" : String(candidate[..<slash])
    }
  }

  /// Without `.git`, but with HEAD and objects/.
  static func looksBare(_ folder: String) -> Bool {
    FileKind(folder + "/.git") == nil && FileKind(folder + "/HEAD") == .file
      && FileKind(folder + "/objects") == .folder
  }

  /// The path with symbolic links and dots resolved; `nil` where nothing stands there.
  static func absolute(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }
}

/// What stands at a path on disk, links followed: paths of our own and of the user's command line, never of a tree.
enum FileKind {
  case file, folder, other

  init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .folder
    default: self = .other
    }
  }
}
