import Localization

/// Handling of files that a sparse checkout leaves out.
extension TreeListing {
  mutating func addLeftOut(_ files: [TreePath]) {
    var isSkipped: [TreePath: Bool] = [.root: false]
    func skips(_ folder: TreePath) -> Bool {
      if let known = isSkipped[folder] { return known }
      let skips = Self.isOpaque(folder) || Self.toolFolders.contains(folder.name) || skips(folder.parent)
      isSkipped[folder] = skips
      return skips
    }
    for path in files where !path.name.hasPrefix(".") && !isLeftOut(path) && !skips(path.parent) {
      if path.isInSettingsBundle {
        if path.ending == "strings" { outside.append(path) }
      } else if Self.decides(path) {
        outside.append(path)
        addFolders(above: path)
      } else if path.ending == "swift" || Self.isOtherSource(path.name, path.ending) {
        leftOut.append(TreeEntry(path: path, kind: .file))
        addFolders(above: path)
      }
    }
    outside.sort()
  }

  /// Returns whether a file affects the localization: it contains texts or determines the content of a target.
  private static func decides(_ path: TreePath) -> Bool {
    path.isStringCatalog || path.catalogKind != nil || path.name == "Package.swift"
      || path.ending == "pbxproj" && path.parent.ending == "xcodeproj"
  }

  /// Returns a warning that some sources of a target are unknown because they are not checked out.
  /// - Parameter files: the target's sources that a sparse checkout leaves out.
  /// - Returns: the warning; `nil` if `files` is empty.
  static func outsideCheckout(_ files: [TreePath], of target: String) -> Diagnostic? {
    guard let first = files.min() else { return nil }
    return .outsideCheckout(
      first, of: files.count, kind: "source", owner: "target \(target)", severity: .warning,
      hint: "check out the whole target: `git sparse-checkout add`")
  }
}
