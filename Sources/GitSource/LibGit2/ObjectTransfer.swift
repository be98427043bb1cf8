import Localization

/// Copies objects from one repository of this machine to another, without a connection in between.
///
/// What the target has is taken to be there with everything below it, so an object is written only after what it leads to.
struct ObjectTransfer {
  private let source: RepositoryHandle
  private let target: RepositoryHandle
  /// What is to be copied, in the order of writing.
  private var wanted: [ObjectID] = []
  private var seen: Set<ObjectID> = []
  /// More objects than this go into one pack: each file of its own costs two syncs of the disk.
  private static let mostLoose = 64

  init(source: RepositoryHandle, target: RepositoryHandle) {
    self.source = source
    self.target = target
  }

  /// A commit, its tree and its ancestors, as far as the source has them: a shallow one ends somewhere, and a mirror may lack files.
  mutating func addHistory(of tip: ObjectID) throws(GitError) {
    guard source.holds(tip) else {
      throw GitError(.missingObject, "copy commit \(tip)", "a reference names it, but the commit is missing")
    }
    var pending = [(id: tip, isReady: false)]
    while let (id, isReady) = pending.popLast() {
      if isReady {
        try addTree(source.commitTree(id))
        wanted.append(id)
      } else if isNew(id) {
        pending.append((id, true))
        for parent in try source.ancestry(of: id).parents { pending.append((parent, false)) }
      }
    }
  }

  /// A tree and everything below it; files that the source lacks are left out.
  mutating func addTree(_ id: ObjectID) throws(GitError) {
    // A list and no recursion: nothing bounds how deep folders are nested.
    var pending = [(id: id, isReady: false)]
    while let (id, isReady) = pending.popLast() {
      if isReady {
        wanted.append(id)
        continue
      }
      guard isNew(id) else { continue }
      pending.append((id, true))
      for line in try source.treeLines(id) {
        switch line.kind {
        case .folder: pending.append((line.id, false))
        case .submodule: continue
        case .file, .executable, .symbolicLink: if isNew(line.id) { wanted.append(line.id) }
        }
      }
    }
  }

  private mutating func isNew(_ id: ObjectID) -> Bool {
    seen.insert(id).inserted && !target.holds(id) && source.holds(id)
  }

  /// Writes what was added, and makes it durable: a reference to it follows.
  /// - Parameter objects: the target's `objects/`.
  func copy(into objects: String) throws(GitError) {
    guard !wanted.isEmpty else { return }
    if wanted.count > Self.mostLoose && !source.isPlain {
      var writer = try PackWriter(source, "copy objects")
      for id in wanted.reversed() { try writer.add(id) }
      _ = try writer.write(to: objects + "/pack")
      return
    }
    for id in wanted {
      try unsafe source.withObject(id) { (kind, bytes) throws(GitError) in
        guard let kind else { throw GitError(.missingObject, "copy object \(id)", "its type is unknown") }
        guard try unsafe target.store(bytes, as: kind) == id else {
          throw GitError(
            .missingObject, "copy object \(id)", "its content does not match its id; the repository is damaged")
        }
      }
    }
    try syncFolder(objects)
  }
}
