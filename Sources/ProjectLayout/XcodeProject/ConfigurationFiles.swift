import Localization

/// The `.xcconfig` files of a tree and the files that they include. Each file is read only once.
///
/// This is a class because results are cached: many targets use the same file.
final class ConfigurationFiles {
  private let tree: any SourceTree
  private let files: TreeFiles
  private var parsed: [TreePath: ConfigurationFile] = [:]
  private var flattened: [Start: Assignments] = [:]
  private(set) var diagnostics: [Diagnostic] = []
  private var reported: Set<Diagnostic> = []
  /// The number of missing files that were reported, by the file that includes them.
  private var missing: [TreePath: Int] = [:]
  /// The maximum number of missing files that are reported for one file.
  private static let mostMissing = 20
  /// The maximum number of assignments of one file, including those of all included files. Repeated inclusions could otherwise multiply them.
  private static let mostAssignments = 20_000
  /// The maximum nesting depth of inclusions.
  private static let mostLevels = 64
  /// The maximum number of inclusions for one file. If each file includes the next file twice, the number doubles at every level.
  private static let mostInclusions = 2_000

  /// A file and the folder of the project that uses it. The file's inclusions depend on that folder.
  private struct Start: Hashable {
    var path: TreePath
    var searched: TreePath?
  }

  /// The assignments of a file, including those of all included files.
  struct Assignments {
    /// The assignments in the order in which they take effect.
    var list: [SettingAssignment] = []
    /// Whether one of the files is not in the repository or cannot be read, so that assignments are missing. Optional inclusions, files of Xcode
    /// (`<DEVELOPER_DIR>/…`), and missing files that CocoaPods generates do not count.
    var lacksFile = false
  }

  init(_ tree: any SourceTree, files: TreeFiles) {
    self.tree = tree
    self.files = files
  }

  /// Returns the assignments of a file and of all files that it includes.
  /// - Parameter searched: the folder in which included files are searched for if the including file's own folder does not have them.
  func assignments(of path: TreePath, searched: TreePath?) -> Assignments {
    let start = Start(path: path, searched: searched)
    if let known = flattened[start] { return known }
    var found = Assignments()
    var inclusions = 0
    flatten(path, searched: searched, above: [], into: &found, &inclusions)
    flattened[start] = found
    return found
  }

  private func flatten(
    _ path: TreePath, searched: TreePath?, above: [TreePath], into found: inout Assignments,
    _ inclusions: inout Int
  ) {
    let file = file(path)
    found.lacksFile = found.lacksFile || file.isUnread
    for statement in file.statements {
      guard found.list.count < Self.mostAssignments else {
        report(
          path, 1, 1,
          "more than \(Self.mostAssignments) assignments, including those of included files; the rest is ignored",
          .warning)
        return
      }
      switch statement {
      case .assignment(let assignment): found.list.append(assignment)
      case .inclusion(let name, let isOptional, let line, let column):
        guard let included = find(name, from: path.parent, searched: searched) else {
          if !isOptional, !name.hasPrefix("<") {
            // Files that CocoaPods generates have no settings about strings, so they are not needed.
            found.lacksFile = found.lacksFile || !name.split(separator: "/").contains("Pods")
            if !name.hasPrefix("/") { reportMissing(name, path, line, column) }
          }
          continue
        }
        guard included != path, !above.contains(included) else {
          report(path, line, column, "\(name) includes itself; this include is ignored", .warning)
          continue
        }
        guard above.count < Self.mostLevels else {
          report(path, line, column, "files include each other deeper than \(Self.mostLevels) levels", .warning)
          continue
        }
        inclusions += 1
        guard inclusions <= Self.mostInclusions else {
          report(path, line, column, "more than \(Self.mostInclusions) inclusions", .warning)
          return
        }
        flatten(included, searched: searched, above: above + [path], into: &found, &inclusions)
      }
    }
  }

  private func file(_ path: TreePath) -> ConfigurationFile {
    if let known = parsed[path] { return known }
    var made = ConfigurationFile([], at: path)
    do {
      made = ConfigurationFile(try tree.read(path), at: path)
      diagnostics += made.diagnostics
    } catch {
      made.isUnread = true
      diagnostics.append(error.diagnostic)
    }
    parsed[path] = made
    return made
  }

  /// Returns the path of an included file, whose name may lack the extension; `nil` if there is no such file in the tree.
  private func find(_ name: String, from folder: TreePath, searched: TreePath?) -> TreePath? {
    guard !name.hasPrefix("/") else { return nil }
    for base in [folder, searched].compactMap({ $0 }) {
      guard let path = TreePath(checking: base.appending(name).text) else { continue }
      if let found = files.find(path) { return found.path }
      if path.ending.isEmpty, let found = files.find(TreePath(trusted: path.text + ".xcconfig")) { return found.path }
    }
    return nil
  }

  private func reportMissing(_ name: String, _ path: TreePath, _ line: Int, _ column: Int) {
    let count = missing[path, default: 0]
    guard count <= Self.mostMissing else { return }
    let isLast = count == Self.mostMissing
    if report(
      path, line, column, isLast ? "more included files are missing" : "the included file \(name) does not exist")
    {
      missing[path] = count + 1
    }
  }

  /// Adds a diagnostic unless the same one was already added.
  /// - Returns: whether the diagnostic is new.
  @discardableResult
  private func report(
    _ path: TreePath, _ line: Int, _ column: Int, _ cause: String, _ severity: Diagnostic.Severity = .note
  ) -> Bool {
    let diagnostic = Diagnostic(
      path: path.text, line: line, column: column, severity: severity, message: cause)
    guard reported.insert(diagnostic).inserted else { return false }
    diagnostics.append(diagnostic)
    return true
  }
}
