package import Localization

/// What went wrong on a commit's way, apart from what vendors, git and the store say themselves.
package struct PipelineError: DisposableError, Hashable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// No such repository, branch or revision.
    case notFound
    /// Input that cannot be read.
    case unreadableInput
    /// The remote refused: a hook, rights, a protected branch.
    case refused
    /// Someone else moved the remote's branch.
    case moved
    /// Two branches conflict in what we may not decide.
    case conflict
    /// A rule of our own is broken.
    case inconsistent
    /// The pipeline asks for something that does not exist yet.
    case notBuilt
  }

  package let kind: Kind
  package let operation: String
  package let detail: String
  package let disposition: Disposition
  /// What is wrong in the user's files, where that is the cause: shown beside the error, and not in its description.
  package let diagnostics: [Diagnostic]

  package init(
    _ kind: Kind, operation: String, detail: String, disposition: Disposition, diagnostics: [Diagnostic] = []
  ) {
    self.kind = kind
    self.operation = operation
    self.detail = detail
    self.disposition = disposition
    self.diagnostics = diagnostics
  }

  package var description: String { "cannot \(operation): \(detail)" }
}
