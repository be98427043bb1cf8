/// What the pull request of a delivery branch proposed when its text was written last. If a person closes it, a part of that is nothing new.
package struct ProposedContent: Hashable, Sendable {
  /// The text in the pull request's body that identifies the whole content.
  package var mark: String
  /// Digests of its parts: translations, and lines that sync changes in catalogs.
  package var parts: Set<String>

  package init(mark: String, parts: Set<String>) {
    self.mark = mark
    self.parts = parts
  }
}
