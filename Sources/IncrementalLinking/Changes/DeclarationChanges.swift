import SwiftFacts

/// The declarations that differ between two versions of some targets. The order of the files is significant, because files are linked in order.
struct DeclarationChanges {
  /// The properties by which the linker looks a declaration up. Declarations are compared in groups with the same key, and their order within a group
  /// is significant.
  private struct Key: Hashable {
    var kind: NamedUnit.Kind
    var name: UInt32
    var owner: UInt32

    /// - Parameter isOfAny: whether to ignore the names of owners and of extensions. Declarations without an owner are still kept apart from those
    ///   with an owner.
    init(_ unit: NamedUnit.View, isOfAny: Bool) {
      // A type and an alias with the same name conflict, so they share a key.
      kind = unit.kind == .alias ? .type : unit.kind
      let isExtension = unit.kind == .extended && isOfAny
      name = isExtension ? NameHash.none : unit.name
      // Operators are looked up without their type.
      let isOwnerOpen = isOfAny || unit.kind == .operation
      owner = isOwnerOpen && (isExtension || !unit.owners.isEmpty) ? NameHash.none + 1 : unit.owner
    }
  }

  /// A declaration of a group in which a declaration was added, removed, changed or moved.
  struct Changed: Hashable {
    var kind: NamedUnit.Kind
    var name: UInt32
    var owners: [UInt32]
    var isInExtension: Bool
    var inherits: Bool
    var isIrregular: Bool
    /// Whether the number of declarations in the group changed.
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
  /// Whether unchanged extensions may be processed in another order. This can happen if an extension depends on a type that another extension
  /// declares.
  private(set) var isReordered = false

  /// - Parameters:
  ///   - old: the files of each target, by the digests of their interfaces, in the order in which they are linked.
  ///   - new: the files of the same targets after the change.
  ///   - names: a table that contains all of these files.
  ///   - aliases: the names of aliases, through which an extension may extend a type with another name.
  init(from old: [[FactsDigest]], to new: [[FactsDigest]], in names: NameTable, aliases: Set<UInt32>) {
    for (old, new) in zip(old, new) where old != new {
      for gap in Self.gaps(from: old, to: new) { compare(gap.old, gap.new, names, aliases) }
    }
  }

  /// Returns the parts in which the two lists differ. They are separated by files that both lists contain. If the order of these files differs, there
  /// is only one part.
  private static func gaps(
    from old: [FactsDigest], to new: [FactsDigest]
  ) -> [(old: ArraySlice<FactsDigest>, new: ArraySlice<FactsDigest>)] {
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
    var gaps: [(old: ArraySlice<FactsDigest>, new: ArraySlice<FactsDigest>)] = []
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
    _ old: ArraySlice<FactsDigest>, _ new: ArraySlice<FactsDigest>, _ names: NameTable, _ aliases: Set<UInt32>
  ) {
    // An extension of an alias adds members to a type that other extensions call by another name. If these files have such an extension, the names of
    // owners are ignored, and the order of all extensions is significant.
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
    _ files: ArraySlice<FactsDigest>, _ names: NameTable, _ isOfAny: Bool
  ) -> [Key: [UInt64]] {
    var found: [Key: [UInt64]] = [:]
    for file in files {
      units(of: file, names) { unit in
        found[Key(unit, isOfAny: isOfAny), default: []].append(placed(unit))
      }
    }
    return found
  }

  /// Returns a digest of a declaration with its name and all its owners. A key contains at most the innermost owner.
  private static func placed(_ unit: NamedUnit.View) -> UInt64 {
    unit.owners.reduce(NamedUnit.mixed(unit.digest, UInt64(unit.name))) { NamedUnit.mixed($0, UInt64($1)) }
  }

  private static func isReordered(
    _ old: ArraySlice<FactsDigest>, _ new: ArraySlice<FactsDigest>, _ names: NameTable, _ aliases: Set<UInt32>
  ) -> Bool {
    let before = ordered(old, names, aliases)
    let after = ordered(new, names, aliases)
    guard before != after else { return false }
    // Added and removed declarations are ignored here. They count as changed, and the files that depend on them are found by name.
    let left = Dictionary(before.map { ($0, 1) }, uniquingKeysWith: +)
    let right = Dictionary(after.map { ($0, 1) }, uniquingKeysWith: +)
    if left.contains(where: { right[$0.key] ?? $0.value != $0.value }) { return true }
    return before.filter { right[$0] != nil } != after.filter { left[$0] != nil }
  }

  /// Returns the digests of the types and aliases that are declared in extensions, and of the extensions that may depend on such declarations, in
  /// order.
  private static func ordered(
    _ files: ArraySlice<FactsDigest>, _ names: NameTable, _ aliases: Set<UInt32>
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

  private static func units(of file: FactsDigest, _ names: NameTable, _ visit: (NamedUnit.View) -> Void) {
    names.with(file) { words in
      _ = NamedUnit.each(of: words, visit)
    }
  }
}
