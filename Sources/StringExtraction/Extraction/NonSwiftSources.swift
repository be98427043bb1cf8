import Localization
import SwiftParsing

/// The strings, diagnostics and gaps of C-family files, Interface Builder files, property lists and intent definitions, by target.
struct NonSwiftSources: Sendable {
  private(set) var readings: [TargetID: [NonSwiftReading]] = [:]
  /// The catalogs that receive the strings of storyboards, xibs, intent definitions or Info.plists.
  private(set) var fedCatalogs: Set<TreePath> = []

  /// One unit of work: a file, or files of a target that must be read together.
  private struct Item: Sendable {
    var target: ProjectTarget
    var read: @Sendable () throws -> NonSwiftReading
  }

  /// Reads the non-Swift sources of the targets on several threads. A fault in a file is a gap in the file's reading.
  /// - Throws: errors of the cache and of `existing`, `CancellationError` and `ThreadError`.
  static func read(
    _ targets: [ProjectTarget], of project: ProjectDescription, from tree: any SourceTree,
    existing: @escaping @Sendable () throws -> [TreePath: Catalog], options: ExtractionOptions, cache: (any FactCache)?
  ) throws -> NonSwiftSources {
    let sources = try CFactsTable.load(targets, from: tree, threads: options.threads, cache: cache)
    let catalogs = Set(
      project.catalogs.map(\.path).filter { options.isForExport || $0.isKeptInStep })
    var result = NonSwiftSources()
    var items: [Item] = []
    for target in targets {
      items.append(Item(target: target) { sources.reading(of: target, options: options) })
      for (path, catalog) in LocalizedFileCatalog.files(of: target, among: catalogs, in: project.sourceLanguage) {
        result.fedCatalogs.insert(catalog)
        items.append(Item(target: target) { read(path, in: tree, into: catalog) })
      }
      for place in InfoPlistReader.catalogs(of: target, isForExport: options.isForExport) {
        result.fedCatalogs.insert(place.catalog)
        items.append(
          Item(target: target) {
            try InfoPlistReader.reading(of: target, from: tree, into: place, existing: existing()[place.catalog])
          })
      }
    }
    let readings = try ParsingThreads.map(items, threads: options.threads) { item in (item.target.id, try item.read()) }
    for (target, reading) in readings { result.readings[target, default: []].append(reading) }
    return result
  }

  /// Reads a file that is itself localized, with the reader for its type.
  private static func read(_ path: TreePath, in tree: any SourceTree, into catalog: TreePath) -> NonSwiftReading {
    let bytes: [UInt8]
    do { bytes = try tree.read(path) } catch {
      return NonSwiftReading(gaps: [.init(error.diagnostic, catalog: catalog)])
    }
    return path.ending == "intentdefinition"
      ? IntentDefinitionReader.read(bytes, at: path, into: catalog)
      : InterfaceReader.read(bytes, at: path, into: catalog)
  }

  func strings(of target: TargetID) -> [FoundString] { readings[target, default: []].flatMap(\.strings) }

  /// All diagnostics, including the reasons for gaps, sorted and without duplicates.
  var diagnostics: [Diagnostic] {
    let all = readings.values.flatMap { $0 }.flatMap { $0.diagnostics + $0.gaps.map(\.reason) }
    return Set(all).sorted { ($0.path, $0.line ?? 0, $0.message) < ($1.path, $1.line ?? 0, $1.message) }
  }

  /// Returns the reasons why catalogs of a target may contain keys that were not found, by catalog.
  func gaps(of target: ProjectTarget) -> [TreePath: [Diagnostic]] {
    var found: [TreePath: [Diagnostic]] = [:]
    for gap in readings[target.id, default: []].flatMap(\.gaps) {
      let catalogs = gap.catalog.map { [$0] } ?? Array(target.catalogs.values)
      for catalog in catalogs { found[catalog, default: []].append(gap.reason) }
    }
    return found
  }
}
