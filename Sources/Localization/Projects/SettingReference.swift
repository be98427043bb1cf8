/// A reference to a build setting in a text of an Xcode project: `$(NAME)`, `${NAME}`, `$(NAME:lower:default=x)`.
package struct SettingReference {
  /// The setting's name, which may contain references.
  package private(set) var name = ""
  /// The modifiers, in the order of application.
  package private(set) var modifiers: [(name: String, argument: String?)] = []
  /// The whole reference as written.
  package let written: Substring

  /// A part of a text: plain text or a reference.
  package enum Piece {
    case text(Substring)
    case reference(SettingReference)
  }

  /// Splits a text at its outermost references. A reference without its closing bracket is plain text. The running time is proportional to the
  /// length of the text.
  package static func pieces(of text: String) -> [Piece] {
    let bytes = text.utf8
    // The bracket that ends a reference does not depend on the preceding text, so one pass finds all ends.
    var open: [(start: String.Index, closing: UInt8)] = []
    var outermost: [Range<String.Index>] = []
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let here = index
      index = bytes.index(after: index)
      if let closing = closing(at: here, in: text[...]) {
        open.append((here, closing))
        index = bytes.index(after: index)
      } else if let last = open.last, bytes[here] == last.closing {
        open.removeLast()
        while let inner = outermost.last, inner.lowerBound > last.start { outermost.removeLast() }
        outermost.append(last.start..<index)
      }
    }
    var pieces: [Piece] = []
    var rest = text.startIndex
    for range in outermost {
      if rest < range.lowerBound { pieces.append(.text(text[rest..<range.lowerBound])) }
      pieces.append(.reference(SettingReference(whole: text[range])))
      rest = range.upperBound
    }
    if rest < text.endIndex { pieces.append(.text(text[rest...])) }
    return pieces
  }

  /// Parses a reference.
  /// - Parameter written: the reference from `$` to the closing bracket.
  private init(whole written: Substring) {
    self.written = written
    let bytes = written.utf8
    let end = bytes.index(before: bytes.endIndex)
    var parts: [Substring] = []
    var start = bytes.index(bytes.startIndex, offsetBy: 2)
    // The closing brackets of the nested references.
    var inner: [UInt8] = []
    var index = start
    while index < end {
      let here = index
      index = bytes.index(after: index)
      if let closing = Self.closing(at: here, in: written) {
        inner.append(closing)
        index = bytes.index(after: index)
      } else if inner.last == bytes[here] {
        inner.removeLast()
      } else if inner.isEmpty, bytes[here] == UInt8(ascii: ":") {
        parts.append(written[start..<here])
        start = index
      }
    }
    parts.append(written[start..<end])
    name = String(parts[0])
    modifiers = parts.dropFirst().map { part in
      guard let equals = part.utf8.firstIndex(of: UInt8(ascii: "=")) else { return (String(part), nil) }
      return (String(part[..<equals]), String(part[part.utf8.index(after: equals)...]))
    }
  }

  /// Returns the closing bracket of the reference that begins at an index; `nil` if no reference begins there.
  private static func closing(at index: String.Index, in text: Substring) -> UInt8? {
    let bytes = text.utf8
    let next = bytes.index(after: index)
    guard bytes[index] == UInt8(ascii: "$"), next < bytes.endIndex else { return nil }
    switch bytes[next] {
    case UInt8(ascii: "("): return UInt8(ascii: ")")
    case UInt8(ascii: "{"): return UInt8(ascii: "}")
    default: return nil
    }
  }

  /// Applies a modifier to a value. Returns `nil` for an unknown modifier, and for `dir`, `file`, `base` or `suffix` with an argument. The other
  /// modifiers ignore the argument.
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

  /// Returns the value with `_` in place of a leading digit, and in place of every character that is neither `_` nor kept.
  private static func identifier(_ value: String, keeping isKept: (Unicode.Scalar) -> Bool) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in value.unicodeScalars {
      let stays = scalar == "_" || isKept(scalar)
      scalars.append(stays && !(scalars.isEmpty && isDigit(scalar)) ? scalar : "_")
    }
    return String(scalars)
  }
}
