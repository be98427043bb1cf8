import Localization

/// The settings of one configuration, from assignments in the order of their precedence.
///
/// Xcode lays four levels over each other: the project's `.xcconfig` file, the project, the target's file, the target. `$(inherited)`
/// stands for the value so far; any other reference for the value in the end.
struct SettingResolution {
  private let configuration: String
  /// By name, conditions that stay open included; the last counts.
  private var chains: [String: [SettingAssignment]] = [:]
  private var resolved: [String: String] = [:]
  /// Values so far, which `$(inherited)` asks for: as often as it is written on every line, so 2^n times if they were not kept.
  private var inherited: [Part: String] = [:]
  /// What expansions are left.
  private var budget: Int
  private let granted: Int
  /// Whether some values stay as they are written because there is too much to replace.
  private(set) var isCutShort = false
  /// Names whose value is being made: one that needs itself stays as it is written.
  private var open: Set<String> = []

  /// References within references at most.
  private static let mostLevels = 64
  /// Bytes of one value at most: a few lines that double each other make any size.
  private static let mostBytes = 1 << 16
  /// References and modifiers of one configuration at most, each counted once more for every `bytesOfOne` of its value.
  static let mostExpansions = 50_000
  /// The same of all configurations of a project's targets together.
  static let mostExpansionsOfProject = 500_000
  private static let bytesOfOne = 256

  /// The first assignments of a name.
  private struct Part: Hashable {
    var key: String
    var count: Int
  }

  /// - Parameter left: what is left of the project's budget.
  init(configuration: String, layers: [[SettingAssignment]], left: Int = Self.mostExpansions) {
    self.configuration = configuration
    granted = min(left, Self.mostExpansions)
    budget = granted
    for layer in layers {
      for assignment in layer {
        guard let key = assignment.key(in: configuration) else { continue }
        chains[key, default: []].append(assignment)
      }
    }
  }

  /// What the resolution took of the budget.
  var spent: Int { granted - max(0, budget) }

  mutating func settings() -> BuildConfiguration {
    var settings: [String: BuildSetting] = [:]
    settings.reserveCapacity(chains.count)
    // In order, so that settings which need each other in a circle come out the same every time.
    for (key, chain) in chains.sorted(by: { $0.key < $1.key }) {
      guard let last = chain.last else { continue }
      settings[key] = BuildSetting(
        value: value(of: key, level: 0) ?? last.value, path: last.path, line: last.line, column: last.column)
    }
    return BuildConfiguration(name: configuration, settings: settings)
  }

  /// - Returns: `nil` where nothing is set, or where the value is needed for itself.
  private mutating func value(of key: String, level: Int) -> String? {
    if let known = resolved[key] { return known }
    guard let chain = chains[key], level < Self.mostLevels, open.insert(key).inserted else { return nil }
    let value = value(of: key, in: chain[...], level: level)
    open.remove(key)
    resolved[key] = value
    return value
  }

  private mutating func value(of key: String, in chain: ArraySlice<SettingAssignment>, level: Int) -> String {
    guard let last = chain.last else {
      // The value under a condition builds on the one without.
      guard let bracket = key.firstIndex(of: "[") else { return "" }
      return value(of: String(key[..<bracket]), level: level + 1) ?? ""
    }
    guard last.mayHoldReferences else { return last.value }
    let part = Part(key: key, count: chain.count)
    if let known = inherited[part] { return known }
    let value = expand(last.value, of: last.name, below: (key, chain.dropLast()), level: level)
    inherited[part] = value
    return value
  }

  /// - Parameter below: what `$(inherited)` stands for.
  private mutating func expand(
    _ text: String, of name: String, below: (key: String, chain: ArraySlice<SettingAssignment>), level: Int
  ) -> String {
    guard level < Self.mostLevels, text.utf8.count < Self.mostBytes else { return text }
    var result = ""
    for piece in SettingReference.pieces(of: text) {
      switch piece {
      case .text(let plain): result += plain
      case .reference(let reference):
        guard let value = value(of: reference, in: name, below: below, level: level) else { return text }
        result += value
      }
      guard result.utf8.count < Self.mostBytes else { return text }
    }
    return result
  }

  /// - Returns: what stands for the reference, itself where nothing does; `nil` where the budget is spent.
  private mutating func value(
    of reference: SettingReference, in name: String, below: (key: String, chain: ArraySlice<SettingAssignment>),
    level: Int
  ) -> String? {
    guard spend(on: nil) else { return nil }
    let inner =
      reference.name.contains("$")
      ? expand(reference.name, of: name, below: below, level: level + 1) : reference.name
    var found: String?
    if inner == "inherited" || inner == name {
      found = value(of: below.key, in: below.chain, level: level + 1)
    } else {
      found = value(of: inner, level: level + 1)
    }
    for modifier in reference.modifiers {
      guard spend(on: found) else { return nil }
      if modifier.name == "default", let fallback = modifier.argument, found ?? "" == "" {
        found = expand(fallback, of: name, below: below, level: level + 1)
      } else if let value = found {
        let argument = modifier.argument.map { expand($0, of: name, below: below, level: level + 1) }
        found = SettingReference.apply(modifier.name, argument, to: value)
        if found == nil { break }
      }
    }
    return spend(on: found) ? found ?? String(reference.written) : nil
  }

  private mutating func spend(on value: String?) -> Bool {
    budget -= 1 + (value?.utf8.count ?? 0) / Self.bytesOfOne
    guard budget < 0 else { return true }
    isCutShort = true
    return false
  }
}
