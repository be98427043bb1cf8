/// Two sides wrote different things at one place.
package struct MergeConflict: Hashable, Sendable, CustomStringConvertible {
  /// `nil`: the file itself.
  package var key: UnitKey?
  /// The way to the place from the key: a language and a variation (`["de", "plural.one"]`), or a field. Empty: the whole of the key.
  package var place: [String]
  /// What the sides say, in words for people; `nil`: this side removed it.
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

  /// - Parameters: what to call the two sides.
  package func text(ours oursName: String, theirs theirsName: String) -> String {
    let way = (key.map { ["key \(MergeNode.quoted($0.text))"] } ?? []) + place.map(MergeNode.plain)
    return
      "\(way.joined(separator: ", ")): \(oursName) \(ours ?? "removed it"), \(theirsName) \(theirs ?? "removed it")"
  }
}

extension MergeNode {
  /// A name safe to print: as it is, or quoted where it holds more than words.
  fileprivate static func plain(_ name: String) -> String {
    name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && !name.isEmpty ? name : quoted(name)
  }
}
