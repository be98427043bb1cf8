private import Glibc

/// One pack of an object database and the objects in its index.
struct PackFile {
  /// The name without an extension: `pack-…`.
  let name: String
  let bytes: Int
  /// The modification time in seconds since 1970.
  let modified: Int
  /// Whether the pack is not rewritten, because it has a `.keep` file or is too large.
  let isKept: Bool
  let ids: [ObjectID]
}

/// An object that has its own file.
struct LooseObject {
  let id: ObjectID
  let modified: Int
}

/// The packs and loose objects of an object database.
struct PackInventory {
  /// The path of `objects/`.
  let folder: String
  private(set) var packs: [PackFile] = []
  private(set) var loose: [LooseObject] = []

  /// Counts the packs that may be rewritten and all loose objects, without reading the files.
  static func counts(_ folder: String, largest: Int = .max) -> (packs: Int, loose: Int) {
    let names = Set(folderNames(folder + "/pack") ?? [])
    let packs = names.filter { name in
      guard name.hasPrefix("pack-"), name.hasSuffix(".pack"), !names.contains(name.dropLast(5) + ".keep") else {
        return false
      }
      return (status(folder + "/pack/" + name)?.bytes ?? .max) <= largest
    }.count
    let loose = (folderNames(folder) ?? []).filter { $0.utf8.count == 2 }
      .reduce(0) { $0 + (folderNames(folder + "/" + $1)?.count ?? 0) }
    return (packs, loose)
  }

  /// - Parameter largest: the size in bytes above which a pack is not rewritten.
  /// - Throws: `missingObject` if an index cannot be read. In that case nothing must be removed.
  init(_ folder: String, largest: Int) throws(GitError) {
    self.folder = folder
    let names = folderNames(folder + "/pack") ?? []
    for file in names where file.hasPrefix("pack-") && file.hasSuffix(".idx") {
      let name = String(file.dropLast(4))
      guard let (bytes, modified) = Self.status(folder + "/pack/" + name + ".pack") else { continue }
      packs.append(
        PackFile(
          name: name, bytes: bytes, modified: modified, isKept: bytes > largest || names.contains(name + ".keep"),
          ids: try Self.ids(ofIndex: folder + "/pack/" + file)))
    }
    for prefix in folderNames(folder) ?? [] where prefix.utf8.count == 2 {
      for rest in folderNames(folder + "/" + prefix) ?? [] {
        guard let id = ObjectID(hex: prefix + rest), let (_, modified) = Self.status("\(folder)/\(prefix)/\(rest)")
        else { continue }
        loose.append(LooseObject(id: id, modified: modified))
      }
    }
  }

  static func status(_ path: String) -> (bytes: Int, modified: Int)? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    return (Int(status.st_size), status.st_mtim.tv_sec)
  }

  /// Returns the ids in a pack's index (version 2).
  static func ids(ofIndex path: String) throws(GitError) -> [ObjectID] {
    let damaged = GitError(.missingObject, "read \(path)", "the file is damaged or has an unknown version")
    guard let bytes = wholeFile(path, limit: 1 << 30), bytes.count >= 1032,
      bytes[0..<8].elementsEqual([0xFF, 0x74, 0x4F, 0x63, 0, 0, 0, 2])
    else { throw damaged }
    let count = bytes[1028..<1032].reduce(0) { $0 << 8 | Int($1) }
    guard bytes.count >= 1032 + 28 * count + 40 else { throw damaged }
    var ids: [ObjectID] = []
    ids.reserveCapacity(count)
    for index in 0..<count {
      let start = 1032 + 20 * index
      if let id = ObjectID(bytes: bytes[start..<(start + 20)]) { ids.append(id) }
    }
    return ids
  }
}
