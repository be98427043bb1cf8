/// Judges the forms of one text unit in one language together: they are one text.
struct GroupReview {
  let source: SourceForms
  let pin: SourcePin
  /// What the catalog holds in the language.
  let present: Translation?
  let language: LocaleIdentifier
  let isSourceLanguage: Bool
  let shouldTranslate: Bool
  let record: ExportRecord?

  /// A form that nothing speaks against so far.
  private struct Candidate {
    var index: Int
    var path: VariationPath
    var leaf: VariedLeaf
  }

  private var verdicts: [Verdict] = []
  private var candidates: [Candidate] = []

  init(
    source: SourceForms, pin: SourcePin, present: Translation?, language: LocaleIdentifier, isSourceLanguage: Bool,
    shouldTranslate: Bool, record: ExportRecord?
  ) {
    self.source = source
    self.pin = pin
    self.present = present
    self.language = language
    self.isSourceLanguage = isSourceLanguage
    self.shouldTranslate = shouldTranslate
    self.record = record
  }

  /// - Returns: a verdict for each unit in order, and the translation as it is with what is taken; `nil` where nothing
  ///   is.
  mutating func judge(_ units: [ExchangeUnit]) -> (verdicts: [Verdict], translation: Translation?) {
    verdicts = units.map { _ in .held(.noTarget) }
    candidates = []
    let placeholders = PlaceholderCheck(source: source)
    var first: [VariationPath: Int] = [:]
    for (index, unit) in units.enumerated() {
      guard let target = unit.target else { continue }
      if let earlier = first[unit.path] {
        verdicts[index] = .held(.duplicate)
        if units[earlier].target != target { verdicts[earlier] = .held(.duplicate) }
        continue
      }
      first[unit.path] = index
      verdicts[index] = judge(unit, target, placeholders)
    }
    for (index, unit) in units.enumerated() where verdicts[index] == .taken {
      guard let target = unit.target, let state = target.finishedState else { continue }
      let words = Translation.catalogText(target.text, at: unit.path, arguments: knowing(unit.path))
      candidates.append(Candidate(index: index, path: unit.path, leaf: VariedLeaf(words, state: state)))
    }
    holdAllIfSourceChanged()
    let translation = settle()
    // The same target twice is one target: the later one ends as the first did.
    for (index, unit) in units.enumerated() {
      guard let earlier = first[unit.path], earlier != index, let target = unit.target, units[earlier].target == target
      else {
        continue
      }
      verdicts[index] = verdicts[earlier] == .taken ? .unchanged : verdicts[earlier]
    }
    return (verdicts, translation)
  }

  /// The translation that knows the arguments of the substitution that a path leads through.
  private func knowing(_ path: VariationPath) -> Translation {
    guard let present, !present.substitutions.isEmpty else { return source.translation }
    if case .substitution(let name)? = path.steps.first, present.substitutions[name] == nil {
      return source.translation
    }
    return present
  }

  // MARK: One form

  /// `taken` where nothing speaks against the form by itself.
  private func judge(_ unit: ExchangeUnit, _ target: ExchangeTarget, _ placeholders: PlaceholderCheck) -> Verdict {
    guard !isSourceLanguage else {
      return source.text(at: unit.path).isExactly(target.text) ? .unchanged : .held(.sourceLanguage)
    }
    let leaf = present?[unit.path]
    let isSame = leaf.map { says($0, target.text, at: unit.path) } ?? false
    if let leaf, isSame, target.says(leaf) { return .unchanged }
    guard target.finishedState != nil else { return .held(.unfinishedState(target.state ?? "")) }
    let original = source.text(at: unit.path)
    if target.text.isEmpty, !original.isEmpty { return .held(.emptyTarget) }
    guard shouldTranslate else { return .held(.doNotTranslate) }
    if let reason = sourceFault(unit, original) { return .held(reason) }
    if let record, !isSame, let reason = changeSince(record, at: unit.path) { return .held(reason) }
    if let fault = placeholders.difference(of: target.text, at: unit.path, present: present) {
      return .held(.placeholdersDiffer(fault))
    }
    return .taken
  }

  private func says(_ leaf: VariedLeaf, _ text: ExchangeText, at path: VariationPath) -> Bool {
    guard let present else { return false }
    return leaf.words.isExactly(text)
      || present.exchangeText(of: leaf, at: path, arguments: knowing(path)).isExactly(text)
  }

  /// Whether the source text that came is not the one that stands (formats.md D: "`<source>` not found"), or stood
  /// otherwise at the export.
  private func sourceFault(_ unit: ExchangeUnit, _ original: ExchangeText) -> HoldReason? {
    let changed = HoldReason.sourceChanged(original.summary)
    if let record, record.pin != pin { return changed }
    guard let given = unit.source else { return record == nil ? .sourceMissing : nil }
    if given.unnumbered.isExactly(original.unnumbered) { return nil }
    if let leaf = source.leaf(at: unit.path), given.unnumbered.isExactly(leaf.words.unnumbered) { return nil }
    return changed
  }

  /// Whether someone changed the form's words in the repository since the export. A form of a text that did not vary
  /// then is compared with that text.
  private func changeSince(_ record: ExportRecord, at path: VariationPath) -> HoldReason? {
    guard let present else { return nil }
    guard let now = present[path] ?? present[.root] else { return nil }
    let then = record.translation.flatMap { $0[path] ?? $0[.root] }
    if let then, then.words.isExactly(now.words) { return nil }
    return .changedInRepository(now.summary)
  }

  /// One form whose source text changed says that all were made from another text.
  private mutating func holdAllIfSourceChanged() {
    let hasChanged = verdicts.contains { verdict in
      if case .held(.sourceChanged) = verdict { true } else { false }
    }
    guard hasChanged else { return }
    for candidate in candidates {
      verdicts[candidate.index] = .held(.sourceChanged(source.text(at: candidate.path).summary))
    }
    candidates = []
  }

  // MARK: All forms

  /// Puts the candidates together; whoever does not fit, or misses a form that it needs, is held, and the rest are
  /// tried again.
  private mutating func settle() -> Translation? {
    while !candidates.isEmpty {
      let (translation, misfits) = FormAssembly(source: source, present: present).assemble(
        candidates.map { ($0.path, $0.leaf) })
      var reasons: [Int: HoldReason] = [:]
      for misfit in misfits { reasons[misfit] = .formDoesNotFit }
      if let translation, misfits.isEmpty {
        let completeness = FormCompleteness(source: source, present: present, language: language)
        reasons = completeness.faults(of: translation, taking: candidates.map(\.path))
        if reasons.isEmpty { return translation }
      }
      for (position, reason) in reasons { verdicts[candidates[position].index] = .held(reason) }
      candidates = candidates.enumerated().filter { reasons[$0.offset] == nil }.map(\.element)
    }
    return nil
  }
}

extension ExchangeText {
  /// The words for people; phrases are separated by slashes.
  package var summary: String {
    switch self {
    case .text(let text): text
    case .phrases(let phrases): phrases.joined(separator: " / ")
    }
  }

  fileprivate var unnumbered: ExchangeText {
    switch self {
    case .text(let text): .text(FormatString(text).unnumbered)
    case .phrases: self
    }
  }
}
