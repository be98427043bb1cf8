package import Localization
import Pipeline
internal import Synchronization

/// The kinds of bundles that a vendor returns.
package enum ReturnStyle: String, Hashable, Sendable, CaseIterable {
  /// All open texts of one vendor job.
  case all
  /// Some of the open texts of one vendor job.
  case part
  /// Texts with a different source text or an unknown key.
  case wrong
  /// A bundle that was returned before.
  case twice
  /// Another translation of a text that was returned before.
  case secondThought
  /// Texts of a vendor job, in a language that this vendor was not asked to translate into.
  case foreign
  /// The source texts as translations.
  case unchanged
  /// Texts that were withdrawn.
  case withdrawn
  /// Empty or missing targets, and unfinished states.
  case unfinished
}

extension VendorServer {
  /// Makes a bundle from texts that the pipeline sent, or returns an acknowledged bundle again.
  /// - Returns: a description of the bundle for the log; `nil` if there are no texts for the style.
  package func makeReturn(
    _ style: ReturnStyle, to pipeline: String, foreign: [LocaleIdentifier], random: inout SeededRandom
  ) -> String? {
    if style == .twice { return bringAgain(pipeline, &random) }
    let jobs = state.withLock { $0.jobs.filter { $0.key.pipeline == pipeline } }.sorted { $0.key < $1.key }
    let candidates = jobs.filter { !texts(of: $0.value, for: style).isEmpty }
    guard let (name, job) = random.pick(candidates) else { return nil }
    var chosen = texts(of: job, for: style)
    if style == .part || style == .secondThought || style == .wrong {
      let count = random.number(in: 1...max(1, chosen.count / 2))
      chosen = Array(chosen.shuffled(using: &random).prefix(count)).sorted { $0.unit < $1.unit }
    }
    var language = name.language
    if style == .foreign {
      guard let other = random.pick(foreign.filter { $0 != name.language }) else { return nil }
      language = other
    }
    let returns = chosen.map { make($0, style, language, &random) }
    let delay = Duration.seconds(random.chance(20) ? 30 : 0)
    // An unfinished bundle answers only the texts that the translator finished.
    let answers = style == .unfinished ? returns.filter(\.returned.isAnswer) : returns
    let reference = state.withLock { state in
      if style != .withdrawn {
        state.jobs[name]?.returned.formUnion(returns.filter(\.returned.isAnswer).map(\.unit))
      }
      // A new return replaces an earlier correction.
      for made in returns { state.corrected[TextAtVendor(made.returned.sent)] = nil }
      let reference = "\(pipeline)-\(name.round)-\(language)-\(state.bundles.count)"
      let text = reference + returns.map { "\($0.unit) \($0.exchange)" }.joined(separator: "\n")
      let content = ReturnedBundle(
        reference: reference, digest: ContentDigest.hexadecimal(of: Array(text.utf8)), files: files(returns, language))
      state.bundles.append(
        Bundle(
          pipeline: pipeline, content: content, ready: time.elapsed + delay, job: name,
          texts: answers.map(\.returned.sent)))
      return reference
    }
    report(.returned(pipeline: pipeline, returns.map(\.returned)))
    return "\(reference) (\(returns.count) texts)"
  }

  private struct Made {
    var unit: UnitID
    var exchange: ExchangeUnit
    var returned: ReturnedText
  }

  private func texts(of job: Job, for style: ReturnStyle) -> [SentText] {
    switch style {
    case .all, .part, .unchanged, .unfinished, .foreign: job.open
    case .wrong: job.texts
    case .secondThought: job.texts.filter { job.returned.contains($0.unit) }
    case .withdrawn: job.texts.filter { job.withdrawn.contains($0.unit) }
    case .twice: []
    }
  }

  private func make(
    _ sent: SentText, _ style: ReturnStyle, _ language: LocaleIdentifier, _ random: inout SeededRandom
  ) -> Made {
    let number = state.withLock { state in
      state.texts += 1
      return state.texts
    }
    var sent = sent
    var text = style == .unchanged ? sent.source : "\(name) \(number) \(language) for \(sent.source)"
    var target: ExchangeTarget? = ExchangeTarget(.text(text), state: "translated")
    // A withdrawn text also counts as an answer, because it can be used if its unit is needed again.
    var isAnswer = [.all, .part, .unchanged, .withdrawn].contains(style)
    if style == .unfinished {
      let way = random.below(3)
      isAnswer = way == 0
      if way == 0 { text = "" }
      target = way == 2 ? nil : ExchangeTarget(.text(text), state: way == 1 ? "needs-translation" : "translated")
    }
    if style == .wrong {
      if random.chance(50) {
        sent.unit = UnitID(catalog: sent.unit.catalog, key: UnitKey("Unknown \(number)"))
      } else {
        sent.source = "Another source \(number)"
      }
    }
    if style == .foreign {
      sent.language = language
      sent.baseline = nil
    }
    let isExpected = [.all, .part, .unchanged, .secondThought].contains(style)
    return Made(
      unit: sent.unit, exchange: ExchangeUnit(key: sent.unit.key, source: .text(sent.source), target: target),
      returned: ReturnedText(vendor: name, sent: sent, text: text, isExpected: isExpected, isAnswer: isAnswer))
  }

  private func files(_ returns: [Made], _ language: LocaleIdentifier) -> [ExchangeFile] {
    Dictionary(grouping: returns, by: \.unit.catalog).sorted { $0.key < $1.key }.map { catalog, made in
      ExchangeFile(
        original: catalog.text, sourceLanguage: "en", targetLanguage: language, units: made.map(\.exchange))
    }
  }

  private func bringAgain(_ pipeline: String, _ random: inout SeededRandom) -> String? {
    state.withLock { state in
      let places = state.bundles.indices.filter {
        state.bundles[$0].pipeline == pipeline && state.bundles[$0].isAcknowledged
          // A vendor that keeps texts returns only their current version.
          && !state.bundles[$0].texts.contains { state.corrected[TextAtVendor($0)] != nil }
      }
      guard let place = random.pick(places) else { return nil }
      state.bundles[place].isAcknowledged = false
      return state.bundles[place].content.reference
    }
  }
}
