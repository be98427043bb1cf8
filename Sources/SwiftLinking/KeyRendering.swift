import SwiftFacts

/// Functions that render a literal's parts as a key, a value or a phrase in Xcode's format.
package enum KeyRendering {
  /// Renders a key. The second value contains the other keys of the catalog that the literal can have, because the specifier of an argument is
  /// undecided.
  /// - Parameter existing: returns the catalog's keys that have a given skeleton. If the specifier of an argument is undecided, a matching key of the
  ///   catalog is used. If several keys match, the key with the literal's own guess is used, or else the key with the most integers, because
  ///   undecided arguments are usually integers. If no key matches, the literal's own guess is used.
  package static func key(_ parts: [KeyPart], existing: (String) -> [String]) -> (key: String, others: [String]) {
    guard parts.contains(where: \.isUndecided) else { return (text(parts), []) }
    let own = text(parts)
    let fitting = existing(skeleton(parts)).filter { fits(parts, $0) }
    func integers(_ key: String) -> Int { key.ranges(of: "%lld").count }
    let key = fitting.contains(own) ? own : fitting.sorted().max { integers($0) < integers($1) } ?? own
    return (key, fitting.filter { $0 != key })
  }

  /// Renders a key or value. A literal `%` is doubled only if the text has an interpolation (xcode-formats.md E4).
  package static func text(_ parts: [KeyPart]) -> String {
    let isFormat = parts.contains { if case .text = $0 { false } else { true } }
    return parts.map { part in
      switch part {
      case .text(let text): isFormat ? text.doublingPercent : text
      case .specifier(let specifier), .written(let specifier), .undecided(let specifier): specifier
      }
    }.joined()
  }

  /// Renders a phrase of an App Shortcut. A phrase is not a format, so `%` is not doubled.
  package static func phrase(_ parts: [KeyPart]) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .specifier(let specifier), .written(let specifier), .undecided(let specifier): specifier
      }
    }.joined()
  }

  /// Renders the source value that Xcode generates. If there are two or more arguments, their specifiers are numbered.
  package static func value(_ parts: [KeyPart]) -> String {
    let arguments = parts.filter { if case .text = $0 { false } else { true } }.count
    guard arguments > 1 else { return text(parts) }
    var number = 0
    return parts.map { part in
      switch part {
      case .text(let text): return text.doublingPercent
      case .specifier(let specifier), .written(let specifier):
        guard specifier.hasPrefix("%") else { return specifier }
        number += 1
        return "%\(number)$" + specifier.dropFirst()
      case .undecided(let specifier):
        number += 1
        return "%\(number)$" + specifier.dropFirst()
      }
    }.joined()
  }

  /// Returns a literal's text with each `%` doubled, and with every specifier that begins with `%` replaced by the same mark.
  package static func skeleton(_ parts: [KeyPart]) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text.doublingPercent
      case .specifier(let specifier), .written(let specifier): specifier.hasPrefix("%") ? "\u{1}" : specifier
      case .undecided: "\u{1}"
      }
    }.joined()
  }

  /// Returns the same form of a key's text, for comparison with the skeletons of literals.
  package static func skeleton(ofKey key: String) -> String {
    var result: [UInt8] = []
    let bytes = Array(key.utf8)
    var index = 0
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "%"), let end = specifierEnd(bytes, index) else {
        result.append(bytes[index])
        index += 1
        continue
      }
      if bytes[end - 1] == UInt8(ascii: "%") {
        result += [UInt8(ascii: "%"), UInt8(ascii: "%")]
      } else {
        result.append(1)
      }
      index = end
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func specifierEnd(_ bytes: [UInt8], _ start: Int) -> Int? {
    var index = start + 1
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "$"), UInt8(ascii: "."), UInt8(ascii: "+"),
        UInt8(ascii: "-"), UInt8(ascii: "l"), UInt8(ascii: "h"), UInt8(ascii: "q"), UInt8(ascii: "#"):
        index += 1
      case UInt8(ascii: "@"), UInt8(ascii: "d"), UInt8(ascii: "i"), UInt8(ascii: "u"), UInt8(ascii: "f"),
        UInt8(ascii: "F"), UInt8(ascii: "e"), UInt8(ascii: "g"), UInt8(ascii: "x"), UInt8(ascii: "X"),
        UInt8(ascii: "o"), UInt8(ascii: "c"), UInt8(ascii: "s"), UInt8(ascii: "%"), UInt8(ascii: "a"):
        return index + 1
      default: return nil
      }
    }
    return nil
  }

  /// Returns whether the key has the same texts and decided specifiers as the literal, and any specifier for each undecided part.
  private static func fits(_ parts: [KeyPart], _ key: String) -> Bool {
    var rest = Substring(key)
    for part in parts {
      switch part {
      case .text(let text):
        let doubled = text.doublingPercent
        guard rest.utf8.starts(with: doubled.utf8) else { return false }
        rest = Substring(rest.utf8.dropFirst(doubled.utf8.count))
      case .specifier(let specifier), .written(let specifier):
        guard rest.utf8.starts(with: specifier.utf8) else { return false }
        rest = Substring(rest.utf8.dropFirst(specifier.utf8.count))
      case .undecided:
        guard rest.first == "%", let end = specifierEnd(Array(rest.utf8), 0) else { return false }
        rest = Substring(rest.utf8.dropFirst(end))
      }
    }
    return rest.isEmpty
  }
}

extension KeyPart {
  fileprivate var isUndecided: Bool {
    if case .undecided = self { return true }
    return false
  }
}

extension String {
  fileprivate var doublingPercent: String {
    utf8.contains(UInt8(ascii: "%"))
      ? split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%%") : self
  }
}
