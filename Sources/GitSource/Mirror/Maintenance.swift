private import Glibc

/// The limits that decide when a mirror is repacked, and which objects are kept.
package struct MaintenanceLimits: Hashable, Sendable {
  /// The maximum number of packs, not counting packs that are never rewritten. If there are more packs, they are combined.
  package var packs: Int
  /// The maximum number of loose objects. If there are more, they are packed.
  package var looseObjects: Int
  /// The time in seconds for which unreachable objects are kept. A commit of a planned delivery has no reference until the commit is pushed.
  package var unreachableSeconds: Int
  /// The maximum size in bytes of a pack that is rewritten. Larger packs are left unchanged, because packing takes about one second for 2 MB.
  package var largestPack: Int

  package init(
    packs: Int = 20, looseObjects: Int = 2000, unreachableSeconds: Int = 14 * 86_400, largestPack: Int = 64 << 20
  ) {
    self.packs = packs
    self.looseObjects = looseObjects
    self.unreachableSeconds = unreachableSeconds
    self.largestPack = largestPack
  }
}

/// The maintenance of a mirror, which combines the mirror's many files into a few packs and removes old unreachable objects.
///
/// New packs are complete and synced before an old file is removed. After a crash at any point, every object still exists, and the next maintenance
/// removes duplicates. Recent unreachable objects go into one pack for each week of their age, which preserves their age.
struct Maintenance {
  let repository: GitRepository
  let limits: MaintenanceLimits
  /// The current time in seconds since 1970.
  let now: Int
  let isCancelled: @Sendable () -> Bool

  private static let operation = "maintain the mirror"
  private static let week = 7 * 86_400
  private var objects: String { repository.commonFolder + "/objects" }

  /// Repacks the mirror, packs its references, and removes old unreachable objects, if the mirror exceeds the limits.
  /// - Returns: whether it was repacked.
  func run() throws(GitError) -> Bool {
    let counts = PackInventory.counts(objects, largest: limits.largestPack)
    guard counts.packs > limits.packs || counts.loose > limits.looseObjects else { return false }
    let inventory = try PackInventory(objects, largest: limits.largestPack)
    try repository.withHandle { (handle) throws(GitError) in try handle.packReferences() }
    let made = try repack(inventory)
    try remove(inventory, made: made)
    return true
  }

  private struct Made {
    /// The names of the packs that contain the objects to keep.
    var packs: Set<String> = []
    var ids: Set<ObjectID> = []
  }

  private func checkCancellation() throws(GitError) {
    if isCancelled() { throw GitError(.cancelled, Self.operation, "cancelled") }
  }

  private func repack(_ inventory: PackInventory) throws(GitError) -> Made {
    var made = Made()
    // The time at which each object was last written: the latest time if the object is in several files.
    var ages: [ObjectID: Int] = [:]
    for pack in inventory.packs where pack.isKept {
      made.packs.insert(pack.name)
      made.ids.formUnion(pack.ids)
    }
    for pack in inventory.packs where !pack.isKept {
      for id in pack.ids { ages[id] = max(ages[id] ?? 0, pack.modified) }
    }
    for object in inventory.loose { ages[object.id] = max(ages[object.id] ?? 0, object.modified) }
    let kept = made.ids
    let tips = repository.references.list("refs/").map(\.id)
    try repository.withHandle { (handle) throws(GitError) in
      handle.limitPackMemory()
      var writer = try PackWriter(handle, Self.operation)
      var fault: GitError?
      // Objects in kept packs are visited too, because they may refer to objects in other files.
      try Reachability(handle, checkCancellation: checkCancellation).walk(from: tips) { id, name in
        if kept.contains(id) { return true }
        guard ages.removeValue(forKey: id) != nil else { return false }
        do throws(GitError) { try writer.add(id, name: name) } catch { fault = fault ?? error }
        return true
      }
      if let fault { throw fault }
      if writer.count > 0 { try note(writer.write(to: objects + "/pack", isCancelled: isCancelled), in: &made) }
      // The remaining objects are unreachable. They are grouped by week, because a pack has only one modification time for all its objects.
      let young = ages.filter { $0.value > now - limits.unreachableSeconds && !kept.contains($0.key) }
      for (_, objects) in Dictionary(grouping: young, by: { $0.value / Self.week }).sorted(by: { $0.key < $1.key }) {
        try writeUnreachable(objects.map { ($0.key, $0.value) }, handle, &made)
      }
    }
    return made
  }

  private func writeUnreachable(
    _ objects: [(id: ObjectID, modified: Int)], _ handle: RepositoryHandle, _ made: inout Made
  ) throws(GitError) {
    var writer = try PackWriter(handle, Self.operation)
    for (id, _) in objects.sorted(by: { $0.id.hex < $1.id.hex }) { try writer.add(id) }
    let name = try writer.write(to: self.objects + "/pack", isCancelled: isCancelled)
    let modified = objects.map(\.modified).max() ?? now
    var times = [timespec(tv_sec: modified, tv_nsec: 0), timespec(tv_sec: modified, tv_nsec: 0)]
    _ = unsafe utimensat(AT_FDCWD, self.objects + "/pack/" + name + ".pack", &times, 0)
    try note(name, in: &made)
  }

  private func note(_ name: String, in made: inout Made) throws(GitError) {
    made.packs.insert(name)
    // Reads the index from disk to verify the written objects.
    made.ids.formUnion(try PackInventory.ids(ofIndex: objects + "/pack/" + name + ".idx"))
  }

  /// Removes files whose objects are in the new packs or in packs that are kept, and files with old unreachable objects.
  private func remove(_ inventory: PackInventory, made: Made) throws(GitError) {
    for pack in inventory.packs where !made.packs.contains(pack.name) {
      try checkCancellation()
      // Reads the modification time again, because a delivery may have used the pack in the meantime.
      let modified = PackInventory.status(objects + "/pack/" + pack.name + ".pack")?.modified ?? pack.modified
      let isYoung = modified > now - limits.unreachableSeconds
      guard pack.ids.allSatisfy(made.ids.contains) || !isYoung else { continue }
      // The index is removed first, because a pack without an index is ignored and is removed at the next start.
      for ending in [".idx", ".rev", ".bitmap", ".mtimes", ".pack"] {
        _ = unsafe unlink(objects + "/pack/" + pack.name + ending)
      }
    }
    try syncFolder(objects + "/pack")
    for object in inventory.loose {
      let hex = object.id.hex
      let path = "\(objects)/\(hex.prefix(2))/\(hex.dropFirst(2))"
      let modified = PackInventory.status(path)?.modified ?? object.modified
      guard made.ids.contains(object.id) || modified <= now - limits.unreachableSeconds else { continue }
      _ = unsafe unlink(path)
    }
    for name in folderNames(objects) ?? [] where name.utf8.count == 2 { _ = unsafe rmdir(objects + "/" + name) }
  }
}
