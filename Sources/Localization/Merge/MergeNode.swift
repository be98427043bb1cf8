/// A part of a localization file without its layout. A three-way merge compares and combines such nodes.
package indirect enum MergeNode: Sendable {
  /// Named members in the order of the file. The order is ignored in comparisons.
  case members([Member])
  /// An ordered list.
  case list([MergeNode])
  case text(String)
  /// Any other value in the file's spelling: a number, `true`, a date.
  case atom(String)

  package struct Member: Equatable, Sendable {
    package var name: UnitKey
    package var node: MergeNode

    package init(_ name: UnitKey, _ node: MergeNode) {
      self.name = name
      self.node = node
    }
  }

  package subscript(name: UnitKey) -> MergeNode? {
    guard case .members(let members) = self else { return nil }
    return members.last { $0.name == name }?.node
  }

  package var members: [Member]? {
    guard case .members(let members) = self else { return nil }
    return members
  }

  package var text: String? {
    guard case .text(let text) = self else { return nil }
    return text
  }

  /// Returns the node without the members of these names. A node of another kind is returned unchanged.
  package func without(_ names: [UnitKey]) -> MergeNode {
    guard case .members(let members) = self else { return self }
    return .members(members.filter { !names.contains($0.name) })
  }

  /// Returns the node with the member of this name replaced, added or, for `nil`, removed. A node of another kind is returned unchanged.
  package func with(_ name: UnitKey, _ node: MergeNode?) -> MergeNode {
    guard case .members(var members) = self else { return self }
    if let place = members.lastIndex(where: { $0.name == name }) {
      if let node { members[place].node = node } else { members.remove(at: place) }
    } else if let node {
      members.append(Member(name, node))
    }
    return .members(members)
  }
}

extension MergeNode: Equatable {
  /// Texts and names are equal only if they have the same code points (xcode-formats.md E8).
  package static func == (a: Self, b: Self) -> Bool {
    switch (a, b) {
    case (.text(let a), .text(let b)), (.atom(let a), .atom(let b)): return a.isExactly(b)
    case (.list(let a), .list(let b)): return a == b
    case (.members(let a), .members(let b)):
      guard a.count == b.count else { return false }
      if zip(a, b).allSatisfy({ $0.name == $1.name }) { return zip(a, b).allSatisfy { $0.node == $1.node } }
      let other = Dictionary(b.map { ($0.name, $0.node) }) { _, last in last }
      return a.allSatisfy { member in other[member.name].map { $0 == member.node } ?? false }
    default: return false
    }
  }
}

extension MergeNode {
  /// A readable summary of the node: at most eight of its texts and other values. Texts are quoted and cut to 120 characters, and their control
  /// characters are escaped.
  package var summary: String {
    var texts: [String] = []
    collect(into: &texts)
    let shown = texts.prefix(8).joined(separator: " / ")
    return texts.count > 8 ? shown + " / …" : shown
  }

  private func collect(into texts: inout [String]) {
    guard texts.count <= 8 else { return }
    switch self {
    case .text(let text): texts.append(Self.quoted(text))
    case .atom(let spelling): texts.append(spelling)
    case .list(let nodes): for node in nodes { node.collect(into: &texts) }
    case .members(let members):
      // If there is a text, its state is not shown, because it does not help to resolve the conflict.
      let hasWords = members.contains { $0.name == "value" || $0.name == "values" }
      for member in members where !(hasWords && member.name == "state") { member.node.collect(into: &texts) }
    }
  }

  /// Returns a text in quotes that is safe to print on a terminal.
  /// - Parameter most: the maximum number of Unicode scalars to show.
  package static func quoted(_ text: String, most: Int = 120) -> String {
    var shown = "\""
    for (count, scalar) in text.unicodeScalars.enumerated() {
      guard count < most else { return shown + "…\"" }
      switch scalar {
      case "\"", "\\": shown += "\\\(scalar)"
      case "\n": shown += "\\n"
      case "\t": shown += "\\t"
      case _
      where scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
        || scalar.properties.generalCategory == .lineSeparator
        || scalar.properties.generalCategory == .paragraphSeparator:
        shown += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return shown + "\""
  }
}
