/// A glossary. Vendors that support glossaries receive it, and returned texts are compared with it.
package struct GlossarySettings: Hashable, Sendable {
  /// What happens to a returned text that lacks the required translation of a term.
  package enum Missing: String, Hashable, Sendable, CaseIterable {
    case report, hold
  }

  /// The path of a TBX or CSV file.
  package var file: String
  package var missing: Missing

  package init(file: String, missing: Missing = .report) {
    self.file = file
    self.missing = missing
  }
}
