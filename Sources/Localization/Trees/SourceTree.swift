/// The id that git computes for the contents of a file: 40 lower-case hexadecimal digits.
package struct BlobID: RawRepresentable, Hashable, Sendable, Codable {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }
}

/// An entry of a folder in a source tree.
package struct TreeEntry: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case file, executable, folder
    /// A symbolic link. It is listed, but never followed.
    case symbolicLink
    /// Another repository, whose contents are not part of the tree.
    case submodule
  }

  package let path: TreePath
  package let kind: Kind
  /// Git's id of the content, which is known without reading the file; `nil` if it is not known, as in a plain directory or a tree in memory.
  package let blob: BlobID?

  package init(path: TreePath, kind: Kind, blob: BlobID? = nil) {
    self.path = path
    self.kind = kind
    self.blob = blob
  }

  package var isFile: Bool { kind == .file || kind == .executable }
}

/// The reason why a file or folder of a tree could not be read or written.
package struct TreeError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    case notFound, isSymbolicLink, notAFile, tooLarge, unreadable
    /// Writing, creating or removing failed, for example because of a full disk or missing permissions.
    case unwritable
  }

  package let path: TreePath
  package let kind: Kind
  package let detail: String

  package init(path: TreePath, kind: Kind, detail: String) {
    self.path = path
    self.kind = kind
    self.detail = detail
  }

  package var description: String { "\(path): \(detail)" }

  package var diagnostic: Diagnostic { Diagnostic(path: path.text, severity: .error, message: detail) }
}

/// A read-only tree of files: a git tree, a directory, or a tree in memory. All readers use this protocol.
///
/// Symbolic links are listed and never followed. Implementations may be called from several threads concurrently.
package protocol SourceTree: Sendable {
  /// Returns the entries of a folder, sorted by the UTF-8 bytes of their names. Throws if the folder cannot be listed.
  func list(_ folder: TreePath) throws(TreeError) -> [TreeEntry]

  /// Returns the entry at a path; `nil` if there is none.
  func entry(at path: TreePath) throws(TreeError) -> TreeEntry?

  /// Returns the contents of a file. Throws if the entry is not a file, for example a symbolic link.
  func read(_ path: TreePath) throws(TreeError) -> [UInt8]

  /// Returns whether the tree has more files, links and folders than `entries`. Returns `false` if this is unknown without visiting the whole tree.
  func holdsMore(than entries: Int) -> Bool

  /// Returns the files of the tree that a sparse checkout leaves out. `list` does not return them.
  func filesLeftOut() -> [TreePath]
}

extension SourceTree {
  package func holdsMore(than entries: Int) -> Bool { false }
  package func filesLeftOut() -> [TreePath] { [] }
}

/// A tree that has an id and can be compared with a tree that was read earlier.
package protocol VersionedTree: SourceTree {
  /// An id. The ids of two trees are equal if and only if their contents are equal.
  var id: String { get }

  /// Returns the current entries of the files whose contents differ from an earlier tree.
  /// - Returns: `nil` if the trees differ in more than the contents of files (an entry was added, removed or changed its kind), or if the earlier
  ///   tree is not available.
  func modifiedFiles(since earlier: String) -> [TreeEntry]?
}

/// Limits for one walk of a tree. Git stores equal folders once, so ten objects of 400 bytes can contain 10^10 paths.
package struct TreeWalkLimits: Sendable {
  /// The maximum number of files, links and folders.
  package var entries: Int
  /// The maximum depth of nested folders.
  package var depth: Int
  /// The maximum total length of all paths in bytes.
  package var pathBytes: Int

  package init(entries: Int, depth: Int, pathBytes: Int) {
    self.entries = entries
    self.depth = depth
    self.pathBytes = pathBytes
  }

  /// The number of entries after which a walk checks again whether the tree exceeds the limit.
  static let checkInterval = 1000

  /// Limits that are far above the size of usual repositories.
  package static let standard = TreeWalkLimits(entries: 1_000_000, depth: 128, pathBytes: 256 << 20)
}

extension SourceTree {
  /// Returns all entries below a folder except folders, depth first. Folders for which `skipping` returns `true` are not visited.
  /// - Parameter unreadable: receives an error for each folder that could not be listed. The walk continues with the other folders. Also
  ///   receives one error of the kind `tooLarge` if the limits are exceeded.
  /// - Returns: an empty array if the tree exceeds the limits for entries or lengths, because a partial result would be arbitrary.
  package func walk(
    _ folder: TreePath = .root, limits: TreeWalkLimits = .standard, skipping: (TreePath) -> Bool = { _ in false },
    unreadable: (TreeError) -> Void = { _ in }
  ) -> [TreeEntry] {
    var found: [TreeEntry] = []
    var pending = [(path: folder, depth: 0)]
    var count = 0
    var bytes = 0
    var nextCheck = TreeWalkLimits.checkInterval
    var tooDeep: TreePath?
    while let (next, depth) = pending.popLast() {
      let entries: [TreeEntry]
      do { entries = try list(next) } catch {
        unreadable(error)
        continue
      }
      count += entries.count
      for entry in entries { bytes += entry.path.text.utf8.count }
      var hasTooMany = count > limits.entries
      if !hasTooMany, count >= nextCheck {
        nextCheck = count + TreeWalkLimits.checkInterval
        hasTooMany = holdsMore(than: limits.entries)
      }
      guard !hasTooMany, bytes <= limits.pathBytes else {
        let what = hasTooMany ? "\(limits.entries) files and folders" : "\(limits.pathBytes >> 20) MiB of paths"
        unreadable(
          TreeError(path: folder, kind: .tooLarge, detail: "the tree has more than \(what), so nothing was read"))
        return []
      }
      for entry in entries where entry.kind != .folder { found.append(entry) }
      for entry in entries.reversed() where entry.kind == .folder && !skipping(entry.path) {
        if depth < limits.depth { pending.append((entry.path, depth + 1)) } else { tooDeep = tooDeep ?? entry.path }
      }
    }
    if let tooDeep {
      unreadable(
        TreeError(
          path: tooDeep, kind: .tooLarge,
          detail: "folders are nested more than \(limits.depth) levels deep; deeper ones were skipped"))
    }
    return found
  }

  /// Returns all entries of the tree except folders, for callers that need every entry. Folders that cannot be listed are skipped.
  /// - Throws: if the limits are exceeded.
  package func wholeWalk() throws(TreeError) -> [TreeEntry] {
    var tooLarge: TreeError?
    let entries = walk(unreadable: { if $0.kind == .tooLarge { tooLarge = tooLarge ?? $0 } })
    if let tooLarge { throw tooLarge }
    return entries
  }
}

/// Changes to the files of a tree. Each path gets new contents or is removed.
package struct TreeEdits: Equatable, Sendable {
  package enum Edit: Equatable, Sendable {
    case write(FileContent)
    case remove

    /// Writes a file with these bytes.
    package static func write(_ bytes: [UInt8]) -> Edit { .write(FileContent(bytes)) }
  }

  package var edits: [TreePath: Edit]

  package init(_ edits: [TreePath: Edit] = [:]) { self.edits = edits }

  package var isEmpty: Bool { edits.isEmpty }
  package var paths: [TreePath] { edits.keys.sorted() }

  package mutating func write(_ bytes: [UInt8], to path: TreePath) { edits[path] = .write(bytes) }
  package mutating func write(_ content: FileContent, to path: TreePath) { edits[path] = .write(content) }
  package mutating func remove(_ path: TreePath) { edits[path] = .remove }

  /// Returns both sets of changes combined. If both change a path, `later` has precedence.
  package func merging(_ later: TreeEdits) -> TreeEdits {
    TreeEdits(edits.merging(later.edits) { _, new in new })
  }
}

/// A view of a tree with edits that are not written yet.
package struct EditedTree: SourceTree {
  private let base: any SourceTree
  private let edits: TreeEdits

  package init(_ base: any SourceTree, edits: TreeEdits) {
    self.base = base
    self.edits = edits
  }

  package func list(_ folder: TreePath) throws(TreeError) -> [TreeEntry] {
    var byPath: [TreePath: TreeEntry] = [:]
    let isNew = edits.edits.contains { $0.value != .remove && $0.key.isWithin(folder) }
    let stands = try base.entry(at: folder) != nil
    if !isNew || stands || folder.isRoot {
      for entry in try base.list(folder) { byPath[entry.path] = entry }
    }
    for (path, edit) in edits.edits where path.isWithin(folder) && path != folder {
      guard let rest = path.relative(to: folder), let first = rest.components.first else { continue }
      let child = folder.appending(String(first))
      if child != path {
        if edit != .remove { byPath[child] = TreeEntry(path: child, kind: .folder) }
      } else if edit == .remove {
        byPath[child] = nil
      } else {
        byPath[child] = TreeEntry(path: child, kind: byPath[child]?.kind == .executable ? .executable : .file)
      }
    }
    return byPath.values.sorted { $0.path < $1.path }
  }

  package func entry(at path: TreePath) throws(TreeError) -> TreeEntry? {
    switch edits.edits[path] {
    case .remove: return nil
    case .write: return TreeEntry(path: path, kind: .file)
    case nil:
      if let entry = try base.entry(at: path) { return entry }
      let isFolder = edits.edits.contains { $0.value != .remove && $0.key.isWithin(path) }
      return isFolder ? TreeEntry(path: path, kind: .folder) : nil
    }
  }

  package func read(_ path: TreePath) throws(TreeError) -> [UInt8] {
    switch edits.edits[path] {
    case .write(let content): return content.bytes
    case .remove: throw TreeError(path: path, kind: .notFound, detail: "no such file")
    case nil: return try base.read(path)
    }
  }

  package func holdsMore(than entries: Int) -> Bool { base.holdsMore(than: entries) }
  package func filesLeftOut() -> [TreePath] { base.filesLeftOut().filter { edits.edits[$0] == nil } }
}
