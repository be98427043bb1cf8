package import CatalogFormats
package import Localization

/// Texts with their translations, to fill texts that were translated before.
///
/// A match is exact: the same source text, in the same form (plain, a plural category, a device). The translation of the same key comes
/// first, then that of the same key in another catalog; a text without its key is taken only if all its translations are the same.
package struct TranslationMemory: Sendable {
  /// One text in one form.
  private struct Slot: Hashable {
    var source: String
    /// As `VariationPath.text` writes it; empty for a text without variations.
    var form: String
    /// In lower case.
    var language: String
  }

  private struct Entry: Hashable {
    var catalog: String?
    var key: String?
    var source: LocaleIdentifier
    var language: LocaleIdentifier
    var text: String
  }

  private static let catalogProperty = "x-dragoman-catalog"
  private static let keyProperty = "x-dragoman-key"
  private static let formProperty = "x-dragoman-form"

  private var entries: [Slot: [Entry]] = [:]

  package init() {}

  /// How many translations it has.
  package var count: Int { entries.values.reduce(0) { $0 + $1.count } }

  /// Takes the finished translations of an export.
  package mutating func add(_ files: [ExchangeFile]) {
    for file in files {
      for unit in file.units where unit.isTranslatable && unit.target?.state == "translated" {
        guard case .text(let source)? = unit.source, case .text(let text)? = unit.target?.text, !source.isEmpty,
          !text.isEmpty
        else { continue }
        add(
          Entry(
            catalog: file.original, key: unit.key.text, source: file.sourceLanguage, language: file.targetLanguage,
            text: text), source: source, form: unit.path.text)
      }
    }
  }

  /// Takes the units of a TMX file that have a source text. Those of other tools are texts without key and form.
  package mutating func add(_ document: TMXDocument) {
    for unit in document.units {
      guard let source = document.source(of: unit) else { continue }
      func property(_ type: String) -> String? { unit.properties.first { $0.type == type }?.value }
      let language = LocaleIdentifier(source.language.replacing("_", with: "-"))
      for variant in unit.variants where variant.language.lowercased() != source.language.lowercased() {
        guard !source.text.isEmpty, !variant.text.isEmpty else { continue }
        add(
          Entry(
            catalog: property(Self.catalogProperty), key: property(Self.keyProperty), source: language,
            language: LocaleIdentifier(variant.language.replacing("_", with: "-")), text: variant.text),
          source: source.text, form: property(Self.formProperty) ?? "")
      }
    }
  }

  private mutating func add(_ entry: Entry, source: String, form: String) {
    let slot = Slot(source: source, form: form, language: entry.language.rawValue.lowercased())
    if entries[slot]?.contains(entry) != true { entries[slot, default: []].append(entry) }
  }

  /// The memory as TMX: a unit for each text, key and form, with all its languages.
  package func document(sourceLanguage: LocaleIdentifier, toolVersion: String) -> TMXDocument {
    struct Place: Hashable, Comparable {
      var catalog, key, form, source: String

      static func < (a: Self, b: Self) -> Bool {
        (a.catalog, a.key, a.form, a.source) < (b.catalog, b.key, b.form, b.source)
      }
    }
    var units: [Place: [Entry]] = [:]
    for (slot, entries) in entries {
      for entry in entries {
        let place = Place(catalog: entry.catalog ?? "", key: entry.key ?? "", form: slot.form, source: slot.source)
        units[place, default: []].append(entry)
      }
    }
    return TMXDocument(
      sourceLanguage: sourceLanguage.rawValue, toolVersion: toolVersion,
      units: units.sorted { $0.key < $1.key }.map { place, entries in
        let properties = [
          (Self.catalogProperty, place.catalog), (Self.keyProperty, place.key), (Self.formProperty, place.form),
        ].filter { !$0.1.isEmpty }.map { TMXProperty($0.0, $0.1) }
        let source = entries[0].source.rawValue
        let targets = entries.sorted { ($0.language, $0.text) < ($1.language, $1.text) }
        return TMXUnit(
          sourceLanguage: source == sourceLanguage.rawValue ? nil : source, properties: properties,
          variants: [TMXVariant(language: source, text: place.source)]
            + targets.map { TMXVariant(language: $0.language.rawValue, text: $0.text) })
      })
  }

  /// The units of a file that have no translation yet and that the memory has, filled in. A unit is filled in all its forms or not at all.
  /// - Parameter isFinished: whether the translations count as translated; otherwise they are to be reviewed.
  /// - Returns: `nil` if there is none.
  package func filled(_ file: ExchangeFile, isFinished: Bool = false) -> ExchangeFile? {
    var filled = file
    filled.units = []
    for (_, units) in file.units.groupedInOrder(by: \.key) {
      let open = units.filter(\.isTranslatable)
      guard !open.isEmpty, open.allSatisfy({ $0.target?.text.isEmpty ?? true }) else { continue }
      let done = open.compactMap { unit -> ExchangeUnit? in
        guard let text = text(for: unit, in: file) else { return nil }
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

  private func text(for unit: ExchangeUnit, in file: ExchangeFile) -> String? {
    guard case .text(let source)? = unit.source else { return nil }
    let slot = Slot(source: source, form: unit.path.text, language: file.targetLanguage.rawValue.lowercased())
    let found = (entries[slot] ?? []).filter { $0.source.language == file.sourceLanguage.language }
    let key = unit.key.text
    for nearest in [
      found.filter { $0.key == key && $0.catalog == file.original }, found.filter { $0.key == key }, found,
    ] where !nearest.isEmpty {
      let texts = Set(nearest.map(\.text))
      return texts.count == 1 ? texts.first : nil
    }
    return nil
  }
}
