/// A relative path in a source tree. Components are separated by `/` and are never empty, `.` or `..`. The empty path is the root.
package struct TreePath: Hashable, Comparable, Sendable, Codable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The path in the form that git stores.
  package let text: String

  /// Creates a path from text that is known to be well formed, such as a path that a tree listed.
  package init(trusted text: String) { self.text = text }

  package init(stringLiteral value: String) { self.text = value }

  /// Creates a path from untrusted text. `.` and empty components are removed, and `..` is resolved.
  /// - Returns: `nil` for an absolute path, a path that leaves the tree with `..`, or a path that contains a NUL byte.
  package init?(checking text: String) {
    guard text.utf8.first != UInt8(ascii: "/"), !text.utf8.contains(0) else { return nil }
    guard !Self.isPlain(text) else {
      self.text = text
      return
    }
    var components: [Substring] = []
    for component in Self.components(of: text) where component != "." {
      if component == ".." {
        guard components.popLast() != nil else { return nil }
      } else {
        components.append(component)
      }
    }
    self.text = components.joined(separator: "/")
  }

  /// Returns whether the text certainly needs no cleanup, because no component is empty or begins with a dot.
  private static func isPlain(_ text: String) -> Bool {
    var isStart = true
    for byte in text.utf8 {
      if isStart, byte == UInt8(ascii: "/") || byte == UInt8(ascii: ".") { return false }
      isStart = byte == UInt8(ascii: "/")
    }
    return !isStart || text.isEmpty
  }

  package static let root = TreePath(trusted: "")

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let path = TreePath(checking: text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a path within a tree: \(text)")
    }
    self = path
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  package static func == (a: Self, b: Self) -> Bool { a.text.isExactly(b.text) }
  package static func < (a: Self, b: Self) -> Bool { a.text.precedesByBytes(b.text) }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }

  package var description: String { text }
  package var isRoot: Bool { text.isEmpty }
  package var components: [Substring] { Self.components(of: text) }

  /// Returns the components of a path. Compares bytes, like git and the kernel, because a slash with a combining mark is another Swift character.
  package static func components(of text: String) -> [Substring] {
    text.utf8.split(separator: UInt8(ascii: "/")).map(Substring.init)
  }

  /// The last component; empty for the root.
  package var name: String {
    text.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(text[text.index(after: $0)...]) } ?? text
  }

  /// The folder that contains the path; the root for a path of one component and for the root itself.
  package var parent: TreePath {
    text.utf8.lastIndex(of: UInt8(ascii: "/")).map { TreePath(trusted: String(text[..<$0])) } ?? .root
  }

  /// The part of the name after the last dot; empty if there is no dot or only a leading dot.
  package var ending: String {
    // This property is read for every exchange unit, and iterating over characters is slow, so the loop compares bytes, starting at the end.
    let bytes = text.utf8
    var place = bytes.endIndex
    while place > bytes.startIndex {
      let before = bytes.index(before: place)
      switch bytes[before] {
      case UInt8(ascii: "/"): return ""
      case UInt8(ascii: "."):
        let isLeading = before == bytes.startIndex || bytes[bytes.index(before: before)] == UInt8(ascii: "/")
        return isLeading ? "" : String(text[place...])
      default: place = before
      }
    }
    return ""
  }

  /// The name without its ending.
  package var stem: String {
    let name = name
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }

  package func appending(_ component: String) -> TreePath {
    TreePath(trusted: isRoot ? component : text + "/" + component)
  }

  package func appending(_ path: TreePath) -> TreePath {
    path.isRoot ? self : appending(path.text)
  }

  /// Returns whether the path is the folder itself or a path below it.
  package func isWithin(_ folder: TreePath) -> Bool {
    guard !folder.isRoot else { return true }
    let own = text.utf8
    let other = folder.text.utf8
    guard own.starts(with: other) else { return false }
    return own.count == other.count || own[own.index(own.startIndex, offsetBy: other.count)] == UInt8(ascii: "/")
  }

  /// Returns whether the path is one of these folders or is below one of them. The time depends on the path's depth instead of the number of folders.
  package func isWithinAny(of folders: Set<TreePath>) -> Bool { innermost(of: folders) != nil }

  /// Returns the innermost of these folders that the path is or is below; `nil` if there is none.
  package func innermost(of folders: Set<TreePath>) -> TreePath? {
    guard !folders.isEmpty else { return nil }
    var folder = self
    while !folders.contains(folder) {
      guard !folder.isRoot else { return nil }
      folder = folder.parent
    }
    return folder
  }

  /// Returns the outermost of these folders that the path is or is below; `nil` if there is none.
  package func outermost(of folders: Set<TreePath>) -> TreePath? {
    var found = innermost(of: folders)
    while let inner = found, !inner.isRoot, let outer = inner.parent.innermost(of: folders) { found = outer }
    return found
  }

  /// Returns these paths and all folders above them.
  package static func withFoldersAbove(_ paths: some Sequence<TreePath>) -> Set<TreePath> {
    var found: Set<TreePath> = []
    for path in paths {
      var folder = path
      while found.insert(folder).inserted { folder = folder.parent }
    }
    return found
  }

  /// Returns the path relative to a folder; `nil` if the path is not in the folder.
  package func relative(to folder: TreePath) -> TreePath? {
    guard isWithin(folder) else { return nil }
    guard !folder.isRoot else { return self }
    let rest = text.utf8.dropFirst(folder.text.utf8.count).drop { $0 == UInt8(ascii: "/") }
    return TreePath(trusted: String(Substring(rest)))
  }
}
