import CatalogFormats
import Foundation
import Localization
import Pipeline
import ProjectLayout
import StringExtraction

/// Everything that a tree says about localization: its layout, its catalogs, and the strings of its code.
struct ProjectSnapshot: Sendable {
  let tree: any SourceTree
  var project: ProjectDescription
  /// The catalogs that could be read, some without a language (`Catalog.unread`).
  var catalogs: [TreePath: Catalog]
  /// The files of every catalog, readable or not, by its path.
  var files: [TreePath: CatalogFiles]
  var extraction: Extraction
  /// Catalogs that could not be read, with what is wrong: nothing may be written to them.
  var unreadable: [TreePath: InputFault]
  private var catalogDiagnostics: [Diagnostic]

  var diagnostics: [Diagnostic] { project.diagnostics + catalogDiagnostics + extraction.diagnostics }

  /// Whether nothing at all could be read: errors, and neither a source nor a catalog.
  var isUnreadable: Bool {
    catalogs.isEmpty && extraction.strings.isEmpty && diagnostics.contains { $0.severity == .error }
  }

  /// Reads layout and catalogs, and extracts where `options` says so.
  /// - Parameter isCodeAlone: whether only what code has to do with matters: tables that no build changes are not read then.
  /// - Parameter projects: the Xcode projects that matter, with what they need; `nil`: everything.
  static func read(
    _ tree: any SourceTree, options: ExtractionOptions?, excluding: [String] = [], isCodeAlone: Bool = false,
    projects: Set<TreePath>? = nil
  ) throws -> Self {
    var project = try RepositoryLayout().project(in: tree, excluding: excluding)
    if let projects { project = project.restricted(to: projects) }
    if options?.isForExport == true { project = project.forExport() }
    var state = ProjectSnapshot(
      tree: tree, project: project, catalogs: [:], files: [:],
      extraction: Extraction(sourceLanguage: project.sourceLanguage),
      unreadable: [:], catalogDiagnostics: [])
    for catalog in project.catalogs.sorted(by: { $0.path < $1.path }) {
      let path = catalog.path
      do {
        guard let format = CatalogFormatRegistry.project.format(for: path), format.isKeptInStep || !isCodeAlone else {
          continue
        }
        let files = try catalog.files(in: tree)
        state.files[path] = files
        let read = try format.read(files)
        state.catalogs[path] = read
        state.catalogDiagnostics += read.diagnostics
      } catch let error as TreeError {
        state.unreadable[path] = InputFault(error.diagnostic)
        state.catalogDiagnostics.append(error.diagnostic)
      } catch let fault as InputFault {
        state.unreadable[path] = fault
        state.catalogDiagnostics += fault.diagnostics
      }
    }
    if let options {
      state.extraction = try SourceStringExtractor().extract(
        project, from: tree, existing: state.catalogsInCode, options: options, cache: nil)
    }
    return state
  }

  /// The catalogs whose keys tell extraction something: those that a build keeps in step with the code.
  var catalogsInCode: [TreePath: Catalog] {
    catalogs.filter { CatalogFormatRegistry.project.format(for: $0.key)?.isKeptInStep == true }
  }

  /// The catalogs in step with the code.
  var inStep: CatalogsInStep {
    let formats = CatalogFormatRegistry.project
    return CatalogsInStep(
      project, committed: catalogs, broken: Set(unreadable.keys), extraction: extraction,
      isKeptInStep: { formats.format(for: $0)?.isKeptInStep == true })
  }

  /// The catalogs in step with the code, and the files that differ for it.
  /// - Returns: also what could not be written, and where keys were only added, and why.
  func synced() -> (edits: TreeEdits, inStep: CatalogsInStep, diagnostics: [Diagnostic]) {
    let inStep = inStep
    var diagnostics = inStep.diagnostics
    let written = write(inStep.catalogs.filter { inStep.changes[$0.key] != nil })
    diagnostics += written.diagnostics
    return (written.edits, inStep, diagnostics)
  }

  /// Catalogs put over their files, a new file where there is none yet.
  /// - Returns: the files that differ or are new, and what could not be written: such a catalog's files are left as they are.
  func write(_ catalogs: [TreePath: Catalog]) -> (edits: TreeEdits, diagnostics: [Diagnostic]) {
    var edits = TreeEdits()
    var diagnostics: [Diagnostic] = []
    for (path, catalog) in catalogs.sorted(by: { $0.key < $1.key }) {
      guard let format = CatalogFormatRegistry.project.format(for: path) else { continue }
      do {
        for (file, content) in try format.splice(catalog, over: files(of: catalog)) { edits.write(content, to: file) }
      } catch {
        diagnostics += error.diagnostics
      }
    }
    return (edits, diagnostics)
  }

  /// What project files have to say of languages that catalogs have got, and what a person has to do about them.
  /// - Parameter written: the files that hold them.
  func registering(
    _ catalogs: [TreePath: Catalog], written: TreeEdits
  ) -> (edits: TreeEdits, diagnostics: [Diagnostic]) {
    let new = NewLocalization.found(
      from: self.catalogs, to: catalogs, of: project.catalogs, written: Set(written.paths))
    return RepositoryLayout().registering(new, of: project, in: tree)
  }

  /// Leaves out the catalogs that were not asked for.
  mutating func restrict(to selection: Selection) {
    let tables = Dictionary(project.catalogs.map { ($0.path, $0.table) }, uniquingKeysWith: { first, _ in first })
    func isWanted(_ path: TreePath) -> Bool { selection.contains(path, table: tables[path]) }
    catalogs = catalogs.filter { isWanted($0.key) }
    files = files.filter { isWanted($0.key) }
    unreadable = unreadable.filter { isWanted($0.key) }
    project.catalogs.removeAll { !isWanted($0.path) }
    extraction.strings.removeAll { !isWanted($0.catalog) }
    extraction.incompleteCatalogs = extraction.incompleteCatalogs.filter { isWanted($0.key) }
  }

  /// A catalog's files; without bytes where it is new.
  func files(of catalog: Catalog) -> CatalogFiles {
    files[catalog.path] ?? CatalogFiles(path: catalog.path, sourceLanguage: catalog.sourceLanguage)
  }
}

extension CatalogFormatRegistry {
  /// All formats that a project's catalogs have.
  static let project = standard.reading(interfacesWith: LocalizedFileTexts())
}
