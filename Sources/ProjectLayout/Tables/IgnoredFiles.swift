import Localization

/// The `.gitignore` files of a tree. A file that is missing and ignored is one that a build or a tool generates.
///
/// A class, because each file is read only once, and only if a path below its folder is asked about.
final class IgnoredFiles {
  private let tree: any SourceTree
  private var known: [TreePath: [IgnorePattern]] = [:]

  init(_ tree: any SourceTree) { self.tree = tree }

  /// Returns whether git ignores a file. Everything below an ignored folder is ignored, whatever later patterns say.
  func contains(_ file: TreePath) -> Bool {
    var part = TreePath.root
    for component in file.components {
      part = part.appending(String(component))
      if ignores(part, isFolder: part != file) { return true }
    }
    return false
  }

  /// Returns whether the last pattern that matches a path ignores it. The `.gitignore` of an inner folder comes last.
  private func ignores(_ path: TreePath, isFolder: Bool) -> Bool {
    var folder = path.parent
    while true {
      if let below = path.relative(to: folder) {
        let last = rules(of: folder).last { (isFolder || !$0.isFolder) && $0.matches(below.text) }
        if let last { return !last.isException }
      }
      guard !folder.isRoot else { return false }
      folder = folder.parent
    }
  }

  private func rules(of folder: TreePath) -> [IgnorePattern] {
    if let found = known[folder] { return found }
    let path = folder.appending(".gitignore")
    let isFile = (try? tree.entry(at: path))?.isFile == true
    var bytes = (isFile ? (try? tree.read(path)) ?? [] : [])[...]
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    let made = bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      IgnorePattern(line: line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
    }
    known[folder] = made
    return made
  }
}
