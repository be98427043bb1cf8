/// A position in a file: line and column from 1, with the column in UTF-8 bytes.
struct Place: Hashable, Comparable {
  var line: Int
  var column: Int

  static let start = Place(line: 1, column: 1)

  static func < (a: Self, b: Self) -> Bool { (a.line, a.column) < (b.line, b.column) }
}

/// A value of a YAML file with its place. All scalars are texts, so `no` is a language and not a Boolean.
struct FileValue {
  indirect enum Content {
    /// An empty value, `~` or `null`.
    case nothing
    case text(String)
    case list([FileValue])
    case mapping([Entry])
  }

  struct Entry {
    var key: String
    var keyPlace: Place
    var value: FileValue
  }

  var place: Place
  var content: Content

  /// The kind of the value, for messages about a wrong type.
  var kind: String {
    switch content {
    case .nothing: "nothing"
    case .text: "a text"
    case .list: "a list"
    case .mapping: "a mapping"
    }
  }
}
