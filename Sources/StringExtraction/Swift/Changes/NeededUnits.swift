/// From what some files mention: all declarations that linking them can come upon, by the same chains as in `ChangedNames`, followed
/// forwards.
struct NeededUnits {
  private var names = NameMasks()
  private var aliases = SDKNames.all.aliases

  /// Names that rules of the linker look up in a project's modules.
  private static let constants = ["View", "_LocalizationKey"].map(NameHash.of)

  /// - Parameters:
  ///   - mentions: all that the files mention that are to be linked.
  ///   - files: those of all targets that are linked together, by their interfaces.
  /// - Returns: those of them that declare something that can count.
  static func files(
    for mentions: [UInt32], among files: Set<NameTable.Key>, in table: NameTable
  ) -> Set<NameTable.Key> {
    var needed = NeededUnits()
    return needed.find(mentions, Array(files), table)
  }

  /// Bounds on sources that are made to take long; what is beyond them counts.
  private static let targetLimit = 1024
  private static let passLimit = 256

  private mutating func find(_ mentions: [UInt32], _ files: [NameTable.Key], _ table: NameTable) -> Set<NameTable.Key> {
    for name in mentions + Self.constants { names.add(1, to: name) }
    var units: [(view: NamedUnit.View, file: Int)] = []
    var isNeeded = files.map { _ in false }
    table.withUnits(files) { words, places in
      for (file, place) in places.enumerated() {
        let own = UnsafeBufferPointer(rebasing: words[place])
        var position = 0
        while let unit = NamedUnit.next(own, &position) {
          units.append((unit, file))
          if unit.kind == .alias { aliases[unit.name, default: []] += unit.types }
        }
      }
      var isMoving = true
      var passes = 0
      while isMoving {
        isMoving = false
        passes += 1
        guard passes < Self.passLimit else {
          isNeeded = files.map { _ in true }
          return
        }
        // What is found goes; what is left is asked again.
        var left: [(view: NamedUnit.View, file: Int)] = []
        for unit in units {
          guard counts(unit.view) else {
            left.append(unit)
            continue
          }
          isMoving = true
          isNeeded[unit.file] = true
          for name in unit.view.types { names.add(1, to: name) }
          for name in unit.view.values { names.add(1, to: name) }
        }
        units = left
      }
    }
    return Set(zip(files, isNeeded).filter(\.1).map(\.0))
  }

  private func counts(_ unit: NamedUnit.View) -> Bool {
    switch unit.kind {
    case .global, .operation: names[unit.name] != 0
    case .member: names[unit.name] != 0 && isOwnerFound(unit)
    case .initializer, .implicit: isOwnerFound(unit)
    case .type, .alias:
      names[unit.name] != 0 || !unit.owners.isEmpty && SDKNames.all.mentioned.contains(unit.name) && isOwnerFound(unit)
    case .extended: (unit.inherits || unit.isIrregular) && isOwnerFound(unit)
    }
  }

  private func isOwnerFound(_ unit: NamedUnit.View) -> Bool {
    let owner = unit.owner
    guard unit.isInExtension || unit.kind == .extended else { return names[owner] != 0 }
    if unit.isIrregular || names[owner] != 0 || SDKNames.all.types.contains(owner) { return true }
    guard aliases[owner] != nil else { return false }
    var seen: Set<UInt32> = [owner]
    var pending = [owner]
    while let next = pending.popLast() {
      guard seen.count < Self.targetLimit else { return true }
      for target in aliases[next] ?? [] where seen.insert(target).inserted {
        if names[target] != 0 || SDKNames.all.types.contains(target) { return true }
        pending.append(target)
      }
    }
    return false
  }
}
