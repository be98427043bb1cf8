import Localization
import Yams

/// The settings in XcodeGen's `project.yml` that concern strings in code. They apply to the folders of a generated project that is not committed.
///
/// A setting that is not in the file is not set in the generated project either, because XcodeGen itself sets neither of these settings. This agrees
/// with two public projects, whose catalogs contain the strings that Xcode finds by a text search, without the compiler. For these settings, the
/// assignment of folders to targets is not read, so a setting of one target applies to all.
struct XcodeGenFile {
  private static let emits = "SWIFT_EMIT_LOC_STRINGS"
  private static let searches = "LOCALIZED_STRING_SWIFTUI_SUPPORT"
  /// The maximum number of nodes to visit. The limit is needed because an alias can represent many nodes.
  private static let mostNodes = 100_000

  private var flags: [String: Bool] = [:]
  private var nodes = 0
  /// Whether other files can change the settings: included files or `.xcconfig` files.
  private var isOpen = false

  /// Reads the project that XcodeGen generates from a file. If the file is too large, not YAML, or in an unfinished merge, the project has neither
  /// settings nor Info.plists. Neither side of a merge is used.
  static func project(_ bytes: [UInt8], at path: TreePath) -> UnclaimedFiles.GeneratedProject {
    let conflicts = MergeConflicts.diagnostics(in: bytes, at: path)
    guard conflicts.isEmpty else {
      return UnclaimedFiles.GeneratedProject(codeStrings: nil, infoPlists: [], diagnostics: conflicts)
    }
    guard bytes.count <= 1 << 20, let text = String(validating: bytes, as: UTF8.self),
      let parser = try? Yams.Parser(yaml: text, resolver: .basic, encoding: .utf8), let root = try? parser.singleRoot()
    else { return UnclaimedFiles.GeneratedProject(codeStrings: nil, infoPlists: []) }
    return UnclaimedFiles.GeneratedProject(
      codeStrings: codeStrings(root), infoPlists: XcodeGenInfoPlist.all(root, at: path, mostNodes: mostNodes))
  }

  /// Returns the settings; `nil` if they are unknown because other files can change them, or because the file has too many nodes.
  private static func codeStrings(_ root: Node) -> ProjectTarget.CodeStrings? {
    var file = XcodeGenFile()
    file.visit(root)
    guard !file.isOpen, file.nodes <= mostNodes else { return nil }
    return ProjectTarget.CodeStrings(emits: file.flags[emits], searches: file.flags[searches])
  }

  private mutating func visit(_ root: Node) {
    var pending = [root]
    while let node = pending.popLast() {
      nodes += 1
      guard nodes <= Self.mostNodes else { return }
      switch node {
      case .mapping(let mapping):
        for (key, value) in mapping {
          if let name = key.scalar?.string { note(name, value) }
          pending.append(value)
        }
      case .sequence(let sequence): pending += sequence
      default: break
      }
    }
  }

  private mutating func note(_ name: String, _ value: Node) {
    if name == "include" || name == "configFiles" { isOpen = true }
    guard name == Self.emits || name == Self.searches, let text = value.scalar?.string else { return }
    let setting = BuildSetting(value: text, path: .root, line: 1, column: 1)
    // Targets can have different values. `YES` takes precedence, because it is unknown which folders belong to which target.
    if flags[name] != true { flags[name] = setting.flag }
  }
}
