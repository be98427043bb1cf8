/// A conflict: two sides changed the same thing in different ways.
package struct MergeConflict: Hashable, Sendable, CustomStringConvertible {
  /// `nil` for the file itself.
  package var key: UnitKey?
  /// The path from the key: a language and a variation (`["de", "plural.one"]`), or a field. Empty for the whole entry.
  package var place: [String]
  /// The contents of each side for people; `nil` if this side removed it.
  package var ours: String?
  package var theirs: String?

  package init(key: UnitKey?, place: [String], ours: String?, theirs: String?) {
    self.key = key
    self.place = place
    self.ours = ours
    self.theirs = theirs
  }

  /// `key "Bird", de, plural.one: ours "Vogel", theirs "Vögel"`.
  package var description: String { text(ours: "ours", theirs: "theirs") }

  /// - Parameters: the names of the two sides.
  package func text(ours oursName: String, theirs theirsName: String) -> String {
    let way = (key.map { ["key \(MergeNode.quoted($0.text))"] } ?? []) + place.map(MergeNode.plain)
    return
      "\(way.joined(separator: ", ")): \(oursName) \(ours ?? "removed it"), \(theirsName) \(theirs ?? "removed it")"
  }
}

extension MergeNode {
  /// Returns a name that is safe to print: quoted if it contains more than letters, digits and simple punctuation.
  fileprivate static func plain(_ name: String) -> String {
    name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && !name.isEmpty ? name : quoted(name)
  }
}
