/// A password, token or key. Printing, logging or reflecting it shows `<redacted>`.
package struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  private let value: String

  package init(_ value: String) { self.value = value }

  package var description: String { "<redacted>" }
  package var debugDescription: String { "<redacted>" }
  package var customMirror: Mirror { Mirror(self, children: [:]) }

  /// Returns the secret, which must not appear in logs or messages.
  package func reveal() -> String { value }
}
