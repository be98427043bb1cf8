import SwiftFacts

/// Which declarations differ between two lists of files that are linked in their order.
struct DeclarationChanges {
  /// What a look-up asks for. Of several declarations of one key the order counts.
  private struct Key: Hashable {
    var kind: NamedUnit.Kind
    var name: UInt32
    var owner: UInt32

    /// - Parameter isOfAny: whether owners are not told apart.
    init(_ unit: NamedUnit.View, isOfAny: Bool) {
      // A type and an alias of one name stand in each other's way.
      kind = unit.kind == .alias ? .type : unit.kind
      let isExtension = unit.kind == .extended && isOfAny
      name = isExtension ? NameHash.none : unit.name
      // Operators are found without their type.
      let isOwnerOpen = isOfAny || unit.kind == .operation
      owner = isOwnerOpen && (isExtension || !unit.owners.isEmpty) ? NameHash.none + 1 : unit.owner
    }
  }

  /// A declaration that is there before or after only, or that is another.
  struct Changed: Hashable {
    var kind: NamedUnit.Kind
    var name: UInt32
    var owners: [UInt32]
    var isInExtension: Bool
    var inherits: Bool
    var isIrregular: Bool
    /// Whether there are more or fewer of them than there were.
    var isCounted: Bool

    init(_ unit: NamedUnit.View, isCounted: Bool) {
      kind = unit.kind
      name = unit.name
      owners = Array(unit.owners)
      isInExtension = unit.isInExtension
      inherits = unit.inherits
      isIrregular = unit.isIrregular
      self.isCounted = isCounted
    }
  }

  private(set) var found: Set<Changed> = []
  /// Whether extensions may be taken in another order although none of them changed: one of a type that another extension declares waits
  /// for that.
  private(set) var isReordered = false

  /// - Parameters:
  ///   - old: the files of each target by their interfaces, in the order in which they are linked.
  ///   - new: those of the same targets.
  ///   - names: holds all of them.
  ///   - aliases: the names under which an extension may extend a type of another name.
  init(from old: [[NameTable.Key]], to new: [[NameTable.Key]], in names: NameTable, aliases: Set<UInt32>) {
    for (old, new) in zip(old, new) where old != new {
      for gap in Self.gaps(from: old, to: new) { compare(gap.old, gap.new, names, aliases) }
    }
  }

  /// What stands between files that are there before and after in the same order.
  private static func gaps(
    from old: [NameTable.Key], to new: [NameTable.Key]
  ) -> [(old: ArraySlice<NameTable.Key>, new: ArraySlice<NameTable.Key>)] {
    var start = 0
    while start < old.count, start < new.count, old[start] == new[start] { start += 1 }
    var end = 0
    while end < old.count - start, end < new.count - start, old[old.count - 1 - end] == new[new.count - 1 - end] {
      end += 1
    }
    let before = old[start..<(old.count - end)]
    let after = new[start..<(new.count - end)]
    let common = Set(before).intersection(after)
    let kept = before.filter { common.contains($0) }
    guard kept == after.filter({ common.contains($0) }) else { return [(before, after)] }
    var gaps: [(old: ArraySlice<NameTable.Key>, new: ArraySlice<NameTable.Key>)] = []
    var (left, right) = (before.startIndex, after.startIndex)
    for key in kept {
      let (from, to) = (left, right)
      while before[left] != key { left += 1 }
      while after[right] != key { right += 1 }
      if from < left || to < right { gaps.append((before[from..<left], after[to..<right])) }
      left += 1
      right += 1
    }
    gaps.append((before[left...], after[right...]))
    return gaps
  }

  private mutating func compare(
    _ old: ArraySlice<NameTable.Key>, _ new: ArraySlice<NameTable.Key>, _ names: NameTable, _ aliases: Set<UInt32>
  ) {
    // An extension of an alias gives to a type that the declaration and other extensions name otherwise: the order is of all of them.
    var isOfAny = false
    for file in Array(old) + Array(new) where !isOfAny {
      Self.units(of: file, names) { isOfAny = isOfAny || $0.kind == .extended && aliases.contains($0.name) }
    }
    if Self.isReordered(old, new, names, aliases) { isReordered = true }
    let before = Self.digests(old, names, isOfAny)
    let after = Self.digests(new, names, isOfAny)
    var changed: Set<Key> = []
    for (key, digests) in before where after[key] != digests { changed.insert(key) }
    for key in after.keys where before[key] == nil { changed.insert(key) }
    guard !changed.isEmpty else { return }
    for file in Array(old) + Array(new) {
      Self.units(of: file, names) { unit in
        let key = Key(unit, isOfAny: isOfAny)
        guard changed.contains(key) else { return }
        found.insert(Changed(unit, isCounted: before[key]?.count != after[key]?.count))
      }
    }
  }

  private static func digests(
    _ files: ArraySlice<NameTable.Key>, _ names: NameTable, _ isOfAny: Bool
  ) -> [Key: [UInt64]] {
    var found: [Key: [UInt64]] = [:]
    for file in files {
      units(of: file, names) { unit in
        found[Key(unit, isOfAny: isOfAny), default: []].append(placed(unit))
      }
    }
    return found
  }

  /// What a declaration says and where: a key has but the innermost owner, or none.
  private static func placed(_ unit: NamedUnit.View) -> UInt64 {
    unit.owners.reduce(NamedUnit.mixed(unit.digest, UInt64(unit.name))) { NamedUnit.mixed($0, UInt64($1)) }
  }

  private static func isReordered(
    _ old: ArraySlice<NameTable.Key>, _ new: ArraySlice<NameTable.Key>, _ names: NameTable, _ aliases: Set<UInt32>
  ) -> Bool {
    let before = ordered(old, names, aliases)
    let after = ordered(new, names, aliases)
    guard before != after else { return false }
    // Those that are there before or after only have changed, and what hangs on them is found by their names.
    let left = Dictionary(before.map { ($0, 1) }, uniquingKeysWith: +)
    let right = Dictionary(after.map { ($0, 1) }, uniquingKeysWith: +)
    if left.contains(where: { right[$0.key] ?? $0.value != $0.value }) { return true }
    return before.filter { right[$0] != nil } != after.filter { left[$0] != nil }
  }

  /// The declarations in extensions that other extensions can wait for, and those that can wait.
  private static func ordered(
    _ files: ArraySlice<NameTable.Key>, _ names: NameTable, _ aliases: Set<UInt32>
  ) -> [UInt64] {
    var found: [UInt64] = []
    for file in files {
      units(of: file, names) { unit in
        switch unit.kind {
        case .type where unit.isInExtension, .alias where unit.isInExtension: found.append(placed(unit))
        case .extended where unit.inherits || unit.isNested || aliases.contains(unit.name):
          found.append(NamedUnit.mixed(placed(unit), 1))
        default: break
        }
      }
    }
    return found
  }

  private static func units(of file: NameTable.Key, _ names: NameTable, _ visit: (NamedUnit.View) -> Void) {
    names.with(file) { words in
      _ = NamedUnit.each(of: words, visit)
    }
  }
}
