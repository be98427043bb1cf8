import CatalogFormats
import Localization

/// Makes the bundles of an export: every unit of every catalog, shaped for each language.
struct BundleExporter {
  let snapshot: ProjectSnapshot
  let tool: ToolInfo
  let projectName: String
  /// The catalogs reduced to the source language: the same for all languages, so made once.
  private let sourceContents: [TreePath: [UInt8]]
  let diagnostics: [Diagnostic]

  init(snapshot: ProjectSnapshot, tool: ToolInfo, projectName: String) {
    self.snapshot = snapshot
    self.tool = tool
    self.projectName = projectName
    var contents: [TreePath: [UInt8]] = [:]
    var faults: [Diagnostic] = []
    for (path, catalog) in snapshot.catalogs {
      guard let format = CatalogFormatRegistry.standard.format(for: path) else { continue }
      do {
        var files = snapshot.files(of: catalog)
        files = files.applying(try format.write(catalog, over: files), languages: catalog.languages)
        contents[path] = try format.sourceCopy(of: files)
      } catch {
        faults += error.diagnostics
      }
    }
    sourceContents = contents
    diagnostics = faults
  }

  /// - Parameter others: the languages whose plural forms the bundle has too (`ExportShape.units`).
  func bundle(for language: LocaleIdentifier, formsFor others: Set<LocaleIdentifier> = []) -> XCLocBundle {
    let files = snapshot.catalogs.values.compactMap { catalog -> ExchangeFile? in
      let units = ExportShape.units(of: catalog, for: language, formsFor: others)
      guard !units.isEmpty else { return nil }
      return ExchangeFile(
        original: catalog.path.text, sourceLanguage: catalog.sourceLanguage, targetLanguage: language, units: units)
    }
    return XCLocBundle(
      targetLanguage: language, developmentRegion: snapshot.project.sourceLanguage, project: projectName,
      tool: tool, files: files, sourceContents: sourceContents)
  }
}

extension ProjectSnapshot {
  /// Adds the keys that code holds to the catalogs, as an export does: none is removed, none becomes stale.
  /// - Returns: what could not be added, and why.
  mutating func addKeysFromCode() -> [Diagnostic] {
    let strings = Dictionary(grouping: extraction.strings, by: \.catalog)
    // What a table holds whose format is not read is not known, so its keys would go out as if nothing were translated.
    for (path, found) in strings
    where !unreadable.contains(path) && CatalogFormatRegistry.standard.format(for: path) != nil {
      let before = catalogs[path] ?? Catalog(path: path, sourceLanguage: extraction.sourceLanguage)
      catalogs[path] = CatalogSync.sync(before, with: found, mayRemove: false).catalog
    }
    return unreadable.sorted().map {
      Diagnostic(path: $0.text, severity: .warning, message: "is not exported, because it could not be read")
    }
  }
}
