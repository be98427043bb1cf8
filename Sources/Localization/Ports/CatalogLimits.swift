/// How many languages a catalog may have, and how long the tag of one may be.
///
/// Reports and exports do work for every key in every language, so a file of 1 MB with 10,000 languages and 10,000 keys would ask for 10^8
/// units of work. The largest public projects have about 300 languages.
package enum CatalogLimits {
  package static let languages = 500
  /// In UTF-8 bytes. Well-formed tags have at most 35.
  package static let tagBytes = 64
}
