/// A text of a localized file, such as a storyboard, a xib or an intent definition.
package struct SourceText: Equatable, Sendable {
  /// The key: `abc-12-xyz.title`, or the id of an intent's text (xcode-formats.md G).
  package var key: UnitKey
  package var value: String
  /// Xcode's comment for the text in a `.strings` file; `nil` for intent definitions.
  package var comment: String?

  package init(key: UnitKey, value: String, comment: String? = nil) {
    self.key = key
    self.value = value
    self.comment = comment
  }
}

/// Reads the texts of localized files. The formats of `CatalogFormats` implement this protocol for `StringExtraction`.
package protocol SourceTextReader: Sendable {
  /// Returns the texts of a file in the order of the file.
  /// - Throws: if some texts cannot be determined.
  func texts(of bytes: [UInt8], at path: TreePath) throws(InputFault) -> [SourceText]
}
