package import Localization
import SDKDeclarations
import SwiftFacts
package import SwiftLinking
import SwiftParsing

/// The linking of some targets, which determines the localized literals in their files. If a file's literals cannot have changed, they come from the
/// cache; otherwise the file is linked.
package struct TargetLinking {
  private let project: ProjectDescription
  private let targets: [ProjectTarget]
  private let macros: [String]
  private let threads: Int
  private let cache: (any FactCache)?
  private let version: String
  private let names: LinkNames

  package init(
    _ targets: [ProjectTarget], of project: ProjectDescription, facts: SourceFacts, options: ExtractionOptions,
    cache: (any FactCache)?, version: String
  ) {
    self.project = project
    self.targets = targets
    self.cache = cache
    self.version = version
    macros = options.macros
    threads = options.threads
    names = LinkNames(
      TargetClosure.closure(of: targets, in: project), of: project, facts: facts, macros: options.macros,
      version: version)
  }

  /// A file of a target, identified by the indices of the target and the file.
  private struct Work: Sendable {
    var target: Int
    var file: Int
  }

  private struct Linked: Sendable {
    var work: Work
    /// The literals, with tokens in place of the texts if there is a cache; `nil` if the facts in the cache were invalid.
    var literals: [LocalizedLiteral]?
    /// Whether linking the file was aborted. Literals may then be missing.
    var isOverBudget = false
  }

  /// The literals of some targets.
  package struct Result {
    /// The literals by target and file, both in the given order.
    package var literals: [[[LocalizedLiteral]]]
    /// The number of linked files.
    package var linked: Int
    /// The files for which linking was aborted.
    package var overBudget: Set<TreePath> = []
  }

  /// Returns the literals of the targets' files. With a cache, only the files that a change affects are linked.
  /// - Parameter facts: the facts of the project. The facts of files that must be examined are loaded into it.
  package func literals(_ facts: inout SourceFacts) throws -> Result {
    guard let cache else {
      let found: [[[LocalizedLiteral]]] = targets.map { $0.swiftSources.map { _ in [] } }
      let work = targets.indices.flatMap { target in
        targets[target].swiftSources.indices.map { Work(target: target, file: $0) }
      }
      var result = Result(literals: found, linked: work.count)
      for linked in try link(work, &facts, nil) {
        result.literals[linked.work.target][linked.work.file] = linked.literals ?? []
        if linked.isOverBudget { result.overBudget.insert(path(of: linked.work)) }
      }
      return result
    }
    let names = names.names(of: targets, facts)
    var records: [LinkRecord] = []
    var dirty: [Int] = []
    for (index, name) in names.enumerated() {
      let bytes = try cache.recent(name.record)
      if bytes == nil { dirty.append(index) }
      records.append(LinkRecord(bytes))
    }
    var memory = LinkCache(of: targets, in: project, facts: facts, version: version, threads: threads, cache: cache)
    for (index, record) in try memory.unaffected(dirty, names, facts) { records[index] = record }
    var found: [[[LocalizedLiteral]?]] = targets.map { $0.swiftSources.map { _ in nil } }
    // The files that the records do not contain. A record may still contain another file with the same shape.
    var unknown: [Work] = []
    for target in targets.indices {
      for (file, source) in targets[target].swiftSources.enumerated() {
        guard let known = facts.files[source.path], !known.isUnread else { continue }
        found[target][file] = known.blob.flatMap { records[target].files[$0]?.restored() }
        if found[target][file] == nil { unknown.append(Work(target: target, file: file)) }
      }
    }
    let entries = unknown.map { targets[$0.target].swiftSources[$0.file] }
    try facts.fetch(entries)
    try facts.compile(entries.filter { facts.encoded(of: $0.path)?.texts() == nil })
    var wanted: [Int: Set<FactsDigest>] = [:]
    for (item, entry) in zip(unknown, entries) {
      if let shape = facts.encoded(of: entry.path)?.shapeDigest { wanted[item.target, default: []].insert(shape) }
    }
    var shapes: [Int: [FactsDigest: LinkRecord.File]] = [:]
    for (target, wanted) in wanted { shapes[target] = records[target].files(ofShapes: wanted) }
    var work: [Work] = []
    for item in unknown {
      guard let encoded = facts.encoded(of: path(of: item)), let texts = encoded.texts() else { continue }
      if let file = shapes[item.target]?[encoded.shapeDigest]?.with(texts), let literals = file.restored() {
        found[item.target][item.file] = literals
        note(file, item)
      } else {
        work.append(item)
      }
    }
    func note(_ file: LinkRecord.File, _ item: Work) {
      if let blob = facts.files[path(of: item)]?.blob { records[item.target].files[blob] = file }
    }
    let files = work.map { targets[$0.target].swiftSources[$0.file] }
    let needed =
      try work.isEmpty ? nil : memory.files(neededFor: files, of: Set(work.map(\.target)).map { targets[$0] }, facts)
    var overBudget: Set<TreePath> = []
    for linked in try link(work, &facts, needed) {
      let path = path(of: linked.work)
      guard let literals = linked.literals, let encoded = facts.encoded(of: path), let texts = encoded.texts() else {
        continue
      }
      let file = LinkRecord.File(shape: encoded.shapeDigest, literals: literals, texts: texts)
      found[linked.work.target][linked.work.file] = file.restored()
      if linked.isOverBudget {
        // The result is not stored in the record, because the next extraction must report the file again.
        overBudget.insert(path)
        continue
      }
      note(file, linked.work)
    }
    let changed = Set(unknown.map(\.target)).union(dirty)
    for target in changed.sorted() {
      // Entries of changed files are removed when the record is rewritten.
      records[target].keep(only: Set(targets[target].swiftSources.compactMap { facts.files[$0.path]?.blob }))
      try cache.keep(records[target].encoded, as: names[target].record)
    }
    if !work.isEmpty || !dirty.isEmpty {
      try memory.keep(records, names, facts)
    }
    return Result(literals: found.map { $0.map { $0 ?? [] } }, linked: work.count, overBudget: overBudget)
  }

  private func path(of work: Work) -> TreePath { targets[work.target].swiftSources[work.file].path }

  /// Creates a linker for some targets, to be used on one thread.
  package func linker(of targets: [ProjectTarget], _ facts: SourceFacts) -> TargetLinker {
    let units = TargetClosure.closure(of: targets, in: project).map { target in
      TargetLinker.Unit(
        target: target, interfaces: target.swiftSources.map { facts.interface(of: $0.path) },
        imports: names.imports[target.id] ?? [])
    }
    return TargetLinker(units, sdk: SDKFacts.modules, imported: names.outside, macros: Set(macros))
  }

  /// Links files on several threads. Each thread has its own tables, because linking adds entries to them. Files whose facts in the cache are invalid
  /// are compiled and linked again.
  /// - Parameter files: all files with declarations that may be needed; `nil` for every file.
  private func link(_ work: [Work], _ facts: inout SourceFacts, _ files: [TreeEntry]?) throws -> [Linked] {
    guard !work.isEmpty else { return [] }
    let needed = Set(work.map(\.target)).sorted().map { targets[$0] }
    if cache != nil {
      try facts.fetch(files ?? TargetClosure.sources(of: TargetClosure.closure(of: needed, in: project)))
    }
    var linked = try pass(work, facts, needed)
    let damaged = linked.filter { $0.literals == nil }.map(\.work)
    guard !damaged.isEmpty else { return linked }
    try facts.compile(TargetClosure.sources(of: needed).filter { facts.facts(of: $0.path) == nil })
    linked.removeAll { $0.literals == nil }
    return try linked + pass(damaged, facts, needed)
  }

  private func pass(_ work: [Work], _ facts: SourceFacts, _ needed: [ProjectTarget]) throws -> [Linked] {
    let threads = max(1, min(threads, work.count / 8))
    let shares = WorkShares(of: work.count, threads: threads)
    let (targets, linking) = (targets, self)
    return try ParsingThreads.map(Array(0..<threads), threads: threads) { thread in
      var linker = linking.linker(of: needed, facts)
      var linked: [Linked] = []
      while true {
        guard let index = shares.next(for: thread) else { return linked }
        try CancellationFlag.check()
        let target = targets[work[index].target]
        let file = work[index].file
        let whole = facts.facts(of: target.swiftSources[file].path, asShape: true)
        let literals = whole.map {
          linker.literals(
            in: $0, file: file, of: target.id, includesUncertain: linking.names.withCatalog.contains(target.id))
        }
        var found = Linked(work: work[index], literals: literals)
        found.isOverBudget = whole != nil && linker.isOverBudget
        linked.append(found)
        if linker.mustBeReplaced { linker = linking.linker(of: needed, facts) }
      }
    }.flatMap { $0 }
  }
}
