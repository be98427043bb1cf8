import Localization

/// The `.gitignore` files of a tree. A file that is missing and ignored is one that a build or a tool generates.
///
/// A class, because each file is read only once, and only if a path below its folder is asked about. Character classes (`[abc]`) and
/// escapes are not read: such a pattern ignores nothing.
final class IgnoredFiles {
  private struct Rule {
    var pattern: PathPattern
    var isFolder: Bool
    var isException: Bool
  }

  private let tree: any SourceTree
  private var known: [TreePath: [Rule]] = [:]

  init(_ tree: any SourceTree) { self.tree = tree }

  /// Whether git ignores a file. Everything below an ignored folder is ignored, whatever later patterns say.
  func contains(_ file: TreePath) -> Bool {
    var part = TreePath.root
    for component in file.components {
      part = part.appending(String(component))
      if ignores(part, isFolder: part != file) { return true }
    }
    return false
  }

  /// Whether the last pattern that matches a path ignores it. The `.gitignore` of an inner folder comes last.
  private func ignores(_ path: TreePath, isFolder: Bool) -> Bool {
    var folder = path.parent
    while true {
      if let below = path.relative(to: folder) {
        let last = rules(of: folder).last { rule in
          rule.pattern.covers(below) && (!rule.isFolder || isFolder || rule.pattern.covers(below.parent))
        }
        if let last { return !last.isException }
      }
      guard !folder.isRoot else { return false }
      folder = folder.parent
    }
  }

  private func rules(of folder: TreePath) -> [Rule] {
    if let found = known[folder] { return found }
    let path = folder.appending(".gitignore")
    let isFile = (try? tree.entry(at: path))?.isFile == true
    let bytes = isFile ? (try? tree.read(path)) ?? [] : []
    let made = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).compactMap(Self.rule)
    known[folder] = made
    return made
  }

  private static func rule(_ line: Substring) -> Rule? {
    var text = line
    while text.last == " " || text.last == "\t" { text.removeLast() }
    guard !text.hasPrefix("#") else { return nil }
    let isException = text.hasPrefix("!")
    if isException { text.removeFirst() }
    let isFolder = text.hasSuffix("/")
    if isFolder { text.removeLast() }
    // A pattern without a slash matches a name at any depth.
    let isName = !text.contains("/")
    if text.hasPrefix("/") { text.removeFirst() }
    guard !text.isEmpty, let pattern = PathPattern((isName ? "**/" : "") + text) else { return nil }
    return Rule(pattern: pattern, isFolder: isFolder, isException: isException)
  }
}
