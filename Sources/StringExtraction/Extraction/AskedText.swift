import Localization

/// The meanings of a text that a person may have copied from Swift code (`extract --why`).
enum AskedText {
  /// Returns the possible meanings of a text, without duplicates: the text itself, the text with interpolations as `\(…)`, and then with Swift's
  /// escapes replaced.
  static func readings(of text: String) -> [String] {
    let sketched = withoutInterpolations(text)
    var readings = [text]
    for reading in [sketched, unescaped(sketched)].compactMap(\.self)
    where !readings.contains(where: { $0.isExactly(reading) }) {
      readings.append(reading)
    }
    return readings
  }

  /// Replaces each interpolation with `\(…)`, also that of a raw string (`\#(n)`). An interpolation without an end is kept.
  private static func withoutInterpolations(_ text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    var result = String.UnicodeScalarView()
    var index = 0
    while index < scalars.count {
      guard scalars[index] == "\\" else {
        result.append(scalars[index])
        index += 1
        continue
      }
      var next = index + 1
      while next < scalars.count, scalars[next] == "#" { next += 1 }
      if next < scalars.count, scalars[next] == "(", let end = end(ofInterpolation: next + 1, in: scalars) {
        result.append(contentsOf: "\\(…)".unicodeScalars)
        index = end
      } else {
        // The second backslash of `\\(` starts no interpolation.
        result.append(contentsOf: scalars[index..<min(index + 2, scalars.count)])
        index += 2
      }
    }
    return String(result)
  }

  /// Returns the index after the parenthesis that ends an interpolation; `nil` if there is none. Parentheses in string literals do not count.
  /// - Parameter start: the index after the first parenthesis.
  private static func end(ofInterpolation start: Int, in text: [Unicode.Scalar]) -> Int? {
    /// For each open parenthesis and string literal, whether it is a literal.
    var open = [false]
    var index = start
    while index < text.count, let isInLiteral = open.last {
      let scalar = text[index]
      index += 1
      if isInLiteral, scalar == "\\" {
        if index < text.count, text[index] == "(" { open.append(false) }
        index += 1
      } else if scalar == (isInLiteral ? "\"" : ")") {
        open.removeLast()
        if open.isEmpty { return index }
      } else if !isInLiteral, scalar == "(" || scalar == "\"" {
        open.append(scalar == "\"")
      }
    }
    return nil
  }

  /// Returns a text with Swift's escapes replaced; `nil` if it has none or an invalid one. Interpolations are kept.
  private static func unescaped(_ text: String) -> String? {
    let simple: [Unicode.Scalar: Unicode.Scalar] = [
      "0": "\0", "\\": "\\", "t": "\t", "n": "\n", "r": "\r", "\"": "\"", "'": "'",
    ]
    var result = String.UnicodeScalarView()
    var hasEscape = false
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "\\" else {
        result.append(scalar)
        continue
      }
      guard let name = rest.popFirst() else { return nil }
      if name == "(" {
        result.append(contentsOf: "\\(".unicodeScalars)
        continue
      }
      hasEscape = true
      if let meant = simple[name] {
        result.append(meant)
      } else if name == "u", rest.popFirst() == "{", let end = rest.firstIndex(of: "}"),
        let value = UInt32(String(rest[..<end]), radix: 16), let meant = Unicode.Scalar(value)
      {
        result.append(meant)
        rest = rest[rest.index(after: end)...]
      } else {
        return nil
      }
    }
    return hasEscape ? String(result) : nil
  }
}
