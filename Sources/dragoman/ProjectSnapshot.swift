import CatalogFormats
import Foundation
import Localization
import ProjectLayout
import StringExtraction

/// Everything that a tree says about localization: its layout, its catalogs, and the strings of its code.
struct ProjectSnapshot: Sendable {
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
      project: project, catalogs: [:], bytes: [:], extraction: Extraction(sourceLanguage: project.sourceLanguage),
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

  /// The catalogs after sync, as edits, with what changed and what was only added to and why.
  func synced() -> (
    edits: TreeEdits, catalogs: [TreePath: Catalog], changes: [TreePath: [SyncChange]], diagnostics: [Diagnostic]
  ) {
    var edits = TreeEdits()
    var changed: [TreePath: [SyncChange]] = [:]
    var result = catalogs
    var diagnostics: [Diagnostic] = []
    let strings = Dictionary(grouping: extraction.strings, by: \.catalog)
    // A catalog that no target is known to feed is nobody's: its keys may come from anywhere.
    let fed = Set(project.catalogs.filter { !$0.targets.isEmpty }.map(\.path))
    for path in fed.union(strings.keys).subtracting(unreadable).sorted() {
      guard let format = CatalogFormatRegistry.standard.format(for: path) else { continue }
      let reasons = extraction.incompleteCatalogs[path] ?? []
      let before = catalogs[path] ?? Catalog(path: path, sourceLanguage: extraction.sourceLanguage)
      let outcome = CatalogSync.sync(before, with: strings[path] ?? [], mayRemove: reasons.isEmpty)
      if let reason = reasons.first {
        diagnostics.append(
          Diagnostic(
            path: path.text, severity: .note,
            message: "keys are only added, none is taken out or made stale: \(reason.path): \(reason.message)"
              + (reasons.count > 1 ? " (and \(reasons.count - 1) more)" : "")))
      }
      guard outcome.catalog != before || (bytes[path] == nil && !outcome.catalog.entries.isEmpty) else { continue }
      do {
        edits.write(try format.write(outcome.catalog, over: bytes[path]), to: path)
        result[path] = outcome.catalog
        changed[path] = outcome.changes
      } catch {
        diagnostics += error.diagnostics
      }
    }
    return (edits, result, changed, diagnostics)
  }
}
