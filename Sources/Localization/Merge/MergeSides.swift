/// The three versions of one place of a file: what both sides began with, and what each made of it. `nil`: nothing stands there.
package struct MergeSides: Sendable {
  package var base: MergeNode?
  package var ours: MergeNode?
  package var theirs: MergeNode?

  package init(base: MergeNode?, ours: MergeNode?, theirs: MergeNode?) {
    self.base = base
    self.ours = ours
    self.theirs = theirs
  }

  /// A merge that needs no weighing.
  package struct Settled: Sendable {
    package var node: MergeNode?
  }

  /// What holds where at most one side changed something, or both the same; `nil` where both did, differently.
  package var settled: Settled? {
    if ours == theirs || theirs == base { return Settled(node: ours) }
    if ours == base { return Settled(node: theirs) }
    return nil
  }

  /// The sides of a member.
  package subscript(name: UnitKey) -> MergeSides {
    MergeSides(base: base?[name], ours: ours?[name], theirs: theirs?[name])
  }

  /// The sides without the members of these names.
  package func without(_ names: [UnitKey]) -> MergeSides { map { $0.without(names) } }

  package func map(_ change: (MergeNode) -> MergeNode?) -> MergeSides {
    MergeSides(base: base.flatMap(change), ours: ours.flatMap(change), theirs: theirs.flatMap(change))
  }

  /// The names of the members of both sides: ours in their order, then those that only theirs has.
  package var names: [UnitKey] {
    let own = ours?.members?.map(\.name) ?? []
    let known = Set(own)
    return own + (theirs?.members?.map(\.name).filter { !known.contains($0) } ?? [])
  }
}
