private import Glibc
import Localization

/// The location of a repository that was found from a given folder.
struct RepositoryLocation {
  var folder: String
  /// Whether libgit2 rejects the folder as a repository because the folder has no refs/.
  var isPlain: Bool
  /// The path of the given folder within the work tree; the root for a repository without a work tree.
  var place: TreePath = .root

  static func find(_ path: String, searchingUpwards: Bool) throws(GitError) -> RepositoryLocation {
    let operation = "open \(path)"
    guard let given = absolute(path) else {
      throw GitError(.noSuchPath, operation, "no such file or folder")
    }
    var candidate = given
    guard FileKind(candidate) == .folder else {
      throw GitError(.notARepository, operation, "it is a file, not a folder")
    }
    while true {
      if FileKind(candidate + "/.git") != nil {
        let below = given.dropFirst(candidate.count).drop { $0 == "/" }
        return RepositoryLocation(
          folder: candidate + "/.git", isPlain: false, place: TreePath(checking: String(below)) ?? .root)
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

  /// Returns whether a folder has HEAD and objects/, but no `.git`.
  static func looksBare(_ folder: String) -> Bool {
    FileKind(folder + "/.git") == nil && FileKind(folder + "/HEAD") == .file
      && FileKind(folder + "/objects") == .folder
  }

  /// The folder that contains HEAD, and the folder that contains refs/, objects/ and config. A linked work tree and a submodule have a `.git` file
  /// with the path of the first folder.
  var files: (folder: String, commonFolder: String) {
    var own = folder
    if FileKind(folder) == .file {
      guard let text = Self.line(of: folder), text.hasPrefix("gitdir:") else { return (folder, folder) }
      let named = text.dropFirst(7).drop { $0 == " " || $0 == "\t" }
      let above = folder.dropLast("/.git".count)
      guard let led = Self.absolute(named.hasPrefix("/") ? String(named) : "\(above)/\(named)") else {
        return (folder, folder)
      }
      own = led
    }
    guard let common = Self.line(of: own + "/commondir"), !common.isEmpty,
      let led = Self.absolute(common.hasPrefix("/") ? common : own + "/" + common)
    else { return (own, own) }
    return (own, led)
  }

  private static func line(of path: String) -> String? {
    wholeFile(path, limit: 4096).map { bytes in
      String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }, as: UTF8.self)
    }
  }

  /// Returns the path with symbolic links and dots resolved; `nil` if it does not exist.
  static func absolute(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }
}

/// The kind of a file on disk, with symbolic links followed. It is used for our own paths and paths from the command line, never for
/// paths in a tree.
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
