import Localization

/// Creates diagnostics for commands that compare two revisions. Each message names the revision that has the fault.
enum RevisionFault {
  /// Returns the diagnostic with the revision in its message.
  /// - Parameter hint: a hint in place of the diagnostic's own hint.
  static func make(_ diagnostic: Diagnostic, at revision: String, hint: String? = nil) -> Diagnostic {
    Diagnostic(
      path: diagnostic.path, line: diagnostic.line, column: diagnostic.column, severity: diagnostic.severity,
      message: message(
        "at %1$@: %2$@", revision, diagnostic.message, comment: "A fault of a file: a revision, and the fault there."),
      hint: hint ?? diagnostic.hint)
  }
}
