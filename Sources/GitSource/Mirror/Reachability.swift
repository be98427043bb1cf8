import Localization

/// A walk over all objects that are reachable from the targets of references: commits, tags, folders and files. Submodules are skipped, because they
/// are other repositories.
struct Reachability {
  private let handle: RepositoryHandle
  /// A function that is called regularly. It throws to stop the walk.
  private let checkCancellation: () throws(GitError) -> Void

  init(_ handle: RepositoryHandle, checkCancellation: @escaping () throws(GitError) -> Void = {}) {
    self.handle = handle
    self.checkCancellation = checkCancellation
  }

  /// Returns the reachable objects that are missing or cannot be read. Only the beginning of each file is read.
  func missing(from tips: [ObjectID]) throws(GitError) -> Set<ObjectID> {
    let handle = handle
    var missing: Set<ObjectID> = []
    try walk(from: tips, damaged: { missing.insert($0) }) { id, _ in
      if handle.canRead(id) { return true }
      missing.insert(id)
      return false
    }
    return missing
  }

  /// Visits each object once. For folders and files, `visit` also receives the name.
  /// - Parameters:
  ///   - damaged: called for an object that cannot be read. The walk then skips the object. If `nil`, the error is thrown.
  ///   - visit: returns whether to visit the objects to which this object refers. If so, this object must exist.
  func walk(
    from tips: [ObjectID], damaged: ((ObjectID) -> Void)? = nil, _ visit: (ObjectID, _ name: [UInt8]?) -> Bool
  ) throws(GitError) {
    func read(_ id: ObjectID, _ body: () throws(GitError) -> Void) throws(GitError) {
      do throws(GitError) { try body() } catch {
        guard let damaged, error.kind == .missingObject else { throw error }
        damaged(id)
      }
    }
    var seen = Set(tips)
    var pending = tips
    // A tree that is the target of a reference or tag is visited among the commits.
    var folders: [(id: ObjectID, name: [UInt8], isVisited: Bool)] = []
    var count = 0
    // Commits are visited first and then each folder. This order stores related objects close together in a pack.
    while let id = pending.popLast() {
      count += 1
      if count % 256 == 0 { try checkCancellation() }
      guard visit(id, nil) else { continue }
      try read(id) { () throws(GitError) in
        switch try handle.kindIfHeld(id) {
        case .commit:
          let tree = try handle.commitTree(id)
          if seen.insert(tree).inserted { folders.append((tree, [], false)) }
          for parent in try handle.ancestry(of: id).parents where seen.insert(parent).inserted {
            pending.append(parent)
          }
        case .tree: folders.append((id, [], true))
        case .tag:
          let target = try handle.tagTarget(id)
          if seen.insert(target).inserted { pending.append(target) }
        case .blob, nil: break
        }
      }
    }
    while let (id, name, isVisited) = folders.popLast() {
      count += 1
      if count % 256 == 0 { try checkCancellation() }
      guard isVisited || visit(id, name) else { continue }
      try read(id) { () throws(GitError) in
        for line in try handle.treeLines(id) where line.kind != .submodule && seen.insert(line.id).inserted {
          if line.kind == .folder { folders.append((line.id, line.name, false)) } else { _ = visit(line.id, line.name) }
        }
      }
    }
  }
}

extension RepositoryHandle {
  /// Returns the target of an annotated tag.
  fileprivate func tagTarget(_ id: ObjectID) throws(GitError) -> ObjectID {
    try unsafe withObject(id) { (_, bytes) throws(GitError) in
      let prefix = "object "
      guard bytes.count > 47, unsafe bytes.prefix(7).elementsEqual(prefix.utf8),
        let target = ObjectID(hex: unsafe String(decoding: bytes[7..<47], as: UTF8.self))
      else { throw GitError(.missingObject, "read tag \(id)", "the tag is damaged") }
      return target
    }
  }
}
