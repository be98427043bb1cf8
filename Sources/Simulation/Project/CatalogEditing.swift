import CatalogFormats
package import Localization

/// Functions that read catalogs and change them as people do.
extension FileTree {
  /// Returns the catalog at a path; `nil` if the catalog does not exist or cannot be read.
  package func catalog(at path: TreePath) -> Catalog? {
    guard let bytes = self[path] else { return nil }
    return try? StringCatalogFormat().read(CatalogFiles(bytes, at: path))
  }

  /// Writes a changed catalog in Xcode's format.
  package mutating func write(_ catalog: Catalog) {
    let files = CatalogFiles(self[catalog.path], at: catalog.path)
    guard let written = try? StringCatalogFormat().write(catalog, over: files) else { return }
    for (path, bytes) in written { self[path] = bytes }
  }

  /// Updates the catalogs from the code, as a build in Xcode does.
  package mutating func build() {
    let tree = SimulatedTree(files: self)
    guard let project = try? SimulatedProjectReader().project(in: tree, excluding: []),
      let extraction = try? SimulatedExtractor().extract(
        project, from: tree, existing: [:], options: ExtractionOptions(), cache: nil)
    else { return }
    let strings = Dictionary(grouping: extraction.strings, by: \.catalog)
    for path in catalogs {
      guard let catalog = catalog(at: path) else { continue }
      let result = CatalogSync.sync(catalog, with: strings[path] ?? [], mayRemove: true)
      if !result.changes.isEmpty { write(result.catalog) }
    }
  }

  /// Returns the text of a unit in a language, with its state; `nil` if there is no such text.
  package func translation(of unit: UnitID, in language: LocaleIdentifier) -> StringUnit? {
    catalog(at: unit.catalog)?.text(of: unit.key, in: language)
  }

  /// An empty catalog.
  package static let emptyCatalog = Array(
    """
    {
      "sourceLanguage" : "en",
      "strings" : {

      },
      "version" : "1.0"
    }
    """.utf8)
}

extension Catalog {
  /// Returns the text of an entry in a language; `nil` if there is no text, or a text with variations.
  package func text(of key: UnitKey, in language: LocaleIdentifier) -> StringUnit? {
    guard case .text(let unit)? = entries[key]?.translations[language]?.text else { return nil }
    return unit
  }

  /// Returns the source text of an entry; `nil` if there is no such entry.
  package func sourceText(of key: UnitKey) -> String? {
    guard entries[key] != nil else { return nil }
    return text(of: key, in: sourceLanguage)?.value ?? key.text
  }
}
