import Localization
import Yams

/// What the `project.yml` of XcodeGen sets about the strings of code, for the folders of a project that is generated and not committed.
///
/// XcodeGen itself sets neither of these settings (two public projects whose catalogs hold what a search of the text finds), so what the
/// file does not name is not set. Which target a folder belongs to is not read: a setting of one target counts for all.
struct XcodeGenFile {
  private static let emits = "SWIFT_EMIT_LOC_STRINGS"
  private static let searches = "LOCALIZED_STRING_SWIFTUI_SUPPORT"
  /// Nodes at most that are looked at: an alias may stand for many.
  private static let mostNodes = 100_000

  private var flags: [String: Bool] = [:]
  private var nodes = 0
  /// Whether further files may set something: included ones, and `.xcconfig` files.
  private var isOpen = false

  /// - Returns: a project of which nothing is known where the file is too large or not YAML.
  static func project(_ bytes: [UInt8], at path: TreePath) -> UnclaimedFiles.GeneratedProject {
    guard bytes.count <= 1 << 20, let text = String(validating: bytes, as: UTF8.self),
      let parser = try? Yams.Parser(yaml: text, resolver: .basic, encoding: .utf8), let root = try? parser.singleRoot()
    else { return UnclaimedFiles.GeneratedProject(codeStrings: nil, infoPlists: []) }
    return UnclaimedFiles.GeneratedProject(
      codeStrings: codeStrings(root), infoPlists: XcodeGenInfoPlist.all(root, at: path, mostNodes: mostNodes))
  }

  /// - Returns: `nil` where the file does not tell: it takes in other files, or has too many nodes.
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
    // The targets may differ; where one has its strings from the compiler, so may the others.
    if flags[name] != true { flags[name] = setting.flag }
  }
}
