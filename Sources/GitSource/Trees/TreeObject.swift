import Localization

extension RepositoryHandle {
  /// Returns the lines of a tree object, in git's order. We do not use libgit2's tree, because its cache would store the object twice.
  func treeLines(_ id: ObjectID) throws(GitError) -> [TreeLine] {
    try unsafe withObject(id) { (kind, bytes) throws(GitError) in
      guard kind == .tree else {
        throw GitError(.missingObject, "read tree \(id)", "this object is not a tree")
      }
      var lines: [TreeLine] = []
      var position = 0
      while position < bytes.count {
        var mode: UInt32 = 0
        while position < bytes.count, case let digit = unsafe bytes[position],
          digit != UInt8(ascii: " ")
        {
          guard (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(digit), mode < 1 << 24 else {
            throw GitError(.missingObject, "read tree \(id)", "the tree is damaged")
          }
          mode = mode << 3 | UInt32(digit - UInt8(ascii: "0"))
          position += 1
        }
        let start = position + 1
        var end = start
        while end < bytes.count, unsafe bytes[end] != 0 { end += 1 }
        guard start < end, end + 21 <= bytes.count,
          let target = unsafe ObjectID(bytes: bytes[(end + 1)..<(end + 21)])
        else { throw GitError(.missingObject, "read tree \(id)", "the tree is damaged") }
        let name = unsafe [UInt8](bytes[start..<end])
        // Only a malicious tree has names that could leave the folder.
        guard !name.elementsEqual(".".utf8), !name.elementsEqual("..".utf8), !name.contains(UInt8(ascii: "/")) else {
          throw GitError(
            .missingObject, "read tree \(id)",
            "the tree contains the forbidden name '\(String(decoding: name, as: UTF8.self))'")
        }
        lines.append(TreeLine(mode: mode, name: name, id: target))
        position = end + 21
      }
      return lines
    }
  }

  /// Returns a tree object as a ``Folder``.
  func folder(_ id: ObjectID, at path: TreePath) throws(GitError) -> Folder {
    let lines = try treeLines(id).sorted { $0.name.lexicographicallyPrecedes($1.name) }
    return Folder(
      id: id,
      entries: lines.map { line in
        let kind = line.kind
        let isBlob = kind != .folder && kind != .submodule
        return TreeEntry(
          path: path.appending(String(decoding: line.name, as: UTF8.self)), kind: kind,
          blob: isBlob ? line.id.blob : nil)
      }, ids: lines.map(\.id))
  }
}
