/// A fault in a file, with its position. All faults except duplicate keys prevent reading the file.
package struct SyntaxFault: Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    case empty, notUTF8, conflictMarkers, syntax, truncated, duplicateKey, tooDeep, tooLarge
    /// A rejected document type definition, or an entity other than the five that XML predefines.
    case forbidden
  }

  package let kind: Kind
  package let position: TextPosition
  /// The message, which starts in lower case and does not contain the position.
  package let message: String
  /// A hint on how to fix the fault; `nil` if there is none.
  package let hint: String?

  package init(kind: Kind, position: TextPosition, message: String, hint: String? = nil) {
    self.kind = kind
    self.position = position
    self.message = message
    self.hint = hint
  }

  package var description: String { "\(position.line):\(position.column): \(message)" }
}

/// The error for a file with syntax faults. It contains all faults that were found, at least one.
package struct SyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  package let faults: [SyntaxFault]

  package init(_ faults: [SyntaxFault]) { self.faults = faults }
  package init(_ fault: SyntaxFault) { self.faults = [fault] }

  package var description: String { faults.map(\.description).joined(separator: "\n") }
}
