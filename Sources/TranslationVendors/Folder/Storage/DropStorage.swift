package import Foundation
package import Localization

/// One name in a drop folder.
package struct DropEntry: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case file, folder
    /// A symbolic link, a device: never read.
    case other
  }

  package var path: TreePath
  package var kind: Kind
  /// When it last changed, by the storage's clock; a directory's clock counts moving as a change.
  package var modified: Date?
  /// Differs when the content does: size and time, or an entity tag.
  package var tag: String

  package init(path: TreePath, kind: Kind, modified: Date?, tag: String) {
    self.path = path
    self.kind = kind
    self.modified = modified
    self.tag = tag
  }
}

/// What a folder holds, sorted by name.
package struct DropListing: Hashable, Sendable {
  package var entries: [DropEntry]
  /// The storage's own clock at that moment; `nil` where it is this machine's.
  package var now: Date?
  /// Names that are not UTF-8, written out with `\xHH`: they cannot be said in a bundle's name, so these files are never read.
  package var unreadableNames: [String]

  package init(entries: [DropEntry], now: Date? = nil, unreadableNames: [String] = []) {
    self.entries = entries
    self.now = now
    self.unreadableNames = unreadableNames
  }
}

/// Where a drop folder is kept. Paths are relative to it. Symbolic links below it are never followed.
package protocol DropStorage: Sendable {
  /// For people and for names: without credentials.
  var place: String { get }

  /// - Returns: `nil` where there is no such folder.
  func list(_ folder: TreePath) async throws -> DropListing?

  /// One name; `nil` where there is none.
  func entry(_ path: TreePath) async throws -> DropEntry?

  /// - Throws: `tooLarge` beyond `limit` bytes, `missing` where there is no such file.
  func read(_ path: TreePath, limit: Int) async throws -> [UInt8]

  /// Writes a file that is not there yet.
  /// - Throws: `exists` where it is.
  func create(_ path: TreePath, with bytes: [UInt8]) async throws

  /// Writes a file that several writers may want to create at the same moment: one of them succeeds. By default the same as `create`.
  /// - Throws: `exists` for the others.
  func createFirst(_ path: TreePath, with bytes: [UInt8]) async throws

  /// Writes a file, there or not; a reader sees the old or the new one.
  func replace(_ path: TreePath, with bytes: [UInt8]) async throws

  /// Moves a file or folder in one step.
  /// - Throws: `exists` where the new name is taken; nothing has changed then.
  func move(_ path: TreePath, to new: TreePath) async throws

  /// Copies a file or folder; what is neither is left out.
  /// - Throws: `exists` where the new name is taken.
  func copy(_ path: TreePath, to new: TreePath) async throws

  /// Removes a file or folder; none is no error.
  func remove(_ path: TreePath) async throws

  /// Makes a folder; one that is there is no error.
  func makeFolder(_ path: TreePath) async throws

  /// Watches a folder for files and folders that come into it.
  ///
  /// - Parameter note: told each name before the stream yields; called from another thread.
  /// - Returns: `nil` where the storage cannot tell. The stream ends when the folder can no longer be watched.
  func changes(in folder: TreePath, note: @escaping @Sendable (String, DropArrival) -> Void) -> AsyncStream<Void>?
}

/// How a name came into a watched folder.
package enum DropArrival: Hashable, Sendable {
  /// Renamed into place: it was complete before it had this name.
  case moved
  /// Written in place, and closed: the writer may open it again.
  case closed
  /// Made: it is not known whether anything is in it yet.
  case made
}

extension DropStorage {
  package func createFirst(_ path: TreePath, with bytes: [UInt8]) async throws { try await create(path, with: bytes) }

  package func changes(
    in folder: TreePath, note: @escaping @Sendable (String, DropArrival) -> Void
  ) -> AsyncStream<Void>? { nil }
}
