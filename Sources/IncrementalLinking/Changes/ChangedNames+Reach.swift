import SDKDeclarations
import SwiftFacts

extension ChangedNames {
  mutating func spread(among units: [NamedUnit.View]) {
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
    // The first 61 types have their own bits. The remaining types share bit 62.
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

  mutating func pass() {
    passes += 1
    if passes >= Self.passLimit || steps >= Self.stepLimit || extended.isUnbounded { isEverything = true }
  }

  /// Collects the names through which code can create instances of types with changed initializers: these types, and all types and aliases that
  /// mention one of these names in their headers or in the headers of their extensions. If a property `id` mentions one of the names, `ID` is also
  /// such a name.
  mutating func findMaking(among units: [NamedUnit.View]) {
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

  /// Adds a name to `making`. If the name is a type of the SDK, also adds its heirs: the types and aliases of the SDK that mention this type in their
  /// headers, directly or through another heir. Returns whether the name is new.
  @discardableResult
  mutating func addMaking(_ name: UInt32) -> Bool {
    guard making.add(1, to: name) else { return false }
    var pending = SDKNames.all.heirs[name] ?? []
    while let next = pending.popLast() {
      if making.add(1, to: next) { pending += SDKNames.all.heirs[next] ?? [] }
    }
    return true
  }

  /// Marks declarations without a type annotation, and wrapped properties, as changed if their type may depend on a changed member or initializer.
  /// `spent` contains the indexes of the declarations that were already marked.
  /// - Returns: whether there are more changes than before.
  mutating func noteUsers(among units: [NamedUnit.View], _ spent: inout Set<Int>) -> Bool {
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

  /// Extends the reach by one pass, and returns whether this changed anything. A declaration that mentions a name reaches everything that this name
  /// reaches. The owner of an initializer, or of a member that is used without its name, also reaches it.
  mutating func reachFurther(among units: [NamedUnit.View]) -> Bool {
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
        // The SDK's declarations and the linker's rules look up some nested types by name, such as `Element` and `ContentState`.
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

  mutating func reachOwners(of unit: NamedUnit.View, _ mask: UInt64, isFoundUnnamed: Bool) -> Bool {
    let isOfExtension = unit.isInExtension || unit.kind == .extended
    let owners = isOfExtension ? extended.targets(of: unit.owners) : [unit.owner]
    let isIrregular = isOfExtension && extended.isIrregular(unit.owners, isWrittenOtherwise: unit.isIrregular)
    steps += owners.count
    var isMoving = false
    for owner in owners { isMoving = reach.add(mask, to: owner) || isMoving }
    guard isOfExtension, isIrregular || owners.contains(where: SDKNames.all.types.contains) else { return isMoving }
    if !isFoundUnnamed, !isIrregular {
      // Code can also call the initializer through the name of any heir.
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
