/// A text of a file that is itself localized: a storyboard, a xib, an intent definition.
package struct SourceText: Equatable, Sendable {
  /// `abc-12-xyz.title`, or the id of an intent's text (xcode-formats.md G).
  package var key: UnitKey
  package var value: String
  /// What Xcode writes over it in a `.strings` file; intent definitions have none.
  package var comment: String?

  package init(key: UnitKey, value: String, comment: String? = nil) {
    self.key = key
    self.value = value
    self.comment = comment
  }
}

/// Finds the texts of files that are themselves localized: the port that `StringExtraction` meets for the formats of `CatalogFormats`.
package protocol SourceTextReader: Sendable {
  /// - Returns: the texts in the order of the file.
  /// - Throws: why not all of them are known.
  func texts(of bytes: [UInt8], at path: TreePath) throws(InputFault) -> [SourceText]
}
