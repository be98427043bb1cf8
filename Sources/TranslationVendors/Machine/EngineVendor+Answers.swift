internal import Localization

/// One file of an outstanding shipment, prepared for an engine.
struct EngineJob {
  var file: ExchangeFile
  /// The engine's code of the target language.
  var code: String
  var round: String
  /// The catalog, reduced to the source language.
  var content: [UInt8]?
}

extension EngineVendor {
  /// Translates the texts of a file. Only texts without a stored answer or refusal are sent to the engine.
  /// - Parameter wanted: collects the keys of all translatable texts of the file, also of texts that are not sent to the engine.
  /// - Returns: a file with the units whose forms all have answers, or `nil` if there are no such units; and the refused units with the reasons.
  func answer(
    _ job: EngineJob, _ diagnostics: inout [Diagnostic], _ wanted: inout Set<EngineRefusals.Key>
  ) async throws -> (file: ExchangeFile?, refused: [UnitID: String]) {
    var texts: [Int: String] = [:]
    var missing: [EngineText] = []
    var refused: Set<UnitKey> = []
    let all = job.file.units.enumerated().compactMap { EngineText(index: $0, unit: $1, job, engine.fingerprint) }
    for text in all {
      wanted.insert(text.key)
      guard let reason = try refusals.reason(for: text.key) else { continue }
      refused.insert(text.unit.key)
      report(text, reason, &diagnostics)
    }
    // Units are returned as a whole. If one form was refused, the unit's other forms are not requested.
    for text in all where !refused.contains(text.unit.key) {
      if let known = try answers.text(for: text.place, in: job.code) {
        texts[text.index] = known
      } else {
        missing.append(text)
      }
    }
    do {
      try await translate(missing, job, into: &texts, &diagnostics)
    } catch let error as VendorError where error.kind == .limitReached {
      // The texts that are already translated are returned. The other texts are tried again with each pull, until a person raises the limit or the
      // service renews the account's quota.
      warn(error.description, &diagnostics)
    }
    let incomplete = Set(all.filter { texts[$0.index] == nil }.map(\.unit.key))
    for text in all where texts[text.index] != nil && incomplete.contains(text.unit.key) {
      texts[text.index] = nil
      try answers.retain(text.place, in: job.code)
    }
    var answered = job.file
    answered.units = texts.sorted { $0.key < $1.key }.map { index, text in
      var unit = job.file.units[index]
      unit.target = ExchangeTarget(
        .text(text), state: settings.arrivesTranslated ? "translated" : "needs-review-translation",
        stateQualifier: settings.arrivesTranslated ? nil : ExchangeTarget.takenForReview)
      return unit
    }
    var reasons: [UnitID: String] = [:]
    for text in all {
      guard let reason = try refusals.reason(for: text.key) else { continue }
      reasons[UnitID(catalog: TreePath(trusted: job.file.original), key: text.unit.key)] = reason
    }
    return (answered.units.isEmpty ? nil : answered, reasons)
  }

  /// Requests translations batch by batch. The answers to a request are stored on disk before the next request is sent.
  private func translate(
    _ missing: [EngineText], _ job: EngineJob, into texts: inout [Int: String], _ diagnostics: inout [Diagnostic]
  ) async throws {
    guard !missing.isEmpty else { return }
    let catalog = CatalogContext(job.file, content: job.content)
    for start in stride(from: 0, to: missing.count, by: engine.batchSize) {
      try Task.checkCancellation()
      let batch = missing[start..<min(start + engine.batchSize, missing.count)]
      let requests = batch.map { text in
        EngineRequest(
          unit: UnitID(catalog: TreePath(trusted: job.file.original), key: text.unit.key), path: text.unit.path,
          source: text.source, comment: text.unit.note,
          context: catalog.context(of: text.unit.key, round: job.round, language: job.file.targetLanguage))
      }
      try await engine.translate(requests, from: job.file.sourceLanguage, to: job.code) { found in
        for (index, answer) in found.sorted(by: { $0.key < $1.key }) {
          let text = batch[start + index]
          switch answer {
          case .text(let words):
            try answers.keep(words, for: text.place, in: job.code)
            texts[text.index] = words
          case .refused(let reason):
            try refusals.keep(reason, for: text.key)
            report(text, reason, &diagnostics)
          case .silent(let reason):
            let times = try refusals.noteSilence(for: text.key)
            guard times >= EngineRefusals.mostSilences else {
              warn("\(text.unit.key.text.debugDescription) is not translated yet: \(reason)", &diagnostics)
              break
            }
            let refusal = "\(reason), \(times) times"
            try refusals.keep(refusal, for: text.key)
            report(text, refusal, &diagnostics)
          case .postponed(let reason):
            warn("\(text.unit.key.text.debugDescription) is not translated yet: \(reason)", &diagnostics)
          }
        }
        try answers.sync()
        try refusals.sync()
      }
    }
  }

  private func report(_ text: EngineText, _ reason: String, _ diagnostics: inout [Diagnostic]) {
    guard refusals.isNews(text.key) else { return }
    warn("\(text.unit.key.text.debugDescription) was not translated: \(reason)", &diagnostics)
  }
}

/// A form of a unit that an engine translates.
private struct EngineText {
  /// The position of the unit in the file.
  var index: Int
  var unit: ExchangeUnit
  var source: String
  var key: EngineRefusals.Key
  var place: EngineAnswers.Source {
    EngineAnswers.Source(source, catalog: key.catalog, context: key.context)
  }

  /// - Returns: `nil` for units that are not translatable, empty texts and lists of phrases.
  init?(index: Int, unit: ExchangeUnit, _ job: EngineJob, _ fingerprint: String) {
    guard unit.isTranslatable, case .text(let source)? = unit.source, !source.isEmpty else { return nil }
    self.index = index
    self.unit = unit
    self.source = source
    key = EngineRefusals.Key(
      catalog: job.file.original, language: job.code,
      context: ExchangeIdentifier.text(key: unit.key, path: unit.path), source: source, fingerprint: fingerprint)
  }
}
