private import FoundationEssentials
private import Glibc

/// The files that a backup writes before the copy gets its name: `FILE.<UUID>.part`, with the files that SQLite writes next to it.
enum PartialCopies {
  private static let endings = ["", "-journal", "-wal", "-shm"]
  /// The time in seconds since the last write after which a file counts as abandoned. A lock is not used, because locks are not reliable on network
  /// file systems, and the process that writes the file may run on another machine. If a backup writes nothing for longer, it may lose its file; it
  /// then fails and changes nothing.
  private static let age = 6 * 3600

  /// Returns a unique path, because two backups may run at the same time, and a file with a simpler name could belong to another program.
  static func path(for path: String) -> String { "\(path).\(UUID().uuidString).part" }

  static func files(of part: String) -> [String] { endings.map { part + $0 } }

  static func remove(_ part: String) {
    for file in files(of: part) { try? StoreFiles.remove(file) }
  }

  /// Deletes the files that killed backups to this path left behind.
  static func removeAbandoned(for path: String) {
    let folder = StoreFiles.parent(of: path)
    guard let base = path.split(separator: "/").last else { return }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    where isPartial(name, of: String(base)) {
      let file = "\(folder)/\(name)"
      var status = stat()
      guard lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mtim.tv_sec < time(nil) - age
      else { continue }
      try? StoreFiles.remove(file)
    }
  }

  private static func isPartial(_ name: String, of base: String) -> Bool {
    guard name.hasPrefix(base + ".") else { return false }
    let rest = name.dropFirst(base.count + 1)
    return endings.contains { ending in
      rest.hasSuffix(".part" + ending) && UUID(uuidString: String(rest.dropLast(5 + ending.count))) != nil
    }
  }
}
