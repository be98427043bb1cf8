import Localization
import StructuredText

extension NonSwiftReading {
  /// Creates the result for a file that could not be parsed. Each fault becomes a gap in `catalog`, or in all catalogs of the target if `catalog` is
  /// `nil`, with the position of the fault.
  /// - Parameter kind: the kind of file, with its article: `an interface file`.
  init(_ error: SyntaxError, reading kind: String, at path: TreePath, catalog: TreePath?) {
    self.init(
      gaps: error.faults.map { fault in
        let reason = Diagnostic(
          path: path.text, line: fault.position.line, column: fault.position.column, severity: .warning,
          message: "cannot read \(kind): \(fault.message); no strings extracted", hint: fault.hint)
        return Gap(reason, catalog: catalog)
      })
  }
}
