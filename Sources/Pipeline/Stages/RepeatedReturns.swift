import Localization

/// Returns that bring nothing new. A vendor that is asked for held units (`asksForHeldUnits`) gives the same text until a translator corrects
/// it.
enum RepeatedReturns {
  /// The units without those whose text was returned before, as the newest return of a unit that is not outstanding.
  static func omitted(
    from units: [NewReturnedUnit], of vendor: String, sent: [LocaleIdentifier: [SentUnitRecord]],
    _ context: PipelineContext
  ) async throws -> [NewReturnedUnit] {
    let done = Set(sent.values.joined().filter { $0.state == .returned }.map(\.id))
    let repeated = units.filter { $0.sentUnit.map(done.contains) ?? false }
    guard !repeated.isEmpty else { return units }
    var newest: [SourceInLanguage: [ExchangeUnit]] = [:]
    let sources = Set(repeated.compactMap(\.source)).sorted()
    for earlier in try await context.store.earlierReturns(of: context.name, for: sources) where earlier.vendor == vendor
    {
      newest[SourceInLanguage(source: earlier.source, language: earlier.language)] = earlier.units
    }
    return units.filter { unit in
      guard let id = unit.sentUnit, done.contains(id), let source = unit.source,
        let earlier = newest[SourceInLanguage(source: source, language: unit.language)]
      else { return true }
      return Set(unit.units.map(Answer.init)) != Set(earlier.map(Answer.init))
    }
  }

  private struct Answer: Hashable {
    var path: VariationPath
    var text: ExchangeText?
    var state: String?

    init(_ unit: ExchangeUnit) {
      path = unit.path
      text = unit.target?.text
      state = unit.target?.state
    }
  }
}
