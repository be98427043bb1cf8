import Localization

/// Earlier returns for the same source texts, on any branch.
///
/// A text of the catalog that was not there when a unit was sent is usually a person's, so the return is held. But it may be an earlier
/// return of ours that came to the branch by a way that the ledger has no outcome for: a release branch begins with the drafts of the main
/// branch, and a person's merge may keep an older return. A later return may replace those.
struct EarlierReturns {
  private var records: [SourceInLanguage: [EarlierReturn]] = [:]

  init() {}

  init(_ returns: [EarlierReturn]) {
    records = Dictionary(grouping: returns) { SourceInLanguage(source: $0.source, language: $0.language) }
  }

  /// Reads the returns for the units whose text in the snapshot is neither the one that was sent nor the branch's own.
  static func find(
    for units: [ReturnedUnit], in snapshot: Snapshot, _ renames: [TreePath: TreePath], _ context: PipelineContext
  ) async throws -> EarlierReturns {
    let sources = units.compactMap { unit -> SourceID? in
      let here = renames.name(of: unit.unit, in: snapshot)
      guard let export = unit.export,
        let current = snapshot.synced[here.catalog]?.entries[here.key]?.translations[unit.language],
        current.digest != export.translation?.digest, !unit.isStanding(current)
      else { return nil }
      return unit.source
    }
    guard !sources.isEmpty else { return EarlierReturns() }
    return EarlierReturns(try await context.store.earlierReturns(of: context.name, for: Set(sources).sorted()))
  }

  /// Whether a text of the catalog is an earlier return for the unit's source text that its own translation may replace.
  func mayReplace(
    _ current: Translation, by unit: ReturnedUnit, _ routes: VendorRoutes, _ renames: [TreePath: TreePath]
  ) -> Bool {
    guard let source = unit.source,
      let rivals = records[SourceInLanguage(source: source, language: unit.language)]
    else { return false }
    let route = routes.route(for: unit.language, of: renames.newest(of: unit.unit.catalog))
    return rivals.contains { rival in
      rival.id != unit.id && rival.isWhole(current)
        && !route.keeps(
          rival.vendor, isFinished: current.isFinished, isNewer: rival.id > unit.id, against: unit.vendor)
    }
  }
}

extension EarlierReturn {
  /// Whether a translation consists of exactly the returned texts. A draft whose state a person changed to translated does not count.
  fileprivate func isWhole(_ translation: Translation) -> Bool {
    let leaves = translation.leaves.filter { !$0.leaf.words.isEmpty }
    return !leaves.isEmpty
      && leaves.allSatisfy { path, leaf in
        units.contains { unit in
          guard unit.path == path, let target = unit.target, leaf.words.isExactly(target.text) else { return false }
          return leaf.state != .translated || target.finishedState == .translated
        }
      }
  }
}

extension Translation {
  /// Whether none of its forms has a text.
  var hasNoText: Bool { leaves.allSatisfy { $0.leaf.words.isEmpty } }

  /// Whether it has a text and all its forms are translated; otherwise some are missing, or need review.
  var isFinished: Bool {
    let leaves = leaves
    return !leaves.isEmpty && leaves.allSatisfy { $0.leaf.state == .translated && !$0.leaf.words.isEmpty }
  }
}
