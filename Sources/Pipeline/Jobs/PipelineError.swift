package import Localization

/// An error of a stage, a person's decision or the configuration. Most errors of vendors, git and the databases have types of their own.
package struct PipelineError: DisposableError, Hashable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// Something does not exist, for example a repository, a branch, a vendor or a round.
    case notFound
    /// The input cannot be read.
    case unreadableInput
    /// The operation was refused by a server, for example by a hook or a protected branch, or is not allowed in the current state.
    case refused
    /// Someone else updated the branch of the remote, or another process updated the ledger, at the same time.
    case moved
    /// Two branches have a conflict that we must not resolve.
    case conflict
    /// One of our invariants is broken, or the ledger does not fit the repository or the pipeline file.
    case inconsistent
    /// The pipeline uses a feature that this version does not have.
    case notBuilt
  }

  package let kind: Kind
  package let operation: String
  package let detail: String
  package let disposition: Disposition
  /// The problems in the user's files that caused the error. They are shown with the error and are not part of its description.
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
