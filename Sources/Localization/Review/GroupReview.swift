/// The review of all forms of one text unit in one language. The forms are reviewed together, because they depend on each other.
struct GroupReview {
  let source: SourceForms
  /// The pin of the current source text. Required if there is an export record.
  let pin: SourcePin?
  /// The catalog's translation, to which the returned forms are added; `nil` if there is none, if it is replaced, or for the source language.
  private(set) var present: Translation?
  /// The catalog's translation if the returned forms replace it; otherwise `nil`.
  private(set) var replaced: Translation?
  let language: LocaleIdentifier
  let sourceLanguage: LocaleIdentifier
  let shouldTranslate: Bool
  /// The developer's comment, which may limit the length of the text.
  let comment: String?
  let record: ExportRecord?
  let policy: ImportPolicy
  /// Returns whether a person accepts the unit although there is this reason for holding it.
  let overrules: (HoldReason) -> Bool
  /// Whether the catalog's format has states. In formats without states (`.strings`, `.stringsdict`), an added source text would look like a
  /// translation, so missing forms are not added, except a text that consists only of references to substitutions.
  let hasStates: Bool

  /// A returned form for which no reason for holding it was found so far.
  struct Candidate {
    var index: Int
    var path: VariationPath
    var leaf: VariedLeaf
  }

  var verdicts: [Verdict] = []
  var candidates: [Candidate] = []
  private var warnings: [Int: [Warning]] = [:]

  init(
    source: SourceForms, pin: SourcePin?, present: Translation?, language: LocaleIdentifier,
    sourceLanguage: LocaleIdentifier, shouldTranslate: Bool, comment: String?, record: ExportRecord?,
    policy: ImportPolicy, hasStates: Bool = true, overrules: @escaping (HoldReason) -> Bool = { _ in false }
  ) {
    self.source = source
    self.pin = pin
    self.present = present
    self.language = language
    self.sourceLanguage = sourceLanguage
    self.shouldTranslate = shouldTranslate
    self.comment = comment
    self.record = record
    self.policy = policy
    self.hasStates = hasStates
    self.overrules = overrules
  }

  struct Judgement: Sendable {
    /// The verdict on each unit, in the order of the units.
    var verdicts: [Verdict]
    /// The new translation, with the accepted forms; `nil` if none was accepted.
    var translation: Translation?
    /// The forms that were added to complete the translation.
    var filled: [VariationPath] = []
    /// Warnings about accepted units, by the unit's index.
    var warnings: [Int: [Warning]] = [:]
  }

  /// A problem with an accepted unit, and the reason why the unit was accepted nevertheless.
  struct Warning: Sendable {
    var message: String
    var hint: String
  }

  private var isSourceLanguage: Bool { language == sourceLanguage }

  mutating func judge(_ units: [ExchangeUnit]) -> Judgement {
    let units = units.map(withoutIndentation)
    if let former = present, isReplaced(former, by: units) { (replaced, present) = (former, nil) }
    verdicts = units.map { _ in .held(.noTarget) }
    candidates = []
    let placeholders = PlaceholderCheck(source: source)
    var first: [VariationPath: Int] = [:]
    for (index, unit) in units.enumerated() {
      guard let target = unit.target else { continue }
      guard units.count > 1 else {
        verdicts[index] = judge(unit, target, placeholders, index)
        break
      }
      if let earlier = first[unit.path] {
        let reason = HoldReason.duplicate(units[earlier].target.map { Self.names($0, target) } ?? "")
        verdicts[index] = .held(reason)
        if units[earlier].target != target { verdicts[earlier] = .held(reason) }
        continue
      }
      first[unit.path] = index
      verdicts[index] = judge(unit, target, placeholders, index)
    }
    for (index, unit) in units.enumerated() where verdicts[index] == .taken {
      guard let target = unit.target else { continue }
      // An unfinished form is a candidate only if a person accepts it.
      let state = target.finishedState ?? .needsReview
      // Texts of tables are exchanged unchanged. Only String Catalogs have their own notation for arguments.
      let words =
        hasStates ? Translation.catalogText(target.text, at: unit.path, arguments: knowing(unit.path)) : target.text
      // A reference is stored without its number, so a text with another number may equal the catalog's text.
      if !words.isExactly(target.text), let known = present?[unit.path], known.state == state,
        known.words.isExactly(words)
      {
        verdicts[index] = .unchanged
        continue
      }
      candidates.append(Candidate(index: index, path: unit.path, leaf: VariedLeaf(words, state: state)))
    }
    holdAllIfSourceChanged()
    var (translation, filled) = assembled(units)
    let missing = translation.map(missingForms) ?? []
    let lack = missing.isEmpty ? nil : HoldReason.missingForm(missing.map(\.text))
    if let reason = reasonAgainstAll(units, filled: filled) ?? lack {
      for candidate in candidates { verdicts[candidate.index] = .held(reason) }
      (translation, filled) = (nil, [])
    }
    // Equal duplicates count as one form: the later duplicate gets the verdict of the first.
    for (index, unit) in units.enumerated() {
      guard let earlier = first[unit.path], earlier != index, let target = unit.target, units[earlier].target == target
      else {
        continue
      }
      verdicts[index] = verdicts[earlier] == .taken ? .unchanged : verdicts[earlier]
    }
    warnings = warnings.filter { verdicts[$0.key] == .taken }
    return Judgement(verdicts: verdicts, translation: translation, filled: filled, warnings: warnings)
  }

  /// Returns the translation that declares the arguments of the substitutions in a form: the catalog's, or else the source's.
  private func knowing(_ path: VariationPath) -> Translation {
    guard let present, !present.substitutions.isEmpty else { return source.translation }
    if case .substitution(let name)? = path.steps.first, present.substitutions[name] == nil {
      return source.translation
    }
    return present
  }

  // MARK: One form

  /// Returns the verdict on a form without regard to the other forms, and adds warnings about the form. The verdict is `taken` if the form changes
  /// the catalog and there is no reason for holding it.
  private mutating func judge(
    _ unit: ExchangeUnit, _ target: ExchangeTarget, _ placeholders: PlaceholderCheck, _ index: Int
  ) -> Verdict {
    guard !isSourceLanguage else {
      let own = [source.text(at: unit.path), source.leaf(at: unit.path)?.words]
      return own.contains { $0?.carried.isExactly(target.text) == true } ? .unchanged : .held(.sourceLanguage)
    }
    let leaf = present?[unit.path]
    let isSame = leaf.map { says($0, target.text, at: unit.path) } ?? false
    if let leaf, isSame, target.says(leaf) { return .unchanged }
    let original = source.text(at: unit.path)
    if let reason = reasonAgainst(unit, target, original, isSame: isSame) { return .held(reason) }
    if let fault = placeholders.difference(of: target.text, at: unit.path, present: present)?.message {
      // A text without arguments may still be used as a format: code may pass an argument that only the key contains.
      let isPlain = placeholders.isOfPlainText && !unit.path.isInSubstitution && target.text.isPlainFormat
      // Not even a person may accept a text that can crash the app.
      let isHarmless = placeholders.isHarmless(target.text, at: unit.path)
      let isChosen = isHarmless && overrules(.placeholdersDiffer(fault))
      guard policy == .asXcode && isPlain || isChosen else {
        return .held(isHarmless ? .placeholdersDiffer(fault) : .placeholdersUnsafe(fault))
      }
      warnings[index, default: []].append(
        Warning(
          message: fault,
          hint: isChosen ? "imported because of --take" : "imported because the source text has no arguments"))
    }
    if isDamaged(target.text, original) {
      return .held(.altered("it has the character U+FFFD in place of a lost one"))
    }
    if let category = needlessCategory(unit.path) {
      warnings[index, default: []].append(
        Warning(
          message: "the language has no plural form “\(category.rawValue)”", hint: "imported, but never shown"))
    }
    if let fault = MarkupCheck.fault(of: target.text, against: original) {
      guard policy == .asXcode || overrules(.markupBroken(fault)) else { return .held(.markupBroken(fault)) }
      warnings[index, default: []].append(
        Warning(message: fault, hint: "imported as in Xcode, but people may see the markup"))
    }
    if let fault = lengthFault(of: target.text) {
      guard policy == .asXcode || overrules(.tooLong(fault)) else { return .held(.tooLong(fault)) }
      warnings[index, default: []].append(
        Warning(message: fault, hint: "imported as in Xcode, but people may see only its beginning"))
    }
    return .taken
  }

  /// Returns whether a character was lost. An export writes U+FFFD in place of control characters that XML does not allow.
  private func isDamaged(_ target: ExchangeText, _ original: ExchangeText) -> Bool {
    func isLost(_ text: ExchangeText) -> Bool { text.summary.unicodeScalars.contains("\u{FFFD}") }
    return isLost(target) && !isLost(original)
  }

  private func lengthFault(of target: ExchangeText) -> String? {
    guard case .text(let text) = target else { return nil }
    let sources = source.translation.leaves.lazy.flatMap { $0.leaf.texts }
    guard let limit = DeclaredLimits.maxLength(in: comment, of: sources) else { return nil }
    let length = DeclaredLimits.length(of: text)
    return length > limit ? "the text has \(length) characters, but its comment allows \(limit)" : nil
  }

  /// Returns the first reason for holding a form, except overruled reasons; `nil` if there is none. Does not check placeholders, lost characters,
  /// markup and length.
  private func reasonAgainst(
    _ unit: ExchangeUnit, _ target: ExchangeTarget, _ original: ExchangeText, isSame: Bool
  ) -> HoldReason? {
    if target.finishedState == nil {
      let reason = HoldReason.unfinishedState(target.state ?? "")
      if !overrules(reason) { return reason }
    }
    // White space and invisible characters alone are not a translation.
    if target.text.showsNothing, !original.showsNothing, !mayBecomeEmpty(target, at: unit.path),
      !overrules(.emptyTarget)
    {
      return .emptyTarget
    }
    if !shouldTranslate, policy != .asXcode, !overrules(.doNotTranslate) { return .doNotTranslate }
    if let reason = sourceFault(unit, original), !overrules(reason) { return reason }
    if let record, !isSame, let reason = changeSince(record, at: unit.path), !overrules(reason) { return reason }
    return nil
  }

  /// Returns a plural category of a path that the language never shows; `nil` if there is none, or if the language's rules are unknown. Every
  /// language shows `zero` for 0.
  private func needlessCategory(_ path: VariationPath) -> PluralCategory? {
    guard !path.isRoot, PluralRules.knows(language) else { return nil }
    let shown = PluralRules.shownCategories(of: language)
    for case .plural(let category) in path.steps where category != .zero && !shown.contains(category) {
      return category
    }
    return nil
  }

  /// Returns whether an empty translation may be written, which only `asXcode` allows. As in Xcode, the file must mark the translation as finished.
  /// Unlike Xcode, the translation must not replace a text.
  private func mayBecomeEmpty(_ target: ExchangeTarget, at path: VariationPath) -> Bool {
    guard policy == .asXcode, target.state != nil else { return false }
    guard let now = present?[path] ?? present?[.root] else { return true }
    return now.words.isEmpty || isFiller(now, at: path)
  }

  /// Returns whether a form of the catalog is only the source text, added to complete the translation.
  func isFiller(_ leaf: VariedLeaf, at path: VariationPath) -> Bool {
    leaf.state == .new && source.leaf(at: path).map { $0.words.isExactly(leaf.words) } ?? false
  }

  func says(_ leaf: VariedLeaf, _ text: ExchangeText, at path: VariationPath) -> Bool {
    guard let present else { return false }
    let sent = present.exchangeText(of: leaf, at: path, arguments: knowing(path))
    return leaf.words.isExactly(text) || sent.isExactly(text) || sent.carried.isExactly(text)
  }

  /// Returns the reason for holding a form that was changed in the repository since the export; otherwise `nil`. If the text did not vary at
  /// the export, the form is compared with the whole text.
  private func changeSince(_ record: ExportRecord, at path: VariationPath) -> HoldReason? {
    if let replaced { return changeOfReplaced(replaced, since: record) }
    guard let present else { return nil }
    guard let now = present[path] ?? present[.root] else { return nil }
    let then = record.translation.flatMap { $0[path] ?? $0[.root] }
    if let then, then.words.isExactly(now.words) { return nil }
    if isFiller(now, at: path) { return nil }
    return .changedInRepository(now.summary)
  }

  /// Holds all forms if the source text of one form has changed, because in a round, all forms are translated from the same version of the source
  /// text. Xcode, and an import that a person reviews, omit only the form with the changed source text.
  private mutating func holdAllIfSourceChanged() {
    guard policy == .unattended else { return }
    let hasChanged = verdicts.contains { verdict in
      if case .held(.sourceChanged) = verdict { true } else { false }
    }
    guard hasChanged else { return }
    for candidate in candidates {
      verdicts[candidate.index] = .held(.sourceChanged(source.text(at: candidate.path).summary))
    }
    candidates = []
  }
}
