/// The maximum numbers of languages in a catalog and of forms of a text, and the maximum length of a language tag.
///
/// Reports and exports process each key in each language, so a file of 1 MB with 10,000 languages and 10,000 keys would cause 10^8 steps.
/// The largest public projects have about 300 languages.
package enum CatalogLimits {
  package static let languages = 500
  /// The maximum number of forms of one text in one language, including the forms of its substitutions. It is limited because a review
  /// compares the forms with each other. A text with six plural forms for each of seven devices has 42 forms.
  package static let forms = 200
  /// The maximum length of a language tag in UTF-8 bytes. Well-formed tags have at most 35 bytes.
  package static let tagBytes = 64

  /// Returns the message about a tag that is too long.
  package static func longTag(_ length: Int) -> String {
    "a language tag has \(length) bytes; the limit is \(tagBytes)"
  }
}
