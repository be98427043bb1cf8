package import FoundationEssentials
package import Localization

/// The history of one string according to the ledger, for display: its source texts with their commits, the vendors, the returned texts and
/// their outcomes.
package struct UnitHistory: Hashable, Sendable, Codable {
  /// One source text with which the string was sent.
  package struct Version: Hashable, Sendable, Codable {
    /// The source text. Forms are separated by line breaks.
    package var text: String
    /// The commit from which this version was last sent.
    package var commit: CommitID
    /// The author of `commit`.
    package var author: String
    /// The commit that added this version, if known.
    package var provenance: Provenance?
    package var sent: [Sent]
    package var returned: [Returned]

    package init(
      text: String, commit: CommitID, author: String, provenance: Provenance?, sent: [Sent] = [],
      returned: [Returned] = []
    ) {
      self.text = text
      self.commit = commit
      self.author = author
      self.provenance = provenance
      self.sent = sent
      self.returned = returned
    }
  }

  package struct Sent: Hashable, Sendable, Codable {
    /// The number of the round in the pipeline.
    package var round: Int
    package var vendor: String
    package var language: LocaleIdentifier
    package var state: SentUnitState
    /// The time when the vendor accepted the shipment; `nil` if the vendor has not accepted it.
    package var time: Date?
    /// The vendor's reason for refusing the unit; `nil` if the vendor did not refuse it.
    package var refusal: String?

    package init(
      round: Int, vendor: String, language: LocaleIdentifier, state: SentUnitState, time: Date?, refusal: String? = nil
    ) {
      self.refusal = refusal
      self.round = round
      self.vendor = vendor
      self.language = language
      self.state = state
      self.time = time
    }
  }

  package struct Returned: Hashable, Sendable, Codable {
    package var vendor: String
    package var language: LocaleIdentifier
    /// The vendor's name for the bundle.
    package var bundle: String
    package var received: Date
    /// The returned texts. Forms are separated by line breaks.
    package var text: String
    package var outcomes: [Outcome]

    package init(
      vendor: String, language: LocaleIdentifier, bundle: String, received: Date, text: String, outcomes: [Outcome] = []
    ) {
      self.vendor = vendor
      self.language = language
      self.bundle = bundle
      self.received = received
      self.text = text
      self.outcomes = outcomes
    }

    /// Returns the time when the text reached a branch: the time of its newest delivery, or of its bundle if the branch already had the
    /// text.
    fileprivate func arrived(with outcome: Outcome) -> Date { max(received, outcome.delivery?.created ?? received) }
  }

  /// The outcome of a returned text on a watched branch.
  package struct Outcome: Hashable, Sendable, Codable {
    package var branch: String
    package var state: BranchOutcome.State
    package var reason: HoldReason?
    /// The newest delivery that contains the text; `nil` if there is none.
    package var delivery: Carrier?

    package init(branch: String, state: BranchOutcome.State, reason: HoldReason?, delivery: Carrier?) {
      self.branch = branch
      self.state = state
      self.reason = reason
      self.delivery = delivery
    }
  }

  package struct Carrier: Hashable, Sendable, Codable {
    /// The branch of the remote.
    package var target: String
    package var commit: CommitID
    package var state: Delivery.State
    package var created: Date

    package init(target: String, commit: CommitID, state: Delivery.State, created: Date) {
      self.target = target
      self.commit = commit
      self.state = state
      self.created = created
    }
  }

  package var pipeline: String
  package var unit: UnitID
  /// The source texts, oldest first.
  package var versions: [Version]
  /// Returned texts for the key that match no sent text.
  package var unmatched: [Returned]
  /// The commits that changed the string, oldest first.
  package var commits: [UnitCommit]

  package init(
    pipeline: String, unit: UnitID, versions: [Version] = [], unmatched: [Returned] = [], commits: [UnitCommit] = []
  ) {
    self.pipeline = pipeline
    self.unit = unit
    self.versions = versions
    self.unmatched = unmatched
    self.commits = commits
  }

  /// Returns whether a branch got another text for the same string and language after the returned text; `false` if the returned text is
  /// not settled on the branch.
  /// - Parameter outcome: the outcome of the returned text on that branch.
  package func isReplaced(_ returned: Returned, with outcome: Outcome) -> Bool {
    guard outcome.state == .settled else { return false }
    let all = versions.flatMap(\.returned) + unmatched
    let newest = all.compactMap { other -> (text: String, arrived: Date)? in
      guard other.language == returned.language,
        let there = other.outcomes.first(where: { $0.branch == outcome.branch && $0.state == .settled })
      else { return nil }
      return (other.text, other.arrived(with: there))
    }.max { $0.arrived < $1.arrived }
    guard let newest else { return false }
    return newest.arrived > returned.arrived(with: outcome) && newest.text != returned.text
  }

  /// Returns the commit that added a version: the commit that was found when the version was sent, or otherwise the newest commit in the
  /// history that gave the string this text. The commit in the history is needed if the history was read only after the version was sent.
  /// `nil` if neither commit is known.
  package func provenance(of version: Version) -> Provenance? {
    version.provenance
      ?? commits.last { [.added, .changed].contains($0.change.kind) && $0.change.text == version.text }.map {
        Provenance(commit: $0.record.commit, author: $0.record.author, seconds: $0.record.seconds)
      }
  }
}
