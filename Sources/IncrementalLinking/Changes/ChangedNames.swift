import SDKDeclarations
import SwiftFacts

/// The names through which changed declarations affect files. They determine which files must be relinked, because the literals in these files may
/// resolve differently (decision 13).
///
/// A file resolves its literals by following chains of declarations. Each declaration in a chain is named in the file, named by the previous
/// declaration, or found in a type that is named in one of these ways. A file *reaches* a declaration if such a chain can end at the declaration.
/// There are three kinds of changes:
///
/// - a declaration outside types, or a type as a whole (its header, its inherited types, a member that is used without its name): affects all files
///   that reach the declaration;
/// - the initializers of a type (*making*): affects files that mention the type, or a type or alias whose header mentions it (`making`), and files
///   that mention `init` and reach the type;
/// - a member: affects files that mention the member's name and reach the member's type.
///
/// If an extension of an SDK type contains the initializer or member, it also affects files that do not reach the type, because code can use an SDK
/// type without naming it.
struct ChangedNames {
  enum Change: Hashable {
    case whole(UInt32)
    case making(UInt32)
    case member(UInt32, of: UInt32)
    /// A member that an extension adds to a type of the SDK. Code can use such a type without naming it.
    case memberAnywhere(UInt32)
    case makingAnywhere
  }

  static let initName = NameHash.of("init")
  /// The names of types that the linker's rules look up in a project's modules although no file mentions them.
  static let constants = Set(["View", "_LocalizationKey"].map(NameHash.of))
  /// The member `id` and the associated type `ID`. If no declaration gives `ID`, it is inferred from the type of `id`.
  static let identity = (member: NameHash.of("id"), type: NameHash.of("ID"))

  /// Whether everything must be relinked.
  var isEverything = false
  var changes: Set<Change> = []
  var extended = ExtendedTypes()
  /// The names through which code can create instances of types with changed initializers.
  var making = NameMasks()
  /// The changed declarations that each name reaches, as a bit mask. Bit 0 is for declarations outside types, and for types that changed as a whole.
  /// The other bits are for types with changed members or initializers (`bits`).
  var reach = NameMasks()
  /// The changed declarations that every file reaches, as a bit mask like those of `reach`.
  var everywhere: UInt64 = 0
  var bits: [UInt32: UInt64] = [:]
  var members = NameMasks()
  var makingBits: UInt64 = 0

  static let wholeBit: UInt64 = 1
  /// Limits for malicious sources: the number of passes over all units, and the number of visited names. If a limit is exceeded, everything is
  /// relinked.
  static let passLimit = 256
  static let stepLimit = 1 << 24
  var passes = 0
  var steps = 0

  /// Finds the names through which the differences between two versions of some targets affect files.
  /// - Parameters:
  ///   - old: the files of each target, by the digests of their interfaces, in the order in which they are linked.
  ///   - new: the files of the same targets after the change.
  ///   - names: a table that contains all of these files.
  init(from old: [[FactsDigest]], to new: [[FactsDigest]], in names: NameTable) {
    guard old != new else { return }
    let files = Array(Set(old.joined()).union(new.joined()))
    names.withUnits(files) { words, places in
      var units: [NamedUnit.View] = []
      units.reserveCapacity(places.count * 8)
      for place in places where !isEverything {
        let isWhole = NamedUnit.each(of: UnsafeBufferPointer(rebasing: words[place])) { units.append($0) }
        if !isWhole { isEverything = true }
      }
      guard !isEverything else { return }
      for unit in units { extended.add(unit) }
      let changed = DeclarationChanges(from: old, to: new, in: names, aliases: extended.aliasNames)
      guard !changed.isReordered else {
        isEverything = true
        return
      }
      guard !changed.found.isEmpty else { return }
      gather(changed.found)
      guard !isEverything else { return }
      spread(among: units)
    }
  }

  /// Returns whether a file that mentions these names must be relinked.
  func affects(_ mentions: UnsafeBufferPointer<UInt32>) -> Bool {
    guard !isEverything else { return true }
    guard !changes.isEmpty else { return false }
    var reached = everywhere
    var asked: UInt64 = 0
    var makes = false
    for name in mentions {
      if making[name] != 0 { return true }
      asked |= members[name]
      reached |= reach[name]
      if name == Self.initName { makes = true }
    }
    if reached & Self.wholeBit != 0 || asked & Self.anywhere != 0 || asked & reached != 0 { return true }
    return makes && (reached & makingBits != 0 || changes.contains(.makingAnywhere))
  }

  /// The mask in `members` of a member that affects all files that mention it, regardless of the types that these files reach.
  static let anywhere: UInt64 = 1 << 63

  // MARK: changes

  mutating func gather(_ changed: Set<DeclarationChanges.Changed>) {
    let parts = changed.filter { $0.kind == .member || $0.kind == .initializer }
    for unit in changed.subtracting(parts) {
      note(unit)
      let isOfModule = unit.owners.isEmpty && (unit.kind == .type || unit.kind == .alias)
      if isOfModule, Self.constants.contains(unit.name) { isEverything = true }
      // If a type with the name of an SDK type is added or removed, extensions of this name extend another type than before.
      if isOfModule, unit.isCounted, SDKNames.all.types.contains(unit.name) { isEverything = true }
    }
    // If a type changed as a whole, its members need not be noted separately. Members that extensions add to SDK types are the exception, because
    // they also affect files that do not reach the type.
    let whole = Set(changes.compactMap { if case .whole(let name) = $0 { name } else { nil } })
    var covered: Set<UInt32> = []
    for name in whole where whole.isSuperset(of: extended.targets(of: [name])) { covered.insert(name) }
    for unit in parts {
      let isReachedUnnamed = unit.isInExtension && isOfSDK(unit.owners)
      if isReachedUnnamed || !unit.owners.contains(where: covered.contains) { note(unit) }
    }
  }

  /// Returns whether an extension with these owners may extend a type of the SDK.
  mutating func isOfSDK(_ owners: [UInt32]) -> Bool {
    owners.isEmpty || extended.targets(of: owners).contains(where: SDKNames.all.types.contains)
  }

  mutating func note(_ unit: DeclarationChanges.Changed) {
    let isOfExtension = unit.isInExtension || unit.kind == .extended
    if isOfExtension, extended.isIrregular(unit.owners, isWrittenOtherwise: unit.isIrregular) { isEverything = true }
    guard let owner = unit.owners.first else {
      changes.insert(.whole(unit.name))
      return
    }
    let owners = isOfExtension ? extended.targets(of: unit.owners) : [owner]
    let isOfSDK = isOfExtension && owners.contains(where: SDKNames.all.types.contains)
    steps += owners.count
    if extended.isUnbounded || steps >= Self.stepLimit { isEverything = true }
    switch unit.kind {
    case .operation, .global: changes.insert(.whole(unit.name))
    case .extended:
      guard unit.inherits else { return }
      if isOfSDK { isEverything = true }
      for owner in owners { changes.insert(.whole(owner)) }
    case .type, .alias, .implicit:
      if isOfSDK { isEverything = true }
      for owner in owners { changes.insert(.whole(owner)) }
    case .initializer:
      if isOfSDK { changes.insert(.makingAnywhere) }
      for owner in owners { changes.insert(.making(owner)) }
    case .member:
      if isOfSDK { changes.insert(.memberAnywhere(unit.name)) }
      for owner in owners { changes.insert(.member(unit.name, of: owner)) }
    }
  }
}
