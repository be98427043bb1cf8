/// A password, token or key. However it is printed, logged or reflected, it reads `<redacted>`.
package struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  private let value: String

  package init(_ value: String) { self.value = value }

  package var description: String { "<redacted>" }
  package var debugDescription: String { "<redacted>" }
  package var customMirror: Mirror { Mirror(self, children: [:]) }

  /// Hands the secret itself to the one place that sends it.
  package func reveal() -> String { value }
}
