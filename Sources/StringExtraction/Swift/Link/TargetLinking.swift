import Localization
import SwiftParsing
import Synchronization

/// The literals of every file of some targets: from the cache where nothing can have changed them, else linked now.
struct TargetLinking {
  private let project: ProjectDescription
  private let targets: [ProjectTarget]
  private let macros: [String]
  private let threads: Int
  private let cache: (any FactCache)?
  private let version: String
  /// What any file of these targets and their dependencies imports.
  private let imports: Set<String>

  init(
    _ targets: [ProjectTarget], of project: ProjectDescription, facts: SourceFacts, options: ExtractionOptions,
    cache: (any FactCache)?, version: String
  ) {
    self.project = project
    self.targets = targets
    self.cache = cache
    self.version = version
    macros = options.macros
    threads = options.threads
    imports = Set(
      LinkJob.closure(of: targets, in: project).flatMap(\.swiftSources).flatMap { facts.files[$0.path]?.imports ?? [] })
  }

  /// A file of a target, by their places.
  private struct Work: Sendable {
    var target: Int
    var file: Int
  }

  private struct Linked: Sendable {
    var work: Work
    /// `nil`: the cache gave something else for the file's facts.
    var literals: [LocalizedLiteral]?
  }

  /// - Parameter facts: gets those in that have to be looked at.
  /// - Returns: the literals by target and file, both in the order given, and how many files were linked for them.
  func literals(_ facts: inout SourceFacts) throws -> (literals: [[[LocalizedLiteral]]], linked: Int) {
    var found: [[[LocalizedLiteral]?]] = targets.map { $0.swiftSources.map { _ in nil } }
    let names = cache == nil ? [] : targets.map { name(of: $0, facts) }
    for target in targets.indices {
      let record = LinkRecord(try names.isEmpty ? nil : cache?.recent(names[target]))
      for (file, source) in targets[target].swiftSources.enumerated() {
        guard let known = facts.files[source.path] else { continue }
        found[target][file] = known.isUnread ? [] : known.blob.flatMap { record.files[$0] }
      }
    }
    let work = targets.indices.flatMap { target in
      found[target].indices.filter { found[target][$0] == nil }.map { Work(target: target, file: $0) }
    }
    guard !work.isEmpty else { return (found.map { $0.map { $0 ?? [] } }, 0) }
    for linked in try link(work, &facts) { found[linked.work.target][linked.work.file] = linked.literals }
    for target in Set(work.map(\.target)) where !names.isEmpty {
      var record = LinkRecord(nil)
      for (source, literals) in zip(targets[target].swiftSources, found[target]) {
        if let blob = facts.files[source.path]?.blob { record.files[blob] = literals }
      }
      try cache?.keep(record.encoded, as: names[target])
    }
    return (found.map { $0.map { $0 ?? [] } }, work.count)
  }

  /// The linker of some of the targets, for one thread.
  func linker(of targets: [ProjectTarget], _ facts: SourceFacts) -> TargetLinker {
    let units = LinkJob.closure(of: targets, in: project).map { target in
      TargetLinker.Unit(target: target, interfaces: target.swiftSources.map { facts.interface(of: $0.path) })
    }
    return TargetLinker(units, sdk: SDKFacts.modules, imported: imports, macros: Set(macros))
  }

  private func name(of target: ProjectTarget, _ facts: SourceFacts) -> String {
    LinkRecord.name(
      of: target, closure: LinkJob.closure(of: [target], in: project), facts: facts,
      modules: SDKFacts.imports.filter { imports.contains($0) }, macros: macros, version: version)
  }

  /// Links files, shared out among threads; each thread has tables of its own, since these fill as they are used.
  private func link(_ work: [Work], _ facts: inout SourceFacts) throws -> [Linked] {
    let needed = Set(work.map(\.target)).sorted().map { targets[$0] }
    try facts.fetch(LinkJob.sources(of: LinkJob.closure(of: needed, in: project)))
    var linked = try pass(work, facts, needed)
    let damaged = linked.filter { $0.literals == nil }.map(\.work)
    guard !damaged.isEmpty else { return linked }
    try facts.compile(LinkJob.sources(of: needed).filter { facts.facts(of: $0.path) == nil })
    linked.removeAll { $0.literals == nil }
    return try linked + pass(damaged, facts, needed)
  }

  private func pass(_ work: [Work], _ facts: SourceFacts, _ needed: [ProjectTarget]) throws -> [Linked] {
    let threads = max(1, min(threads, work.count / 8))
    let next = Atomic<Int>(0)
    let (targets, linking) = (targets, self)
    return try ParsingThreads.map(Array(0..<threads), threads: threads) { _ in
      let linker = linking.linker(of: needed, facts)
      var linked: [Linked] = []
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < work.count else { return linked }
        let target = targets[work[index].target]
        let whole = facts.facts(of: target.swiftSources[work[index].file].path)
        linked.append(Linked(work: work[index], literals: whole.map { linker.literals(in: $0, of: target.id) }))
      }
    }.flatMap { $0 }
  }
}
