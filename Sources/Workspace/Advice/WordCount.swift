/// The size of texts in words, the unit by which translators are paid.
package enum WordCount {
  /// Returns the number of words of a text, without placeholders, links and paths.
  package static func words(in text: String) -> Int { SourceWords(text).words.count }
}
