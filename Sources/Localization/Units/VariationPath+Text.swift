extension VariationPath {
  /// The path in XLIFF's notation after `|==|` (xcode-formats.md B2.5): `plural.one`, `device.iphone.plural.other`,
  /// `substitutions.birds.plural.few`. A substitution's name is enclosed in `@` if it contains a dot or begins with `@`. Empty for the
  /// root.
  package var text: String {
    steps.map { step in
      switch step {
      case .plural(let category): "plural.\(category.rawValue)"
      case .device(let device): "device.\(device.rawValue)"
      case .substitution(let name):
        name.utf8.contains(UInt8(ascii: ".")) || name.utf8.first == UInt8(ascii: "@")
          ? "substitutions.@\(name)@" : "substitutions.\(name)"
      }
    }.joined(separator: ".")
  }

  /// Parses a path in the notation of `text`. The empty text is the root.
  ///
  /// A substitution must be the first step, followed by a form. Categories and devices can be any single word.
  /// - Returns: `nil` if the text is not a path.
  package init?(text: String) {
    var steps: [VariationStep] = []
    var rest = text.utf8[...]
    if rest.starts(with: "substitutions.".utf8) {
      rest = rest.dropFirst("substitutions.".utf8.count)
      guard let (name, after) = Self.substitutionName(rest) else { return nil }
      steps.append(.substitution(name))
      rest = after
      guard !rest.isEmpty else { return nil }
    }
    var words = rest.isEmpty ? [] : rest.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)[...]
    guard words.count.isMultiple(of: 2) else { return nil }
    while let axis = words.popFirst(), let value = words.popFirst() {
      guard let word = Self.word(value) else { return nil }
      switch String(axis) {
      case "plural": steps.append(.plural(PluralCategory(rawValue: word)))
      case "device": steps.append(.device(Device(rawValue: word)))
      default: return nil
      }
    }
    self.init(steps)
  }

  /// Returns the text if it can be a category or device, which consists of letters, digits, `=`, `-` and `_`; otherwise `nil`, because any other text
  /// is part of a key, not of a path.
  private static func word(_ text: Substring.UTF8View) -> String? {
    let isWord =
      !text.isEmpty
      && text.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "="), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
    return isWord ? String(text) : nil
  }

  /// Returns the name at the start of a text, and the text after the dot that follows the name; `nil` if there is no such name.
  private static func substitutionName(_ text: Substring.UTF8View) -> (String, Substring.UTF8View)? {
    if text.first == UInt8(ascii: "@") {
      // The name may contain `@`. The closing `@` is the first that is followed by an axis.
      var index = text.index(after: text.startIndex)
      while index < text.endIndex {
        let after = text[text.index(after: index)...]
        if text[index] == UInt8(ascii: "@"), after.starts(with: ".plural.".utf8) || after.starts(with: ".device.".utf8),
          let name = String(text[text.index(after: text.startIndex)..<index])
        {
          return (name, after.dropFirst())
        }
        index = text.index(after: index)
      }
      return nil
    }
    guard let dot = text.firstIndex(of: UInt8(ascii: ".")), dot != text.startIndex, let name = String(text[..<dot])
    else {
      return nil
    }
    return (name, text[text.index(after: dot)...])
  }
}

extension VariationPath: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let path = VariationPath(text: text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a variation path: \(text)")
    }
    self = path
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

extension VariationPath: Comparable, CustomStringConvertible {
  /// Compares paths in the order of `Translation.leaves`: devices by name, plural forms in CLDR's order, substitutions after the text.
  package static func < (a: Self, b: Self) -> Bool {
    for (one, other) in zip(a.steps, b.steps) where one != other { return one.precedes(other) }
    return a.steps.count < b.steps.count
  }

  package var description: String { text }
}

extension VariationStep {
  private var rank: Int {
    switch self {
    case .plural: 0
    case .device: 1
    case .substitution: 2
    }
  }

  fileprivate func precedes(_ other: VariationStep) -> Bool {
    switch (self, other) {
    case (.plural(let a), .plural(let b)): PluralCategory.precedes(a, b)
    case (.device(let a), .device(let b)): a.rawValue.utf8.lexicographicallyPrecedes(b.rawValue.utf8)
    case (.substitution(let a), .substitution(let b)): a.utf8.lexicographicallyPrecedes(b.utf8)
    default: rank < other.rank
    }
  }
}

extension PluralCategory {
  /// Returns whether `a` precedes `b` in CLDR's order: zero, one, two, few, many, other, then unknown categories.
  package static func precedes(_ a: PluralCategory, _ b: PluralCategory) -> Bool {
    let ranks = (all.firstIndex(of: a) ?? all.count, all.firstIndex(of: b) ?? all.count)
    return ranks.0 == ranks.1 ? a.rawValue.utf8.lexicographicallyPrecedes(b.rawValue.utf8) : ranks.0 < ranks.1
  }
}
