package import Localization

/// The reason why an archive cannot be read or written.
package struct ArchiveError: DisposableError, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// The file is not a zip, is incomplete or damaged, or is a part of a multi-part archive.
    case unreadable
    /// A name is absolute, contains `..` or is otherwise invalid, or the entry is a special file such as a device.
    case unsafeName
    case symbolicLink
    case duplicateName
    case encrypted
    /// The archive exceeds one of the limits, or has the zip64 format.
    case tooLarge
    /// The archive's records contradict each other or its contents.
    case contradiction
    /// The archive could not be written.
    case notWritten
  }

  package let kind: Kind
  package let operation: String
  /// The name of the entry, escaped so that it fits on one line; `nil` for an error of the whole archive.
  package let entry: String?
  package let detail: String

  package init(kind: Kind, operation: String = "", entry: String? = nil, detail: String) {
    self.kind = kind
    self.operation = operation
    self.entry = entry
    self.detail = detail
  }

  package var description: String {
    (operation.isEmpty ? "" : "cannot \(operation): ") + (entry.map { "entry “\($0)” of the zip: " } ?? "") + detail
  }

  package var disposition: Disposition { .permanent }
}
