import Localization
import Yams

/// The Info.plist that XcodeGen writes for one target of a `project.yml` (`info: properties:`; xcode-extraction.md R13).
struct XcodeGenInfoPlist: Hashable, Sendable {
  /// The folders and files of the target's sources. Sources outside the folder of the `project.yml` are left out.
  var sources: [TreePath]
  /// The properties with text values, by name.
  var texts: [String: BuildSetting]

  /// Returns the Info.plists of all targets that have `info: properties:`; empty if they have more than `mostNodes` properties and sources together.
  /// - Parameters:
  ///   - root: the root node of the file at `path`.
  ///   - mostNodes: the maximum number of properties and sources to read. The limit is needed because an alias can represent many nodes.
  static func all(_ root: Node, at path: TreePath, mostNodes: Int) -> [XcodeGenInfoPlist] {
    guard let targets = root.mapping?["targets"]?.mapping else { return [] }
    var nodes = 0
    var found: [XcodeGenInfoPlist] = []
    for (_, target) in targets {
      guard let properties = target.mapping?["info"]?.mapping?["properties"]?.mapping else { continue }
      let sources = Self.sources(target.mapping?["sources"])
      nodes += properties.count + sources.count
      guard nodes <= mostNodes else { return [] }
      var plist = XcodeGenInfoPlist(
        sources: sources.compactMap { folder($0, beside: path) }, texts: [:])
      for (key, value) in properties {
        guard let name = key.scalar?.string, let scalar = value.scalar else { continue }
        plist.texts[name] = BuildSetting(
          value: scalar.string, path: path, line: scalar.mark?.line ?? 1, column: scalar.mark?.column ?? 1)
      }
      found.append(plist)
    }
    return found
  }

  /// Returns the paths of `sources: App`, `sources: [App, Shared]` or `sources: [{path: App}]`.
  private static func sources(_ node: Node?) -> [String] {
    switch node {
    case .scalar(let scalar)?: [scalar.string]
    case .sequence(let sequence)?:
      sequence.compactMap { $0.scalar?.string ?? $0.mapping?["path"]?.scalar?.string }
    default: []
    }
  }

  private static func folder(_ text: String, beside file: TreePath) -> TreePath? {
    let parts = text.split(separator: "/").filter { $0 != "." }
    guard !text.hasPrefix("/"), !parts.contains("..") else { return nil }
    return parts.reduce(file.parent) { $0.appending(String($1)) }
  }
}
