/// Something that a check found in a translation.
///
/// An error is what breaks at run time or loses what the text says, so that an import holds the translation; a warning is for a person to
/// look at.
package struct CheckFinding: Hashable, Sendable {
  package let severity: Diagnostic.Severity
  /// The form that is meant.
  package let path: VariationPath
  /// Lower case, without a full stop.
  package let message: String

  package init(_ severity: Diagnostic.Severity, at path: VariationPath = .root, _ message: String) {
    self.severity = severity
    self.path = path
    self.message = message
  }
}
