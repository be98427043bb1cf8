import Localization

/// Copies objects from one repository of this machine to another, with neither a pack nor a connection in between.
///
/// What the target has is taken to be there with everything below it, so an object is written only after what it leads to.
struct ObjectTransfer {
  let source: RepositoryHandle
  let target: RepositoryHandle

  /// A commit, its tree and its ancestors, as far as the source has them: a shallow one ends somewhere, and a mirror may lack files.
  func copyHistory(of tip: ObjectID) throws(GitError) {
    guard source.holds(tip) else {
      throw GitError(.missingObject, "copy commit \(tip)", "is missing from the repository that names it")
    }
    var pending = [(id: tip, isReady: false)]
    while let (id, isReady) = pending.popLast() {
      if target.holds(id) || !source.holds(id) { continue }
      if isReady {
        try copyTree(source.commitTree(id))
        try copy(id)
      } else {
        pending.append((id, true))
        for parent in try source.ancestry(of: id).parents { pending.append((parent, false)) }
      }
    }
  }

  /// A tree and everything below it; files that the source lacks are left out.
  func copyTree(_ id: ObjectID) throws(GitError) {
    guard !target.holds(id), source.holds(id) else { return }
    for line in try source.treeLines(id) {
      switch line.kind {
      case .folder: try copyTree(line.id)
      case .submodule: continue
      case .file, .executable, .symbolicLink:
        if !target.holds(line.id) && source.holds(line.id) { try copy(line.id) }
      }
    }
    try copy(id)
  }

  private func copy(_ id: ObjectID) throws(GitError) {
    try unsafe source.withObject(id) { (kind, bytes) throws(GitError) in
      guard let kind else { throw GitError(.missingObject, "copy object \(id)", "is of no known type") }
      _ = try unsafe target.store(bytes, as: kind)
    }
  }
}
