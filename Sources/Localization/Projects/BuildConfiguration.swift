/// A build setting of a target, or another value that the project determines, such as a text of an Info.plist.
package struct BuildSetting: Hashable, Sendable {
  /// The value, with `$(…)` references replaced as far as the project determines them. References that only a build can resolve are kept.
  package var value: String
  /// The file that sets the value: a project file, an `.xcconfig`, or the file of a project generator.
  package var path: TreePath
  /// The line of the value, counted from 1.
  package var line: Int
  /// The column of the value in UTF-8 bytes, counted from 1.
  package var column: Int

  package init(value: String, path: TreePath, line: Int, column: Int) {
    self.value = value
    self.path = path
    self.line = line
    self.column = column
  }

  /// The value as a Boolean, as Xcode reads `YES` and `NO`; `nil` for any other text.
  package var flag: Bool? {
    switch value.lowercased() {
    case "yes", "true", "1": true
    case "no", "false", "0": false
    default: nil
    }
  }
}

/// The settings of a target in one configuration of its project (`Debug`, `Release`).
package struct BuildConfiguration: Hashable, Sendable {
  package var name: String
  /// The settings by name. The name of a conditional setting includes its condition: `NAME[sdk=…]`.
  package var settings: [String: BuildSetting]
  /// Whether one of the configuration's settings files is missing from the repository, so some settings are unknown.
  package var lacksFile: Bool

  package init(name: String, settings: [String: BuildSetting], lacksFile: Bool = false) {
    self.name = name
    self.settings = settings
    self.lacksFile = lacksFile
  }
}

extension BuildConfiguration {
  /// The maximum size in bytes of a text with references, both as written and after they are replaced.
  private static var mostBytes: Int { 1 << 13 }
  /// The maximum number of bytes of values that are processed for one text. A modifier may process a long value and return a short one.
  private static var mostWork: Int { 1 << 18 }

  /// Replaces the references to build settings in a text. The text is from a file that Xcode processes for the target. Returns `nil` if a setting
  /// is unknown and its reference has no default, if a modifier is unknown, if a value has unresolved references, if a text with references is
  /// longer than 8 KiB before or after the replacement, or if more than `mostWork` bytes of values are processed.
  package func expanding(_ text: String) -> String? {
    guard text.utf8.contains(UInt8(ascii: "$")) else { return text }
    guard text.utf8.count <= Self.mostBytes else { return nil }
    var result = ""
    var work = 0
    for piece in SettingReference.pieces(of: text) {
      switch piece {
      case .text(let plain): result += plain
      case .reference(let reference):
        guard let value = value(of: reference, &work) else { return nil }
        result += value
      }
      guard result.utf8.count <= Self.mostBytes else { return nil }
    }
    return result
  }

  private func value(of reference: SettingReference, _ work: inout Int) -> String? {
    var value = settings[reference.name]?.value
    for modifier in reference.modifiers {
      work += value?.utf8.count ?? 0
      guard work <= Self.mostWork else { return nil }
      if modifier.name == "default", value ?? "" == "" {
        value = modifier.argument
      } else if let given = value {
        value = SettingReference.apply(modifier.name, modifier.argument, to: given)
      }
    }
    work += value?.utf8.count ?? 0
    guard work <= Self.mostWork else { return nil }
    return value.flatMap { $0.contains("$(") || $0.contains("${") ? nil : $0 }
  }
}
