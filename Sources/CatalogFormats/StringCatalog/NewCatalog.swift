internal import Localization
internal import StructuredText

/// Prints a catalog that has no file yet, in the layout of a new file from Xcode. Entries are printed one by one, so that only one entry's
/// JSON is in memory at a time.
struct NewCatalog {
  private let catalog: Catalog
  private var version = CatalogVersion.lowest
  private var languages: Set<LocaleIdentifier> = []
  /// The approximate number of bytes to print. The estimate is too high rather than too low.
  private var size = 128

  /// Creates a printer for a catalog, and checks that the catalog can be written.
  /// - Throws: `InputFault` with every translation that Xcode would lose or not compile, sorted by key and language.
  init(_ catalog: Catalog) throws(InputFault) {
    self.catalog = catalog
    var refusals: [(key: UnitKey, language: LocaleIdentifier, reason: String)] = []
    for (key, entry) in catalog.entries {
      let needed = CatalogVersion.needed(by: entry)
      if CatalogVersion.isLower(version, needed) { version = needed }
      size += 160 + key.text.utf8.count + (entry.comment?.utf8.count ?? 0)
      for (language, translation) in entry.translations {
        languages.insert(language)
        size += Self.size(of: translation)
        if let reason = CatalogShape.refusal(of: translation) { refusals.append((key, language, reason)) }
      }
    }
    guard refusals.isEmpty else {
      throw InputFault(
        refusals.sorted { ($0.key, $0.language) < ($1.key, $1.language) }.map { refusal in
          Diagnostic(
            path: catalog.path.text, severity: .error,
            message: "cannot write the key \"\(refusal.key)\" in '\(refusal.language)': \(refusal.reason)")
        })
    }
  }

  private static func size(of translation: Translation) -> Int {
    if case .text(let unit) = translation.text, translation.substitutions.isEmpty {
      return 160 + unit.value.utf8.count + unit.value.utf8.count / 8
    }
    return translation.leaves.reduce(200) { size, leaf in
      switch leaf.leaf {
      case .text(let unit): size + 260 + unit.value.utf8.count
      case .phrases(let set): set.values.reduce(size + 260) { $0 + 32 + $1.utf8.count }
      }
    }
  }

  private enum Part: String { case sourceLanguage, strings, version }

  func printed() -> [UInt8] {
    let printer = JSONPrinter(.xcode)
    var output: [UInt8] = []
    output.reserveCapacity(size)
    let keys = catalog.entries.keys.sorted { CatalogOrder.precedes($0.text, $1.text) }
    let ordered = languages.sorted { CatalogOrder.precedes($0.rawValue, $1.rawValue) }
    let ranks: [LocaleIdentifier: Int] = Dictionary(
      zip(ordered, ordered.indices), uniquingKeysWith: { first, _ in first })
    printer.print(object: [Part.sourceLanguage, .strings, .version], into: &output) { part, inner, output in
      printer.print(key: part.rawValue, into: &output)
      switch part {
      case .sourceLanguage: printer.print(catalog.sourceLanguage.rawValue, into: &output)
      case .version: printer.print(version, into: &output)
      case .strings:
        printer.print(object: keys, indentation: inner, into: &output) { key, inner, output in
          printer.print(key: key.text, into: &output)
          let entry = CatalogValues.entry(catalog.entries[key] ?? CatalogEntry(), languages: ranks)
          printer.print(entry, indentation: inner, into: &output)
        }
      }
    }
    return output
  }
}
