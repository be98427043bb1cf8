package import FoundationEssentials
package import Localization

/// The place of a missing translation, according to the ledger.
package enum Whereabouts: Hashable, Sendable {
  case neverSent
  /// The unit is in a round that the vendor has not accepted yet.
  case planned(vendor: String, round: Int)
  case out(vendor: String, round: Int, since: Date)
  case held(vendor: String, reason: String)
  /// The translation is in a delivery, but not yet on the watched branch.
  case delivered(target: String)
  /// The translation was returned, but is neither held nor in an open delivery, for example because it is not reviewed yet.
  case returned(vendor: String)
  /// The unit was withdrawn or superseded, for example because its round was cancelled or no branch had it any more.
  case withdrawn(vendor: String)

  /// Returns one line of text, in English.
  /// - Parameters:
  ///   - pipeline: the name of the pipeline, which is part of the round's name.
  ///   - isProposed: whether deliveries are pull requests.
  package func text(in pipeline: String, isProposed: Bool) -> String {
    switch self {
    case .neverSent: "never sent"
    case .planned(let vendor, let round): "in \(pipeline)#\(round), not yet accepted by \(vendor)"
    case .out(let vendor, let round, let since):
      "out at \(vendor) since \(since.formatted(.iso8601.year().month().day())) (\(pipeline)#\(round))"
    case .held(_, let reason): "returned and held: \(reason)"
    case .delivered(let target): isProposed ? "in a pull request from \(target)" : "delivered to \(target), not merged"
    case .returned(let vendor): "returned by \(vendor), not merged yet"
    case .withdrawn(let vendor): "withdrawn from \(vendor)"
    }
  }
}

extension UnitHistory {
  /// Returns where the translation of a source text is.
  /// - Parameters:
  ///   - text: the source text. If it has several forms, they are separated by line breaks.
  ///   - branch: the watched branch that lacks the translation; `nil` for any branch.
  package func whereabouts(of language: LocaleIdentifier, text: String, on branch: String?) -> Whereabouts {
    guard let version = versions.last(where: { $0.text.isExactly(text) }) else { return .neverSent }
    let sent = version.sent.last { $0.language == language }
    if let sent, sent.state == .outstanding {
      return sent.time.map { .out(vendor: sent.vendor, round: sent.round, since: $0) }
        ?? .planned(vendor: sent.vendor, round: sent.round)
    }
    if let returned = version.returned.last(where: { $0.language == language }) {
      let outcomes = returned.outcomes.filter { branch == nil || $0.branch == branch }
      if let held = outcomes.first(where: { $0.state == .held }) {
        return .held(vendor: returned.vendor, reason: held.reason?.sentence ?? "no reason is known")
      }
      if let delivery = outcomes.first(where: { $0.state == .delivered })?.delivery {
        return .delivered(target: delivery.target)
      }
      return .returned(vendor: returned.vendor)
    }
    guard let sent else { return .neverSent }
    return sent.state == .returned ? .returned(vendor: sent.vendor) : .withdrawn(vendor: sent.vendor)
  }

  /// Returns the commit that added a source text; `nil` if the ledger does not know this commit.
  package func provenance(of text: String) -> Provenance? {
    versions.last { $0.text.isExactly(text) }?.provenance
  }
}
