import IncrementalLinking
package import Localization
import SDKDeclarations
import SwiftFacts
package import SwiftLinking
import SwiftParsing

/// An extractor of a project's strings. It compiles each Swift and C-family file to facts, and links the facts of each target to strings. All other
/// sources are read directly.
package struct SourceStringExtractor: StringExtractor {
  /// A part of the cache keys of Swift facts, links and whole trees. Increase it when the same sources give different facts or strings.
  static let version = "swift-16"

  /// The version under which all strings of a tree may be cached: `version`, and the versions of everything that `version` does not include.
  package static var treeVersion: String {
    "\(SourceFacts.version(version)).c-\(CFileFacts.version).\(SDKFacts.digest)"
  }

  package init() {}

  package func extract(
    _ project: ProjectDescription, from tree: any SourceTree,
    existing: @escaping @Sendable () throws -> [TreePath: Catalog], options: ExtractionOptions,
    cache: (any FactCache)?
  ) throws -> Extraction {
    let selected = Self.selected(project, options)
    var job = try Self.job(selected, of: project, from: tree, options: options, cache: cache)
    job.others = try NonSwiftSources.read(
      selected, of: project, from: tree, existing: existing, options: options, cache: cache)
    job.existing = { try StringTableKeys.read(selected, from: tree, beside: existing()) }
    return try job.run()
  }

  /// Explains each literal with the text `key` (`extract --why`): its type and the rule by which it was extracted, or the reason why it was not
  /// extracted.
  /// - Parameters:
  ///   - key: the literal's text, with interpolations as `\(…)`; `nil` for every literal.
  ///   - isOfUnfed: whether to explain the targets from which nothing is extracted (test targets, and targets without a catalog) instead of all other
  ///     targets.
  package func explain(
    _ key: String?, in project: ProjectDescription, from tree: any SourceTree, options: ExtractionOptions,
    isOfUnfed: Bool = false, cache: (any FactCache)?
  ) throws -> [(path: TreePath, explanation: LiteralExplanation)] {
    let selected = Self.selected(project, options, isOfUnfed: isOfUnfed)
    let job = try Self.job(selected, of: project, from: tree, options: options, cache: cache)
    let known = try job.explanations(of: key)
    let swift = try ParsingThreads.run { Self.completed(known, key, of: selected, from: tree) }
    let sources = try CFactsTable.load(selected, from: tree, threads: options.threads, cache: cache)
    return swift + selected.flatMap { sources.explanations(of: key, in: $0, options: options) }
  }

  /// Returns the places where code uses the Swift symbol that Xcode generates for a `manual` key of a String Catalog.
  package func symbolUses(
    of key: String, in catalog: ProjectCatalog, of project: ProjectDescription, from tree: any SourceTree,
    options: ExtractionOptions, cache: (any FactCache)?
  ) throws -> [(path: TreePath, line: Int, column: Int)] {
    guard catalog.isStringCatalog, !catalog.path.isInLanguageFolder,
      let symbol = GeneratedSymbol(key: key, tables: [catalog.table])
    else { return [] }
    // A symbol is internal to the target whose resources include the catalog.
    let targets = Self.selected(project, options).filter {
      catalog.targets.contains($0.id) && $0.generatesStringSymbols
    }
    guard !targets.isEmpty else { return [] }
    let job = try Self.job(targets, of: project, from: tree, options: options, cache: cache)
    return try job.uses(of: symbol, from: tree).map { ($0.path, Int($0.place.line), Int($0.place.column)) }
  }

  /// Adds the literals that the facts omit, each with the reason why it was not extracted.
  private static func completed(
    _ known: [(path: TreePath, explanation: LiteralExplanation)], _ key: String?, of selected: [ProjectTarget],
    from tree: any SourceTree
  ) -> [(path: TreePath, explanation: LiteralExplanation)] {
    struct Place: Hashable {
      var path: TreePath
      var place: SourcePlace
    }
    var seen = Set(
      known.map { found in
        let place = SourcePlace(
          line: Int32(clamping: found.explanation.line), column: Int32(clamping: found.explanation.column))
        return Place(path: found.path, place: place)
      })
    var result = known
    for entry in selected.flatMap(\.swiftSources) where !entry.path.isDataModel {
      // The extraction already reports files that cannot be read.
      guard let bytes = try? tree.read(entry.path), case .success(let stripped) = SourceGuard.stripped(bytes) else {
        continue
      }
      for found in LiteralSurvey.literals(of: SourceParsing.parse(stripped, of: bytes)) {
        let literal = found.literal
        guard key.map({ literal.sketch.isExactly($0) }) ?? true,
          seen.insert(Place(path: entry.path, place: literal.place)).inserted
        else { continue }
        let explanation = LiteralExplanation(
          line: Int(literal.place.line), column: Int(literal.place.column), text: literal.sketch, isTaken: false,
          type: "unknown", context: "", rule: found.reason ?? "in a place that cannot have a type that Xcode extracts")
        result.append((entry.path, explanation))
      }
    }
    return result
  }

  private static func selected(
    _ project: ProjectDescription, _ options: ExtractionOptions, isOfUnfed: Bool = false
  ) -> [ProjectTarget] {
    project.targets.filter { target in
      target.feedsCatalogs != isOfUnfed && (options.targets.isEmpty || options.targets.contains(target.name))
    }
  }

  /// Creates the job that links the targets' Swift code, without existing catalogs.
  private static func job(
    _ selected: [ProjectTarget], of project: ProjectDescription, from tree: any SourceTree, options: ExtractionOptions,
    cache: (any FactCache)?
  ) throws -> LinkJob {
    let version = SourceFacts.version(version)
    let facts = try SourceFacts(
      TargetClosure.sources(of: TargetClosure.closure(of: selected, in: project)), named: name(of: project), from: tree,
      threads: options.threads, cache: cache, version: version)
    return LinkJob(
      project: project, selected: selected, facts: facts, existing: { [:] }, options: options,
      cache: cache, version: version)
  }

  /// Returns a name for the project, which is the same for all branches and commits with the same targets.
  private static func name(of project: ProjectDescription) -> String {
    var digest = ContentDigest()
    for target in project.targets { digest.update(text: target.id.rawValue) }
    return digest.finishHexadecimal()
  }
}
