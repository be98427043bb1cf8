private import Glibc

/// The files of an object database. They can be hard-linked into another database, or copied if links are not possible.
struct ObjectFiles {
  /// The path of `objects/`.
  let folder: String

  /// Finds a named pipe, a socket or a device where libgit2 would open a file, in this database and its alternates.
  /// - Returns: the path relative to this folder, or the full path if the file is in an alternate; `nil` if all files are regular.
  func irregularFile() -> String? {
    var seen: Set<String> = []
    var pending = [self]
    while let next = pending.popLast() {
      guard seen.insert(next.folder).inserted, seen.count <= Self.mostAlternates else { continue }
      let borrowed = next.folder == folder ? "" : next.folder + "/"
      for name in folderNames(next.folder) ?? [] where name.utf8.count == 2 || name == "pack" || name == "info" {
        if let found = irregularName(in: next.folder + "/" + name) { return "\(borrowed)\(name)/\(found)" }
      }
      pending += next.alternates
    }
    return nil
  }

  private static let mostAlternates = 100

  /// Links all packs and loose objects of this database and its alternates into another database, or copies them if they cannot be linked. Afterwards
  /// they are durable.
  func link(into target: ObjectFiles) throws(GitError) {
    var seen: Set<String> = []
    try link(into: target, seen: &seen)
    // Syncs everything before any reference points to the objects. The linked files may be so new that the source has not synced them.
    try syncFileSystem(of: target.folder)
  }

  private func link(into target: ObjectFiles, seen: inout Set<String>) throws(GitError) {
    guard seen.insert(folder).inserted else { return }
    let packs = (folderNames(folder + "/pack") ?? []).filter { $0.hasPrefix("pack-") }
    try makeFolders(target.folder + "/pack", mode: 0o700)
    // Git finds a pack by its index, so the index is linked last.
    for ending in [".pack", ".idx"] {
      for name in packs where name.hasSuffix(ending) {
        try link("pack/" + name, into: target)
      }
    }
    for name in folderNames(folder) ?? [] where name.utf8.count == 2 {
      try makeFolders(target.folder + "/" + name, mode: 0o700)
      for object in folderNames(folder + "/" + name) ?? [] where object.utf8.count == 38 {
        try link(name + "/" + object, into: target)
      }
    }
    for other in alternates { try other.link(into: target, seen: &seen) }
  }

  /// Removes all files from `objects/pack` except those of complete packs. The removed files are remains of an interrupted download or maintenance:
  /// unfinished packs, packs without an index, indexes without a pack, and lock files. This must not be called during a download.
  func removeLeftovers() {
    let names = folderNames(folder + "/pack") ?? []
    let whole = Set(names.filter { $0.hasSuffix(".idx") }.map { $0.dropLast(4) })
      .intersection(names.filter { $0.hasSuffix(".pack") }.map { $0.dropLast(5) })
    for name in names {
      let isPack = name.hasPrefix("pack-") && !name.hasSuffix(".lock")
      if isPack, let dot = name.lastIndex(of: "."), whole.contains(name[..<dot]) { continue }
      _ = unsafe unlink(folder + "/pack/" + name)
    }
  }

  /// Removes temporary files of objects that were not completely written, and lock files.
  func removeUnfinishedObjects() {
    for name in folderNames(folder) ?? [] {
      if name.hasPrefix("tmp_") || name.hasSuffix(".lock") { _ = unsafe unlink(folder + "/" + name) }
      guard name.utf8.count == 2 else { continue }
      for object in folderNames(folder + "/" + name) ?? [] where object.utf8.count != 38 {
        _ = unsafe unlink(folder + "/" + name + "/" + object)
      }
    }
  }

  private var alternates: [ObjectFiles] {
    guard let bytes = wholeFile(folder + "/info/alternates", limit: 1 << 16) else { return [] }
    return bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
      .filter { !$0.hasPrefix("#") }.map { ObjectFiles(folder: $0.hasPrefix("/") ? $0 : folder + "/" + $0) }
  }

  private func link(_ name: String, into target: ObjectFiles) throws(GitError) {
    let from = folder + "/" + name
    let to = target.folder + "/" + name
    if unsafe Glibc.link(from, to) == 0 || errno == EEXIST { return }
    // A repack removed the file in the meantime and moved its objects to a new pack. The caller then copies the objects that are still missing.
    if errno == ENOENT { return }
    // The target is on another file system, or the system forbids hard links to files of other users.
    guard let source = unsafe Descriptor(open(from, O_RDONLY | O_CLOEXEC)) else { return }
    let temporary = target.folder + "/tmp_\(UInt64.random(in: 0 ... .max))"
    guard let copy = unsafe Descriptor(open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o400)) else {
      throw GitError(.disk, "copy \(from)", systemError())
    }
    while true {
      let moved = sendfile(copy.number, source.number, nil, 1 << 24)
      if moved == 0 { break }
      if moved < 0 && errno != EINTR {
        let reason = systemError()
        _ = unsafe unlink(temporary)
        throw GitError(.disk, "copy \(from)", reason)
      }
    }
    guard unsafe rename(temporary, to) == 0 else { throw GitError(.disk, "copy \(from)", systemError()) }
  }
}
