/// Who answers for what an import writes.
package enum ImportPolicy: Hashable, Sendable {
  /// A person imports and looks at the change: what Xcode writes is written, unless words would be lost for it. A
  /// translation that came in part is made whole with the source text, as `new` (xcode-formats.md D).
  case asXcode
  /// A round commits, and the rest is still with the vendor: parts of a translation, empty ones, and texts that are not
  /// to be translated wait.
  case unattended
}
