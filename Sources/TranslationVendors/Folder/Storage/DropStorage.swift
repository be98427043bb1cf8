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
  /// The time of the last change by the storage's clock; `nil` if unknown. On this machine's disk, a move counts as a change.
  package var modified: Date?
  /// A text that changes when the contents of a file change, such as size and time, an entity tag, or both.
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
  /// The time of listing by the storage's clock; `nil` if the storage uses this machine's clock, or if the time is unknown.
  package var now: Date?
  /// Names that are not UTF-8, escaped with `\xHH`. On a WebDAV server, the names are percent-encoded, and names with control characters are
  /// included. Files with unreadable names are never read, because a `TreePath` cannot contain such a name.
  package var unreadableNames: [String]

  package init(entries: [DropEntry], now: Date? = nil, unreadableNames: [String] = []) {
    self.entries = entries
    self.now = now
    self.unreadableNames = unreadableNames
  }
}

/// The storage of a drop folder. All paths are relative to the drop folder. Symbolic links below the drop folder are never followed.
package protocol DropStorage: Sendable {
  /// The location without credentials, used in messages and in the vendor's name.
  var place: String { get }

  /// Returns the location of one of the storage's files for messages.
  func place(of path: TreePath) -> String

  /// Lists a folder.
  /// - Returns: `nil` if the folder does not exist.
  func list(_ folder: TreePath) async throws -> DropListing?

  /// Returns the reason why this account cannot write to the storage, with the next step; `nil` if the account can write, or if this cannot be
  /// checked without a write.
  /// - Parameter folders: the names of the folders to check in addition to the root, if they exist.
  func obstacle(in folders: [String]) async -> String?

  /// Reports whether the first write can create the missing root, as far as this can be determined without a write.
  func probeMissingRoot() async throws -> VendorProbe

  /// Returns a single entry; `nil` if the entry does not exist.
  func entry(_ path: TreePath) async throws -> DropEntry?

  /// Reads a file.
  /// - Throws: `tooLarge` for more than `limit` bytes, `missing` if there is no such file, `notAFile` for a folder, link or device.
  func read(_ path: TreePath, limit: Int) async throws -> [UInt8]

  /// Writes a new file.
  /// - Throws: `exists` if the file exists.
  func create(_ path: TreePath, with bytes: [UInt8]) async throws

  /// Writes a file that several writers may create at the same moment. Exactly one writer succeeds, and readers see either the complete file
  /// or no file. The default implementation calls `create`, for storages where `create` guarantees this.
  /// - Throws: `exists` for the other writers.
  func createFirst(_ path: TreePath, with bytes: [UInt8]) async throws

  /// Writes a file, or replaces an existing file. Readers see either the old or the new contents or, on an SFTP server that cannot replace a file in
  /// one step, briefly no file.
  func replace(_ path: TreePath, with bytes: [UInt8]) async throws

  /// Moves a file or folder: in one step or, in S3, in several steps, which are finished later if they are interrupted.
  /// - Throws: `exists` if the new name exists. In this case, nothing is changed.
  func move(_ path: TreePath, to new: TreePath) async throws

  /// Copies a file or folder. Other entries are skipped.
  /// - Throws: `exists` if the new name exists.
  func copy(_ path: TreePath, to new: TreePath) async throws

  /// Removes a file or folder. A missing path is not an error.
  func remove(_ path: TreePath) async throws

  /// Creates a folder. An existing folder is not an error.
  func makeFolder(_ path: TreePath) async throws

  /// Watches a folder for new files and folders.
  ///
  /// - Parameter note: called with the name and the arrival of each new entry before the stream yields, from another thread.
  /// - Returns: a stream that ends when watching fails; `nil` if the storage does not support watching or the folder cannot be watched.
  func changes(in folder: TreePath, note: @escaping @Sendable (String, DropArrival) -> Void) -> AsyncStream<Void>?
}

/// The way in which an entry arrived in a watched folder.
package enum DropArrival: Hashable, Sendable {
  /// Moved into the folder. The entry is complete.
  case moved
  /// Written in place and closed. The writer may open it again.
  case closed
  /// Created. The entry may still be empty.
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
