/// Merges what two sides made of one key, three-way and by name, never by lines: the rule of every format that the merge driver
/// knows. A format says what is one thing in it (a text with its state, a comment with its author) and leaves the rest to this.
///
/// What one side changed is taken; what both changed alike is taken once; what both changed differently is a conflict, and ours
/// stays. Of what one side removed and the other changed, the changed one stays, and that is a conflict too.
package struct ThreeWayMerge: Sendable {
  /// `nil`: the file itself.
  package let key: UnitKey?
  package private(set) var conflicts: [MergeConflict] = []

  package init(key: UnitKey?) { self.key = key }

  /// Notes that the sides wrote different things.
  package mutating func conflict(_ sides: MergeSides, at place: [String]) {
    conflicts.append(
      MergeConflict(key: key, place: place, ours: sides.ours?.summary, theirs: sides.theirs?.summary))
  }

  /// Merges members one by one where both sides have members; all else is one thing.
  package mutating func merge(_ sides: MergeSides, at place: [String]) -> MergeNode? {
    if let settled = sides.settled { return settled.node }
    guard sides.ours?.members != nil, sides.theirs?.members != nil else {
      conflict(sides, at: place)
      return sides.ours ?? sides.theirs
    }
    return members(sides) { merge, name, sides in merge.merge(sides, at: place + [name.text]) }
  }

  /// Puts members together, each by a rule of the caller's.
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
