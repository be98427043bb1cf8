package import Localization
package import StructuredText

extension Diagnostic {
  /// Creates a diagnostic for a syntax fault in a file.
  package init(_ fault: SyntaxFault, path: String) {
    self.init(
      path: path, line: fault.position.line, column: fault.position.column, severity: .error, message: fault.message,
      hint: fault.hint)
  }
}

extension InputFault {
  /// Creates a fault from all syntax faults of a file.
  package init(_ error: SyntaxError, path: String) { self.init(error.faults.map { Diagnostic($0, path: path) }) }
}
