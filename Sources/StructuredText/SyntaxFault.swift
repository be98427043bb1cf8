/// One thing that keeps a file from being read, with its place.
package struct SyntaxFault: Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    case empty, notUTF8, conflictMarkers, syntax, truncated, duplicateKey, tooDeep, tooLarge
    /// A document type definition or an external entity: refused, whatever it holds.
    case forbidden
  }

  package let kind: Kind
  package let position: TextPosition
  /// Lower case, without the place.
  package let message: String
  /// What to do about it.
  package let hint: String?

  package init(kind: Kind, position: TextPosition, message: String, hint: String? = nil) {
    self.kind = kind
    self.position = position
    self.message = message
    self.hint = hint
  }

  package var description: String { "\(position.line):\(position.column): \(message)" }
}

/// All faults that were found in a file; at least one.
package struct SyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  package let faults: [SyntaxFault]

  package init(_ faults: [SyntaxFault]) { self.faults = faults }
  package init(_ fault: SyntaxFault) { self.faults = [fault] }

  package var description: String { faults.map(\.description).joined(separator: "\n") }
}
