/// The size of texts, as translators are paid for it.
package enum WordCount {
  /// Returns the number of words of a text, without placeholders, links and paths.
  package static func words(in text: String) -> Int { SourceWords(text).words.count }
}
