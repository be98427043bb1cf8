/// Properties of a repository's `config` that must be known before libgit2 reads the file.
///
/// libgit2 follows `[include]` and `[includeIf …]` to any file on this machine and has no option to disable this. A repository with such
/// sections is opened without its configuration.
struct ConfigurationFile {
  /// Whether the file includes other files.
  private(set) var includesOthers = false
  /// Whether object ids are SHA-256 instead of SHA-1.
  private(set) var isOfOtherHash = false

  /// - Parameter folder: the folder that contains `config`.
  /// - Throws: `obstructed` if `config` is not a regular file, cannot be read, or is larger than 1 MiB.
  init(folder: String) throws(GitError) {
    let path = folder + "/config"
    guard let kind = FileKind(path) else { return }
    guard kind == .file else { throw GitError(.obstructed, "open \(folder)", "its config is not a regular file") }
    guard let bytes = wholeFile(path, limit: 1 << 20) else {
      throw GitError(.obstructed, "open \(folder)", "its config file is unreadable or larger than 1 MiB")
    }
    read(bytes)
  }

  init(_ bytes: [UInt8]) { read(bytes) }

  /// Matches `[include`, and `objectformat` with the value `sha256`, anywhere, even in values and comments. After a false match of `[include`, the
  /// repository is only opened without its configuration, which is rarely a problem. After a false match of `objectformat`, it is refused.
  private mutating func read(_ bytes: [UInt8]) {
    let text = bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    for (index, byte) in text.enumerated() where byte == UInt8(ascii: "[") {
      let name = text[(index + 1)...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      if name.starts(with: "include".utf8) { includesOthers = true }
    }
    let setting = Array("objectformat".utf8)
    for range in text.ranges(of: setting) {
      let value = text[range.upperBound...].drop { " \t=\"".utf8.contains($0) }
      if value.starts(with: "sha256".utf8) { isOfOtherHash = true }
    }
  }
}
