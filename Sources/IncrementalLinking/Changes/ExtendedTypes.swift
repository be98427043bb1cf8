import SDKDeclarations
import SwiftFacts

/// The types that extensions may extend, determined from the names in the header of an extension. An alias can refer to a type with another name.
struct ExtendedTypes {
  /// Names of associated types. It is unknown which type an extension of such a name extends.
  private static let told = Set(["RawValue", "ID"].map(NameHash.of))
  private static let selfName = NameHash.of("Self")
  /// Limits for malicious sources: the number of names to which one name can refer, and the total number of visited names.
  private static let targetLimit = 1024
  private static let stepLimit = 1 << 22

  private var aliases = SDKNames.all.aliases
  private var known: [UInt32: Set<UInt32>] = [:]
  private var knownPaths: [[UInt32]: Set<UInt32>] = [:]
  private var steps = 0
  /// Whether a limit was exceeded. If so, any extension must be assumed to extend any type.
  private(set) var isUnbounded = false

  /// The names that can refer to a type with another name.
  var aliasNames: Set<UInt32> { Set(aliases.keys) }

  /// Adds a declaration of the project if it is an alias. The aliases of the SDK are always included.
  mutating func add(_ unit: NamedUnit.View) {
    guard unit.kind == .alias else { return }
    aliases[unit.name, default: []] += unit.types
    // `Self` in an alias is the surrounding type.
    if unit.types.contains(Self.selfName) { aliases[unit.name, default: []] += unit.owners }
  }

  func isAlias(_ name: UInt32) -> Bool { aliases[name] != nil }

  /// Returns whether the extended type cannot be determined from the extension's header.
  func isIrregular(_ owners: some Collection<UInt32>, isWrittenOtherwise: Bool) -> Bool {
    isWrittenOtherwise || owners.first.map(Self.told.contains) ?? true
  }

  /// Returns the types that an extension may extend.
  /// - Parameter owners: the owners of the extension's `NamedUnit`.
  mutating func targets(of owners: some Collection<UInt32>) -> Set<UInt32> {
    guard let first = owners.first else { return [] }
    guard aliases[first] != nil else { return [first] }
    guard owners.count > 1 else { return targets(of: first) }
    let path = Array(owners)
    if let found = knownPaths[path] { return found }
    // An alias can refer to its generic arguments, or to a type in the type that declares the alias.
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
