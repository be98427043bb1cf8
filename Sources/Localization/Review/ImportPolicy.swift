/// The rules of an import, which depend on who is responsible for its result.
package enum ImportPolicy: Hashable, Sendable {
  /// A person runs the import and reviews the changes. The import writes the same texts as Xcode, unless a text would be lost or broken. A partly
  /// returned translation is completed with the source text as `new` (xcode-formats.md D).
  case asXcode
  /// A round commits the result without a review by a person, and the vendor may still return missing forms. Incomplete or empty translations, and
  /// units that are marked as not translatable, are held.
  case unattended
}
