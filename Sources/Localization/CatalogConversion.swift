/// Makes one String Catalog of the tables with a file a language, as Xcode's migration and the build after it do (formats.md A5, E3):
///
/// - What a language's file says is `translated`, also in the source language; a key that code holds and whose text is the key has no
///   source text of its own.
/// - A key that code holds is as any other found there; the others are `manual`, so that no sync takes them out.
/// - A format that is nothing but one variable becomes plural forms, any other keeps its variables as substitutions.
///
/// Beyond Xcode it loses no comment: those that differ between languages are joined, the source language's first.
package enum CatalogConversion {
  package struct Result: Sendable {
    package var catalog: Catalog
    /// Texts that do not count at run time, since a table before theirs has the key in this language, and says something else.
    package var overruled: [(key: UnitKey, language: LocaleIdentifier, text: String)] = []
  }

  /// - Parameters:
  ///   - tables: of one table, the one that counts at run time first: `.stringsdict`, then `.strings`.
  ///   - comments: of each key in all files, in the order in which they are to stand.
  ///   - strings: those of this table that code holds; keys that no table has are not added.
  package static func convert(
    _ tables: [Catalog], to path: TreePath, comments: [UnitKey: [String]], strings: [ExtractedString]
  ) -> Result {
    var result = Result(
      catalog: Catalog(path: path, sourceLanguage: tables.first?.sourceLanguage ?? LocaleIdentifier("en")))
    for table in tables {
      for (key, entry) in table.entries.sorted(by: { $0.key < $1.key }) {
        for (language, translation) in entry.translations.sorted(by: { $0.key < $1.key }) {
          let form = translation.catalogForm
          if let known = result.catalog.entries[key]?.translations[language] {
            if known != form { result.overruled.append((key, language, form.summary)) }
          } else {
            result.catalog.entries[key, default: CatalogEntry()].translations[language] = form
          }
        }
      }
    }
    let source = result.catalog.sourceLanguage
    let found = Set(strings.map(\.key))
    for key in result.catalog.entries.keys {
      result.catalog.entries[key]?.comment = joined(comments[key] ?? [])
      let isFound = found.contains(key)
      result.catalog.entries[key]?.extractionState = isFound ? .migrated : .manual
      let text = result.catalog.entries[key]?.translations[source]
      if isFound, text == Translation(key.text) { result.catalog.entries[key]?.translations[source] = nil }
    }
    let known = strings.filter { result.catalog.entries[$0.key] != nil }
    result.catalog = CatalogSync.sync(result.catalog, with: known, mayRemove: false).catalog
    return result
  }

  private static func joined(_ comments: [String]) -> String? {
    var seen: Set<UnitKey> = []
    let different = comments.filter { !$0.isEmpty && seen.insert(UnitKey($0)).inserted }
    return different.isEmpty ? nil : different.joined(separator: "\n")
  }
}

extension Translation {
  /// The translation of a `.stringsdict` as a String Catalog says it: `%#@birds@` and nothing else is the plural forms of `birds`, where
  /// these take no other argument; so it is by device where it is so on every device that names a variable.
  package var catalogForm: Translation {
    switch text {
    case .text(let unit):
      guard let forms = forms(of: unit, on: nil) else { return self }
      return Translation(text: forms)
    case .device(let devices):
      var texts: [Device: VariedText] = [:]
      for (device, text) in devices {
        guard case .text(let unit) = text else { return self }
        if FormatString(unit.value).references.isEmpty {
          texts[device] = text
        } else if device != .other, let forms = forms(of: unit, on: device) {
          // The fallback of devices cannot vary further in a catalog.
          texts[device] = forms
        } else {
          return self
        }
      }
      return Translation(text: .device(texts))
    case .plural, .phrases: return self
    }
  }

  /// The plural forms that a text stands for; `nil` where it says more than one variable.
  private func forms(of unit: StringUnit, on device: Device?) -> VariedText? {
    let format = FormatString(unit.value)
    guard format.parts.count == 1, let reference = format.references.first, reference.number == 1,
      let substitution = substitutions[reference.name]
    else { return nil }
    var forms = substitution.forms
    if case .device(let devices) = forms {
      guard let device, let own = devices[device] ?? devices[.other] else { return nil }
      forms = own
    }
    guard case .plural(let cases) = forms else { return nil }
    for form in cases.values {
      guard case .text(let unit) = form else { return nil }
      let inner = FormatString(unit.value)
      guard inner.references.isEmpty, inner.substitutionArguments == 0, inner.arguments.allSatisfy({ $0.number == 1 })
      else { return nil }
    }
    return forms
  }
}
