package import Localization

/// Why a vendor could not do something. What the network says passes through as `TransportError`.
package struct VendorError: DisposableError, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// The pipeline file asks for something that cannot be.
    case configuration
    /// Part of a later version.
    case notBuilt
    /// The name is taken.
    case exists
    /// Another installation, or another pipeline of this one, uses the folder.
    case claimed
    case missing
    /// Rights are missing.
    case refused
    case disk
    case tooLarge
    /// A symbolic link, or something else that is neither file nor folder.
    case notAFile
    /// What the vendor answered makes no sense.
    case protocolFault
  }

  package let kind: Kind
  package let operation: String
  package let detail: String

  package init(kind: Kind, operation: String, detail: String) {
    self.kind = kind
    self.operation = operation
    self.detail = detail
  }

  package var description: String { "cannot \(operation): \(detail)" }

  package var disposition: Disposition {
    switch kind {
    case .configuration, .notBuilt, .refused, .exists, .claimed, .notAFile: .askPerson
    case .tooLarge: .permanent
    case .missing, .disk, .protocolFault: .retry
    }
  }
}
