import Localization
internal import Synchronization

/// The identity of a text that a vendor keeps: a unit with its source text, in one language.
struct TextAtVendor: Hashable {
  var unit: UnitID
  var language: LocaleIdentifier
  var source: String

  init(_ text: SentText) {
    unit = text.unit
    language = text.language
    source = text.source
  }

  init(unit: UnitID, language: LocaleIdentifier, source: String) {
    self.unit = unit
    self.language = language
    self.source = source
  }
}

extension VendorServer {
  /// Whether texts were corrected after they were returned.
  var hasCorrections: Bool { state.withLock { !$0.corrected.isEmpty } }

  /// Simulates a person who corrects some of the texts that a pipeline has accepted.
  /// - Returns: a description for the log; `nil` if there are no such texts, or if the vendor does not keep texts.
  package func correct(of pipeline: String, random: inout SeededRandom) -> String? {
    guard manner.keepsTexts else { return nil }
    let texts = state.withLock { state in
      let waiting = Set(
        state.bundles.filter { $0.pipeline == pipeline && !$0.isAcknowledged }.flatMap(\.texts).map(TextAtVendor.init))
      return state.jobs.filter { $0.key.pipeline == pipeline }.sorted { $0.key < $1.key }.flatMap { _, job in
        job.texts.filter { job.returned.contains($0.unit) && !job.withdrawn.contains($0.unit) }
      }.filter { !waiting.contains(TextAtVendor($0)) }
    }
    guard !texts.isEmpty else { return nil }
    let count = random.number(in: 1...max(1, texts.count / 2))
    let chosen = Array(texts.shuffled(using: &random).prefix(count)).sorted { $0.unit < $1.unit }
    let corrected = state.withLock { state in
      chosen.map { sent in
        state.texts += 1
        let text = "\(name) \(state.texts) \(sent.language) corrected for \(sent.source)"
        state.corrected[TextAtVendor(sent)] = text
        return ReturnedText(
          vendor: name, sent: sent, text: text, isExpected: false, isAnswer: false, isCorrection: true)
      }
    }
    report(.returned(pipeline: pipeline, corrected))
    return "\(corrected.count) texts"
  }

  /// Returns the corrected texts of these units that differ from the returned texts.
  func corrections(of parts: [OutstandingWork.Part]) -> PullResult {
    let corrected = state.withLock { $0.corrected }
    return PullResult(
      bundles: parts.compactMap { part in
        let files = part.shipment.files.compactMap { file in
          var file = file
          file.units = file.units.compactMap { unit in
            guard let path = TreePath(checking: file.original), case .text(let source)? = unit.source,
              let text = corrected[
                TextAtVendor(
                  unit: UnitID(catalog: path, key: unit.key), language: file.targetLanguage, source: source)],
              unit.target?.text != .text(text)
            else { return nil }
            var unit = unit
            unit.target = ExchangeTarget(.text(text), state: "translated")
            return unit
          }
          return file.units.isEmpty ? nil : file
        }
        guard !files.isEmpty else { return nil }
        let content = files.map { "\($0.original) \($0.units)" }.joined(separator: "\n")
        return ReturnedBundle(
          reference: part.receipt.reference, digest: ContentDigest.hexadecimal(of: Array(content.utf8)), files: files)
      })
  }
}
