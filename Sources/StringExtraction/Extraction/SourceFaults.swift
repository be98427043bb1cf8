import Localization
import StructuredText

extension NonSwiftReading {
  /// A file that could not be read: each fault a diagnostic with its place, and a gap of the catalog that its strings go to.
  /// - Parameter kind: what the file is, with its article: `an interface file`.
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
