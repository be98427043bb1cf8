/// The comment that Xcode writes for a text of an interface file (xcode-formats.md G).
enum InterfaceComment {
  /// Returns a comment such as `Class = "UILabel"; text = "Foo"; ObjectID = "abc-12-xyz"; Note = "…";`.
  /// - Parameters:
  ///   - property: the part of the key after the object's id. For an element of a list, the whole key.
  ///   - note: the developer's note for translators.
  static func text(className: String, property: String, value: String, id: String, note: String?) -> String {
    let start = "Class = \"\(className)\"; \(property) = \"\(escaped(value))\"; ObjectID = \"\(id)\";"
    return note.map { start + " Note = \"\(escaped($0))\";" } ?? start
  }

  private static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result.append(contentsOf: ["\\", scalar])
      case "\n": result.append(contentsOf: ["\\", "n"])
      case "\t": result.append(contentsOf: ["\\", "t"])
      case "\r": result.append(contentsOf: ["\\", "r"])
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
