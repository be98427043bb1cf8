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
