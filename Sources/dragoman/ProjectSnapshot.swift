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
  /// The catalogs that could be read.
  var catalogs: [TreePath: Catalog]
  /// The bytes of every catalog file, readable or not.
  var bytes: [TreePath: [UInt8]]
  var extraction: Extraction
  /// Catalogs that could not be read: nothing may be written to them.
  var unreadable: Set<TreePath>
  private var catalogDiagnostics: [Diagnostic]

  var diagnostics: [Diagnostic] { project.diagnostics + catalogDiagnostics + extraction.diagnostics }

  /// Whether nothing at all could be read: errors, and neither a source nor a catalog.
  var isUnreadable: Bool {
    catalogs.isEmpty && extraction.strings.isEmpty && diagnostics.contains { $0.severity == .error }
  }

  /// Reads layout and catalogs, and extracts where `options` says so.
  static func read(_ tree: any SourceTree, options: ExtractionOptions?, excluding: [String] = []) throws -> Self {
    let project = try RepositoryLayout().project(in: tree, excluding: excluding)
    var state = ProjectSnapshot(
      tree: tree, project: project, catalogs: [:], bytes: [:],
      extraction: Extraction(sourceLanguage: project.sourceLanguage),
      unreadable: [], catalogDiagnostics: [])
    for path in Set(project.catalogs.map(\.path)).sorted() {
      do {
        guard let format = CatalogFormatRegistry.standard.format(for: path) else { continue }
        let bytes = try tree.read(path)
        state.bytes[path] = bytes
        state.catalogs[path] = try format.read(bytes, at: path)
      } catch let error as TreeError {
        state.unreadable.insert(path)
        state.catalogDiagnostics.append(error.diagnostic)
      } catch let fault as InputFault {
        state.unreadable.insert(path)
        state.catalogDiagnostics += fault.diagnostics
      }
    }
    if let options {
      state.extraction = try SourceStringExtractor().extract(
        project, from: tree, existing: state.catalogs, options: options, cache: nil)
    }
    return state
  }

  /// The catalogs in step with the code, and the files that differ for it.
  /// - Returns: also what could not be written, and where keys were only added, and why.
  func synced() -> (edits: TreeEdits, inStep: CatalogsInStep, diagnostics: [Diagnostic]) {
    let formats = CatalogFormatRegistry.standard
    let inStep = CatalogsInStep(
      project, committed: catalogs, broken: unreadable, extraction: extraction,
      canWrite: { formats.format(for: $0) != nil })
    var edits = TreeEdits()
    var diagnostics = inStep.diagnostics
    for path in inStep.changes.keys.sorted() {
      guard let format = formats.format(for: path), let catalog = inStep.catalogs[path] else { continue }
      do {
        edits.write(try format.write(catalog, over: bytes[path]), to: path)
      } catch {
        diagnostics += error.diagnostics
      }
    }
    return (edits, inStep, diagnostics)
  }
}
