/// Which declarations differ between two lists of files that are linked in their order.
struct UnitChanges {
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
      owner = isOfAny && (isExtension || !unit.owners.isEmpty) ? NameHash.none + 1 : unit.owner
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
        found[Key(unit, isOfAny: isOfAny), default: []].append(unit.digest)
      }
    }
    return found
  }

  private static func units(of file: NameTable.Key, _ names: NameTable, _ visit: (NamedUnit.View) -> Void) {
    names.with(file) { words in
      var place = 0
      while let unit = NamedUnit.next(words, &place) { visit(unit) }
    }
  }
}
