package import Localization

/// A merge of trees, file by file, as git makes it. A file that changed on only one side is taken from that side. Files with the extension `txt` that
/// changed on both sides are merged line by line. Any other file that changed on both sides is a conflict. For a catalog this is realistic, because
/// JSON can seldom be merged by lines.
package enum TreeMerge {
  package enum Outcome: Sendable {
    case merged(FileTree)
    case conflicts([TreePath])
  }

  /// Merges two trees.
  /// - Parameter resolved: the contents of files that are not merged. `nil` removes the file.
  package static func merge(
    base: FileTree, ours: FileTree, theirs: FileTree, resolving resolved: [TreePath: [UInt8]?] = [:]
  ) -> Outcome {
    var merged = ours
    var conflicts: [TreePath] = []
    let paths = Set(base.paths).union(ours.paths).union(theirs.paths)
    for path in paths.sorted() {
      if let content = resolved[path] {
        merged[path] = content
        continue
      }
      let (old, one, other) = (base.blobs[path], ours.blobs[path], theirs.blobs[path])
      if one == other || other == old { continue }
      if one == old {
        merged[path] = theirs[path]
      } else if path.ending == "txt", let lines = mergeLines(base[path], ours[path], theirs[path]) {
        merged[path] = lines
      } else {
        conflicts.append(path)
      }
    }
    return conflicts.isEmpty ? .merged(merged) : .conflicts(conflicts)
  }

  /// Merges two files by lines. The text before the second `|` identifies a line. Returns `nil` if both sides changed the same line, or if
  /// one side does not have the file.
  private static func mergeLines(_ base: [UInt8]?, _ ours: [UInt8]?, _ theirs: [UInt8]?) -> [UInt8]? {
    guard let ours, let theirs else { return nil }
    func lines(_ bytes: [UInt8]) -> [(name: String, text: String)] {
      String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { line in
        let parts = line.split(separator: "|", maxSplits: 2, omittingEmptySubsequences: false)
        return (parts.prefix(2).joined(separator: "|"), String(line))
      }
    }
    func table(_ lines: [(name: String, text: String)]) -> [String: String] {
      Dictionary(lines.map { ($0.name, $0.text) }, uniquingKeysWith: { first, _ in first })
    }
    let (old, one, other) = (table(lines(base ?? [])), table(lines(ours)), table(lines(theirs)))
    var merged: [String: String] = [:]
    for name in Set(one.keys).union(other.keys).union(old.keys) {
      if one[name] == other[name] || other[name] == old[name] {
        merged[name] = one[name]
      } else if one[name] == old[name] {
        merged[name] = other[name]
      } else {
        return nil
      }
    }
    return Array(merged.sorted { $0.key < $1.key }.map { $0.value + "\n" }.joined().utf8)
  }
}
