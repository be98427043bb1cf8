/// A condition of CLDR's plural rules. Relations are joined by `and` into groups, and groups are joined by `or` (UTS 35, plural rules
/// syntax).
struct PluralCondition: Sendable {
  /// A relation such as `operand % modulus = ranges`.
  fileprivate struct Relation: Sendable {
    var operand: Character
    var modulus: UInt64?
    var isNegated: Bool
    var ranges: [ClosedRange<UInt64>]

    func holds(for number: PluralOperands) -> Bool {
      let value: UInt64
      switch operand {
      case "i": value = number.i
      case "v": value = UInt64(number.v)
      case "w": value = UInt64(number.w)
      case "f": value = number.f
      case "t": value = number.t
      // These are the exponent of a compact number (`1c6`). Foundation never formats such numbers.
      case "e", "c": value = 0
      default:
        // A number with a fraction never equals a whole number, and its remainder does not either.
        guard number.t == 0 else { return isNegated }
        value = number.i
      }
      let remainder = modulus.map { value % $0 } ?? value
      return ranges.contains { $0.contains(remainder) } != isNegated
    }
  }

  /// The groups of relations. The condition holds if all relations of at least one group hold.
  private let alternatives: [[Relation]]

  func holds(for number: PluralOperands) -> Bool {
    alternatives.contains { $0.allSatisfy { $0.holds(for: number) } }
  }

  /// Parses a condition in CLDR's syntax. Returns `nil` if the text is not a condition.
  init?(_ text: Substring) {
    var alternatives: [[Relation]] = [[]]
    var words = text.split(separator: " ")[...]
    while !words.isEmpty {
      guard let relation = Self.relation(&words) else { return nil }
      alternatives[alternatives.count - 1].append(relation)
      switch words.popFirst() {
      case "and": continue
      case "or": alternatives.append([])
      case nil: break
      default: return nil
      }
    }
    guard alternatives.allSatisfy({ !$0.isEmpty }) else { return nil }
    self.alternatives = alternatives
  }

  private static func relation(_ words: inout ArraySlice<Substring>) -> Relation? {
    guard let word = words.popFirst(), word.count == 1, let operand = word.first, "nivwftec".contains(operand) else {
      return nil
    }
    var modulus: UInt64?
    if words.first == "%" {
      words.removeFirst()
      guard let number = words.popFirst().flatMap({ UInt64($0) }), number > 0 else { return nil }
      modulus = number
    }
    guard let sign = words.popFirst(), sign == "=" || sign == "!=", let list = words.popFirst() else { return nil }
    var ranges: [ClosedRange<UInt64>] = []
    for part in list.split(separator: ",") {
      let ends = part.split(separator: ".").map { UInt64($0) }
      guard let low = ends.first ?? nil, let high = ends.last ?? nil, low <= high, ends.count <= 2 else { return nil }
      ranges.append(low...high)
    }
    return Relation(operand: operand, modulus: modulus, isNegated: sign == "!=", ranges: ranges)
  }
}

extension PluralCondition {
  /// A condition reduced to whole numbers, for gettext's header `Plural-Forms`, whose rule is an expression in C.
  enum WholeNumbers: Hashable {
    case always
    case never
    case expression(String)
  }

  var forWholeNumbers: WholeNumbers {
    var alternatives: [String] = []
    for relations in self.alternatives {
      let parts = relations.map(\.forWholeNumbers)
      if parts.contains(.never) { continue }
      let needed = parts.compactMap { part in if case .expression(let text) = part { text } else { nil } }
      guard !needed.isEmpty else { return .always }
      alternatives.append(needed.joined(separator: " && "))
    }
    return alternatives.isEmpty ? .never : .expression(alternatives.joined(separator: " || "))
  }
}

extension PluralCondition.Relation {
  fileprivate var forWholeNumbers: PluralCondition.WholeNumbers {
    guard operand == "n" || operand == "i" else { return holds(for: PluralOperands(0)) ? .always : .never }
    let value = modulus.map { "n % \($0)" } ?? "n"
    let parts = ranges.map { range in
      switch (range.lowerBound == range.upperBound, isNegated) {
      case (true, false): "\(value) == \(range.lowerBound)"
      case (true, true): "\(value) != \(range.lowerBound)"
      case (false, false): "(\(value) >= \(range.lowerBound) && \(value) <= \(range.upperBound))"
      case (false, true): "(\(value) < \(range.lowerBound) || \(value) > \(range.upperBound))"
      }
    }
    let text = parts.joined(separator: isNegated ? " && " : " || ")
    return .expression(parts.count > 1 ? "(\(text))" : text)
  }
}
