import Foundation
package import Localization
package import Pipeline
import Synchronization

/// The reports of a dry run, by pipeline. Stages add to the reports while they run.
final class DryRunRecord: Sendable {
  private let entries = Mutex<[String: DryRunReport]>([:])

  func note(_ pipeline: String, _ change: (inout DryRunReport) -> Void) {
    entries.withLock { change(&$0[pipeline, default: DryRunReport()]) }
  }

  func report(of pipeline: String) -> DryRunReport { entries.withLock { $0[pipeline] ?? DryRunReport() } }
}

/// The results of a dry run of one pipeline: its branches, the bundles that vendors have ready, and the changes that a real run would make to the
/// repository, at vendors and at the forge, in order.
package struct DryRunReport: Hashable, Sendable, Encodable {
  /// A watched branch of the remote.
  package struct Branch: Hashable, Sendable, Encodable {
    package var name: String
    package var commit: CommitID
    /// The last commit of the branch in the ledger; `nil` for a new branch.
    package var known: CommitID?
  }

  /// The units that would be sent to a vendor in one language.
  package struct Shipment: Hashable, Sendable, Encodable {
    package var vendor: String
    package var language: LocaleIdentifier
    package var round: String
    package var units: Int
  }

  /// A bundle that a vendor has ready for import.
  package struct Bundle: Hashable, Sendable, Encodable {
    package var vendor: String
    package var reference: String
    package var units: Int
  }

  /// A commit that would be pushed.
  package struct Commit: Hashable, Sendable, Encodable {
    package var id: CommitID
    /// The id of the commit's tree.
    package var tree: String
    package var subject: String
    /// The changes from the first parent to the commit, as `git diff` shows them.
    package var patch: String
  }

  /// A push that would be made.
  package struct Push: Hashable, Sendable, Encodable {
    package var branch: String
    /// The current commit of the branch; `nil` if the branch would be created.
    package var expected: CommitID?
    package var commits: [Commit]
  }

  package var branches: [Branch] = []
  package var shipments: [Shipment] = []
  package var bundles: [Bundle] = []
  package var pushes: [Push] = []
  /// Descriptions of other changes at vendors and forges, one line each.
  package var requests: [String] = []
}
