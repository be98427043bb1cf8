import Localization

/// Faults of files in revisions. Commands that compare two revisions report which revision has the fault.
enum RevisionFault {
  /// - Parameter hint: a hint in place of the diagnostic's own hint.
  static func make(_ diagnostic: Diagnostic, at revision: String, hint: String? = nil) -> Diagnostic {
    Diagnostic(
      path: diagnostic.path, line: diagnostic.line, column: diagnostic.column, severity: diagnostic.severity,
      message: message(
        "at %1$@: %2$@", revision, diagnostic.message, comment: "A fault of a file: a revision, and the fault there."),
      hint: hint ?? diagnostic.hint)
  }
}
