import SDKDeclarations
import SwiftFacts

/// Which types an extension can be one of, by the names that it writes: an alias can mean another type than it names.
struct ExtendedTypes {
  /// Of such a name an extension can extend any type: its name does not tell which.
  private static let told = Set(["RawValue", "ID"].map(NameHash.of))
  private static let selfName = NameHash.of("Self")
  /// Bounds on sources that are made to take long: names in reach of one, and names gone through for all of them.
  private static let targetLimit = 1024
  private static let stepLimit = 1 << 22

  private var aliases = SDKNames.all.aliases
  private var known: [UInt32: Set<UInt32>] = [:]
  private var knownPaths: [[UInt32]: Set<UInt32>] = [:]
  private var steps = 0
  /// Whether there is more than is gone through, so that an extension can be one of any type.
  private(set) var isUnbounded = false

  /// The names that can mean a type of another name.
  var aliasNames: Set<UInt32> { Set(aliases.keys) }

  /// Takes in an alias of the project; those of the SDK are known.
  mutating func add(_ unit: NamedUnit.View) {
    guard unit.kind == .alias else { return }
    aliases[unit.name, default: []] += unit.types
    // `Self` in an alias is the type around it.
    if unit.types.contains(Self.selfName) { aliases[unit.name, default: []] += unit.owners }
  }

  func isAlias(_ name: UInt32) -> Bool { aliases[name] != nil }

  /// Whether what is written does not tell which type it is.
  func isIrregular(_ owners: some Collection<UInt32>, isWrittenOtherwise: Bool) -> Bool {
    isWrittenOtherwise || owners.first.map(Self.told.contains) ?? true
  }

  /// The types that an extension can be one of.
  /// - Parameter owners: as `NamedUnit` has them.
  mutating func targets(of owners: some Collection<UInt32>) -> Set<UInt32> {
    guard let first = owners.first else { return [] }
    guard aliases[first] != nil else { return [first] }
    guard owners.count > 1 else { return targets(of: first) }
    let path = Array(owners)
    if let found = knownPaths[path] { return found }
    // An alias can mean what it is given, or something of the type that it stands in.
    var found: Set<UInt32> = []
    for owner in path where !isUnbounded {
      let targets = targets(of: owner)
      steps += targets.count
      if steps >= Self.stepLimit { isUnbounded = true }
      found.formUnion(targets)
    }
    knownPaths[path] = found
    return found
  }

  private mutating func targets(of name: UInt32) -> Set<UInt32> {
    guard aliases[name] != nil else { return [name] }
    if let found = known[name] { return found }
    var found: Set<UInt32> = [name]
    var pending = [name]
    while !isUnbounded, let next = pending.popLast() {
      for target in aliases[next] ?? [] {
        steps += 1
        if found.insert(target).inserted { pending.append(target) }
      }
      if found.count >= Self.targetLimit || steps >= Self.stepLimit { isUnbounded = true }
    }
    known[name] = found
    return found
  }
}
