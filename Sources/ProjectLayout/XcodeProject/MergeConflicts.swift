import Localization
import StructuredText

/// A check for unfinished merges in a file that determines targets or their settings. They are reported as errors.
enum MergeConflicts {
  static func diagnostics(in bytes: [UInt8], at path: TreePath) -> [Diagnostic] {
    TextChecks.conflictFaults(in: bytes).map { fault in
      Diagnostic(
        path: path.text, line: fault.position.line, column: fault.position.column, severity: .error,
        message: fault.message, hint: fault.hint)
    }
  }
}
