package import CatalogFormats
package import Localization

/// Creates the bundles of an export. They contain every unit of every catalog, in the forms that each language needs.
package struct BundleExporter {
  private let snapshot: ProjectSnapshot
  private let tool: ToolInfo
  private let units: ProjectUnits
  private let dialect: ExportDialect
  private let scope: ExportScope
  /// The files of Source Contents: the catalogs reduced to the source language, and localized assets. They are the same for all target languages, so
  /// they are created only once.
  private let sourceContents: [TreePath: [UInt8]]
  /// The source contents of files in the folder above the project's folder. Xcode puts them next to Source Contents.
  private let besideContents: [TreePath: [UInt8]]
  private let assets: LocalizedAssets
  /// The contents of `Notes` in every bundle.
  package var notes: [TreePath: [UInt8]] = [:]
  package let diagnostics: [Diagnostic]
  /// Whether all localized images could be read.
  package var hasAllAssets: Bool { assets.diagnostics.isEmpty }

  package init(snapshot: ProjectSnapshot, tool: ToolInfo, scope: ExportScope) {
    let units = ProjectUnits(snapshot: snapshot, tool: tool, scope: scope)
    let (snapshot, dialect) = (units.snapshot, units.dialect)
    var contents: [TreePath: [UInt8]] = [:]
    var faults: [Diagnostic] = []
    for (path, catalog) in snapshot.catalogs {
      do {
        contents[path] = try Self.sourceCopy(of: catalog, in: snapshot, dialect)
      } catch let error as TreeError {
        faults.append(error.diagnostic)
      } catch let fault as InputFault {
        faults += fault.diagnostics
      } catch {
        faults.append(Diagnostic(path: path.text, severity: .error, message: "\(error)"))
      }
    }
    // A localizable file without texts is copied too, although the XLIFF has no `<file>` for it (xcode-formats.md C).
    for catalog in snapshot.project.catalogs where contents[catalog.path] == nil {
      if let bytes = try? snapshot.tree.read(catalog.path) { contents[catalog.path] = bytes }
    }
    assets = LocalizedAssets(in: snapshot.tree)
    var inside = Self.within(scope.folder, assets.sourceContents)
    inside.merge(Self.within(scope.folder, contents)) { _, text in text }
    let parent = scope.folder.parent
    besideContents = scope.folder.isRoot ? [:] : Self.within(parent, contents.filter { !$0.key.isWithin(scope.folder) })
    self.units = units
    self.snapshot = snapshot
    self.tool = tool
    self.dialect = dialect
    self.scope = scope
    sourceContents = inside
    diagnostics = faults + assets.diagnostics
  }

  /// Returns the files inside a folder, by their path relative to the folder.
  private static func within(_ folder: TreePath, _ files: [TreePath: [UInt8]]) -> [TreePath: [UInt8]] {
    guard !folder.isRoot else { return files }
    return Dictionary(
      files.compactMap { path, bytes in path.relative(to: folder).map { ($0, bytes) } }, uniquingKeysWith: { $1 })
  }

  /// Returns the bytes of a catalog for Source Contents. A String Catalog has the keys of the code but no translations. A new table has the form that
  /// the export creates. Other files are unchanged.
  private static func sourceCopy(
    of catalog: Catalog, in snapshot: ProjectSnapshot, _ dialect: ExportDialect
  ) throws -> [UInt8]? {
    var files = snapshot.files(of: catalog)
    guard let format = snapshot.tools.format(catalog.path) else {
      return try snapshot.tree.read(catalog.path)
    }
    let isCatalog = catalog.path.holdsAllLanguages
    if let bytes = files.sourceBytes, !isCatalog { return bytes }
    if files.sourceBytes == nil, catalog.path.ending == "strings" { return newTable(catalog, dialect) }
    if files.sourceBytes == nil, isCatalog {
      files.bytes[catalog.path] = Array(
        """
        {
          "sourceLanguage" : "\(catalog.sourceLanguage)",
          "strings" : {

          },
          "version" : "\(dialect.newCatalogVersion)"
        }
        """.utf8)
    }
    files = files.applying(try format.write(catalog, over: files), languages: catalog.languages)
    return try format.sourceCopy(of: files)
  }

  /// Returns the bytes of a `.strings` table that the export creates. As in genstrings, the table is sorted by key, and all comments of a key after
  /// the first are indented.
  private static func newTable(_ catalog: Catalog, _ dialect: ExportDialect) -> [UInt8] {
    let sorted = catalog.entries.sorted { CatalogOrder.precedes($0.key.text, $1.key.text) }
    let entries = sorted.compactMap { key, entry -> (key: UnitKey, value: String, comment: String?)? in
      guard case .text(let text)? = entry.translations[catalog.sourceLanguage]?[.root]?.words else { return nil }
      let lines = entry.comment?.split(separator: "\n", omittingEmptySubsequences: false)
      return (key, text, lines?.joined(separator: "\n   "))
    }
    guard TablePlaces.isInfoPlist(catalog.table), !dialect.separatesInfoPlistEntries else {
      return StringsFile.new(entries)
    }
    return entries.flatMap { StringsFile.new([$0]).dropLast() }
  }

  /// The development language of the first Xcode target that can get new tables. If there is none, the project's source language.
  private var developmentRegion: LocaleIdentifier {
    let targets = snapshot.project.targets.filter { if case .xcode = $0.kind { $0.newTables != nil } else { false } }
    return targets.first?.newTables?.language ?? snapshot.project.sourceLanguage
  }

  /// Returns the bundle for a language.
  /// - Parameter others: further languages whose plural forms the bundle also needs (`ExportShape.units`).
  package func bundle(for language: LocaleIdentifier, formsFor others: Set<LocaleIdentifier> = []) -> XCLocBundle {
    let (files, unwritten) = units.files(for: language, formsFor: others)
    var bundle = XCLocBundle(
      targetLanguage: language, developmentRegion: developmentRegion, project: dialect.namesProject ? scope.name : "",
      tool: tool, files: files, sourceContents: sourceContents)
    bundle.unwritten = unwritten
    bundle.besideContents = besideContents
    bundle.localizedContents = Self.within(scope.folder, assets.localizedContents(for: language))
    bundle.notes = notes
    return bundle
  }

  /// Returns a warning for each id that several units of a file have. An import cannot distinguish these units.
  package func sharedIDs(in bundle: XCLocBundle) -> [Diagnostic] {
    bundle.files.flatMap { file -> [Diagnostic] in
      // Ids are compared by code points, as in an import. Therefore `é` in two Unicode forms is two keys.
      let ids = file.units.map {
        UnitKey(ExchangeIdentifier.text(key: $0.key, path: $0.path, in: file.original))
      }
      let shared = Dictionary(grouping: ids) { $0 }.filter { $1.count > 1 }.keys.sorted()
      return shared.map {
        Diagnostic(
          path: file.original, severity: .warning, message: "several units have the id “\($0.text)”",
          hint:
            "rename the key that ends with “|==|” and the name of a form; until then, the units cannot be distinguished"
        )
      }
    }
  }
}
