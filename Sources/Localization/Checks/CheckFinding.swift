/// A problem that a check found in a translation.
///
/// An error means that the text would be broken or incomplete at run time. A person should look at a warning. A note needs no action.
package struct CheckFinding: Hashable, Sendable {
  package let severity: Diagnostic.Severity
  /// The form that has the problem.
  package let path: VariationPath
  /// A message about the problem, in lower case and without a full stop.
  package let message: String

  package init(_ severity: Diagnostic.Severity, at path: VariationPath = .root, _ message: String) {
    self.severity = severity
    self.path = path
    self.message = message
  }
}
