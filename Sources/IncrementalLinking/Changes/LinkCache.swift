import Localization
import SwiftFacts
import SwiftParsing

/// The results of earlier links of a project. Finds the results that are still valid after a change of declarations, and the files that are needed to
/// link the other files.
struct LinkCache {
  private let project: ProjectDescription
  private let targets: [ProjectTarget]
  private let cache: any FactCache
  private let threads: Int
  private let stateName: String
  private let tableName: String
  /// The table of names, which is read when it is first needed.
  private var table = NameTable(nil)
  private var isTableRead = false
  /// The targets, and all targets on which they depend.
  private let closure: [ProjectTarget]

  init(
    of targets: [ProjectTarget], in project: ProjectDescription, facts: SourceFacts, version: String,
    threads: Int, cache: any FactCache
  ) {
    self.project = project
    self.targets = targets
    self.cache = cache
    self.threads = threads
    stateName = "linked \(LinkRecord.version) \(version) \(facts.projectName)"
    tableName = "names \(NameTable.version) \(version) \(facts.projectName)"
    closure = TargetClosure.closure(of: targets, in: project)
  }

  private mutating func readTable() throws {
    guard !isTableRead else { return }
    table = NameTable(try cache.recent(tableName))
    isTableRead = true
  }

  /// Returns the digests of the interfaces of a target's files, in file order.
  private func interfaces(of id: TargetID, _ facts: SourceFacts) -> [FactsDigest] {
    sources(id).map { facts.interfaceDigest(of: $0.path) }
  }

  /// Finds the literals of earlier links that are still valid.
  /// - Parameter dirty: the indices of the targets for which no record is stored under the current name, because their interfaces, those of their
  ///   dependencies, or another input of linking changed.
  /// - Returns: for targets that were linked before in the same frame, the records of the files that no change reaches.
  mutating func unaffected(
    _ dirty: [Int], _ names: [LinkNames.Names], _ facts: SourceFacts
  ) throws -> [(target: Int, record: LinkRecord)] {
    guard !dirty.isEmpty else { return [] }
    let state = LinkedState(try cache.recent(stateName))
    let comparable = dirty.filter { state.targets[targets[$0].id]?.frame == names[$0].frame }
    guard !comparable.isEmpty else { return [] }
    try readTable()
    let ids = TargetClosure.closure(of: comparable.map { targets[$0] }, in: project).map(\.id)
    try add(facts.fetched)
    let old = ids.map { state.interfaces[$0] ?? [] }
    let new = ids.map { interfaces(of: $0, facts) }
    guard (old + new).allSatisfy({ $0.allSatisfy(table.holds) }) else { return [] }
    let changed = ChangedNames(from: old, to: new, in: table)
    var kept: [(target: Int, record: LinkRecord)] = []
    for target in comparable {
      guard let name = state.targets[targets[target].id]?.record else { continue }
      var record = LinkRecord(try cache.recent(name))
      let affected = record.files.filter { _, file in
        !table.holds(file.shape) || table.with(file.shape) { changed.affects($0) }
      }
      for blob in affected.keys { record.files[blob] = nil }
      kept.append((target, record))
    }
    return kept
  }

  /// Returns the files with declarations that may be needed for linking the given files, and the given files themselves; `nil` if all files of the
  /// targets and of their dependencies are to be used.
  /// - Parameters:
  ///   - files: the files to link. Their facts are in memory.
  ///   - linked: the targets that contain these files.
  mutating func files(
    neededFor files: [TreeEntry], of linked: [ProjectTarget], _ facts: SourceFacts
  ) throws -> [TreeEntry]? {
    let all = TargetClosure.sources(of: TargetClosure.closure(of: linked, in: project))
    // For many files, using all files is faster than finding the needed files.
    guard files.count < all.count / 8 else { return nil }
    try readTable()
    try add(files.compactMap { facts.encoded(of: $0.path) })
    var mentions: [UInt32] = []
    for file in files {
      guard let shape = facts.encoded(of: file.path)?.shapeDigest, table.holds(shape) else { return nil }
      table.with(shape) { mentions += $0 }
    }
    let keys = all.map { facts.interfaceDigest(of: $0.path) }
    guard keys.allSatisfy(table.holds) else { return nil }
    let needed = NeededUnits.files(for: mentions, among: Set(keys), in: table)
    let own = Set(files.map(\.path))
    return zip(all, keys).filter { needed.contains($1) || own.contains($0.path) }.map(\.0)
  }

  private func sources(_ id: TargetID) -> [TreeEntry] { closure.first { $0.id == id }?.swiftSources ?? [] }

  /// Adds the names that these files declare and mention, if the table does not contain them yet.
  private mutating func add(_ files: [EncodedFacts]) throws {
    let missing = files.filter { !table.holds($0.interfaceDigest) || !table.holds($0.shapeDigest) }
    // `names()` decodes cached facts, which needs a large stack.
    let made = try ParsingThreads.map(missing, threads: missing.count < 8 ? 1 : threads) { $0.names() }
    for (file, names) in zip(missing, made) {
      guard let names else { continue }
      table.add(names.units, as: file.interfaceDigest)
      table.add(names.mentions, as: file.shapeDigest)
    }
  }

  /// Stores the state with which the next commit is compared, and the table of names if it changed.
  mutating func keep(_ records: [LinkRecord], _ names: [LinkNames.Names], _ facts: SourceFacts) throws {
    try readTable()
    try add(facts.fetched)
    var state = LinkedState(nil)
    for target in closure { state.interfaces[target.id] = interfaces(of: target.id, facts) }
    for (target, names) in zip(targets, names) {
      state.targets[target.id] = LinkedState.Target(frame: names.frame, record: names.record)
    }
    // The table has an entry for each interface and shape. Entries of removed files are pruned when the table has too many entries.
    let files = closure.reduce(0) { $0 + $1.swiftSources.count }
    if table.keys.count > 4 * files + 64 {
      let present = Set(state.interfaces.values.joined()).union(records.flatMap { $0.files.values.map(\.shape) })
      try cache.keep(table.encoded(only: present), as: tableName)
    } else if table.isChanged {
      try cache.keep(table.encoded, as: tableName)
    }
    try cache.keep(state.encoded, as: stateName)
  }
}
