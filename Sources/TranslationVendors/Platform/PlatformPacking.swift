package import Localization

/// Units of bundles → strings of a platform, and back.
package enum PlatformPacking {
  /// The strings of a file, in its order.
  /// - Parameter keepsPlurals: whether the plural forms of a text become one string.
  package static func strings(of file: ExchangeFile, keepsPlurals: Bool) -> [PlatformString] {
    let catalog = TreePath(trusted: file.original)
    var strings: [PlatformString] = []
    var places: [UnitKey: [VariationPath: Int]] = [:]
    for unit in file.units where unit.isTranslatable {
      guard case .text(let source)? = unit.source else { continue }
      var path = unit.path
      guard keepsPlurals, case .plural(let category)? = path.steps.last else {
        strings.append(string(unit, catalog, path, .plain(source), in: file))
        continue
      }
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

  /// Translations that the project has already, for the platform to begin with.
  package static func translations(of file: ExchangeFile, keepsPlurals: Bool) -> [PlatformTranslation] {
    var done = file
    done.units = file.units.compactMap { unit in
      guard let target = unit.target, case .text = target.text, target.state == "translated" else { return nil }
      var unit = unit
      unit.source = target.text
      return unit
    }
    let whole = Dictionary(strings(of: file, keepsPlurals: keepsPlurals).map { ($0.id, $0.source) }) { first, _ in first
    }
    return strings(of: done, keepsPlurals: keepsPlurals).map {
      PlatformTranslation(id: $0.id, source: whole[$0.id], text: $0.source, state: .translated)
    }
  }

  /// The units of a file that a platform has translated, each with the source text that the platform has. A unit whose forms are several
  /// strings is left out until all of them are translated: a unit that has returned is not asked for again.
  /// - Parameter state: XLIFF's name for the state of a translation; `nil` omits it.
  package static func answer(
    to file: ExchangeFile, with translations: [PlatformID: PlatformTranslation],
    by translators: [PlatformID: Translator] = [:], keepsPlurals: Bool,
    state: (PlatformState) -> (state: String, qualifier: String?)?
  ) -> ExchangeFile? {
    let catalog = TreePath(trusted: file.original)
    var answered = file
    var incomplete: Set<UnitKey> = []
    answered.units = file.units.compactMap { unit in
      guard unit.isTranslatable, case .text(let source)? = unit.source else { return nil }
      var path = unit.path
      var category: PluralCategory?
      if keepsPlurals, case .plural(let last)? = path.steps.last {
        path.steps.removeLast()
        category = last
      }
      let id = PlatformID(UnitID(catalog: catalog, key: unit.key), at: path)
      guard let found = translations[id], let words = state(found.state),
        found.text.texts.contains(where: { !$0.isEmpty })
      else {
        // Platforms do not translate an empty text.
        if !source.isEmpty { incomplete.insert(unit.key) }
        return nil
      }
      guard let text = form(category, of: found.text), !text.isEmpty else {
        // A plural without a form that the language needs is held with its reason.
        if category == nil, !source.isEmpty { incomplete.insert(unit.key) }
        return nil
      }
      var unit = unit
      if let source = found.source.flatMap({ form(category, of: $0) }) { unit.source = .text(source) }
      unit.target = ExchangeTarget(
        .text(text), state: words.state, stateQualifier: words.qualifier, translator: translators[id])
      return unit
    }
    answered.units.removeAll { incomplete.contains($0.key) }
    return answered.units.isEmpty ? nil : answered
  }

  private static func form(_ category: PluralCategory?, of text: PlatformText) -> String? {
    switch (text, category) {
    case (.plain(let text), nil): text
    case (.plural(let forms), let category?): forms[category] ?? (forms.count == 1 ? forms.values.first : nil)
    case (.plain(let text), .some): text
    case (.plural(let forms), nil): forms[.other]
    }
  }
}
