import Localization

/// A transfer of objects between two repositories on this machine.
///
/// If the target has an object, it is assumed to have all objects to which this object refers. Therefore an object is written after the objects that
/// it refers to.
struct ObjectTransfer {
  private let source: RepositoryHandle
  private let target: RepositoryHandle
  /// The objects to copy, in the order of writing.
  private var wanted: [ObjectID] = []
  private var seen: Set<ObjectID> = []
  /// The maximum number of objects that are written as separate files. More objects are written as one pack, because each file costs two syncs. If
  /// only the source's object database is open, no pack is written.
  private static let mostLoose = 64

  init(source: RepositoryHandle, target: RepositoryHandle) {
    self.source = source
    self.target = target
  }

  /// Adds a commit and its ancestors, with their trees. Objects that the target already has are skipped. Missing objects other than `tip` are skipped
  /// too, because a shallow source lacks ancestors and a mirror may lack files.
  mutating func addHistory(of tip: ObjectID) throws(GitError) {
    guard source.holds(tip) else {
      throw GitError(.missingObject, "copy commit \(tip)", "a reference points to it, but the commit is missing")
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

  /// Adds a tree and everything below it, except submodules. Objects that the source lacks or that the target already has are skipped.
  mutating func addTree(_ id: ObjectID) throws(GitError) {
    // A list is used instead of recursion, because folders can be nested to any depth.
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

  /// Writes the added objects and syncs them. Afterwards a reference may point to them.
  /// - Parameters:
  ///   - objects: the target's `objects/` folder.
  ///   - known: the source's `objects/` folder, and the objects in it that this process wrote. If no pack is written, the files of these objects at
  ///     the start of the list are copied, and all other objects are read and verified.
  func copy(
    into objects: String, filesOf known: (objects: String, written: WrittenObjects)? = nil
  ) throws(GitError) {
    guard !wanted.isEmpty else { return }
    if wanted.count > Self.mostLoose && !source.isPlain {
      var writer = try PackWriter(source, "copy objects")
      for id in wanted.reversed() { try writer.add(id) }
      _ = try writer.write(to: objects + "/pack")
      return
    }
    var copied: Set<ObjectID> = []
    // An object is written after the objects that it refers to. Therefore only objects at the start of the list can be copied beforehand.
    if let known {
      copied = try LooseCopy(source: known.objects, target: objects).copy(
        Array(wanted.prefix(while: known.written.contains)))
    }
    for id in wanted where !copied.contains(id) {
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
