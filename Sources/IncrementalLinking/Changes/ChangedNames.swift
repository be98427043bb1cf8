import SDKDeclarations
import SwiftFacts

/// Determines from changed declarations which files must be relinked because their literals may resolve differently (decision 13).
///
/// A file resolves its literals by following chains of declarations. Each declaration in a chain is named in the file, named by the
/// previous declaration, or found in a type that is named in one of these ways. A file *reaches* a type if such a chain can lead to it.
/// Each change is one of these:
///
/// - a type as a whole (its header, what it inherits, a member that is found without its name): affects all files that reach the type;
/// - the initializers of a type (*making*): affects files that name the type or another name for it, and files that write `init`;
/// - a member: affects files that mention its name and reach its type.
struct ChangedNames {
  private enum Change: Hashable {
    case whole(UInt32)
    case making(UInt32)
    case member(UInt32, of: UInt32)
    /// A member of a type that can be found without being named, because it is a type of the SDK.
    case memberAnywhere(UInt32)
    case makingAnywhere
  }

  private static let initName = NameHash.of("init")
  /// Types that the linker's rules look up in a project's modules.
  private static let constants = Set(["View", "_LocalizationKey"].map(NameHash.of))
  /// If no associated type `ID` is declared, it is inferred from the member `id`.
  private static let identity = (member: NameHash.of("id"), type: NameHash.of("ID"))

  /// Whether everything must be relinked.
  private var isEverything = false
  private var changes: Set<Change> = []
  private var extended = ExtendedTypes()
  /// Names that can mean a type with changed initializers.
  private var making = NameMasks()
  /// The changed types that each name reaches: one bit for each type; the first bit for all types that changed as a whole.
  private var reach = NameMasks()
  /// The changed types that every file reaches.
  private var everywhere: UInt64 = 0
  private var bits: [UInt32: UInt64] = [:]
  private var members = NameMasks()
  private var makingBits: UInt64 = 0

  private static let wholeBit: UInt64 = 1
  /// Limits for malicious sources: the number of passes over all units, and the number of names that are visited. If one is exceeded,
  /// everything is relinked.
  private static let passLimit = 256
  private static let stepLimit = 1 << 24
  private var passes = 0
  private var steps = 0

  /// - Parameters:
  ///   - old: the files of each target, by the digests of their interfaces, in the order in which they are linked.
  ///   - new: the files of the same targets after the change.
  ///   - names: a table that contains all of these files.
  init(from old: [[NameTable.Key]], to new: [[NameTable.Key]], in names: NameTable) {
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

  /// Whether a file that mentions these names must be relinked.
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

  /// The mask in `members` of a member that affects all files that mention it, regardless of what they reach.
  private static let anywhere: UInt64 = 1 << 63

  // MARK: changes

  private mutating func gather(_ changed: Set<DeclarationChanges.Changed>) {
    let parts = changed.filter { $0.kind == .member || $0.kind == .initializer }
    for unit in changed.subtracting(parts) {
      note(unit)
      let isOfModule = unit.owners.isEmpty && (unit.kind == .type || unit.kind == .alias)
      if isOfModule, Self.constants.contains(unit.name) { isEverything = true }
      // An extension of the SDK's type with this name now extends the project's type, or the other way round.
      if isOfModule, unit.isCounted, SDKNames.all.types.contains(unit.name) { isEverything = true }
    }
    // The members of a type that changed as a whole are found through the type.
    let whole = Set(changes.compactMap { if case .whole(let name) = $0 { name } else { nil } })
    var covered: Set<UInt32> = []
    for name in whole where whole.isSuperset(of: extended.targets(of: [name])) { covered.insert(name) }
    for unit in parts {
      let isReachedUnnamed = unit.isInExtension && isOfSDK(unit.owners)
      if isReachedUnnamed || !unit.owners.contains(where: covered.contains) { note(unit) }
    }
  }

  /// Whether the extension may extend a type of the SDK.
  private mutating func isOfSDK(_ owners: [UInt32]) -> Bool {
    owners.isEmpty || extended.targets(of: owners).contains(where: SDKNames.all.types.contains)
  }

  private mutating func note(_ unit: DeclarationChanges.Changed) {
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

  // MARK: reach

  private mutating func spread(among units: [NamedUnit.View]) {
    var spent: Set<Int> = []
    repeat {
      findMaking(among: units)
      pass()
    } while !isEverything && noteUsers(among: units, &spent)
    guard !isEverything else { return }
    var owners: Set<UInt32> = []
    for change in changes {
      switch change {
      case .whole(let name): reach.add(Self.wholeBit, to: name)
      case .making(let name), .member(_, let name): owners.insert(name)
      case .memberAnywhere(let name): members.add(Self.anywhere, to: name)
      case .makingAnywhere: break
      }
    }
    // Each type has its own bit while there are enough bits; the other types share the last one.
    for (index, owner) in owners.sorted().enumerated() {
      let bit: UInt64 = index < 61 ? 1 << UInt64(index + 1) : 1 << 62
      bits[owner] = bit
      reach.add(bit, to: owner)
    }
    for change in changes {
      switch change {
      case .member(let name, let owner): members.add(bits[owner] ?? Self.anywhere, to: name)
      case .making(let owner): makingBits |= bits[owner] ?? 0
      case .whole, .memberAnywhere, .makingAnywhere: break
      }
    }
    while !isEverything, reachFurther(among: units) { pass() }
    for name in Self.constants { everywhere |= reach[name] }
  }

  private mutating func pass() {
    passes += 1
    if passes >= Self.passLimit || steps >= Self.stepLimit || extended.isUnbounded { isEverything = true }
  }

  /// Finds the names that can mean a type with changed initializers: subclasses, aliases, types with the type as a bound.
  private mutating func findMaking(among units: [NamedUnit.View]) {
    for case .making(let name) in changes { addMaking(name) }
    guard !making.isEmpty else { return }
    var isMoving = true
    while isMoving, !isEverything {
      isMoving = false
      pass()
      for unit in units where making.mask(of: unit.types) != 0 {
        switch unit.kind {
        case .type, .alias: isMoving = addMaking(unit.name) || isMoving
        case .extended:
          if unit.inherits, extended.isIrregular(unit.owners, isWrittenOtherwise: unit.isIrregular) {
            isEverything = true
          }
          let targets = extended.targets(of: unit.owners)
          steps += targets.count
          for target in targets { isMoving = addMaking(target) || isMoving }
        case .implicit where unit.name == Self.identity.member: isMoving = addMaking(Self.identity.type) || isMoving
        case .initializer, .implicit, .member, .global, .operation: break
        }
      }
    }
  }

  /// Adds a name. If it is a type of the SDK, adds its heirs too: the types and aliases of the SDK that mention it in their headers.
  @discardableResult
  private mutating func addMaking(_ name: UInt32) -> Bool {
    guard making.add(1, to: name) else { return false }
    var pending = SDKNames.all.heirs[name] ?? []
    while let next = pending.popLast() {
      if making.add(1, to: next) { pending += SDKNames.all.heirs[next] ?? [] }
    }
    return true
  }

  /// Marks declarations without a written type, and wrapped ones, as changed if their type depends on a change.
  /// - Returns: whether there are more changes than before.
  private mutating func noteUsers(among units: [NamedUnit.View], _ spent: inout Set<Int>) -> Bool {
    var asked = making
    var isMaking = false
    for change in changes {
      switch change {
      case .member(let name, _), .memberAnywhere(let name): asked.add(1, to: name)
      case .making, .makingAnywhere: isMaking = true
      case .whole: break
      }
    }
    if isMaking { asked.add(1, to: Self.initName) }
    let count = changes.count
    for (index, unit) in units.enumerated() where !spent.contains(index) && asked.mask(of: unit.values) != 0 {
      spent.insert(index)
      note(DeclarationChanges.Changed(unit, isCounted: false))
    }
    return changes.count != count
  }

  /// Extends the reach: a declaration that mentions a name reaches everything that this name reaches.
  private mutating func reachFurther(among units: [NamedUnit.View]) -> Bool {
    var isMoving = false
    for unit in units {
      var mask = reach.mask(of: unit.types) | reach.mask(of: unit.values)
      let isAskedFor =
        (unit.kind == .type || unit.kind == .alias) && !unit.owners.isEmpty
        && SDKNames.all.mentioned.contains(unit.name)
      if isAskedFor { mask |= reach[unit.name] }
      guard mask != 0 else { continue }
      switch unit.kind {
      case .type, .alias:
        isMoving = reach.add(mask, to: unit.name) || isMoving
        // The SDK's declarations and the linker's rules look up nested types by name: `Element`, `ContentState`.
        if isAskedFor { isMoving = reachOwners(of: unit, mask, isFoundUnnamed: true) || isMoving }
      case .member, .global, .operation: isMoving = reach.add(mask, to: unit.name) || isMoving
      case .extended:
        guard
          unit.inherits || unit.isNested || extended.isAlias(unit.name)
            || extended.isIrregular(unit.owners, isWrittenOtherwise: unit.isIrregular)
        else { continue }
        isMoving = reachOwners(of: unit, mask, isFoundUnnamed: true) || isMoving
      case .implicit: isMoving = reachOwners(of: unit, mask, isFoundUnnamed: true) || isMoving
      case .initializer:
        isMoving = reachOwners(of: unit, mask, isFoundUnnamed: false) || isMoving
      }
    }
    return isMoving
  }

  private mutating func reachOwners(of unit: NamedUnit.View, _ mask: UInt64, isFoundUnnamed: Bool) -> Bool {
    let isOfExtension = unit.isInExtension || unit.kind == .extended
    let owners = isOfExtension ? extended.targets(of: unit.owners) : [unit.owner]
    let isIrregular = isOfExtension && extended.isIrregular(unit.owners, isWrittenOtherwise: unit.isIrregular)
    steps += owners.count
    var isMoving = false
    for owner in owners { isMoving = reach.add(mask, to: owner) || isMoving }
    guard isOfExtension, isIrregular || owners.contains(where: SDKNames.all.types.contains) else { return isMoving }
    if !isFoundUnnamed, !isIrregular {
      // The initializer can also be found through the name of any heir.
      var pending = owners.flatMap { SDKNames.all.heirs[$0] ?? [] }
      while let next = pending.popLast() {
        guard reach.add(mask, to: next) else { continue }
        isMoving = true
        pending += SDKNames.all.heirs[next] ?? []
      }
      return reach.add(mask, to: Self.initName) || isMoving
    }
    if everywhere | mask != everywhere {
      everywhere |= mask
      isMoving = true
    }
    return isMoving
  }
}
