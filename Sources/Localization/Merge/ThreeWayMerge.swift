/// The three-way merge of two sides' changes to one key. It compares parts by name, never by lines. All file formats use it, and each determines
/// only which parts are merged as a whole, such as a text with its state or a comment with its author.
///
/// A change of one side is applied. Equal changes of both sides are applied once. Different changes are a conflict, and our side is kept. If
/// one side removed a part that the other side changed, this is also a conflict, and the changed part is kept.
package struct ThreeWayMerge: Sendable {
  /// The merged key; `nil` for the file itself.
  package let key: UnitKey?
  package private(set) var conflicts: [MergeConflict] = []

  package init(key: UnitKey?) { self.key = key }

  /// Records a conflict.
  package mutating func conflict(_ sides: MergeSides, at place: [String]) {
    conflicts.append(
      MergeConflict(key: key, place: place, ours: sides.ours?.summary, theirs: sides.theirs?.summary))
  }

  /// Merges member by member if both sides have members. Any other part is merged as a whole.
  package mutating func merge(_ sides: MergeSides, at place: [String]) -> MergeNode? {
    if let resolved = sides.resolved { return resolved.node }
    guard sides.ours?.members != nil, sides.theirs?.members != nil else {
      conflict(sides, at: place)
      return sides.ours ?? sides.theirs
    }
    return members(sides) { merge, name, sides in merge.merge(sides, at: place + [name.text]) }
  }

  /// Merges members with the caller's function for each member.
  package mutating func members(
    _ sides: MergeSides, each: (inout ThreeWayMerge, UnitKey, MergeSides) -> MergeNode?
  ) -> MergeNode {
    var merged: [MergeNode.Member] = []
    for name in sides.names {
      if let node = each(&self, name, sides[name]) { merged.append(MergeNode.Member(name, node)) }
    }
    return .members(merged)
  }
}
