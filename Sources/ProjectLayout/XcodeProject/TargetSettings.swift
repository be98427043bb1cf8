import Localization
import StructuredText

/// The build settings of a project's targets.
struct TargetSettings {
  private let project: XcodeProject
  private let files: ConfigurationFiles
  private let treeFiles: TreeFiles
  /// The settings of the project and its settings files, by configuration name.
  private var ofProject: [String: Levels] = [:]
  private var defaultName: String?
  /// The settings of a project or a target in one configuration.
  private struct Levels {
    /// The layers of assignments. Each layer overrides the previous layer.
    var layers: [[SettingAssignment]] = []
    /// Whether the settings file, or a file that it includes, is not in the repository or cannot be read.
    var lacksFile = false
  }

  /// The settings files that were not found.
  private var missing: Set<TreePath> = []
  /// The number of expansions left for the project's targets.
  private var left = SettingResolution.mostExpansionsOfProject
  private var isSpent = false
  private(set) var diagnostics: [Diagnostic] = []

  init(_ project: XcodeProject, files: ConfigurationFiles, in treeFiles: TreeFiles) {
    self.project = project
    self.files = files
    self.treeFiles = treeFiles
    for (name, levels) in configurations(of: project.objects.root) where ofProject[name] == nil {
      ofProject[name] = levels
    }
    defaultName = project.objects.object("buildConfigurationList", of: project.objects.root).flatMap {
      project.objects.text("defaultConfigurationName", of: $0)
    }
  }

  /// Returns the settings of a target in each of its configurations, in the order of the project file.
  mutating func configurations(for target: XcodeTarget) -> [BuildConfiguration] {
    let place = project.objects.list.position(of: target.node)
    func known(_ name: String, _ value: String) -> SettingAssignment {
      SettingAssignment(name: name, value: value, path: project.path, line: place.line, column: place.column)
    }
    return configurations(of: target.node).map { name, levels in
      // These values are Xcode's defaults.
      let standard = [
        known("CONFIGURATION", name), known("PROJECT_NAME", project.name), known("TARGET_NAME", target.name),
        known("TARGETNAME", target.name), known("PRODUCT_NAME", "$(TARGET_NAME)"),
        known("PRODUCT_MODULE_NAME", "$(PRODUCT_NAME:c99extidentifier)"),
        known("EXECUTABLE_NAME", "$(EXECUTABLE_PREFIX:default=)$(PRODUCT_NAME)$(EXECUTABLE_SUFFIX:default=)"),
      ]
      let above = ofProject[name] ?? defaultName.flatMap { ofProject[$0] } ?? Levels()
      var resolution = SettingResolution(
        configuration: name, layers: [standard] + above.layers + levels.layers, left: left)
      var settings = resolution.settings()
      settings.lacksFile = above.lacksFile || levels.lacksFile
      left -= resolution.spent
      // The exhausted budget of a project is reported only once, because every further configuration is then incomplete for the same reason.
      if resolution.isCutShort, !isSpent {
        isSpent = left <= 0
        diagnostics.append(
          Diagnostic(
            path: project.path.text, line: place.line, column: place.column, severity: .warning,
            message: "configuration \(name) of target \(target.name) has too many references, so some "
              + "build settings stay unresolved",
            hint: "use fewer references between settings; the limits are \(SettingResolution.mostExpansions) in a "
              + "configuration and \(SettingResolution.mostExpansionsOfProject) in a project"
              + (isSpent ? "; references of later targets stay unresolved" : "")
          ))
      }
      return settings
    }
  }

  /// Returns the levels of a project or target in each configuration: the settings file, and then the settings of the project or target itself.
  private mutating func configurations(of owner: OldStyleNode) -> [(name: String, levels: Levels)] {
    let objects = project.objects
    guard let list = objects.object("buildConfigurationList", of: owner) else { return [] }
    return objects.objects("buildConfigurations", of: list).map { configuration in
      let name = objects.text("name", of: configuration) ?? ""
      var levels = Levels()
      switch baseFile(of: configuration, named: name) {
      case .found(let base):
        let assignments = files.assignments(of: base, searched: project.sourceRoot)
        levels.layers.append(assignments.list)
        levels.lacksFile = assignments.lacksFile
      case .missing: levels.lacksFile = true
      case .notNamed: break
      }
      levels.layers.append(settings(of: configuration))
      return (name, levels)
    }
  }

  private enum BaseFile {
    case found(TreePath)
    /// A referenced file is not in the repository. Files that CocoaPods generates are excluded, because they have no settings about strings.
    case missing
    case notNamed
  }

  private mutating func baseFile(of configuration: OldStyleNode, named name: String) -> BaseFile {
    let objects = project.objects
    var path: TreePath?
    var place: OldStyleNode?
    if let reference = objects.list.value("baseConfigurationReference", of: configuration) {
      place = reference
      path = objects.object(reference).flatMap { project.paths[$0] }
    } else if let anchor = objects.object("baseConfigurationReferenceAnchor", of: configuration),
      let relative = objects.list.value("baseConfigurationReferenceRelativePath", of: configuration)
    {
      place = relative
      path = project.paths[anchor].flatMap { TreePath(checking: $0.appending(objects.list.text(relative)).text) }
    }
    guard let place else { return .notNamed }
    if let found = path.flatMap({ treeFiles.find($0) }) { return .found(found.path) }
    // A missing file is only a note, because files with secrets and files that CocoaPods generates are usually not committed. One note per file is
    // enough.
    if path.map({ missing.insert($0).inserted }) ?? true {
      diagnostics.append(
        objects.note(
          "the settings file of configuration \(name) is not in the repository" + (path.map { " (\($0))" } ?? ""),
          at: place))
    }
    return path.map { $0.components.contains("Pods") } ?? false ? .notNamed : .missing
  }

  private func settings(of configuration: OldStyleNode) -> [SettingAssignment] {
    let list = project.objects.list
    guard let settings = list.value("buildSettings", of: configuration) else { return [] }
    return list.members(of: settings).map { member in
      let place = list.position(of: member.value)
      return SettingAssignment(
        key: list.text(member.key), value: text(member.value), path: project.path, line: place.line,
        column: place.column)
    }
  }

  /// Returns the value of a setting as text. A list is in Xcode's form: elements are separated by spaces, and an element with spaces is in quotes.
  private func text(_ value: OldStyleNode) -> String {
    let list = project.objects.list
    guard list.kind(of: value) == .array else { return list.text(value) }
    return list.elements(of: value).map { element in
      let text = list.text(element)
      return text.contains(" ") && !text.contains("\"") ? "\"\(text)\"" : text
    }.joined(separator: " ")
  }
}
