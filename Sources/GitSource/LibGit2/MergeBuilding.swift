import CLibGit2
private import Glibc
import Localization

/// The result of merging the trees of two commits.
enum MergedTree {
  case tree(ObjectID)
  /// The paths of the conflicts that remain, sorted by their bytes.
  case conflicts([TreePath])
}

extension RepositoryHandle {
  /// Merges the trees of two commits with git's three-way merge, including rename detection.
  /// - Parameters:
  ///   - base: the merge base; `nil` if the histories are unrelated. All files then count as added on both sides.
  ///   - resolved: contents that replace git's result for a file; `nil` removes the file. A file keeps its mode from the first commit, or from the
  ///     second if the first does not have the file.
  /// - Throws: `obstructed` if a resolved file is a symbolic link, a submodule or a folder in a commit, or if the result has a file and a folder at
  ///   the same path.
  func mergedTree(
    of first: ObjectID, and second: ObjectID, base: ObjectID?, resolving resolved: [TreePath: [UInt8]?]
  ) throws(GitError) -> MergedTree {
    let operation = "merge \(first.hex.prefix(10)) and \(second.hex.prefix(10))"
    let trees = (try commitTree(first), try commitTree(second))
    let baseTree = try base.map { (id) throws(GitError) in try commitTree(id) }
    let index = try mergedIndex(trees.0, trees.1, baseTree, operation)
    let conflicts = try unresolvedConflicts(index, resolved, operation)
    guard conflicts.isEmpty else { return .conflicts(conflicts) }
    var lines: [[UInt8]: TreeLine] = [:]
    for position in 0..<(unsafe git_index_entrycount(index.pointer)) {
      guard let entry = unsafe git_index_get_byindex(index.pointer, position),
        unsafe git_index_entry_stage(entry) == 0, let text = unsafe entry.pointee.path
      else { continue }
      let path = unsafe [UInt8](UnsafeRawBufferPointer(start: text, count: strlen(text)))
      lines[path] = unsafe TreeLine(mode: entry.pointee.mode, name: path, id: ObjectID(entry.pointee.id))
    }
    for (path, content) in resolved {
      let name = Array(path.text.utf8)
      var old = try line(at: path, in: trees.0)
      if old == nil { old = try line(at: path, in: trees.1) }
      if let old, old.kind != .file && old.kind != .executable {
        throw GitError(.obstructed, "\(operation): \(path)", "it is not a file in one of the commits")
      }
      guard let content else {
        lines[name] = nil
        continue
      }
      let id = try unsafe content.withUnsafeBytesThrowing { (bytes) throws(GitError) in
        try unsafe store(bytes, as: .blob)
      }
      lines[name] = TreeLine(mode: old?.mode ?? TreeLine.file, name: name, id: id)
    }
    return .tree(try storeTree(of: lines, operation))
  }

  private func mergedIndex(
    _ first: ObjectID, _ second: ObjectID, _ base: ObjectID?, _ operation: String
  ) throws(GitError) -> Owned {
    func tree(_ id: ObjectID) throws(GitError) -> Owned {
      var raw = id.raw
      return try unsafe Owned(git_tree_free, operation) {
        unsafe git_tree_lookup(&$0, repository, &raw)
      }
    }
    // The number of paths in each tree is checked first, because libgit2 visits every path of the three trees.
    for id in [first, second, base].compactMap(\.self) { try checkDifference(nil, id, operation) }
    var options = unsafe git_merge_options()
    try unsafe check(operation, git_merge_options_init(&options, UInt32(GIT_MERGE_OPTIONS_VERSION)))
    let ours = try tree(first)
    let theirs = try tree(second)
    guard let base else {
      return try unsafe Owned(git_index_free, operation) {
        unsafe git_merge_trees(&$0, repository, nil, ours.pointer, theirs.pointer, &options)
      }
    }
    let ancestor = try tree(base)
    return try unsafe Owned(git_index_free, operation) {
      unsafe git_merge_trees(&$0, repository, ancestor.pointer, ours.pointer, theirs.pointer, &options)
    }
  }

  private func unresolvedConflicts(
    _ index: borrowing Owned, _ resolved: [TreePath: [UInt8]?], _ operation: String
  ) throws(GitError) -> [TreePath] {
    guard unsafe git_index_has_conflicts(index.pointer) == 1 else { return [] }
    let pointer = unsafe index.pointer
    let iterator = try unsafe Owned(git_index_conflict_iterator_free, operation) {
      unsafe git_index_conflict_iterator_new(&$0, pointer)
    }
    var found: Set<TreePath> = []
    while true {
      var ancestor: UnsafePointer<git_index_entry>?
      var ours: UnsafePointer<git_index_entry>?
      var theirs: UnsafePointer<git_index_entry>?
      let code = unsafe git_index_conflict_next(&ancestor, &ours, &theirs, iterator.pointer)
      if code == GIT_ITEROVER.rawValue { break }
      try check(operation, code)
      let paths = unsafe (ancestor?.pointee.path, ours?.pointee.path, theirs?.pointee.path)
      if let path = unsafe paths.0 { unsafe found.insert(TreePath(trusted: String(cString: path))) }
      if let path = unsafe paths.1 { unsafe found.insert(TreePath(trusted: String(cString: path))) }
      if let path = unsafe paths.2 { unsafe found.insert(TreePath(trusted: String(cString: path))) }
    }
    return found.filter { resolved[$0] == nil }.sorted()
  }

  /// Returns the entry at a path in a tree; `nil` if there is none.
  private func line(at path: TreePath, in tree: ObjectID) throws(GitError) -> TreeLine? {
    var tree = tree
    let components = path.components.map { Array($0.utf8) }
    for (depth, name) in components.enumerated() {
      guard let line = try treeLines(tree).first(where: { $0.name == name }) else { return nil }
      if depth == components.count - 1 { return line }
      guard line.kind == .folder else { return nil }
      tree = line.id
    }
    return nil
  }

  /// Stores a tree, and all trees below it, with these entries. libgit2's own function requires every object to exist, and a mirror may lack some
  /// objects.
  private func storeTree(of lines: [[UInt8]: TreeLine], _ operation: String) throws(GitError) -> ObjectID {
    let root = PathNode()
    for (path, line) in lines {
      var node = root
      let names = path.split(separator: UInt8(ascii: "/")).map(Array.init)
      for name in names.dropLast() {
        let next = node.folders[name] ?? PathNode()
        node.folders[name] = next
        node = next
      }
      guard let name = names.last else { continue }
      node.lines.append(TreeLine(mode: line.mode, name: name, id: line.id))
    }
    return try storeTree(of: root, operation)
  }

  private func storeTree(of node: PathNode, _ operation: String) throws(GitError) -> ObjectID {
    for line in node.lines where node.folders[line.name] != nil {
      let name = String(decoding: line.name, as: UTF8.self)
      throw GitError(.obstructed, operation, "'\(name)' is a file on one side and a folder on the other")
    }
    var lines = node.lines
    for (name, folder) in node.folders {
      lines.append(TreeLine(mode: TreeLine.folder, name: name, id: try storeTree(of: folder, operation)))
    }
    return try storeTree(lines)
  }
}

/// A folder of the merged tree.
private final class PathNode {
  var folders: [[UInt8]: PathNode] = [:]
  var lines: [TreeLine] = []
}
