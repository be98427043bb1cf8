package import CatalogFormats
package import Localization

/// A memory of texts and their translations, which fills texts that were translated before.
///
/// Only exact matches are used: the source text and its form (plain, or a variation such as a plural category or a device) must be the same. The
/// translation of the same key in the same catalog is preferred, and then the translation of the same key in another catalog. Translations of other
/// keys are used only if they are all the same.
package struct TranslationMemory: Sendable {
  /// A source text in one form.
  private struct Slot: Hashable {
    var source: String
    /// The form, as in `VariationPath.text`; empty for a text without variations.
    var form: String
  }

  private struct Entry: Hashable {
    var catalog: String?
    var key: UnitKey?
    var source: LocaleIdentifier
    var language: LocaleIdentifier
    var text: String
  }

  private static let catalogProperty = "x-dragoman-catalog"
  private static let keyProperty = "x-dragoman-key"
  private static let formProperty = "x-dragoman-form"

  private var entries: [Slot: [Entry]] = [:]
  /// The entries as sets, for the detection of duplicates.
  private var known: [Slot: Set<Entry>] = [:]
  /// The units in which any language can be the source.
  private var open: [TMXUnit] = []
  private var openBySource: [Slot: [Int]] = [:]

  package init() {}

  /// The number of translations. In units in which any language can be the source, all texts except one are translations.
  package var count: Int {
    open.reduce(entries.values.reduce(0) { $0 + $1.count }) { $0 + max(0, $1.variants.count - 1) }
  }

  /// Adds the finished translations of an export.
  package mutating func add(_ files: [ExchangeFile]) {
    for file in files {
      for unit in file.units where unit.isTranslatable && unit.target.map(Self.isFinished) == true {
        guard case .text(let source)? = unit.source, case .text(let text)? = unit.target?.text, !source.isEmpty,
          !text.isEmpty
        else { continue }
        add(
          Entry(
            catalog: file.original, key: unit.key, source: file.sourceLanguage, language: file.targetLanguage,
            text: text), source: source, form: unit.path.text)
      }
    }
  }

  /// Returns whether a translation is finished. Translations in tables other than String Catalogs have no state.
  private static func isFinished(_ target: ExchangeTarget) -> Bool {
    target.state == "translated" || target.state == nil && target.finishedState == .translated
  }

  /// Adds the units of a TMX file that have a source text, and the units in which any language can be the source. Units of other tools have neither
  /// key nor form.
  package mutating func add(_ document: TMXDocument) {
    for unit in document.units {
      guard let source = document.source(of: unit) else {
        if (unit.sourceLanguage ?? document.sourceLanguage) == TMXDocument.anyLanguage { addOpen(unit) }
        continue
      }
      guard !source.text.isEmpty else { continue }
      for entry in Self.translations(of: source, in: unit) {
        add(entry, source: source.text, form: Self.property(Self.formProperty, of: unit) ?? "")
      }
    }
  }

  private mutating func addOpen(_ unit: TMXUnit) {
    let form = Self.property(Self.formProperty, of: unit) ?? ""
    for text in Set(unit.variants.map(\.text)) where !text.isEmpty {
      openBySource[Slot(source: text, form: form), default: []].append(open.count)
    }
    open.append(unit)
  }

  private static func property(_ type: String, of unit: TMXUnit) -> String? {
    unit.properties.first { $0.type == type }?.value
  }

  /// Returns the catalog, key and form of a unit; `nil` for a unit of another tool.
  package static func origin(of unit: TMXUnit) -> (catalog: TreePath, key: UnitKey, path: VariationPath)? {
    guard let catalog = property(catalogProperty, of: unit), let key = property(keyProperty, of: unit) else {
      return nil
    }
    let path = property(formProperty, of: unit).flatMap { VariationPath(text: $0) } ?? .root
    return (TreePath(trusted: catalog), UnitKey(key), path)
  }

  private static func translations(of source: TMXVariant, in unit: TMXUnit) -> [Entry] {
    let (catalog, key) = (property(catalogProperty, of: unit), property(keyProperty, of: unit).map { UnitKey($0) })
    let language = LocaleIdentifier(source.language.replacing("_", with: "-"))
    return unit.variants.compactMap { variant in
      guard variant.language.lowercased() != source.language.lowercased(), !variant.text.isEmpty else { return nil }
      return Entry(
        catalog: catalog, key: key, source: language,
        language: LocaleIdentifier(variant.language.replacing("_", with: "-")), text: variant.text)
    }
  }

  private mutating func add(_ entry: Entry, source: String, form: String) {
    let slot = Slot(source: source, form: form)
    if known[slot, default: []].insert(entry).inserted { entries[slot, default: []].append(entry) }
  }

  /// Returns the memory as TMX, with a unit for each combination of catalog, key, form and source text. Each unit has all languages. Units in which
  /// any language can be the source are omitted.
  package func document(sourceLanguage: LocaleIdentifier, toolVersion: String) -> TMXDocument {
    struct Place: Hashable, Comparable {
      var catalog, form, source: String
      var key: UnitKey

      static func < (a: Self, b: Self) -> Bool {
        (a.catalog, a.key, a.form, a.source) < (b.catalog, b.key, b.form, b.source)
      }
    }
    var units: [Place: [Entry]] = [:]
    for (slot, entries) in entries {
      for entry in entries {
        let place = Place(
          catalog: entry.catalog ?? "", form: slot.form, source: slot.source, key: entry.key ?? "")
        units[place, default: []].append(entry)
      }
    }
    return TMXDocument(
      sourceLanguage: sourceLanguage.rawValue, toolVersion: toolVersion,
      units: units.sorted { $0.key < $1.key }.map { place, entries in
        let properties = [
          (Self.catalogProperty, place.catalog), (Self.keyProperty, place.key.text), (Self.formProperty, place.form),
        ].filter { !$0.1.isEmpty }.map { TMXProperty($0.0, $0.1) }
        let source = entries[0].source.rawValue
        let targets = entries.sorted { ($0.language, $0.text) < ($1.language, $1.text) }
        return TMXUnit(
          sourceLanguage: source == sourceLanguage.rawValue ? nil : source, properties: properties,
          variants: [TMXVariant(language: source, text: place.source)]
            + targets.map { TMXVariant(language: $0.language.rawValue, text: $0.text) })
      })
  }

  /// Returns a file with the units that have no translation yet and whose texts are in the memory, filled from the memory. Either all forms of a unit
  /// are filled or none.
  /// - Parameter isFinished: whether the translations count as translated. Otherwise they need review.
  /// - Returns: `nil` if the memory has none of the units.
  package func filled(_ file: ExchangeFile, isFinished: Bool = false) -> ExchangeFile? {
    var filled = file
    filled.units = []
    var matches: [Slot: Matches] = [:]
    for (_, units) in file.units.groupedInOrder(by: \.key) {
      let open = units.filter(\.isTranslatable)
      guard !open.isEmpty, open.allSatisfy({ $0.target?.text.isEmpty ?? true }) else { continue }
      let done = open.compactMap { unit -> ExchangeUnit? in
        guard let text = text(for: unit, in: file, &matches) else { return nil }
        var unit = unit
        unit.target = ExchangeTarget(
          .text(text), state: isFinished ? "translated" : "needs-review-translation",
          stateQualifier: isFinished ? nil : ExchangeTarget.takenForReview)
        return unit
      }
      if done.count == open.count { filled.units += done }
    }
    return filled.units.isEmpty ? nil : filled
  }

  /// The memory's translations of a source text in one form into one language.
  private struct Matches {
    private struct Place: Hashable {
      var key: UnitKey
      /// The catalog; `nil` for any catalog.
      var catalog: String?
    }

    /// The only translation of each key in one catalog or in any catalog; `nil` if there are several translations.
    private var texts: [Place: String?] = [:]
    private var anywhere: Set<String> = []

    init(_ entries: [Entry]) {
      for entry in entries {
        anywhere.insert(entry.text)
        guard let key = entry.key else { continue }
        add(entry.text, at: Place(key: key, catalog: nil))
        if let catalog = entry.catalog { add(entry.text, at: Place(key: key, catalog: catalog)) }
      }
    }

    private mutating func add(_ text: String, at place: Place) {
      if let present = texts[place] {
        if present != text { texts.updateValue(nil, forKey: place) }
      } else {
        texts.updateValue(text, forKey: place)
      }
    }

    func text(key: UnitKey, catalog: String) -> String? {
      for place in [Place(key: key, catalog: catalog), Place(key: key, catalog: nil)] {
        if let text = texts[place] { return text }
      }
      return anywhere.count == 1 ? anywhere.first : nil
    }
  }

  /// Returns the translation of a unit's source text; `nil` if the memory has none, or has several and cannot prefer one.
  /// - Parameter matches: a cache of earlier matches in the file's languages.
  private func text(
    for unit: ExchangeUnit, in file: ExchangeFile, _ matches: inout [Slot: Matches]
  ) -> String? {
    guard case .text(let source)? = unit.source else { return nil }
    let slot = Slot(source: source, form: unit.path.text)
    let found = matches[slot] ?? Matches(translations(of: slot, for: file))
    matches[slot] = found
    return found.text(key: unit.key, catalog: file.original)
  }

  /// Returns the translations of a text into the file's target language, or otherwise into another identifier of the same language, such as `de-DE`
  /// for `de`.
  private func translations(of slot: Slot, for file: ExchangeFile) -> [Entry] {
    func isSource(_ language: String) -> Bool {
      LocaleIdentifier(language.replacing("_", with: "-")).language == file.sourceLanguage.language
    }
    let open = (openBySource[slot] ?? []).flatMap { number in
      // Two sources are enough. The texts in all other languages are translations of the first source, so the second source, such as `en-GB` besides
      // `en`, adds only the text of the first.
      self.open[number].variants.filter { $0.text == slot.source && isSource($0.language) }.prefix(2).flatMap {
        Self.translations(of: $0, in: self.open[number])
      }
    }
    let found = ((entries[slot] ?? []) + open).filter { $0.source.language == file.sourceLanguage.language }
    let name = file.targetLanguage.rawValue.lowercased()
    let exact = found.filter { $0.language.rawValue.lowercased() == name }
    return exact.isEmpty ? found.filter { LanguageMatch.isSame($0.language, file.targetLanguage) } : exact
  }
}
