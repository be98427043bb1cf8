package import Localization

/// An error of a stage, except errors of vendors, git and the store, which have their own types.
package struct PipelineError: DisposableError, Hashable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// The repository, branch or revision does not exist.
    case notFound
    /// The input cannot be read.
    case unreadableInput
    /// The operation was refused, for example by a hook, missing permissions or a protected branch.
    case refused
    /// Someone else updated the branch of the remote.
    case moved
    /// Two branches have a conflict that we must not resolve.
    case conflict
    /// One of our invariants is broken.
    case inconsistent
    /// The pipeline uses a feature that is not implemented yet.
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
