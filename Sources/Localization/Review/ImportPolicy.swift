/// Who is responsible for the result of an import.
package enum ImportPolicy: Hashable, Sendable {
  /// A person runs the import and reviews the changes. The import writes what Xcode writes, unless that would lose text. A partly returned
  /// translation is completed with the source text as `new` (xcode-formats.md D).
  case asXcode
  /// A round commits the result, and the vendor may still return the rest. Parts of a translation, empty translations, and texts that are
  /// not translatable are held.
  case unattended
}
