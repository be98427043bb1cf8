import FoundationEssentials
package import Localization
package import Pipeline
import Testing

/// The guarantees of every store. A store's own test file runs each check on a new, empty store.
package enum StoreConformance {
  package typealias Check = (name: String, run: @Sendable (any Store, TestClock) async throws -> Void)

  package static let checks: [Check] =
    jobChecks + planningChecks + ledgerChecks + routeChecks + pendingWorkChecks + upkeepChecks + formerNameChecks

  package static let pipeline = "birds"
  static let now = Date(timeIntervalSince1970: 1_700_000_000)
  package static func commit(_ digit: Character) -> CommitID { CommitID(rawValue: String(repeating: digit, count: 40)) }

  /// Returns a round that sends these keys to one vendor, in German and Ukrainian.
  package static func round(_ keys: [UnitKey], text: String = "", vendor: String = "v") -> PlannedRound {
    PlannedRound(
      created: now,
      shipments: ["de", "uk"].map { language in
        PlannedShipment(
          vendor: vendor, language: LocaleIdentifier(language), sourceLanguage: "en",
          sentUnits: keys.map { key in
            PlannedUnit(
              unit: UnitID(catalog: "L.xcstrings", key: key), pin: SourcePin(canonical: key.text + text),
              source: nil, baseline: Translation("alt", state: .needsReview), commit: commit("a"), author: "A")
          })
      })
  }

  static func total(_ store: any Store) async throws -> Books {
    var sum = Books(vendor: "", language: "")
    for books in try await store.rounds(of: pipeline).flatMap(\.books) {
      #expect(books.isBalanced)
      sum.sent += books.sent
      sum.returned += books.returned
      sum.outstanding += books.outstanding
      sum.withdrawn += books.withdrawn
      sum.superseded += books.superseded
    }
    return sum
  }

  package static func bundle(
    _ store: any Store, keys: [UnitKey], of pipeline: String = pipeline, digest: String = "d1", isFinished: Bool = true
  ) async throws -> NewBundle {
    let records = try await store.sentUnits(of: pipeline, vendor: "v", language: "de", keys: Set(keys))
    return NewBundle(
      vendor: "v", reference: "b.zip", digest: digest, received: now, review: nil,
      returnedUnits: keys.map { key in
        let record = records.last { $0.unit.key == key }
        return NewReturnedUnit(
          unit: UnitID(catalog: "L.xcstrings", key: key), language: "de",
          units: [ExchangeUnit(key: key, source: .text(key.text), target: ExchangeTarget(.text("Ü")))],
          sentUnit: record?.id, source: record?.source, isFinished: isFinished)
      })
  }
}

extension StoreConformance {
  /// Fills a store with a head, jobs, two rounds with three outstanding units, a bundle, and a delivery.
  package static func fill(_ store: any Store) async throws {
    let heads = try await store.adopt([head()], of: pipeline)
    try await store.record([.compared(heads.map(\.id))], of: pipeline)
    _ = try await arm(store, plan(.pull, "v"), plan(.extract, "main"))
    _ = try await claim(store, limit: 1)
    try await store.record([.plan(round(["a", "b"]))], of: pipeline)
    try await store.record([.receive(bundle(store, keys: ["a"]))], of: pipeline)
    try await store.record([.plan(round([], vendor: "w"))], of: pipeline)
    let returned = try await store.returnedUnits(of: pipeline, branch: "main")
    let delivery = NewDelivery(
      source: commit("a"), target: "l10n/main", expected: nil, base: commit("a"), commits: [commit("c")], units: 1,
      created: now, replaces: [],
      outcomes: returned.map {
        BranchOutcome(returnedUnit: $0.id, state: .delivered, reviewed: commit("a"), reason: nil, translation: nil)
      })
    try await store.record([.deliver(delivery, branch: "main")], of: pipeline)
  }
}
