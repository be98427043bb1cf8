internal import Localization
internal import StructuredText

/// One version of a file that contains the texts of one language by key.
protocol MergeTable {
  init(_ bytes: [UInt8], at path: TreePath) throws(InputFault)

  /// The keys in file order, without duplicates.
  var keys: [UnitKey] { get }
  func node(of key: UnitKey) -> MergeNode?
  /// The other parts of the file that are compared: its form and encoding, in a `.strings` file in text form also the comments that belong to no key,
  /// and in a `.stringsdict` in XML all comments.
  var surroundings: [UnitKey] { get }
  func position(of key: UnitKey) -> TextPosition?

  /// Returns the file with changed keys; all other bytes are unchanged. `nil` removes a key.
  func written(_ changes: [UnitKey: MergeNode?]) throws(InputFault) -> [UInt8]

  /// Merges a key that the two sides changed differently.
  static func merge(_ sides: MergeSides, by merge: inout ThreeWayMerge) -> MergeNode?
}

/// A three-way merge of `.strings` and `.stringsdict` files by key (xcode-formats.md F).
struct TableMerge<Table: MergeTable> {
  private let base: Table?
  private let ours: Table
  private let theirs: Table

  /// Merges three versions of a table.
  /// - Throws: `InputFault` if a side cannot be read or the result cannot be written.
  static func merge(_ versions: MergeVersions, at path: TreePath) throws(InputFault) -> MergedFile {
    var base: Table?
    if let bytes = versions.base { base = try table(.base, bytes, path) }
    let merge = TableMerge(
      base: base, ours: try table(.ours, versions.ours, path), theirs: try table(.theirs, versions.theirs, path))
    return try merge.merged(at: path)
  }

  private static func table(
    _ side: MergeVersions.Side, _ bytes: [UInt8], _ path: TreePath
  ) throws(InputFault) -> Table {
    do { return try Table(bytes, at: path) } catch { throw error.naming(side) }
  }

  private func merged(at path: TreePath) throws(InputFault) -> MergedFile {
    let carrier = carriesTheirs ? theirs : ours
    var conflicts = surroundingConflicts
    var changes: [UnitKey: MergeNode?] = [:]
    for key in ours.keys + theirs.keys.filter({ ours.node(of: $0) == nil }) {
      let sides = MergeSides(base: base?.node(of: key), ours: ours.node(of: key), theirs: theirs.node(of: key))
      var node = sides.ours
      if let resolved = sides.resolved {
        node = resolved.node
      } else {
        var merge = ThreeWayMerge(key: key)
        node = Table.merge(sides, by: &merge)
        conflicts += merge.conflicts
      }
      if node != carrier.node(of: key) { changes[key] = .some(node) }
    }
    let bytes = try carrier.written(changes)
    // The result is always read back. The encoding is guessed from the start of the file, so removing text there can make the file unreadable.
    let merged = try Table(bytes, at: path)
    return MergedFile(
      bytes: bytes,
      conflicts: conflicts.map { conflict in
        let place = conflict.key.flatMap { merged.position(of: $0) }
        return PlacedConflict(conflict: conflict, line: place?.line, column: place?.column)
      })
  }

  /// Whether the merge edits the bytes of their version instead of ours. This is the case if only their side changed the content around the
  /// keys. It is also the case if our keys are unchanged, their side added keys and their file is unsorted, because only their version then
  /// has the positions of the new keys.
  private var carriesTheirs: Bool {
    guard let base, ours.surroundings == base.surroundings else { return false }
    if theirs.surroundings != base.surroundings { return true }
    let known = Set(base.keys)
    return ours.keys == base.keys && !theirs.keys.allSatisfy(known.contains)
      && TableOrder.order(of: theirs.keys.map(\.text)) == nil
  }

  /// The conflict if both sides changed the content around the keys differently. Such changes cannot be merged, so our version is kept.
  private var surroundingConflicts: [MergeConflict] {
    let sides = [ours, theirs].map(\.surroundings)
    guard sides[0] != sides[1], let base, sides[0] != base.surroundings, sides[1] != base.surroundings else {
      return []
    }
    let known = [Set(sides[1]), Set(sides[0])]
    let shown = (0..<2).map { side in
      MergeNode.list(sides[side].filter { !known[side].contains($0) }.map { .text($0.text) }).summary
    }
    return [MergeConflict(key: nil, place: ["comments"], ours: shown[0], theirs: shown[1])]
  }
}
