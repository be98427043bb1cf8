/// A reference to a build setting within a text of an Xcode project: `$(NAME)`, `${NAME}`, `$(NAME:lower:default=x)`.
package struct SettingReference {
  /// The setting's name, which may hold references itself.
  package private(set) var name = ""
  /// What is done to the value, in this order.
  package private(set) var modifiers: [(name: String, argument: String?)] = []
  /// All of it, as it stands.
  package let written: Substring
  /// What follows.
  package let rest: Substring

  /// - Parameter text: begins with `$`.
  /// - Returns: `nil` where no whole reference stands there.
  package init?(_ text: Substring) {
    let closing: Character
    switch text.dropFirst().first {
    case "("?: closing = ")"
    case "{"?: closing = "}"
    default: return nil
    }
    var parts = [""]
    // The closing brackets of the references within.
    var inner: [Character] = []
    var index = text.index(text.startIndex, offsetBy: 2)
    while true {
      guard index < text.endIndex else { return nil }
      let character = text[index]
      let next = text.index(after: index)
      if inner.isEmpty, character == closing { break }
      if character == "$", next < text.endIndex, text[next] == "(" || text[next] == "{" {
        inner.append(text[next] == "(" ? ")" : "}")
        parts[parts.count - 1] += text[index...next]
        index = text.index(after: next)
        continue
      }
      if inner.last == character { inner.removeLast() }
      if character == ":", inner.isEmpty {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
      index = next
    }
    written = text[...index]
    rest = text[text.index(after: index)...]
    name = parts[0]
    modifiers = parts.dropFirst().map { part in
      guard let equals = part.firstIndex(of: "=") else { return (part, nil) }
      return (String(part[..<equals]), String(part[equals...].dropFirst()))
    }
  }

  /// The value as a modifier leaves it; `nil` for one that is not known.
  package static func apply(_ modifier: String, _ argument: String?, to value: String) -> String? {
    let slash = value.lastIndex(of: "/")
    let file = slash.map { value[value.index(after: $0)...] } ?? value[...]
    let dot = file.lastIndex(of: ".").flatMap { $0 == file.startIndex ? nil : $0 }
    switch modifier {
    case "lower": return value.lowercased()
    case "upper": return value.uppercased()
    case "identifier": return identifier(value) { $0.isASCII && ($0.properties.isAlphabetic || isDigit($0)) }
    case "c99extidentifier":
      return identifier(value) { $0.isASCII ? $0.properties.isAlphabetic || isDigit($0) : $0.properties.isIDContinue }
    case "rfc1034identifier":
      return String(
        String.UnicodeScalarView(
          value.unicodeScalars.map {
            $0.isASCII && ($0.properties.isAlphabetic || isDigit($0) || $0 == "." || $0 == "-") ? $0 : "-"
          }))
    case "not": return value == "YES" ? "NO" : "YES"
    case "quote", "standardizepath": return value
    case "dir" where argument == nil: return slash.map { String(value[...$0]) } ?? "./"
    case "file" where argument == nil: return String(file)
    case "base" where argument == nil: return String(dot.map { file[..<$0] } ?? file)
    case "suffix" where argument == nil: return dot.map { String(file[$0...]) } ?? ""
    case "default": return value
    default: return nil
    }
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  /// Everything else becomes `_`, a digit at the start too.
  private static func identifier(_ value: String, keeping isKept: (Unicode.Scalar) -> Bool) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in value.unicodeScalars {
      let stays = scalar == "_" || isKept(scalar)
      scalars.append(stays && !(scalars.isEmpty && isDigit(scalar)) ? scalar : "_")
    }
    return String(scalars)
  }
}
