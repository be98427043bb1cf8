package import Localization
package import StructuredText

extension Diagnostic {
  /// A fault of a file's syntax.
  package init(_ fault: SyntaxFault, path: String) {
    self.init(
      path: path, line: fault.position.line, column: fault.position.column, severity: .error, message: fault.message,
      hint: fault.hint)
  }
}

extension InputFault {
  /// All faults of a file's syntax.
  package init(_ error: SyntaxError, path: String) { self.init(error.faults.map { Diagnostic($0, path: path) }) }
}
