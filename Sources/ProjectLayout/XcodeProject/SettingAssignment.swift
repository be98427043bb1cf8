import Localization

/// An assignment to a build setting, from a project or an `.xcconfig` file.
struct SettingAssignment: Hashable, Sendable {
  var name: String
  var conditions: [SettingCondition]
  /// The value as written, including references.
  let value: String
  /// Whether the value may contain references to other settings. This is determined only once, because a project's settings are used for each of its
  /// targets.
  let mayHoldReferences: Bool
  var path: TreePath
  /// The line number, from 1.
  var line: Int
  /// The column in UTF-8 bytes, from 1.
  var column: Int

  init(
    name: String, conditions: [SettingCondition] = [], value: String, path: TreePath, line: Int, column: Int
  ) {
    self.name = name
    self.conditions = conditions
    self.value = value
    mayHoldReferences = value.utf8.contains(UInt8(ascii: "$"))
    self.path = path
    self.line = line
    self.column = column
  }

  /// Creates an assignment of a project file, in which conditions are part of the name: `NAME[sdk=macosx*][arch=arm64]`.
  init(key: String, value: String, path: TreePath, line: Int, column: Int) {
    guard let bracket = key.firstIndex(of: "[") else {
      self.init(name: key, value: value, path: path, line: line, column: column)
      return
    }
    self.init(
      name: String(key[..<bracket]), conditions: SettingCondition.list(String(key[bracket...])), value: value,
      path: path, line: line, column: column)
  }

  /// Returns the name with the conditions that only a build can decide; `nil` if the configuration already excludes the assignment.
  func key(in configuration: String) -> String? {
    var open: [SettingCondition] = []
    for condition in conditions {
      switch condition.holds(in: configuration) {
      case true?: break
      case false?: return nil
      case nil: open.append(condition)
      }
    }
    return open.isEmpty ? name : name + open.map { "[\($0.parameter)=\($0.pattern)]" }.joined()
  }
}

/// A condition of an assignment: `sdk=iphoneos*`, `config=Debug`.
struct SettingCondition: Hashable, Sendable {
  var parameter: String
  var pattern: String

  /// Parses conditions with or without brackets. One pair of brackets can contain several conditions: `[sdk=a*,arch=b]`.
  static func list(_ text: String) -> [SettingCondition] {
    text.split(whereSeparator: { $0 == "[" || $0 == "]" || $0 == "," }).compactMap { part in
      guard let equals = part.firstIndex(of: "=") else { return nil }
      return SettingCondition(
        parameter: String(part[..<equals]), pattern: String(part[equals...].dropFirst()))
    }
  }

  /// Returns whether the condition holds in a configuration; `nil` if only a build can decide this. A condition with the pattern `*` always holds.
  func holds(in configuration: String) -> Bool? {
    if pattern == "*" { return true }
    guard parameter == "config" else { return nil }
    if pattern.hasSuffix("*") { return configuration.hasPrefix(pattern.dropLast()) }
    return configuration == pattern
  }
}
