package import Localization

extension ProjectSnapshot {
  /// Adds the strings of code, interface files and Info.plists to the catalogs, as an export does. An export creates missing tables, but it removes
  /// no keys and marks none as stale.
  /// - Returns: diagnostics about unreadable catalogs, to which nothing is added, and about tables that exist only in other languages.
  package mutating func addKeysFromCode() -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    for (path, found) in Dictionary(grouping: extraction.strings, by: \.catalog) where unreadable[path] == nil {
      // An interface file's own texts are read with its translations.
      if !path.isInterface, tools.format(path) != nil {
        let language = sourceLanguage(of: path, fedBy: found)
        if !path.isKeptInStep {
          let before = catalogs[path] ?? translated(path, in: language, found, &diagnostics)
          catalogs[path] = ClassicExport.adding(found, to: before)
        } else if let before = catalogs[path] {
          catalogs[path] = CatalogSync.sync(before, with: found, mayRemove: false).catalog
        } else {
          var made = ClassicExport.newCatalog(at: path, in: language, of: found)
          if isUntranslatable(found) {
            // Names of document types in an Info.plist are keys without a value. They remain translatable.
            for string in found where !TablePlaces.isInfoPlist(made.table) || string.value != nil {
              made.entries[string.key]?.shouldTranslate = false
            }
          }
          catalogs[path] = made
        }
      }
    }
    diagnostics += unreadable.keys.sorted().map {
      Diagnostic(path: $0.text, severity: .warning, message: "this catalog is unreadable and was not exported")
    }
    return diagnostics
  }

  /// Warnings about tables that the project does not have. Xcode exports their strings from the code, but an import has no file for the translations.
  ///
  /// The table of an Info.plist is skipped, because most projects have no such table and most of its texts are never translated.
  package var missingTables: [Diagnostic] {
    catalogs.filter { path, catalog in
      files[path] == nil && !path.isInterface && !TablePlaces.isInfoPlist(catalog.table)
    }.sorted { $0.key < $1.key }.compactMap { path, catalog in
      let count = catalog.entries.values.count(where: \.shouldTranslate)
      guard count > 0 else { return nil }
      let strings = count == 1 ? "its 1 string" : "its \(count) strings"
      return Diagnostic(
        path: path.text, severity: .warning,
        message: "the project does not have this table, so translations of \(strings) cannot be imported yet",
        hint: "create it with `dragoman init` before you import")
    }
  }

  /// Returns a table that exists only in other languages, with their texts, or otherwise an empty table. A table that exists in other languages is
  /// added to the project.
  private mutating func translated(
    _ path: TreePath, in language: LocaleIdentifier, _ found: [ExtractedString], _ diagnostics: inout [Diagnostic]
  ) -> Catalog {
    let empty = Catalog(path: path, sourceLanguage: language)
    let places = project.targets.lazy.filter { $0.catalogs.values.contains(path) }.compactMap(\.newTables)
    guard let localizations = places.compactMap({ $0.translated[empty.table] }).first else { return empty }
    let described = ProjectCatalog(
      path: path, table: empty.table, sourceLanguage: language,
      localizations: localizations.filter { $0.key != language }, targets: [])
    do throws(InputFault) {
      guard let catalog = try translated(described, of: found) else { return empty }
      diagnostics += catalog.diagnostics
      add(described)
      return catalog
    } catch {
      diagnostics += error.diagnostics
      return empty
    }
  }

  /// Reads a table that exists only in other languages.
  /// - Parameter found: the strings of the code. Other keys are skipped, because they would have no source text.
  /// - Returns: the table; `nil` if its format is not supported.
  func translated(_ described: ProjectCatalog, of found: [ExtractedString]) throws(InputFault) -> Catalog? {
    guard let format = tools.format(described.path) else { return nil }
    var files = described.files
    files.bytes[described.path] = []
    for (language, path) in files.localizations {
      do { files.bytes[path] = try tree.read(path) } catch { files.unread[language] = error }
    }
    var catalog = try format.read(files)
    let keys = Set(found.map(\.key))
    catalog.entries = catalog.entries.filter { keys.contains($0.key) }
    return catalog
  }

  /// Returns the source language of a new table: the development language of a target whose strings belong to it or, if none is known, the source
  /// language of the extraction.
  private func sourceLanguage(of path: TreePath, fedBy strings: [ExtractedString]) -> LocaleIdentifier {
    let feeding = Set(strings.flatMap(\.targets))
    return project.targets.first { feeding.contains($0.id) }?.newTables?.language ?? extraction.sourceLanguage
  }

  /// Returns whether none of the targets with these strings can contain translations.
  private func isUntranslatable(_ strings: [ExtractedString]) -> Bool {
    let feeding = Set(strings.flatMap(\.targets))
    return project.targets.allSatisfy { !feeding.contains($0.id) || $0.newTables?.isUntranslatable == true }
  }
}
