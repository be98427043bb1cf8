import Localization

/// The sources that a target lists but that are not in the tree.
///
/// Xcode does not build a target with a missing source. Therefore the source and its strings are assumed to exist in another copy of the project.
/// Only a source that the build itself generates is expected to be missing.
struct MissingSources {
  /// The reasons why not all sources of the target are known.
  private(set) var unknown: [Diagnostic] = []
  /// Notes about missing sources that a build or a tool generates.
  private(set) var generated: [Diagnostic] = []
  /// Warnings about missing string tables, without which Xcode does not build a target.
  private(set) var tables: [Diagnostic] = []
  /// Notes about other missing files without code, and about files whose paths depend on a build.
  private(set) var notes: [Diagnostic] = []

  private let project: XcodeProject
  private let target: String

  init(
    _ files: [(file: XcodeTarget.File, isCode: Bool)], of target: XcodeTarget, in project: XcodeProject,
    ignored: IgnoredFiles
  ) {
    self.project = project
    self.target = target.name
    guard !files.isEmpty else { return }
    let outputs = project.scriptOutputs
    var missing: [XcodeTarget.File] = []
    var made: [XcodeTarget.File] = []
    var others: [XcodeTarget.File] = []
    var lost: [XcodeTarget.File] = []
    for (file, isCode) in files {
      if file.path.text.contains("$") || !isCode && !Self.isTable(file.path) {
        others.append(file)
      } else if outputs.contains(file.path) || ignored.contains(file.path) {
        if isCode { made.append(file) } else { others.append(file) }
      } else if !isCode {
        lost.append(file)
      } else {
        missing.append(file)
      }
    }
    unknown = tell(
      missing, .warning, "missing, so the strings in \(missing.count == 1 ? "it" : "them") are unknown",
      hint:
        "restore the file, or remove it from the project; if a build generates it, name it in a .gitignore or in the "
        + "output files of its build phase")
    generated = tell(
      made, .note,
      "generated and not in the repository, so keys that only \(made.count == 1 ? "it has" : "they have") stay")
    tables = tell(
      lost, .warning, "missing, so the strings in \(lost.count == 1 ? "it" : "them") are not counted",
      hint: "restore the file, or remove it from the project")
    notes = tell(
      others, .note, "not in the repository",
      hint: "if a build generates the file, commit it so that its strings are found")
  }

  private static func isTable(_ path: TreePath) -> Bool {
    switch path.catalogKind {
    case .stringCatalog, .strings, .stringsDict: true
    case .interface, nil: false
    }
  }

  private func tell(
    _ files: [XcodeTarget.File], _ severity: Diagnostic.Severity, _ state: String, hint: String? = nil
  ) -> [Diagnostic] {
    guard let first = files.first else { return [] }
    let others = files.count == 1 ? "" : " and " + counted(files.count - 1, "more file")
    return [
      project.objects.note(
        "\(first.path)\(others) of target \(target) \(files.count == 1 ? "is" : "are") \(state)", at: first.reference,
        severity: severity, hint: hint)
    ]
  }

  /// Returns the output files of the script phases of all targets, as far as their paths do not depend on a build.
  static func outputs(of targets: [XcodeTarget], _ objects: ProjectObjects, below root: TreePath?) -> Set<TreePath> {
    guard let root else { return [] }
    var found: Set<TreePath> = []
    for phase in targets.flatMap(\.phases) where objects.isKind("PBXShellScriptBuildPhase", phase) {
      for text in objects.texts("outputPaths", of: phase) {
        var path = Substring(text)
        for name in ["SRCROOT", "PROJECT_DIR"] {
          for prefix in ["$(\(name))/", "${\(name)}/", "$\(name)/"] where path.hasPrefix(prefix) {
            path = path.dropFirst(prefix.count)
          }
        }
        guard !path.contains("$"), !path.hasPrefix("/") else { continue }
        if let output = TreePath(checking: root.appending(String(path)).text) { found.insert(output) }
      }
    }
    return found
  }
}
