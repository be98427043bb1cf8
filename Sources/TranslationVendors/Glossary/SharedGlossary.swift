package import Localization

/// The glossary file of a pipeline.
package struct SharedGlossary: Sendable {
  package let glossary: Glossary
  /// The SHA-256 of the file.
  package let digest: String
  /// The reasons why parts of the file are left out: entries, terms or languages.
  package let skipped: [Diagnostic]

  package init(glossary: Glossary, digest: String, skipped: [Diagnostic] = []) {
    self.glossary = glossary
    self.digest = digest
    self.skipped = skipped
  }
}
