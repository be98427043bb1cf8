package import Localization

/// Why a vendor could not do something. Network errors are passed on as `TransportError`.
package struct VendorError: DisposableError, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// The pipeline file asks for something impossible.
    case configuration
    /// Not supported in this version.
    case notBuilt
    /// The name is already in use.
    case exists
    /// Another installation, or another pipeline of this one, uses the folder.
    case claimed
    case missing
    /// Permission denied.
    case refused
    case disk
    case tooLarge
    /// A symbolic link, or something else that is neither file nor folder.
    case notAFile
    /// The vendor's answer cannot be understood.
    case protocolFault
    /// The vendor does not have a language; others are not affected.
    case unknownLanguage
    /// A limit of the pipeline file is reached, such as a price.
    case limitReached
  }

  package let kind: Kind
  package let operation: String
  package let detail: String

  /// Whether ``operation`` is a request, such as `weblate: GET /languages`, rather than a verb phrase that follows “cannot”.
  private let namesRequest: Bool

  /// - Parameter operation: the failed operation, as it follows “cannot”: `read done/birds.zip`.
  package init(kind: Kind, operation: String, detail: String) {
    self.kind = kind
    self.operation = operation
    self.detail = detail
    namesRequest = false
  }

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
