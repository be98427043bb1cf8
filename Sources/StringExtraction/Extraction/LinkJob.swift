import IncrementalLinking
import Localization
import SwiftFacts
import SwiftLinking
import SwiftParsing

/// A job that links the selected targets of a project, to collect their strings, to explain their literals, or to find the uses of a symbol.
struct LinkJob: Sendable {
  let project: ProjectDescription
  let selected: [ProjectTarget]
  var facts: SourceFacts
  var others = NonSwiftSources()
  /// Returns the existing catalogs after waiting until they are read.
  var existing: @Sendable () throws -> [TreePath: Catalog]
  let options: ExtractionOptions
  let cache: (any FactCache)?
  let version: String

  /// Links the selected targets, and collects the strings of all their sources.
  mutating func run() throws -> Extraction {
    let linking = TargetLinking(
      selected, of: project, facts: facts, options: options, cache: cache, version: version)
    let found = try linking.literals(&facts)
    for path in found.overBudget { facts.giveUp(on: path) }
    let literals = found.literals
    let (selected, others, existing) = (selected, others, try existing())
    let collected = try facts.dropContents {
      Self.collected(literals, of: selected, others, existing: existing)
    }
    var extraction = Extraction(sourceLanguage: project.sourceLanguage)
    extraction.strings = collected.strings
    extraction.uncertainKeys = collected.uncertainKeys
    let faults = facts.files.values.compactMap(\.fault)
    extraction.diagnostics =
      faults.sorted { ($0.path, $0.line ?? 0) < ($1.path, $1.line ?? 0) } + others.diagnostics
      + collected.diagnostics
    extraction.parsedFiles = facts.parsed
    extraction.linkedFiles = found.linked
    extraction.incompleteCatalogs = CatalogCompleteness(
      project: project, selected: selected, facts: facts, others: others, computedTables: collected.computedTables
    ).incomplete()
    return extraction
  }

  /// The combined literals and found strings of all targets.
  private struct Collected: Sendable {
    var strings: [ExtractedString]
    var uncertainKeys: [TreePath: [UnitKey: ExtractionSite]]
    /// For each target with Swift calls whose table is not a literal, a diagnostic about the first of these calls.
    var computedTables: [TargetID: Diagnostic]
    var diagnostics: [Diagnostic]
  }

  /// - Parameter literals: the literals, by target and file.
  private static func collected(
    _ literals: [[[LocalizedLiteral]]], of targets: [ProjectTarget], _ others: NonSwiftSources,
    existing: [TreePath: Catalog]
  ) -> Collected {
    var collection = StringCollection(existing: existing)
    var computedTables: [TargetID: Diagnostic] = [:]
    for (target, files) in zip(targets, literals) {
      let source = StringCollection.Source(target)
      for (path, literals) in zip(target.swiftSources.lazy.map(\.path), files) {
        for literal in literals {
          if literal.table == .computed, computedTables[target.id] == nil {
            computedTables[target.id] = Diagnostic(
              path: path.text, line: Int(literal.place.line), column: Int(literal.place.column),
              severity: .note, message: "the table of this string is not a literal, so the table is unknown")
          }
          collection.add(literal, at: path, of: source)
        }
      }
    }
    for target in targets {
      for found in others.strings(of: target.id) { collection.add(found, of: target) }
    }
    return Collected(
      strings: collection.strings(), uncertainKeys: collection.uncertainKeys, computedTables: computedTables,
      diagnostics: collection.unplaceable + collection.unusedValues)
  }

  /// Returns the places where files of the selected targets use a generated symbol.
  func uses(of symbol: GeneratedSymbol, from tree: any SourceTree) throws -> [(path: TreePath, place: SourcePlace)] {
    var compiled: [(target: TargetID, file: Int, path: TreePath, facts: FileFacts)] = []
    for target in selected {
      for (file, source) in target.swiftSources.enumerated() where !source.path.isDataModel {
        // The extraction already reports files that cannot be read.
        guard let bytes = try? tree.read(source.path),
          bytes.withUnsafeBufferPointer({ !symbol.offsets(in: $0).isEmpty })
        else { continue }
        let facts = try ParsingThreads.run {
          // The whole source is parsed, because function bodies without a quotation mark, which are otherwise skipped, can use the symbol too.
          (try? SourceParsing.parse(bytes, path: source.path)).map { FactCompiler.compile($0, symbol: symbol) }
        }
        if let facts { compiled.append((target.id, file, source.path, facts)) }
      }
    }
    guard !compiled.isEmpty else { return [] }
    var facts = facts
    try facts.fetch(TargetClosure.sources(of: TargetClosure.closure(of: selected, in: project)))
    let linking = TargetLinking(
      selected, of: project, facts: facts, options: options, cache: cache, version: version)
    let (whole, files) = (facts, compiled)
    return try ParsingThreads.run {
      let linker = linking.linker(of: selected, whole)
      return files.flatMap { file in
        linker.explanations(in: file.facts, file: file.file, of: file.target)
          .filter { $0.isTaken && $0.text.hasPrefix(GeneratedSymbol.mark) }
          .map { (file.path, SourcePlace(line: Int32(clamping: $0.line), column: Int32(clamping: $0.column))) }
      }
    }
  }

  /// Explains every Swift literal in the facts with the text `key`, or every literal in the facts if `key` is `nil`.
  func explanations(of key: String?) throws -> [(path: TreePath, explanation: LiteralExplanation)] {
    var facts = facts
    try facts.fetch(TargetClosure.sources(of: TargetClosure.closure(of: selected, in: project)))
    let linking = TargetLinking(
      selected, of: project, facts: facts, options: options, cache: cache, version: version)
    let damaged = TargetClosure.sources(of: selected).filter { facts.facts(of: $0.path) == nil }
    try facts.compile(damaged)
    let whole = facts
    return try ParsingThreads.run {
      let linker = linking.linker(of: selected, whole)
      return selected.flatMap { target in
        target.swiftSources.enumerated().flatMap { file, source in
          linker.explanations(in: whole.facts(of: source.path) ?? .empty, file: file, of: target.id)
            .filter { literal in key.map { literal.text.isExactly($0) } ?? true }.map { (source.path, $0) }
        }
      }
    }
  }
}
