import Localization
import SwiftParsing

/// What was linked for a project before, and which of it a change of declarations leaves as it is.
struct LinkMemory {
  private let project: ProjectDescription
  private let targets: [ProjectTarget]
  private let cache: any FactCache
  private let threads: Int
  private let stateName: String
  private let tableName: String
  /// Read when it is first needed; what was read is not read again.
  private var table: NameTable?
  /// The files whose interfaces others can see, by target.
  private let interfaces: [TargetID: [[UInt8]]]

  init(
    of targets: [ProjectTarget], in project: ProjectDescription, facts: SourceFacts, version: String,
    threads: Int, cache: any FactCache
  ) {
    self.project = project
    self.targets = targets
    self.cache = cache
    self.threads = threads
    stateName = "linked \(version) \(facts.projectName)"
    tableName = "names \(version) \(facts.projectName)"
    interfaces = Dictionary(
      LinkJob.closure(of: targets, in: project).map { target in
        (target.id, target.swiftSources.map { facts.files[$0.path]?.interface ?? [] })
      }
    ) { first, _ in first }
  }

  /// What holds of the literals that were linked last.
  /// - Parameter dirty: the targets whose interfaces, or those that they see, are not those of a record that is kept.
  /// - Returns: records with the files that no change reaches, for those of the targets that were linked before within the same frame.
  mutating func unaffected(
    _ dirty: [Int], frames: [String], _ facts: SourceFacts
  ) throws -> [(target: Int, record: LinkRecord)] {
    guard !dirty.isEmpty else { return [] }
    let state = LinkedState(try cache.recent(stateName))
    let comparable = dirty.filter { state.targets[targets[$0].id]?.frame == frames[$0] }
    guard !comparable.isEmpty else { return [] }
    var table = NameTable(try cache.recent(tableName))
    let ids = LinkJob.closure(of: comparable.map { targets[$0] }, in: project).map(\.id)
    try Self.add(Set(ids).flatMap(sources).compactMap { facts.encoded(of: $0.path) }, to: &table, threads: threads)
    self.table = table
    let old = ids.map { (state.interfaces[$0] ?? []).map { NameTable.Key($0) } }
    let new = ids.map { (interfaces[$0] ?? []).map { NameTable.Key($0) } }
    guard (old + new).allSatisfy({ $0.allSatisfy { $0.map(table.holds) ?? false } }) else { return [] }
    let changed = ChangedNames(from: old.map { $0.compactMap { $0 } }, to: new.map { $0.compactMap { $0 } }, in: table)
    var kept: [(target: Int, record: LinkRecord)] = []
    for target in comparable {
      guard let name = state.targets[targets[target].id]?.record else { continue }
      var record = LinkRecord(try cache.recent(name))
      record.files = record.files.filter { _, file in
        guard let key = NameTable.Key(file.shape), table.holds(key) else { return false }
        return !table.with(key) { changed.affects($0) }
      }
      kept.append((target, record))
    }
    return kept
  }

  /// The files whose declarations linking of some others can come upon; `nil` where that is to be taken for all.
  /// - Parameters:
  ///   - files: in memory.
  ///   - linked: the targets that they are linked for.
  mutating func files(
    neededFor files: [TreeEntry], of linked: [ProjectTarget], _ facts: SourceFacts
  ) throws -> [TreeEntry]? {
    let all = LinkJob.sources(of: LinkJob.closure(of: linked, in: project))
    // To find them is work as well.
    guard files.count < all.count / 8 else { return nil }
    var table = try table ?? NameTable(try cache.recent(tableName))
    try Self.add(files.compactMap { facts.encoded(of: $0.path) }, to: &table, threads: threads)
    self.table = table
    var mentions: [UInt32] = []
    for file in files {
      guard let shape = facts.encoded(of: file.path)?.shapeDigest, let key = NameTable.Key(shape), table.holds(key)
      else { return nil }
      table.with(key) { mentions += $0 }
    }
    let keys = all.map { NameTable.Key(facts.files[$0.path]?.interface ?? []) }
    guard keys.allSatisfy({ $0.map(table.holds) ?? false }) else { return nil }
    let needed = NeededUnits.files(for: mentions, among: Set(keys.compactMap { $0 }), in: table)
    let own = Set(files.map(\.path))
    return zip(all, keys).filter { own.contains($0.path) || $1.map(needed.contains) ?? true }.map(\.0)
  }

  private func sources(_ id: TargetID) -> [TreeEntry] {
    project.targets.first { $0.id == id }?.swiftSources ?? []
  }

  /// Adds the names of files that the table does not hold.
  private static func add(_ files: [EncodedFacts], to table: inout NameTable, threads: Int) throws {
    let known = table
    let missing = files.compactMap { file -> (file: EncodedFacts, interface: NameTable.Key, shape: NameTable.Key)? in
      guard let interface = NameTable.Key(file.interfaceDigest), let shape = NameTable.Key(file.shapeDigest),
        !known.holds(interface) || !known.holds(shape)
      else { return nil }
      return (file, interface, shape)
    }
    // Facts that come from the cache are read for it, which takes a large stack.
    let made = try ParsingThreads.map(missing, threads: missing.count < 8 ? 1 : threads) { $0.file.names() }
    for (entry, names) in zip(missing, made) {
      guard let names else { continue }
      table.add(names.units, as: entry.interface)
      table.add(names.mentions, as: entry.shape)
    }
  }

  /// Keeps what the next commit is to be compared with.
  mutating func keep(
    _ records: [LinkRecord], frames: [String], names: [String], _ facts: SourceFacts
  ) throws {
    var table = try table ?? NameTable(try cache.recent(tableName))
    let before = Set(table.keys)
    let entries = LinkJob.sources(of: LinkJob.closure(of: targets, in: project))
    let encoded = entries.compactMap { facts.encoded(of: $0.path) }
    try Self.add(encoded, to: &table, threads: threads)
    let present = Set(interfaces.values.joined().compactMap { NameTable.Key($0) }).union(
      records.flatMap { $0.files.values.compactMap { NameTable.Key($0.shape) } })
    if !present.isSubset(of: before) || table.keys.count != before.count || before.count > 2 * present.count {
      try cache.keep(table.encoded(present), as: tableName)
    }
    var state = LinkedState(nil)
    state.interfaces = interfaces
    for (index, target) in targets.enumerated() {
      state.targets[target.id] = LinkedState.Target(frame: frames[index], record: names[index])
    }
    try cache.keep(state.encoded, as: stateName)
  }
}
