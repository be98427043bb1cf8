/// From what changed in declarations: which files' literals can resolve to something else (decision 13).
///
/// A file resolves its literals by following chains of declarations, each named in the file, named by one before it in the chain, or
/// found in a type that is so named. A file is *in reach* of a type where such a chain can lead to it. What changed is one of these:
///
/// - a type as a whole (its header, what it inherits, a member that is found without its name): counts for all in reach of it;
/// - how values of a type are made: counts for those that name it, or something that stands for it, and for those that write `init`;
/// - a member: counts for those that mention its name and are in reach of its type.
struct ChangedNames {
  private enum Change: Hashable {
    case whole(UInt32)
    case making(UInt32)
    case member(UInt32, of: UInt32)
    /// A member of a type that is come upon without being named: one of the SDK.
    case memberAnywhere(UInt32)
    case makingAnywhere
  }

  private static let initName = NameHash.of("init")
  /// Types that the linker's rules look up in a project's modules.
  private static let constants = Set(["View", "_LocalizationKey"].map(NameHash.of))
  /// Of such a name an extension can extend any type: its name does not tell which.
  private static let told = Set(["RawValue", "ID"].map(NameHash.of))

  /// Whether nothing bounds what changed.
  private var isEverything = false
  private var changes: Set<Change> = []
  private var aliases: [UInt32: [UInt32]] = [:]
  /// Names that stand for a type whose making changed.
  private var making = NameMasks()
  /// What each name is in reach of: a bit for each type, the first for all that changed as a whole.
  private var reach = NameMasks()
  /// What any file is in reach of.
  private var everywhere: UInt64 = 0
  private var bits: [UInt32: UInt64] = [:]
  private var members = NameMasks()
  private var makingBits: UInt64 = 0

  private static let wholeBit: UInt64 = 1
  /// Bounds on sources that are made to take long; what is beyond them has all linked again.
  private static let targetLimit = 1024
  private static let passLimit = 256

  /// - Parameters:
  ///   - old: the files of each target by their interfaces, in the order in which they are linked.
  ///   - new: those of the same targets.
  ///   - names: holds all of them.
  init(from old: [[NameTable.Key]], to new: [[NameTable.Key]], in names: NameTable) {
    guard old != new else { return }
    let files = Array(Set(old.joined()).union(new.joined()))
    aliases = SDKNames.all.aliases
    names.withUnits(files) { words, places in
      var units: [NamedUnit.View] = []
      units.reserveCapacity(places.count * 8)
      for place in places {
        let file = UnsafeBufferPointer(rebasing: words[place])
        var position = 0
        while let unit = NamedUnit.next(file, &position) { units.append(unit) }
      }
      for unit in units where unit.kind == .alias { aliases[unit.name, default: []] += unit.types }
      let changed = UnitChanges(from: old, to: new, in: names, aliases: Set(aliases.keys)).found
      guard !changed.isEmpty else { return }
      gather(changed)
      guard !isEverything else { return }
      spread(among: units)
    }
  }

  /// Whether a file that mentions these names has to be linked again.
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

  /// Stands in `members` for a member that is asked for whatever is in reach.
  private static let anywhere: UInt64 = 1 << 63

  // MARK: what changed

  private mutating func gather(_ changed: Set<UnitChanges.Changed>) {
    let parts = changed.filter { $0.kind == .member || $0.kind == .initializer }
    for unit in changed.subtracting(parts) {
      note(unit)
      let isOfModule = unit.owners.isEmpty && (unit.kind == .type || unit.kind == .alias)
      if isOfModule, Self.constants.contains(unit.name) { isEverything = true }
      // What extends the SDK's type of that name now extends another, or the other way round.
      if isOfModule, unit.isCounted, SDKNames.all.types.contains(unit.name) { isEverything = true }
    }
    // What stands in a type that changed as a whole is come upon through that type.
    let whole = Set(changes.compactMap { if case .whole(let name) = $0 { name } else { nil } })
    var covered: Set<UInt32> = []
    for name in whole where whole.isSuperset(of: targets(of: name)) { covered.insert(name) }
    for unit in parts {
      let isReachedUnnamed = unit.isInExtension && (unit.owners.first.map { isOfSDK($0) } ?? true)
      if isReachedUnnamed || !unit.owners.contains(where: covered.contains) { note(unit) }
    }
  }

  private mutating func note(_ unit: UnitChanges.Changed) {
    note(
      unit.kind, unit.name, owner: unit.owners.first, isInExtension: unit.isInExtension, inherits: unit.inherits,
      isIrregular: unit.isIrregular)
  }

  /// Whether an extension of that name can be one of a type of the SDK.
  private mutating func isOfSDK(_ name: UInt32) -> Bool {
    targets(of: name).contains(where: SDKNames.all.types.contains)
  }

  private mutating func note(
    _ kind: NamedUnit.Kind, _ name: UInt32, owner: UInt32?, isInExtension: Bool, inherits: Bool, isIrregular: Bool
  ) {
    if isInExtension || kind == .extended, isIrregular || owner.map(Self.told.contains) ?? true { isEverything = true }
    guard let owner else {
      changes.insert(.whole(name))
      return
    }
    let owners = isInExtension || kind == .extended ? targets(of: owner) : [owner]
    let isOfSDK = (isInExtension || kind == .extended) && owners.contains(where: SDKNames.all.types.contains)
    switch kind {
    case .operation, .global: changes.insert(.whole(name))
    case .extended:
      guard inherits else { return }
      if isOfSDK { isEverything = true }
      for owner in owners { changes.insert(.whole(owner)) }
    case .type, .alias, .implicit:
      if isOfSDK { isEverything = true }
      for owner in owners { changes.insert(.whole(owner)) }
    case .initializer:
      if isOfSDK { changes.insert(.makingAnywhere) }
      for owner in owners { changes.insert(.making(owner)) }
    case .member:
      if isOfSDK { changes.insert(.memberAnywhere(name)) }
      for owner in owners { changes.insert(.member(name, of: owner)) }
    }
  }

  /// The types that an extension of that name can be one of.
  private mutating func targets(of name: UInt32) -> Set<UInt32> {
    guard aliases[name] != nil else { return [name] }
    var found: Set<UInt32> = [name]
    var pending = [name]
    while let next = pending.popLast() {
      guard found.count < Self.targetLimit else {
        isEverything = true
        return found
      }
      for target in aliases[next] ?? [] where found.insert(target).inserted { pending.append(target) }
    }
    return found
  }

  // MARK: how far it goes

  private mutating func spread(among units: [NamedUnit.View]) {
    var spent: Set<Int> = []
    var passes = 0
    repeat {
      findMaking(among: units)
      passes += 1
      if passes >= Self.passLimit { isEverything = true }
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
    // As many types as there are bits are kept apart.
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
    while !isEverything, reachFurther(among: units) {
      passes += 1
      if passes >= Self.passLimit { isEverything = true }
    }
  }

  /// The names that stand for a type whose making changed: subclasses, aliases, types with such a bound.
  private mutating func findMaking(among units: [NamedUnit.View]) {
    for case .making(let name) in changes { making.add(1, to: name) }
    guard !making.isEmpty else { return }
    var isMoving = true
    var passes = 0
    while isMoving, !isEverything {
      isMoving = false
      passes += 1
      if passes >= Self.passLimit { isEverything = true }
      for unit in units where making.mask(of: unit.types) != 0 {
        switch unit.kind {
        case .type, .alias: isMoving = making.add(1, to: unit.name) || isMoving
        case .extended:
          for target in targets(of: unit.name) { isMoving = making.add(1, to: target) || isMoving }
        case .initializer, .implicit, .member, .global, .operation: break
        }
      }
    }
  }

  /// Declarations without a written type, and wrapped ones, whose type hangs on what changed, change with it.
  /// - Returns: whether there are more than before.
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
      note(
        unit.kind, unit.name, owner: unit.owners.first, isInExtension: unit.isInExtension, inherits: unit.inherits,
        isIrregular: unit.isIrregular)
    }
    return changes.count != count
  }

  /// What mentions a name that leads somewhere leads there by its own name.
  private mutating func reachFurther(among units: [NamedUnit.View]) -> Bool {
    var isMoving = false
    for unit in units {
      let mask = reach.mask(of: unit.types) | reach.mask(of: unit.values)
      guard mask != 0 else { continue }
      switch unit.kind {
      case .type, .alias, .member, .global, .operation: isMoving = reach.add(mask, to: unit.name) || isMoving
      case .extended:
        guard unit.inherits || unit.owners.count > 1 || aliases[unit.name] != nil else { continue }
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
    let owners = isOfExtension ? targets(of: unit.owner) : [unit.owner]
    var isMoving = false
    for owner in owners { isMoving = reach.add(mask, to: owner) || isMoving }
    guard isOfExtension, owners.contains(where: SDKNames.all.types.contains) else { return isMoving }
    if !isFoundUnnamed { return reach.add(mask, to: Self.initName) || isMoving }
    if everywhere | mask != everywhere {
      everywhere |= mask
      isMoving = true
    }
    return isMoving
  }
}
