/// A scan of a call's arguments, byte by byte.
extension CodeScreen {
  /// The relevant content of a call's arguments, without that of inner brackets.
  struct Arguments {
    var haveLiteral = false
    /// Whether the arguments contain a `+`.
    var haveSum = false
  }

  /// The maximum length in bytes of arguments to scan. Longer arguments are assumed to contain everything.
  private static let mostBytes = 4_000

  /// Returns what the arguments of a call may contain.
  /// - Parameter end: the index after the name of a function.
  func argumentsOfCall(_ end: Int) -> Arguments {
    let anything = Arguments(haveLiteral: true, haveSum: true)
    let bracket = next(end)
    guard byte(at: bracket) == UInt8(ascii: "(") else {
      return byte(at: bracket) == UInt8(ascii: "/") ? anything : Arguments()
    }
    var found = Arguments()
    var depth = 1
    var index = bracket + 1
    while index < bytes.count {
      guard index - bracket < Self.mostBytes else { return anything }
      switch bytes[index] {
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        if depth == 0 { return found }
      case UInt8(ascii: "+"): if depth == 1 { found.haveSum = true }
      case UInt8(ascii: "\""):
        if depth == 1 { found.haveLiteral = true }
        guard let end = endOfLiteral(at: index) else { return anything }
        index = end
        continue
      case UInt8(ascii: "/") where isComment(at: index): return anything
      default: break
      }
      index += 1
    }
    return found
  }

  private func isComment(at index: Int) -> Bool {
    byte(at: index + 1) == UInt8(ascii: "/") || byte(at: index + 1) == UInt8(ascii: "*")
  }

  /// Returns the index after a literal on one line; `nil` if the literal is of another kind, contains literals in an interpolation, or does not end.
  private func endOfLiteral(at start: Int) -> Int? {
    guard !has("\"\"\"", at: start), byte(at: start - 1) != UInt8(ascii: "#") else { return nil }
    var index = start + 1
    var depth = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\n"): return nil
      case UInt8(ascii: "\\"):
        if byte(at: index + 1) == UInt8(ascii: "(") { depth += 1 }
        index += 1
      case UInt8(ascii: "("): if depth > 0 { depth += 1 }
      case UInt8(ascii: ")"): if depth > 0 { depth -= 1 }
      case UInt8(ascii: "\""): return depth == 0 ? index + 1 : nil
      default: break
      }
      index += 1
    }
    return nil
  }
}
