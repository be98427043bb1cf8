/// A pattern of branch names: `*` matches anything except a slash, `**` matches anything, `?` matches one character (a Unicode scalar) except a slash.
package struct BranchPattern: Hashable, Sendable, Codable, CustomStringConvertible {
  package let text: String
  package init(_ text: String) { self.text = text }

  package init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  package var description: String { text }

  package func matches(_ name: String) -> Bool { Self.matches(Array(text.unicodeScalars), Array(name.unicodeScalars)) }

  /// Returns whether a name matches a pattern. Dynamic programming over the Unicode scalars limits this to length × length steps, even with many
  /// stars.
  private static func matches(_ pattern: [Unicode.Scalar], _ name: [Unicode.Scalar]) -> Bool {
    let slash: Unicode.Scalar = "/"
    var reachable = [Bool](repeating: false, count: name.count + 1)
    reachable[0] = true
    var index = 0
    while index < pattern.count {
      var next = [Bool](repeating: false, count: name.count + 1)
      switch pattern[index] {
      case "*":
        let crossesSlash = index + 1 < pattern.count && pattern[index + 1] == "*"
        if crossesSlash { index += 1 }
        var open = false
        for place in 0...name.count {
          if place > 0, !crossesSlash, name[place - 1] == slash { open = false }
          open = open || reachable[place]
          next[place] = open
        }
      case "?":
        for place in name.indices where reachable[place] && name[place] != slash { next[place + 1] = true }
      case let scalar:
        for place in name.indices where reachable[place] && name[place] == scalar { next[place + 1] = true }
      }
      reachable = next
      index += 1
    }
    return reachable[name.count]
  }
}
