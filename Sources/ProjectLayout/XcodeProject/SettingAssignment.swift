import Localization

/// One assignment to a build setting, as a project or an `.xcconfig` file has it.
struct SettingAssignment: Hashable, Sendable {
  var name: String
  var conditions: [SettingCondition]
  /// As it is written, references and all.
  let value: String
  /// Whether a reference to another setting may stand in the value. A project's settings are looked at again for each of its targets,
  /// their values only once.
  let mayHoldReferences: Bool
  var path: TreePath
  /// From 1.
  var line: Int
  /// In UTF-8 bytes, from 1.
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

  /// One of a project file, which writes conditions into the name: `NAME[sdk=macosx*][arch=arm64]`.
  init(key: String, value: String, path: TreePath, line: Int, column: Int) {
    guard let bracket = key.firstIndex(of: "[") else {
      self.init(name: key, value: value, path: path, line: line, column: column)
      return
    }
    self.init(
      name: String(key[..<bracket]), conditions: SettingCondition.list(String(key[bracket...])), value: value,
      path: path, line: line, column: column)
  }

  /// The name with those conditions that only a build settles; `nil` where the configuration already rules it out.
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

/// What an assignment depends on: `sdk=iphoneos*`, `config=Debug`.
struct SettingCondition: Hashable, Sendable {
  var parameter: String
  var pattern: String

  /// Conditions with or without their brackets, several of them in one pair of brackets, too: `[sdk=a*,arch=b]`.
  static func list(_ text: String) -> [SettingCondition] {
    text.split(whereSeparator: { $0 == "[" || $0 == "]" || $0 == "," }).compactMap { part in
      guard let equals = part.firstIndex(of: "=") else { return nil }
      return SettingCondition(
        parameter: String(part[..<equals]), pattern: String(part[equals...].dropFirst()))
    }
  }

  /// Whether it holds in a configuration; `nil` where that is not what it asks for.
  func holds(in configuration: String) -> Bool? {
    if pattern == "*" { return true }
    guard parameter == "config" else { return nil }
    if pattern.hasSuffix("*") { return configuration.hasPrefix(pattern.dropLast()) }
    return configuration == pattern
  }
}
