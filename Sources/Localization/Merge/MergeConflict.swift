/// A conflict in a merge: the two sides changed the same part of a file in different ways.
package struct MergeConflict: Hashable, Sendable, CustomStringConvertible {
  /// The key of the changed entry; `nil` for a change of the file itself.
  package var key: UnitKey?
  /// The path from the key to the changed part: a language and a variation (`["de", "plural.one"]`), or a field. Empty for the whole entry.
  package var place: [String]
  /// A readable summary of our side; `nil` if our side removed the part. The same applies to `theirs`.
  package var ours: String?
  package var theirs: String?

  package init(key: UnitKey?, place: [String], ours: String?, theirs: String?) {
    self.key = key
    self.place = place
    self.ours = ours
    self.theirs = theirs
  }

  /// The conflict as text: `key "Bird", de, plural.one: ours "Vogel", theirs "Vögel"`.
  package var description: String { text(ours: "ours", theirs: "theirs") }

  /// Returns the conflict as text with these names of the two sides.
  package func text(ours oursName: String, theirs theirsName: String) -> String {
    let way = (key.map { ["key \(MergeNode.quoted($0.text))"] } ?? []) + place.map(MergeNode.plain)
    return
      "\(way.joined(separator: ", ")): \(oursName) \(ours ?? "removed it"), \(theirsName) \(theirs ?? "removed it")"
  }
}

extension MergeNode {
  /// Returns a name that is safe to print: unchanged if it consists of printable ASCII characters other than spaces, and otherwise quoted.
  fileprivate static func plain(_ name: String) -> String {
    name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && !name.isEmpty ? name : quoted(name)
  }
}
