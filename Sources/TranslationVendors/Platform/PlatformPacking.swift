package import Localization

/// The conversion of the units of exchange files to a platform's strings, and of the platform's translations back to units.
package enum PlatformPacking {
  /// Returns the strings of a file, in the order of its units.
  /// - Parameter keepsPlurals: whether the plural forms of a text become one string, except for ``SeparateForms``.
  package static func strings(of file: ExchangeFile, keepsPlurals: Bool) -> [PlatformString] {
    strings(of: file, SeparateForms(of: file, keepsPlurals: keepsPlurals), keepsPlurals: keepsPlurals)
  }

  /// Returns the strings of a file, in the order of its units.
  /// - Parameter shared: the categories of separate forms that are also included in the string with all plural forms.
  private static func strings(
    of file: ExchangeFile, _ separate: SeparateForms, shared: Set<PluralCategory> = [], keepsPlurals: Bool
  ) -> [PlatformString] {
    let catalog = TreePath(trusted: file.original)
    var strings: [PlatformString] = []
    var places: [UnitKey: [VariationPath: Int]] = [:]
    for unit in file.units where unit.isTranslatable {
      guard case .text(let source)? = unit.source else { continue }
      var path = unit.path
      let category = keepsPlurals ? path.category : nil
      let isSeparate = separate.contains(unit)
      if category == nil || isSeparate { strings.append(string(unit, catalog, path, .plain(source), in: file)) }
      guard let category, !isSeparate || shared.contains(category) else { continue }
      path.steps.removeLast()
      if let place = places[unit.key]?[path], case .plural(var forms) = strings[place].source {
        forms[category] = source
        strings[place].source = .plural(forms)
      } else {
        places[unit.key, default: [:]][path] = strings.count
        strings.append(string(unit, catalog, path, .plural([category: source]), in: file))
      }
    }
    return strings
  }

  private static func string(
    _ unit: ExchangeUnit, _ catalog: TreePath, _ path: VariationPath, _ source: PlatformText, in file: ExchangeFile
  ) -> PlatformString {
    PlatformString(
      catalog: catalog, name: PlatformID.name(of: unit.key, at: path, in: file.original), unit: unit.key,
      path: path, source: source, comment: unit.note, sourceLanguage: file.sourceLanguage)
  }

  /// Returns the finished translations of a file, to be uploaded to the platform.
  /// - Parameter areFinished: whether translations without a state count as finished. Translations of `.strings` and `.stringsdict` files have
  ///   no states.
  package static func translations(
    of file: ExchangeFile, keepsPlurals: Bool, areFinished: Bool = false
  ) -> [PlatformTranslation] {
    var done = file
    done.units = file.units.compactMap { unit in
      guard let target = unit.target, case .text = target.text,
        target.state == "translated" || areFinished && target.state == nil
      else { return nil }
      var unit = unit
      unit.source = target.text
      return unit
    }
    let separate = SeparateForms(of: file, keepsPlurals: keepsPlurals)
    let whole = Dictionary(strings(of: file, separate, keepsPlurals: keepsPlurals).map { ($0.id, $0.source) }) {
      first, _ in first
    }
    let shared = Set(PluralRules.categories(of: file.targetLanguage))
    return strings(of: done, separate, shared: shared, keepsPlurals: keepsPlurals).map {
      PlatformTranslation(id: $0.id, source: whole[$0.id], text: $0.source, state: .translated)
    }
  }

  /// The translations of a file at a platform.
  package struct Answer: Sendable {
    /// The file with the returned units; `nil` if there are none.
    package var file: ExchangeFile?
    /// Units that would be returned if all their plural forms were translated.
    package var partlyTranslated: Set<UnitKey> = []
    /// Strings that have plural forms in the repository but none at the platform, so their forms cannot be translated at the platform.
    package var withoutForms: Set<PlatformID> = []
    /// Strings without plural forms in the repository whose translations have several different plural forms.
    package var withForms: Set<PlatformID> = []
  }

  /// Returns the units of a file that the platform has translated. If the platform has another source text for a unit, the returned unit contains the
  /// platform's source text. A unit is left out until all its strings, and all plural forms that the language needs, are translated, because a
  /// returned unit is not requested again. A reviewed string that lacks forms counts as finished. The unit of such a string is returned, and the
  /// review of returns then holds the unit and names the missing forms.
  /// - Parameter state: returns the XLIFF state of a translation; `nil` leaves the translation out.
  package static func answer(
    to file: ExchangeFile, with translations: [PlatformID: PlatformTranslation],
    by translators: [PlatformID: Translator] = [:], keepsPlurals: Bool,
    state: (PlatformState) -> (state: String, qualifier: String?)?
  ) -> Answer {
    let forms = LanguageForms(file.targetLanguage)
    let separate = SeparateForms(of: file, keepsPlurals: keepsPlurals)
    var (answered, answer) = (file, Answer())
    var incomplete: Set<UnitKey> = []
    answered.units = file.units.compactMap { unit in
      guard unit.isTranslatable, case .text(let source)? = unit.source else { return nil }
      let (id, category) = place(of: unit, in: file, separate, keepsPlurals: keepsPlurals)
      guard let found = translations[id], let words = state(found.state),
        found.text.texts.contains(where: { !$0.isEmpty })
      else {
        // Platforms do not translate an empty text.
        if !source.isEmpty { incomplete.insert(unit.key) }
        return nil
      }
      guard let text = forms.text(category, of: found.text), !text.isEmpty else {
        guard !source.isEmpty else { return nil }
        if category != nil, found.text.isPlural || forms.hasOneForm {
          if forms.waits(for: category, of: found) { answer.partlyTranslated.insert(unit.key) }
        } else {
          incomplete.insert(unit.key)
          if category != nil {
            answer.withoutForms.insert(id)
          } else if found.text.isPlural {
            answer.withForms.insert(id)
          }
        }
        return nil
      }
      var unit = unit
      // Ignore differences that come only from how the platform stores texts.
      if let kept = found.source.flatMap({ sourceForm(category, of: $0) }), !kept.isKept(as: source) {
        unit.source = .text(kept)
      }
      unit.target = ExchangeTarget(
        .text(text), state: words.state, stateQualifier: words.qualifier, translator: translators[id])
      return unit
    }
    answer.partlyTranslated.subtract(incomplete)
    answered.units.removeAll { incomplete.contains($0.key) || answer.partlyTranslated.contains($0.key) }
    if !answered.units.isEmpty { answer.file = answered }
    return answer
  }

  /// Returns the name of the string that contains the text of a unit, and the plural category of the text in that string.
  private static func place(
    of unit: ExchangeUnit, in file: ExchangeFile, _ separate: SeparateForms, keepsPlurals: Bool
  ) -> (id: PlatformID, category: PluralCategory?) {
    var path = unit.path
    var category: PluralCategory?
    if keepsPlurals, !separate.contains(unit), let last = path.category {
      path.steps.removeLast()
      category = last
    }
    return (PlatformID(UnitID(catalog: TreePath(trusted: file.original), key: unit.key), at: path), category)
  }

  private static func sourceForm(_ category: PluralCategory?, of text: PlatformText) -> String? {
    switch (text, category) {
    case (.plain(let text), _): text
    // Categories that the source language does not have are translated from `other`.
    case (.plural(let forms), let category?): forms[category] ?? forms[.other]
    case (.plural(let forms), nil): forms[.other]
    }
  }
}

/// The plural forms of a target language: how they are read from a translation, and which of them a translation needs.
private struct LanguageForms {
  let hasOneForm: Bool
  private let needed: Set<PluralCategory>

  init(_ language: LocaleIdentifier) {
    hasOneForm = PluralRules.categories(of: language).count == 1
    needed = Set(PluralRules.neededCategories(of: language))
  }

  /// Returns the text of a form; `nil` if the translation lacks the form. In a language with only one form, a translation's only text is the form
  /// `other`.
  func text(_ category: PluralCategory?, of text: PlatformText) -> String? {
    switch (text, category) {
    case (.plain(let text), nil): text
    case (.plain(let text), .some(.other)) where hasOneForm: text
    case (.plain, .some): nil
    case (.plural(let forms), .some(.other)) where hasOneForm && forms.count == 1: forms.values.first
    case (.plural(let forms), let category?): forms[category]
    // Several different texts cannot be reduced to one.
    case (.plural(let forms), nil): Set(forms.values.filter { !$0.isEmpty }).count > 1 ? nil : forms[.other]
    }
  }

  /// Returns whether a missing form must be translated before the unit is returned: the language needs the form, and the translation is not reviewed.
  func waits(for category: PluralCategory?, of found: PlatformTranslation) -> Bool {
    category.map(needed.contains) == true && found.state < .reviewed
  }
}
