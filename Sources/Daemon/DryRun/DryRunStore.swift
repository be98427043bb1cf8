import Foundation
import Localization
package import Pipeline
import SQLiteStore

/// A copy of a store, in which a dry run does what a real run would do. It is a folder of the store, and is deleted at the end.
package final class DryRunStore: Sendable {
  package let location: StoreLocation
  private static let prefix = "dry-run-"

  /// - Throws: if the copy cannot be made.
  package init(of original: StoreLocation) throws {
    let files = FileManager.default
    // Left behind by a dry run that was killed.
    for name in (try? files.contentsOfDirectory(atPath: original.folder)) ?? [] where name.hasPrefix(Self.prefix) {
      if let pid = Int32(name.dropFirst(Self.prefix.count)), kill(pid, 0) == 0 { continue }
      try? files.removeItem(atPath: "\(original.folder)/\(name)")
    }
    let folder = "\(original.folder)/\(Self.prefix)\(ProcessInfo.processInfo.processIdentifier)"
    try? files.removeItem(atPath: folder)
    location = StoreLocation(folder: folder)
    do {
      try files.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      if files.fileExists(atPath: original.folder + "/ledger.sqlite") {
        _ = try LedgerCopies.back(up: original.folder, to: folder + "/ledger.sqlite")
      }
      // The installation's own identity, by which vendors know it, and what its vendors remember.
      _ = try Installation.identity(in: original.folder)
      for name in (try? files.contentsOfDirectory(atPath: original.folder)) ?? []
      where !name.hasPrefix(Self.prefix) && !["mirrors", "lock"].contains(name) && !name.contains(".sqlite") {
        try files.copyItem(atPath: "\(original.folder)/\(name)", toPath: "\(folder)/\(name)")
      }
      try Self.link(original.folder + "/mirrors", to: folder + "/mirrors")
    } catch {
      try? files.removeItem(atPath: folder)
      throw error
    }
  }

  /// Copies mirrors. Object files never change, so they are linked.
  private static func link(_ from: String, to target: String) throws {
    let files = FileManager.default
    guard let names = files.enumerator(atPath: from) else { return }
    try files.createDirectory(atPath: target, withIntermediateDirectories: true)
    for case let name as String in names {
      let (source, copy) = ("\(from)/\(name)", "\(target)/\(name)")
      switch names.fileAttributes?[.type] as? FileAttributeType {
      case .typeDirectory?: try files.createDirectory(atPath: copy, withIntermediateDirectories: true)
      case .typeRegular? where name.contains("/objects/"):
        do { try files.linkItem(atPath: source, toPath: copy) } catch {
          try files.copyItem(atPath: source, toPath: copy)
        }
      case .typeRegular?: try files.copyItem(atPath: source, toPath: copy)
      default: break
      }
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: location.folder) }
}
