/// The glossary file of a pipeline.
package struct SharedGlossary: Sendable {
  package let glossary: Glossary
  /// SHA-256 of the file.
  package let digest: String

  package init(glossary: Glossary, digest: String) {
    self.glossary = glossary
    self.digest = digest
  }
}
