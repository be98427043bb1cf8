/// A problem that a check found in a translation.
///
/// An error breaks at run time or loses information, so import holds the translation. A warning should be looked at by a person.
package struct CheckFinding: Hashable, Sendable {
  package let severity: Diagnostic.Severity
  /// The form that has the problem.
  package let path: VariationPath
  /// Lower case, without a full stop.
  package let message: String

  package init(_ severity: Diagnostic.Severity, at path: VariationPath = .root, _ message: String) {
    self.severity = severity
    self.path = path
    self.message = message
  }
}
