package import CatalogFormats
package import Localization

/// Every unit of every catalog of a project, in the forms that each language needs, with the paths that an export uses.
package struct ProjectUnits {
  let snapshot: ProjectSnapshot
  let dialect: ExportDialect
  private let scope: ExportScope

  package init(snapshot: ProjectSnapshot, tool: ToolInfo, scope: ExportScope) {
    dialect = ExportDialect(version: tool.version)
    var snapshot = snapshot
    if dialect.marksUntranslatable { TableKeys.markTwins(&snapshot.catalogs) }
    self.snapshot = snapshot
    self.scope = scope
  }

  /// Returns the units of all catalogs for a language.
  /// - Parameter others: further languages whose plural forms the units also have (`ExportShape.units`).
  /// - Returns: the files that have units, and the `original` of each of them that has one file per language but none in this language yet.
  package func files(
    for language: LocaleIdentifier, formsFor others: Set<LocaleIdentifier> = []
  ) -> (files: [ExchangeFile], unwritten: Set<String>) {
    var unwritten: Set<String> = []
    let files = snapshot.catalogs.values.compactMap { catalog -> ExchangeFile? in
      let isCatalog = catalog.path.holdsAllLanguages
      let isSource = language == catalog.sourceLanguage
      let units =
        isCatalog
        ? ExportShape.units(of: catalog, for: language, formsFor: others)
          .map { dialect.rendering($0, isSource: isSource) }
        : ClassicExport.units(of: catalog, for: language, formsFor: others, dialect: dialect)
      guard !units.isEmpty else { return nil }
      let original = scope.original(of: named(catalog.path))
      if !isCatalog, !isSource, !hasFile(of: catalog, for: language) { unwritten.insert(original) }
      return ExchangeFile(
        original: original, sourceLanguage: catalog.sourceLanguage, targetLanguage: language,
        units: units)
    }
    return (files, unwritten)
  }

  /// Returns the path for the `original` of `<file>`. For a catalog of an interface file, older Xcode versions use the interface file's path.
  private func named(_ catalog: TreePath) -> TreePath {
    guard dialect.namesInterfaces, catalog.parent.name == "mul.lproj" else { return catalog }
    let folder = catalog.parent.parent
    let names = TreePath.interfaceEndings.map {
      folder.appending("Base.lproj").appending("\(catalog.stem).\($0)")
    }
    return names.first { (try? snapshot.tree.entry(at: $0))?.isFile == true } ?? catalog
  }

  /// Returns whether the catalog has a file for the language, with or without texts.
  private func hasFile(of catalog: Catalog, for language: LocaleIdentifier) -> Bool {
    snapshot.project.catalogs.first { $0.path == catalog.path }?.localizations[language] != nil
  }
}
