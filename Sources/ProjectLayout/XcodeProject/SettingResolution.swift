import Localization

/// The resolution of one configuration's settings from assignments in the order of their precedence.
///
/// Xcode has four levels, and each overrides the previous level: the project's `.xcconfig` file, the project, the target's `.xcconfig` file, the
/// target. `$(inherited)` and a setting's reference to itself are replaced with the value of the preceding assignments. Any other reference is
/// replaced with the final value.
struct SettingResolution {
  private let configuration: String
  /// The assignments by their names, which include undecided conditions. The last assignment is used.
  private var chains: [String: [SettingAssignment]] = [:]
  private var resolved: [String: String] = [:]
  /// The values of settings up to each assignment, for `$(inherited)`. Without this cache, several occurrences of `$(inherited)` on each line would
  /// take 2^n steps.
  private var inherited: [Part: String] = [:]
  /// The number of expansions that are left.
  private var budget: Int
  private let granted: Int
  /// Whether some values were not fully resolved because the budget was exhausted.
  private(set) var isCutShort = false
  /// The names that are being resolved. A value that depends on itself is not resolved.
  private var open: Set<String> = []

  /// The maximum nesting depth of references.
  private static let mostLevels = 64
  /// The maximum size of a value in bytes. Without this limit, a few settings that each double another setting could reach any size.
  private static let mostBytes = 1 << 16
  /// The maximum number of expansions in one configuration. Each modifier counts once and each reference twice, and both count once more for every
  /// `bytesOfOne` bytes of the value.
  static let mostExpansions = 50_000
  /// The maximum number of expansions in all configurations of a project's targets together.
  static let mostExpansionsOfProject = 500_000
  private static let bytesOfOne = 256

  /// The first `count` assignments of a name.
  private struct Part: Hashable {
    var key: String
    var count: Int
  }

  /// - Parameter left: the number of expansions that are left for the project.
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

  /// The number of expansions that the resolution used.
  var spent: Int { granted - max(0, budget) }

  mutating func settings() -> BuildConfiguration {
    var settings: [String: BuildSetting] = [:]
    settings.reserveCapacity(chains.count)
    // The order is fixed, so that settings that depend on each other always get the same values.
    for (key, chain) in chains.sorted(by: { $0.key < $1.key }) {
      guard let last = chain.last else { continue }
      settings[key] = BuildSetting(
        value: value(of: key, level: 0) ?? last.value, path: last.path, line: last.line, column: last.column)
    }
    return BuildConfiguration(name: configuration, settings: settings)
  }

  /// Returns the value of a setting; `nil` if the setting has no assignment, depends on itself or is nested too deeply.
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
      // A value with a condition inherits from the value without a condition.
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

  /// Returns a text with its references replaced by values; the unchanged text if a limit is exceeded or the budget is exhausted.
  /// - Parameter below: the assignments whose value replaces `$(inherited)`.
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

  /// Returns the value of a reference, or the reference itself if it has no value; `nil` if the budget is exhausted.
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
