package import Foundation
package import Localization

/// An entry of a drop folder.
package struct DropEntry: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case file, folder
    /// A symbolic link or a device; never read.
    case other
  }

  package var path: TreePath
  package var kind: Kind
  /// The time of the last change by the storage's clock. For a directory, a move counts as a change.
  package var modified: Date?
  /// Changes when the contents change: size and time, or an entity tag.
  package var tag: String

  package init(path: TreePath, kind: Kind, modified: Date?, tag: String) {
    self.path = path
    self.kind = kind
    self.modified = modified
    self.tag = tag
  }
}

/// The entries of a folder, sorted by name.
package struct DropListing: Hashable, Sendable {
  /// The maximum number of entries of a folder.
  static let limit = 200_000

  package var entries: [DropEntry]
  /// The storage's clock at the time of listing; `nil` if it is this machine's.
  package var now: Date?
  /// Names that are not UTF-8, escaped with `\xHH`, and on a WebDAV server also those with control characters, percent-encoded. Bundle
  /// names cannot express them, so these files are never read.
  package var unreadableNames: [String]

  package init(entries: [DropEntry], now: Date? = nil, unreadableNames: [String] = []) {
    self.entries = entries
    self.now = now
    self.unreadableNames = unreadableNames
  }
}

/// The storage of a drop folder. Paths are relative to it. Symbolic links below it are never followed.
package protocol DropStorage: Sendable {
  /// The location for people and for names, without credentials.
  var place: String { get }

  /// The location of one of its files in messages.
  func place(of path: TreePath) -> String

  /// - Returns: `nil` if the folder does not exist.
  func list(_ folder: TreePath) async throws -> DropListing?

  /// Returns why this account cannot write to the storage, with the next step; `nil` if it can, or if only a write would show it.
  /// - Parameter folders: the names of the folders to look at besides the root, if they exist.
  func obstacle(in folders: [String]) async -> String?

  /// Checks whether the first write can create the root, which does not exist. Changes nothing.
  func probeMissingRoot() async throws -> VendorProbe

  /// A single entry; `nil` if it does not exist.
  func entry(_ path: TreePath) async throws -> DropEntry?

  /// - Throws: `tooLarge` for more than `limit` bytes, `missing` if there is no such file.
  func read(_ path: TreePath, limit: Int) async throws -> [UInt8]

  /// Writes a new file.
  /// - Throws: `exists` if it exists.
  func create(_ path: TreePath, with bytes: [UInt8]) async throws

  /// Writes a file that several writers may create at the same moment. Exactly one succeeds, and readers see all of its contents or no
  /// file. The default is `create`, for storages where it does the same.
  /// - Throws: `exists` for the others.
  func createFirst(_ path: TreePath, with bytes: [UInt8]) async throws

  /// Writes a file that may exist. Readers see the old or the new contents.
  func replace(_ path: TreePath, with bytes: [UInt8]) async throws

  /// Moves a file or folder in one step.
  /// - Throws: `exists`, without a change, if the new name exists.
  func move(_ path: TreePath, to new: TreePath) async throws

  /// Copies a file or folder. Other entries are skipped.
  /// - Throws: `exists` if the new name exists.
  func copy(_ path: TreePath, to new: TreePath) async throws

  /// Removes a file or folder. It is not an error if it does not exist.
  func remove(_ path: TreePath) async throws

  /// Creates a folder. It is not an error if it exists.
  func makeFolder(_ path: TreePath) async throws

  /// Watches a folder for new files and folders.
  ///
  /// - Parameter note: called with each name before the stream yields, from another thread.
  /// - Returns: `nil` if the storage does not support it. The stream ends when watching fails.
  func changes(in folder: TreePath, note: @escaping @Sendable (String, DropArrival) -> Void) -> AsyncStream<Void>?
}

/// How an entry came into a watched folder.
package enum DropArrival: Hashable, Sendable {
  /// By a rename: it was complete before.
  case moved
  /// Written in place and closed. The writer may open it again.
  case closed
  /// Created. It may still be empty.
  case made
}

extension DropStorage {
  package func place(of path: TreePath) -> String { "\(place)/\(path)" }

  package func obstacle(in folders: [String]) async -> String? { nil }

  package func probeMissingRoot() async throws -> VendorProbe {
    VendorProbe(faults: ["\(place) does not exist. Create the folder, or correct `path`."])
  }

  package func createFirst(_ path: TreePath, with bytes: [UInt8]) async throws { try await create(path, with: bytes) }

  package func changes(
    in folder: TreePath, note: @escaping @Sendable (String, DropArrival) -> Void
  ) -> AsyncStream<Void>? { nil }
}
