/// Where something stands in a file: line and column from 1, the column in UTF-8 bytes.
struct Place: Hashable, Comparable {
  var line: Int
  var column: Int

  static let start = Place(line: 1, column: 1)

  static func < (a: Self, b: Self) -> Bool { (a.line, a.column) < (b.line, b.column) }
}

/// A value of a YAML file, with its place. Scalars are kept as they were written: `no` is a language, not a truth value.
struct FileValue {
  indirect enum Content {
    /// Nothing, `~` or `null`.
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

  /// What the value is, for a message that says what was wanted.
  var kind: String {
    switch content {
    case .nothing: "nothing"
    case .text: "a text"
    case .list: "a list"
    case .mapping: "a mapping"
    }
  }
}
