import SDKDeclarations
import SwiftFacts

/// A search for all declarations that may be needed for linking some files. It starts from the names that these files mention. The search follows the
/// same chains as `ChangedNames`, in the opposite direction.
struct NeededUnits {
  private var names = NameMasks()
  private var extended = ExtendedTypes()

  /// Names that the linker's rules look up in a project's modules.
  private static let constants = ["View", "_LocalizationKey"].map(NameHash.of)

  /// Finds the files that may be needed for linking some files.
  /// - Parameters:
  ///   - mentions: all names that the files to link mention.
  ///   - files: the files of all targets that are linked together, by the digests of their interfaces.
  /// - Returns: the files with declarations that may be needed.
  static func files(
    for mentions: [UInt32], among files: Set<FactsDigest>, in table: NameTable
  ) -> Set<FactsDigest> {
    var needed = NeededUnits()
    return needed.find(mentions, Array(files), table)
  }

  /// Limits for malicious sources. If a limit is exceeded, all files are needed.
  private static let passLimit = 256
  private static let stepLimit = 1 << 24
  private var steps = 0

  private mutating func find(_ mentions: [UInt32], _ files: [FactsDigest], _ table: NameTable) -> Set<FactsDigest> {
    for name in mentions + Self.constants { names.add(1, to: name) }
    var units: [(view: NamedUnit.View, file: Int)] = []
    var isNeeded = files.map { _ in false }
    table.withUnits(files) { words, places in
      for (file, place) in places.enumerated() {
        let isWhole = NamedUnit.each(of: UnsafeBufferPointer(rebasing: words[place])) { unit in
          units.append((unit, file))
          extended.add(unit)
        }
        if !isWhole { steps = Self.stepLimit }
      }
      var isMoving = true
      var passes = 0
      while isMoving {
        isMoving = false
        passes += 1
        guard passes < Self.passLimit, steps < Self.stepLimit else {
          isNeeded = files.map { _ in true }
          return
        }
        // Needed units are removed. The other units are checked again in the next pass.
        var left: [(view: NamedUnit.View, file: Int)] = []
        for unit in units {
          guard counts(unit.view) else {
            left.append(unit)
            continue
          }
          isMoving = true
          isNeeded[unit.file] = true
          // A rule can find a nested type through its owner although no file mentions its name. The members of this type are then needed too.
          if unit.view.kind == .type || unit.view.kind == .alias { names.add(1, to: unit.view.name) }
          for name in unit.view.types { names.add(1, to: name) }
          for name in unit.view.values { names.add(1, to: name) }
        }
        units = left
      }
    }
    return Set(zip(files, isNeeded).filter(\.1).map(\.0))
  }

  private mutating func counts(_ unit: NamedUnit.View) -> Bool {
    switch unit.kind {
    case .global, .operation: names[unit.name] != 0
    case .member: names[unit.name] != 0 && isOwnerFound(unit)
    case .initializer, .implicit: isOwnerFound(unit)
    case .type, .alias:
      names[unit.name] != 0 || !unit.owners.isEmpty && SDKNames.all.mentioned.contains(unit.name) && isOwnerFound(unit)
    case .extended: (unit.inherits || unit.isIrregular) && isOwnerFound(unit)
    }
  }

  private mutating func isOwnerFound(_ unit: NamedUnit.View) -> Bool {
    guard unit.isInExtension || unit.kind == .extended else { return names[unit.owner] != 0 }
    if extended.isIrregular(unit.owners, isWrittenOtherwise: unit.isIrregular) || names[unit.owner] != 0 { return true }
    let targets = extended.targets(of: unit.owners)
    steps += targets.count
    return extended.isUnbounded || targets.contains { names[$0] != 0 || SDKNames.all.types.contains($0) }
  }
}
