/// Creates the units that translators get from a catalog with one file for each language, as in Xcode's exports of `.strings` and
/// `.stringsdict` tables, storyboards, xibs and intent definitions (xcode-formats.md B3).
package enum ClassicExport {
  /// Xcode's comment for a key without a comment in code.
  package static let noComment = "No comment provided by engineer."
  /// The text that Xcode appends to the note of a key that is also in the table's `.stringsdict` (Xcode 15.0).
  static let twinMark = " (Key in .stringsdict)"

  /// Returns the units, sorted by key and path. Their targets have no state in any Xcode version. A key without source text has no unit.
  /// - Parameters:
  ///   - others: further languages whose plural forms are included, as in `ExportShape.units`.
  ///   - dialect: the Xcode version. If this version does not mark untranslatable units, all units are translatable, and `twinMark` is not appended.
  package static func units(
    of catalog: Catalog, for language: LocaleIdentifier, formsFor others: Set<LocaleIdentifier> = [],
    dialect: ExportDialect = .newest
  ) -> [ExchangeUnit] {
    catalog.entries.sorted { $0.key < $1.key }.flatMap { key, entry -> [ExchangeUnit] in
      guard let source = entry.translations[catalog.sourceLanguage] else { return [] }
      let isSource = language == catalog.sourceLanguage
      let target = isSource ? source : entry.translations[language]
      let languages = others.union([language])
      var paths = Set(ExportShape.paths(of: nil, source: source, from: catalog.sourceLanguage, for: languages))
      if let target {
        paths.formUnion(ExportShape.paths(of: target, source: source, from: catalog.sourceLanguage, for: languages))
      }
      let forms = SourceForms(key: key, entry: entry, sourceLanguage: catalog.sourceLanguage)
      let isMarked = dialect.marksUntranslatable && !entry.shouldTranslate
      let isTwin = isMarked && catalog.path.ending == "strings"
      return paths.sorted().map { path in
        let text = forms.leaf(at: path)?.words
        // For the source language, a form that the file lacks is exported with the text that an app shows in its place.
        let words = isSource ? text : target?[path]?.words
        return ExchangeUnit(
          key: key, path: path, source: text, target: words.map { ExchangeTarget($0) },
          note: isTwin ? (entry.comment ?? "") + twinMark : entry.comment, isTranslatable: !isMarked)
      }
    }
  }

  /// Adds the strings of code, an interface file or an Info.plist to a table.
  ///
  /// Texts and comments of the table are kept. An entry without a comment gets the string's comment. An entry that is missing or has no source text
  /// gets the string's value, or else its key, as the source text, and the string's comment. If there is no such comment, a string from code gets
  /// Xcode's standard comment.
  package static func adding(_ strings: [ExtractedString], to catalog: Catalog) -> Catalog {
    var catalog = catalog
    // An empty text in code becomes a key of a String Catalog, but not of a table.
    for string in strings where !string.key.text.isEmpty {
      var entry = catalog.entries[string.key] ?? CatalogEntry()
      if entry.translations[catalog.sourceLanguage] == nil {
        entry.translations[catalog.sourceLanguage] = Translation(
          string.value ?? numberedKey(of: string), state: .new)
        entry.comment = comment(of: string) ?? (string.origin.isCode ? noComment : nil)
      } else {
        entry.comment = entry.comment ?? comment(of: string)
      }
      catalog.entries[string.key] = entry
    }
    return catalog
  }

  /// Returns the comment of a string for a table. Surrounding white space of a comment from code is removed, as in Xcode's tables.
  private static func comment(of string: ExtractedString) -> String? {
    guard let comment = string.comment, string.origin.isCode else { return string.comment }
    return comment.withoutOuterSpace
  }

  /// Returns a String Catalog that the export creates. Its entries are the same as after a sync.
  package static func newCatalog(
    at path: TreePath, in language: LocaleIdentifier, of strings: [ExtractedString]
  ) -> Catalog {
    CatalogSync.sync(Catalog(path: path, sourceLanguage: language), with: strings, mayRemove: false).catalog
  }

  /// Returns the source text for a key. Several specifiers in a key of `NSLocalizedString` are numbered, as by genstrings (all 7 such keys of
  /// two tables in damus-io/damus, Xcode 26.3). Keys with an interpolation are never numbered in a `.strings` table.
  private static func numberedKey(of string: ExtractedString) -> String {
    guard !string.hasInterpolation else { return string.key.text }
    return string.origin.numbered(string.key.text) ?? string.key.text
  }
}

extension StringOrigin {
  /// Whether the key is from code, where a developer can write a comment for it.
  fileprivate var isCode: Bool { self == .swift || self == .objectiveC || self == .appShortcuts }
}
