/// The three versions of one part of a file: the common base and both sides. `nil` means that the part is absent.
package struct MergeSides: Sendable {
  package var base: MergeNode?
  package var ours: MergeNode?
  package var theirs: MergeNode?

  package init(base: MergeNode?, ours: MergeNode?, theirs: MergeNode?) {
    self.base = base
    self.ours = ours
    self.theirs = theirs
  }

  /// A merge result without a conflict.
  package struct Resolved: Sendable {
    package var node: MergeNode?
  }

  /// The result if at most one side made a change or both made the same change; `nil` if the sides made different changes.
  package var resolved: Resolved? {
    if ours == theirs || theirs == base { return Resolved(node: ours) }
    if ours == base { return Resolved(node: theirs) }
    return nil
  }

  /// The three versions of the member with this name.
  package subscript(name: UnitKey) -> MergeSides {
    MergeSides(base: base?[name], ours: ours?[name], theirs: theirs?[name])
  }

  /// Returns the three versions without the members of these names.
  package func without(_ names: [UnitKey]) -> MergeSides { map { $0.without(names) } }

  package func map(_ change: (MergeNode) -> MergeNode?) -> MergeSides {
    MergeSides(base: base.flatMap(change), ours: ours.flatMap(change), theirs: theirs.flatMap(change))
  }

  /// The member names of both sides: those of `ours` in their order, then those that only `theirs` has.
  package var names: [UnitKey] {
    let own = ours?.members?.map(\.name) ?? []
    let known = Set(own)
    return own + (theirs?.members?.map(\.name).filter { !known.contains($0) } ?? [])
  }
}
