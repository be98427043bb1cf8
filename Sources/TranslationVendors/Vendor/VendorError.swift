package import Localization

/// An error of a vendor. Network errors are not converted to this type, but thrown as `TransportError`.
package struct VendorError: DisposableError, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// The settings in the pipeline file are invalid or do not match the vendor.
    case configuration
    /// The requested feature is not supported in this version.
    case notBuilt
    /// A file or folder with this name already exists.
    case exists
    /// Another installation, or another pipeline of this installation, uses the vendor's folder. This kind is also used if the owner of the folder
    /// cannot be determined, if `to-translate/` is missing although bundles are outstanding, or if a process that was creating a file left its guard
    /// folder behind (WebDAV).
    case claimed
    case missing
    /// Permission denied, or the vendor refused the request or its contents.
    case refused
    case disk
    case tooLarge
    /// A path is not what is expected: for example, it is a folder, symbolic link or device instead of a file.
    case notAFile
    /// The vendor's response cannot be decoded, or differs from what its API promises.
    case protocolFault
    /// The vendor does not have a language, or `locales` maps two languages to one code. Other languages are not affected.
    case unknownLanguage
    /// A limit is reached: the limit in the pipeline file, or a quota of the account at the vendor.
    case limitReached
  }

  package let kind: Kind
  package let operation: String
  package let detail: String

  /// Whether ``operation`` is a request or setting, such as `weblate: GET /languages`, rather than a verb phrase that follows “cannot”.
  private let namesRequest: Bool

  /// Creates an error whose message is “cannot *operation*: *detail*”.
  /// - Parameter operation: the failed operation as a verb phrase: `read done/birds.zip`.
  package init(kind: Kind, operation: String, detail: String) {
    self.kind = kind
    self.operation = operation
    self.detail = detail
    namesRequest = false
  }

  /// Creates an error whose message is “*request*: *detail*”.
  /// - Parameter request: the request or setting: `weblate: GET /languages`, `vendor llm`.
  package init(kind: Kind, at request: String, detail: String) {
    self.kind = kind
    operation = request
    self.detail = detail
    namesRequest = true
  }

  package var description: String { (namesRequest ? "" : "cannot ") + "\(operation): \(detail)" }

  package var refusesLanguage: Bool { kind == .unknownLanguage }

  package var disposition: Disposition {
    switch kind {
    case .configuration, .notBuilt, .refused, .exists, .claimed, .notAFile: .askPerson
    case .tooLarge, .unknownLanguage: .permanent
    case .limitReached: .askPerson
    case .missing, .disk, .protocolFault: .retry
    }
  }
}
