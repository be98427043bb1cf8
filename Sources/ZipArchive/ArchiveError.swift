package import Localization

/// The reason why an archive is not accepted.
package struct ArchiveError: DisposableError, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// Not a zip, cut off, or damaged.
    case unreadable
    /// A name that leaves the folder, is absolute, or is invalid.
    case unsafeName
    case symbolicLink
    case duplicateName
    case encrypted
    /// Larger, deeper or more than the limits allow.
    case tooLarge
    /// Two records of the archive contradict each other.
    case contradiction
    /// It could not be written.
    case notWritten
  }

  package let kind: Kind
  package let operation: String
  /// The entry, escaped so that it prints on one line; `nil` for the whole archive.
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
