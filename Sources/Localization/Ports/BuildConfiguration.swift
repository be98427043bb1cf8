/// A build setting of a target as an Xcode project, or a file that it includes, gives it.
package struct BuildSetting: Hashable, Sendable {
  /// With `$(…)` references replaced as far as the project tells; what only a build knows stays as it is written.
  package var value: String
  /// The project file or `.xcconfig` that gives it, with the place of the value.
  package var path: TreePath
  /// From 1.
  package var line: Int
  /// In UTF-8 bytes, from 1.
  package var column: Int

  package init(value: String, path: TreePath, line: Int, column: Int) {
    self.value = value
    self.path = path
    self.line = line
    self.column = column
  }

  /// `YES` and `NO` as Xcode reads them; `nil` for anything else.
  package var flag: Bool? {
    switch value.lowercased() {
    case "yes", "true", "1": true
    case "no", "false", "0": false
    default: nil
    }
  }
}

/// The settings of a target under one configuration of its project (`Debug`, `Release`).
package struct BuildConfiguration: Hashable, Sendable {
  package var name: String
  /// By name; conditional ones (`NAME[sdk=…]`) under their whole text.
  package var settings: [String: BuildSetting]

  package init(name: String, settings: [String: BuildSetting]) {
    self.name = name
    self.settings = settings
  }
}

extension BuildConfiguration {
  /// A text of a file that Xcode processes for the target, its references replaced; `nil` where one names no setting that is known.
  package func expanding(_ text: String) -> String? {
    var result = ""
    var rest = Substring(text)
    while let dollar = rest.firstIndex(of: "$") {
      result += rest[..<dollar]
      rest = rest[dollar...]
      guard let reference = SettingReference(rest) else {
        result.append("$")
        rest = rest.dropFirst()
        continue
      }
      rest = reference.rest
      guard let value = value(of: reference) else { return nil }
      result += value
    }
    return result + rest
  }

  private func value(of reference: SettingReference) -> String? {
    var value = settings[reference.name]?.value
    for modifier in reference.modifiers {
      if modifier.name == "default", value ?? "" == "" {
        value = modifier.argument
      } else if let given = value {
        value = SettingReference.apply(modifier.name, modifier.argument, to: given)
      }
    }
    return value.flatMap { $0.contains("$(") || $0.contains("${") ? nil : $0 }
  }
}
