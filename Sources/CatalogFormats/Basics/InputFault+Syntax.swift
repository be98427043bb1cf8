package import Localization
package import StructuredText

extension Diagnostic {
  /// A syntax fault of a file.
  package init(_ fault: SyntaxFault, path: String) {
    self.init(
      path: path, line: fault.position.line, column: fault.position.column, severity: .error, message: fault.message,
      hint: fault.hint)
  }
}

extension InputFault {
  /// All syntax faults of a file.
  package init(_ error: SyntaxError, path: String) { self.init(error.faults.map { Diagnostic($0, path: path) }) }
}
