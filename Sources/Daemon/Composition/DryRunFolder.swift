import Foundation
import Glibc
import Localization
import Pipeline
import SQLiteStore

/// A copy of a store for one dry run. The copy is removed when this object is deinitialized.
///
/// The copy of the ledger is consistent, even while a daemon writes to the original. The objects of mirrors are hard links if the disk allows them.
final class DryRunFolder: Sendable {
  private static let prefix = "dry-run-"
  /// The age, in seconds, from which a copy counts as left over. Another process may still be using a newer copy.
  private static let leftoverAge: TimeInterval = 3600

  let location: StoreLocation
  /// The location of the store from which the copy was made.
  let original: StoreLocation

  /// Copies a store. If the store does not exist, creates a folder without a ledger in the system's temporary folder.
  /// - Parameter repositories: the URLs of the repositories whose mirrors are copied.
  /// - Throws: `PipelineError` if the store is a PostgreSQL database, or if the copy cannot be made; `StoreError` if the store's folder or its ledger
  ///   cannot be used.
  init(of original: StoreLocation, repositories: [String]) throws {
    let operation = "prepare the dry run"
    guard original.isLocal else {
      throw PipelineError(
        .notBuilt, operation: operation,
        detail:
          "it needs a copy of the ledger, and Dragoman cannot copy a PostgreSQL database. Use a store in a folder",
        disposition: .permanent)
    }
    self.original = original
    try LedgerPresence.requireTarget(of: original.folder)
    let hasStore = FileManager.default.fileExists(atPath: original.folder)
    // The copy is inside the store's folder, because hard links must be on the same disk. Git ignores the store's folder.
    let parent = hasStore ? original.folder : FileManager.default.temporaryDirectory.path
    if hasStore { Self.removeLeftovers(in: parent) }
    let folder = "\(parent)/\(Self.prefix)\(UUID().uuidString)"
    location = StoreLocation(folder: folder)
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try Data((Installation.known(for: original.folder) + "\n").utf8).write(
        to: URL(filePath: folder + "/installation"))
      guard hasStore else { return }
      if FileManager.default.fileExists(atPath: original.folder + "/ledger.sqlite") {
        _ = try LedgerCopies.back(up: original.folder, to: folder + "/ledger.sqlite")
      }
      for name in ["vendors", "pipeline-files"]
      where FileManager.default.fileExists(atPath: "\(original.folder)/\(name)") {
        try FileManager.default.copyItem(atPath: "\(original.folder)/\(name)", toPath: "\(folder)/\(name)")
      }
      for url in Set(repositories) {
        let (mirror, copy) = (original.mirror(of: url), location.mirror(of: url))
        guard FileManager.default.fileExists(atPath: mirror + "/HEAD") else { continue }
        try Self.copy(mirror: mirror, to: copy)
        let submodules = original.submodules(of: url)
        for name in (try? FileManager.default.contentsOfDirectory(atPath: submodules)) ?? [] {
          try Self.copy(mirror: "\(submodules)/\(name)", to: "\(location.submodules(of: url))/\(name)")
        }
      }
    } catch {
      try? FileManager.default.removeItem(atPath: folder)
      if error is any DisposableError { throw error }
      throw PipelineError(
        .inconsistent, operation: operation,
        detail: "\(original.folder) cannot be copied: \(error.localizedDescription)",
        disposition: .retry)
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: location.folder) }

  /// Copies a mirror that another process may be fetching into. If a file disappears during the copy, the incomplete copy is removed, and the dry run
  /// fetches the repository again.
  private static func copy(mirror: String, to copy: String) throws {
    do {
      // References are copied before objects. In the opposite order, a concurrent fetch could add a reference whose objects are not in the copy.
      for name in ["HEAD", "config", "packed-refs", "refs", "shallow", "objects"] {
        guard FileManager.default.fileExists(atPath: "\(mirror)/\(name)") else { continue }
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
        if name == "objects" {
          try linkAll(in: "\(mirror)/\(name)", to: "\(copy)/\(name)")
        } else {
          try FileManager.default.copyItem(atPath: "\(mirror)/\(name)", toPath: "\(copy)/\(name)")
        }
      }
    } catch let error as CocoaError where error.code == .fileNoSuchFile || error.code == .fileReadNoSuchFile {
      try FileManager.default.removeItem(atPath: copy)
    }
  }

  /// Links the files of a folder and its subfolders, and copies files that cannot be linked. Git never changes the files of objects, so links are
  /// safe.
  private static func linkAll(in folder: String, to copy: String) throws {
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let (from, to) = ("\(folder)/\(name)", "\(copy)/\(name)")
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: from, isDirectory: &isFolder) else {
        throw CocoaError(.fileNoSuchFile)
      }
      if isFolder.boolValue {
        try linkAll(in: from, to: to)
      } else if link(from, to) != 0 {
        try FileManager.default.copyItem(atPath: from, toPath: to)
      }
    }
  }

  /// Removes the copies that killed processes left behind.
  private static func removeLeftovers(in parent: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [] where name.hasPrefix(prefix) {
      let path = "\(parent)/\(name)"
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      guard let made = attributes?[.modificationDate] as? Date, made < Date(timeIntervalSinceNow: -leftoverAge),
        let lock = try? StoreFolder(path)
      else { continue }
      withExtendedLifetime(lock) { try? FileManager.default.removeItem(atPath: path) }
    }
  }
}
