/// What must be known of a repository's `config` before libgit2 reads it.
///
/// libgit2 follows `[include]` and `[includeIf …]` to any file of this machine, and has no setting against it. Such a repository is read
/// without its configuration.
struct ConfigurationFile {
  /// Whether it names other files to be read.
  private(set) var includesOthers = false
  /// Whether objects are named by another hash than SHA-1.
  private(set) var isOfOtherHash = false

  /// - Parameter folder: the folder that holds `config`.
  /// - Throws: `obstructed` where that is no regular file, or larger than any configuration.
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

  /// Takes a section's name wherever it may begin, in a value or a remark too: a repository that is read without its configuration for
  /// nothing loses little.
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
