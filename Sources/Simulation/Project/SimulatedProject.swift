import CatalogFormats
package import Localization
package import Workspace

extension ProjectTools {
  /// The tools that read simulated projects. The catalogs are real String Catalogs.
  package static let simulated = ProjectTools(
    layout: SimulatedProjectReader(), extractor: SimulatedExtractor(),
    reviewer: NoCodeReviewer(),
    format: { CatalogFormatRegistry.standard.format(for: $0) })
}

/// A reader of the simulated project's layout.
package struct SimulatedProjectReader: ProjectReader {
  package init() {}

  package func project(in tree: any SourceTree, excluding excluded: [String]) throws -> ProjectDescription {
    var project = ProjectDescription(sourceLanguage: "en", languages: ["en"])
    let entries = tree.walk()
    for entry in entries where entry.path.name == "Strings.txt" {
      guard let name = ProjectPlaces.target(of: entry.path) else { continue }
      let folder = entry.path.parent
      let id = TargetID(rawValue: name)
      let catalogs = entries.map(\.path).filter { $0.isStringCatalog && $0.isWithin(folder) }
      project.targets.append(
        ProjectTarget(
          id: id, name: name, kind: .folder, folder: folder, swiftSources: [entry],
          resourceFolder: folder.appending("Resources"),
          catalogs: Dictionary(catalogs.map { ($0.stem, $0) }, uniquingKeysWith: { first, _ in first })))
      project.catalogs += catalogs.map {
        ProjectCatalog(path: $0, table: $0.stem, sourceLanguage: "en", targets: [id])
      }
    }
    return project
  }

  package func registering(
    _ localizations: [NewLocalization], of project: ProjectDescription, in tree: any SourceTree
  ) -> (edits: TreeEdits, diagnostics: [Diagnostic]) { (TreeEdits(), []) }

  package func preparing(
    _ catalogs: [NewCatalog], sourceLanguage: LocaleIdentifier, of project: ProjectDescription, in tree: any SourceTree
  ) -> (catalogs: [NewCatalog], edits: TreeEdits, diagnostics: [Diagnostic]) { (catalogs, TreeEdits(), []) }

  package func taken(
    _ paths: [TreePath], by targets: [ProjectTarget], in tree: any SourceTree
  ) -> Set<TreePath> { Set(paths) }
}

/// A reviewer that finds nothing, because the sources of the simulated project are not Swift.
private struct NoCodeReviewer: CodeReviewer {
  func traits(of bytes: [UInt8]) -> CodeTraits { CodeTraits() }

  func review(
    _ files: [ReviewedFile], for kinds: Set<CodePattern.Kind>, of tree: any SourceTree, threads: Int
  ) throws -> CodeReview { CodeReview() }
}

/// An extractor of the strings in the simulated project's sources.
package struct SimulatedExtractor: StringExtractor {
  package init() {}

  package func extract(
    _ project: ProjectDescription, from tree: any SourceTree,
    existing: @escaping @Sendable () throws -> [TreePath: Catalog], options: ExtractionOptions,
    cache: (any FactCache)?
  ) throws -> Extraction {
    var extraction = Extraction(sourceLanguage: "en")
    for target in project.targets {
      for entry in target.swiftSources {
        let text = String(decoding: try tree.read(entry.path), as: UTF8.self)
        for (number, line) in text.split(separator: "\n").enumerated() {
          guard let line = SourceLine(line) else { continue }
          extraction.strings.append(
            ExtractedString(
              catalog: target.catalog(of: line.table), table: line.table, key: UnitKey(line.key),
              value: line.value.isEmpty ? nil : line.value, comment: line.comment.isEmpty ? nil : line.comment,
              targets: [target.id],
              sites: [ExtractionSite(path: entry.path, line: number + 1, column: 1, api: "Text")]))
        }
        extraction.parsedFiles += 1
      }
    }
    extraction.strings.sort { ($0.catalog, $0.key) < ($1.catalog, $1.key) }
    return extraction
  }
}
