import Localization
import SwiftParsing
import Synchronization

/// Linking of a whole project, for one thread with a large stack.
struct LinkJob: Sendable {
  let project: ProjectDescription
  let selected: [ProjectTarget]
  let facts: SourceFacts
  var others = OtherSources()
  let existing: [TreePath: Catalog]
  let options: ExtractionOptions

  /// The targets and all that they depend on, each once.
  static func closure(of targets: [ProjectTarget], in project: ProjectDescription) -> [ProjectTarget] {
    let byID = Dictionary(project.targets.map { ($0.id, $0) }) { first, _ in first }
    var found: [ProjectTarget] = []
    var seen: Set<TargetID> = []
    var pending = targets
    while let next = pending.popLast() {
      guard seen.insert(next.id).inserted else { continue }
      found.append(next)
      pending += next.dependencies.compactMap { byID[$0] }
    }
    return found.sorted { $0.id < $1.id }
  }

  private func linker() -> TargetLinker {
    let units = Self.closure(of: selected, in: project).map { target in
      TargetLinker.Unit(
        target: target, files: target.swiftSources.map { ($0.path, facts.files[$0.path]?.facts ?? .empty) })
    }
    return TargetLinker(units, sdk: facts.sdk, macros: Set(options.macros))
  }

  /// A file of a target, with the literals that it localizes.
  private struct Work: Sendable {
    var target: Int
    var file: Int
    var literals: [LocalizedLiteral] = []
  }

  /// Links every selected target, the files shared out among threads; each thread has tables of its own, since these fill as they
  /// are used.
  func run() throws -> Extraction {
    let work = selected.indices.flatMap { target in
      selected[target].swiftSources.indices.map { Work(target: target, file: $0) }
    }
    let threads = max(1, min(options.threads, work.count / 8))
    let next = Atomic<Int>(0)
    let done = try ParsingThreads.map(Array(0..<threads), threads: threads) { _ in
      let linker = linker()
      var linked: [(Int, Work)] = []
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < work.count else { return linked }
        var work = work[index]
        work.literals = linker.literals(of: selected[work.target].id, file: work.file)
        linked.append((index, work))
      }
    }
    var collection = StringCollection(existing: existing)
    var computedTables: [TargetID: Diagnostic] = [:]
    for (_, work) in done.flatMap({ $0 }).sorted(by: { $0.0 < $1.0 }) {
      let target = selected[work.target]
      let path = target.swiftSources[work.file].path
      for literal in work.literals {
        if literal.table == .computed, computedTables[target.id] == nil {
          computedTables[target.id] = Diagnostic(
            path: path.text, line: Int(literal.place.line), column: Int(literal.place.column), severity: .note,
            message: "find the table of a string: it is not given by a literal")
        }
        collection.add(literal, at: path, of: target)
      }
    }
    for target in selected {
      for found in others.strings(of: target.id) { collection.add(found, of: target) }
    }
    var extraction = Extraction(sourceLanguage: project.sourceLanguage)
    extraction.strings = collection.strings()
    let faults = facts.files.values.compactMap(\.fault)
    extraction.diagnostics = faults.sorted { ($0.path, $0.line ?? 0) < ($1.path, $1.line ?? 0) } + others.diagnostics
    extraction.parsedFiles = facts.parsed
    extraction.incompleteCatalogs = CatalogCompleteness(
      project: project, selected: selected, facts: facts, others: others, computedTables: computedTables
    ).incomplete()
    return extraction
  }

  func explanations(of key: String) -> [(path: TreePath, explanation: LiteralExplanation)] {
    let linker = linker()
    return selected.flatMap { target in
      linker.explanations(of: target.id).flatMap { file in
        file.literals.filter { $0.text.isExactly(key) }.map { (file.path, $0) }
      }
    }
  }
}
