import Localization

/// Detects repeated returns without changes. A vendor from which held texts are requested again (`isAskedAgain`) returns the same text
/// until somebody corrects it.
enum RepeatedReturns {
  /// The new content of a bundle.
  struct News {
    fileprivate(set) var units: [NewReturnedUnit]
    /// The newest earlier returns of those units that were already returned with other texts or states.
    fileprivate var replaced: [ReturnedUnitID] = []
    /// Whether a unit has other texts or states than its newest earlier return.
    var hasReplaced: Bool { !replaced.isEmpty }

    /// Returns the digest under which the bundle is recorded. If somebody corrects a text and later undoes the correction, the same content
    /// is new again.
    func digest(of content: String) -> String {
      guard !replaced.isEmpty else { return content }
      var digest = ContentDigest()
      digest.update(text: content)
      for id in replaced.sorted() { digest.update(text: "\(id.rawValue)") }
      return digest.finishHexadecimal()
    }
  }

  /// Returns the units, except units that were already returned and have the same texts and states as their newest return. A person's edit
  /// of that return is ignored: the vendor does not have the edited text, and returns its own text again.
  static func news(
    in units: [NewReturnedUnit], of vendor: String, sent: [LocaleIdentifier: [SentUnitRecord]],
    _ context: PipelineContext
  ) async throws -> News {
    let done = Set(sent.values.joined().filter { $0.state == .returned }.map(\.id))
    let repeated = units.filter { $0.sentUnit.map(done.contains) ?? false }
    guard !repeated.isEmpty else { return News(units: units) }
    var newest: [SourceInLanguage: EarlierReturn] = [:]
    let sources = Set(repeated.compactMap(\.source)).sorted()
    for earlier in try await context.store.earlierReturns(of: context.name, for: sources)
    where earlier.vendor == vendor && !earlier.isEdited {
      newest[SourceInLanguage(source: earlier.source, language: earlier.language)] = earlier
    }
    var news = News(units: [])
    for unit in units {
      guard let id = unit.sentUnit, done.contains(id), let source = unit.source,
        let earlier = newest[SourceInLanguage(source: source, language: unit.language)]
      else {
        news.units.append(unit)
        continue
      }
      guard !unit.units.haveSameAnswers(as: earlier.units) else { continue }
      news.units.append(unit)
      news.replaced.append(earlier.id)
    }
    return news
  }
}
