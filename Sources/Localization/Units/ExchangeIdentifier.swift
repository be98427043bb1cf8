/// The id of a form in XLIFF: the key, followed by `|==|` and the path if the text varies (xcode-formats.md B2.5).
package enum ExchangeIdentifier {
  package static let separator = "|==|"

  package static func text(key: UnitKey, path: VariationPath) -> String {
    path.isRoot ? key.text : key.text + separator + path.text
  }

  /// Splits an id at its last `|==|` if a path follows. Keys may contain `|==|` too.
  package static func parse(_ id: String) -> (key: UnitKey, path: VariationPath) {
    guard id.utf8.contains(UInt8(ascii: "|")) else { return (UnitKey(id), .root) }
    let bytes = Array(id.utf8)
    guard let start = marks(in: bytes).last, let reading = split(bytes, at: start) else { return (UnitKey(id), .root) }
    return reading
  }

  /// Returns all possible meanings of an id, most likely first: for each `|==|` from the last to the first, a form of a key; then the whole id as a
  /// key.
  package static func readings(of id: String) -> [(key: UnitKey, path: VariationPath)] {
    let bytes = Array(id.utf8)
    // No real key contains more than 16 delimiters.
    return marks(in: bytes).suffix(16).reversed().compactMap { split(bytes, at: $0) } + [(UnitKey(id), .root)]
  }

  private static func marks(in bytes: [UInt8]) -> [Int] {
    let mark = Array(separator.utf8)
    guard bytes.count >= mark.count else { return [] }
    return (0...(bytes.count - mark.count)).filter { bytes[$0] == mark[0] && bytes[$0..<$0 + mark.count] == mark[...] }
  }

  private static func split(_ bytes: [UInt8], at start: Int) -> (key: UnitKey, path: VariationPath)? {
    let rest = String(decoding: bytes[(start + separator.utf8.count)...], as: UTF8.self)
    guard let path = VariationPath(text: rest), !path.isRoot else { return nil }
    return (UnitKey(String(decoding: bytes[..<start], as: UTF8.self)), path)
  }
}

/// The id of a form of a `.stringsdict` in XLIFF: the path of property list keys to the text (xcode-formats.md B3).
extension ExchangeIdentifier {
  private static let formatKey = "NSStringLocalizedFormatKey"
  private static let deviceRule = "NSStringDeviceSpecificRuleType"
  private static let step = ":dict/"
  private static let end = ":dict/:string"

  /// Returns the id of a form: `/KEY:dict/NSStringLocalizedFormatKey:dict/:string` for the format, `/KEY:dict/VAR:dict/one:dict/:string`
  /// for a form of a variable, `/KEY:dict/NSStringDeviceSpecificRuleType:dict/iphone:dict/:string` for a text of a device (inferred, not
  /// observed).
  package static func rulesText(key: UnitKey, path: VariationPath) -> String {
    var names: [String] = []
    for step in path.steps {
      switch step {
      case .substitution(let name): names.append(name)
      case .plural(let category): names.append(category.rawValue)
      case .device(let device): names += [deviceRule, device.rawValue]
      }
    }
    if !path.steps.contains(where: \.endsText) { names.append(formatKey) }
    return "/" + ([key.text] + names).joined(separator: step) + end
  }

  /// Parses an id in the form of `rulesText`.
  /// - Returns: `nil` for any other text.
  package static func parseRules(_ id: String) -> (key: UnitKey, path: VariationPath)? {
    guard id.hasPrefix("/"), id.hasSuffix(end), id.utf8.count > end.utf8.count else { return nil }
    let inner = String(id.dropFirst().dropLast(end.count))
    var names = pieces(of: inner)
    guard names.count > 1, let last = names.popLast() else { return nil }
    var steps: [VariationStep] = []
    if last.isExactly(formatKey) {
      // The id identifies the key's own format, or the format of a device.
    } else if names.last?.isExactly(deviceRule) == true {
      names.removeLast()
      steps = [.device(Device(rawValue: last))]
    } else if names.count > 1, let variable = names.popLast() {
      if names.last?.isExactly(deviceRule) == true {
        names.removeLast()
        steps = [.device(Device(rawValue: variable)), .plural(PluralCategory(rawValue: last))]
      } else {
        steps = [.substitution(variable), .plural(PluralCategory(rawValue: last))]
      }
    } else {
      return nil
    }
    // The rest is the key, which may contain any characters.
    let path = VariationPath(steps)
    let key = UnitKey(names.joined(separator: step))
    return rulesText(key: key, path: path).isExactly(id) ? (key, path) : nil
  }

  private static func pieces(of text: String) -> [String] {
    let bytes = Array(text.utf8)
    let mark = Array(step.utf8)
    var pieces: [String] = []
    var start = 0
    var index = 0
    while index + mark.count <= bytes.count {
      if bytes[index..<index + mark.count].elementsEqual(mark) {
        pieces.append(String(decoding: bytes[start..<index], as: UTF8.self))
        index += mark.count
        start = index
      } else {
        index += 1
      }
    }
    return pieces + [String(decoding: bytes[start...], as: UTF8.self)]
  }

  /// Returns the id of a form in a file with this `original`, whose ending determines the notation.
  package static func text(key: UnitKey, path: VariationPath, in original: String) -> String {
    if path.isRoot, !mayHaveRules(original) { return key.text }
    return switch kind(of: original) {
    case .catalog: text(key: key, path: path)
    case .rules: rulesText(key: key, path: path)
    case .plain: path.isRoot ? key.text : text(key: key, path: path)
    }
  }

  /// Parses the id of a unit in a file with this `original`, whose ending determines the notation. An id in any other notation is a key.
  package static func parse(_ id: String, in original: String) -> (key: UnitKey, path: VariationPath) {
    // Most ids are keys, and an import parses many thousands.
    if !mayHaveRules(original), !id.utf8.contains(UInt8(ascii: "|")) { return (UnitKey(id), .root) }
    let read: (key: UnitKey, path: VariationPath)
    switch kind(of: original) {
    case .catalog: read = parse(id)
    case .rules: read = parseRules(id) ?? (UnitKey(id), .root)
    case .plain: return (UnitKey(id), .root)
    }
    return text(key: read.key, path: read.path, in: original).isExactly(id) ? read : (UnitKey(id), .root)
  }

  /// Returns whether an id has a notation that no export uses. When such an id is parsed, the whole id becomes the key.
  package static func isForeign(_ id: String, key: UnitKey, path: VariationPath, in original: String) -> Bool {
    path.isRoot && mayHaveRules(original) && !text(key: key, path: path, in: original).isExactly(id)
  }

  /// Returns whether a file can be a `.stringsdict`, the only format in which the id of a text without variations differs from its key. This
  /// fast check is also `true` for some other files.
  private static func mayHaveRules(_ original: String) -> Bool { original.utf8.last == UInt8(ascii: "t") }

  private enum Kind {
    case catalog, rules, plain
  }

  private static func kind(of original: String) -> Kind {
    let path = TreePath(trusted: original)
    return switch path.catalogKind {
    case .stringCatalog: .catalog
    case .strings, .interface: .plain
    case .stringsDict: .rules
    case nil: path.ending == "plist" ? .plain : .catalog
    }
  }
}

extension VariationStep {
  /// Whether the step is a form that contains a text, not a variable of a `.stringsdict`.
  fileprivate var endsText: Bool { if case .substitution = self { false } else { true } }
}
