/// The rules of an import, which depend on who is responsible for its result.
package enum ImportPolicy: Hashable, Sendable {
  /// A person runs the import and reviews the changes. The import writes what Xcode writes, unless that would lose text. A partly returned
  /// translation is completed with the source text as `new` (xcode-formats.md D).
  case asXcode
  /// A round commits the result, and the vendor may still return the rest. Incomplete or empty translations, and units that are not to be
  /// translated, are held.
  case unattended
}
