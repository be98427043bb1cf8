import FoundationEssentials
import TranslationVendors

/// A ledger that does not exist yet, or that the program has just created, with any evidence that an earlier ledger existed.
package struct NewLedger: Hashable, Sendable {
  /// The path of the file, or the address of the database.
  package private(set) var path: String
  /// The names of files and folders that earlier runs left in the folder.
  package let remains: [String]
  /// A mount point in /etc/fstab at or above the store's folder, on which nothing is mounted; `nil` if there is none.
  package let unmounted: String?
  private var isInDatabase = false

  /// Looks for evidence of an earlier ledger in and above a folder.
  /// - Returns: `nil` if the folder has a ledger.
  package init?(in folder: String, mountTable: String? = nil, mounts: String? = nil) {
    path = folder + "/ledger.sqlite"
    let files = FileManager.default
    let size = (try? files.attributesOfItem(atPath: path))?[.size] as? UInt64
    // A process that was killed while it created a ledger leaves an empty file.
    guard size ?? 0 == 0 else { return nil }
    let names = (try? files.contentsOfDirectory(atPath: folder)) ?? []
    let found = names.filter { name in
      ["mirrors", "vendors", "tokens", "pipeline-files", "cache.sqlite", "installation"].contains(name)
        || name.hasPrefix("ledger") && name != "ledger.sqlite" && !name.hasSuffix("-shm")
    }.sorted()
    // A dry run before the first run stores only renewed tokens.
    remains = found == ["tokens"] ? [] : found
    let place = CanonicalPlace.path(folder)
    unmounted = Self.unmounted(
      above: place, mountTable: mountTable ?? (try? String(contentsOfFile: "/etc/fstab", encoding: .utf8)) ?? "",
      mounts: mounts ?? (try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)) ?? "")
  }

  /// Returns a copy for a new ledger in the database at `address`. The evidence is still that of the folder with the worker's mirrors.
  func inDatabase(_ address: String) -> NewLedger {
    var new = self
    (new.path, new.isInDatabase) = (address, true)
    return new
  }

  /// Whether there is evidence of an earlier ledger.
  package var isSuspicious: Bool { !remains.isEmpty || unmounted != nil }

  /// The evidence for an earlier ledger, and the next step; `nil` if there is no evidence.
  var doubt: (evidence: String, advice: String)? {
    if let unmounted {
      return (
        "\(unmounted) is in /etc/fstab, and nothing is mounted there",
        "Stop Dragoman, mount it, and start Dragoman again"
      )
    }
    guard !remains.isEmpty else { return nil }
    guard !isInDatabase else {
      return (
        "the folder of the mirrors was used before: it has \(remains.joined(separator: ", "))",
        "If the former ledger is in another database, stop Dragoman and correct --store"
      )
    }
    return (
      "the folder was used before: it has \(remains.joined(separator: ", "))",
      "If the former ledger was moved away, stop Dragoman, and put it back or restore a backup with "
        + "`dragoman store restore FILE`"
    )
  }

  /// The log message about the new ledger.
  package var text: String {
    guard let doubt else { return "created a new ledger, \(path)" }
    return "created a new, empty ledger, \(path), although \(doubt.evidence). \(doubt.advice)"
  }

  /// Searches the mount table for a file system that should contain a path, but is not mounted.
  /// - Parameters:
  ///   - mountTable: text in the format of /etc/fstab.
  ///   - mounts: text in the format of /proc/self/mounts.
  /// - Returns: the innermost mount point in the table that contains the path and on which nothing is mounted; `nil` if there is none.
  static func unmounted(above path: String, mountTable: String, mounts: String) -> String? {
    func places(_ text: String) -> [String] {
      text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
        let parts = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
        return parts.count >= 3 ? String(parts[1]).replacing("\\040", with: " ") : nil
      }
    }
    let mounted = Set(places(mounts))
    let holding = places(mountTable).filter { $0 != "/" && (path == $0 || path.hasPrefix($0 + "/")) }
    return holding.filter { !mounted.contains($0) }.max { $0.utf8.count < $1.utf8.count }
  }
}
