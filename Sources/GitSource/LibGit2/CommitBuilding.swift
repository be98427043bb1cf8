import CLibGit2
import Localization
import Pipeline

/// Returns the armored signature of the text of a commit, made at the commit's time. It may block.
typealias CommitSigning = @Sendable ([UInt8], _ seconds: Int64) throws(GitError) -> String

extension RepositoryHandle {
  /// Makes a commit of a tree. The same arguments give the same id.
  /// - Parameter sign: returns a signature of the commit's text; `nil` for a commit without a signature.
  func makeCommit(
    tree: ObjectID, parents: [ObjectID], message: String, author: CommitSignature, committer: CommitSignature,
    sign: CommitSigning? = nil
  ) throws(GitError) -> ObjectID {
    // We write the text ourselves: libgit2's builder requires all parents and the whole tree, and a mirror may lack some.
    var text = "tree \(tree)\n"
    for parent in parents { text += "parent \(parent)\n" }
    text += "author \(line(author))\ncommitter \(line(committer))\n"
    if let sign {
      // The signature is of the text without this header. Lines that continue a header begin with a space.
      let signature = try sign(Array("\(text)\n\(message)".utf8), committer.seconds)
      // An OpenPGP signature has an empty line after its first one; readers reject it without that line.
      let lines = signature.split(separator: "\n", omittingEmptySubsequences: false)
      text += "gpgsig " + lines.dropLast(lines.last == "" ? 1 : 0).joined(separator: "\n ") + "\n"
    }
    let bytes = Array("\(text)\n\(message)".utf8)
    return try unsafe bytes.withUnsafeBytesThrowing { (bytes) throws(GitError) in
      try unsafe store(bytes, as: .commit)
    }
  }

  /// Formats a signature as git does: without the characters that would end a name or an address.
  private func line(_ signature: CommitSignature) -> String {
    func cleaned(_ text: String) -> String {
      String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0 != "<" && $0 != ">" }))
    }
    let minutes = abs(signature.offsetMinutes)
    func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let zone = (signature.offsetMinutes < 0 ? "-" : "+") + twoDigits(minutes / 60) + twoDigits(minutes % 60)
    return "\(cleaned(signature.name)) <\(cleaned(signature.email))> \(signature.seconds) \(zone)"
  }

  /// Returns a tree with the edits applied. New folders are created, empty folders are removed, and existing files keep their mode.
  /// - Throws: `obstructed` if a symbolic link, a submodule, or a file instead of a folder is in the way.
  func editedTree(_ tree: ObjectID, _ edits: TreeEdits) throws(GitError) -> ObjectID {
    let root = EditNode()
    for path in edits.paths {
      guard let edit = edits.edits[path] else { continue }
      try root.add(edit, at: path)
    }
    if let edited = try editedTree(tree, root, at: .root) { return edited }
    return try store([], as: .tree)
  }

  /// - Returns: `nil` if the folder becomes empty.
  private func editedTree(_ tree: ObjectID?, _ node: EditNode, at path: TreePath) throws(GitError) -> ObjectID? {
    var lines: [[UInt8]: TreeLine] = [:]
    if let tree { for line in try treeLines(tree) { lines[line.name] = line } }
    for (name, child) in node.children {
      let childPath = path.appending(String(decoding: name, as: UTF8.self))
      let old = lines[name]
      switch child.edit {
      case .write(let content)?:
        if let old, old.kind != .file && old.kind != .executable { throw obstructed(childPath, old.kind) }
        let id = try store(content.bytes, as: .blob)
        lines[name] = TreeLine(mode: old?.mode ?? TreeLine.file, name: name, id: id)
      case .remove?:
        if let old, old.kind != .file && old.kind != .executable { throw obstructed(childPath, old.kind) }
        lines[name] = nil
      case nil:
        if let old, old.kind != .folder {
          // There is nothing to remove below a file.
          if child.writesSomething { throw obstructed(childPath, old.kind) }
          continue
        }
        if let id = try editedTree(old?.id, child, at: childPath) {
          lines[name] = TreeLine(mode: TreeLine.folder, name: name, id: id)
        } else {
          lines[name] = nil
        }
      }
    }
    return lines.isEmpty ? nil : try storeTree(Array(lines.values))
  }

  private func obstructed(_ path: TreePath, _ kind: TreeEntry.Kind) -> GitError {
    let what =
      switch kind {
      case .file, .executable: "it is a file, not a folder"
      case .folder: "it is a folder, not a file"
      case .symbolicLink: "it is a symbolic link, and Dragoman does not write through links"
      case .submodule: "it is a submodule"
      }
    return GitError(.obstructed, "commit \(path)", what)
  }

  func storeTree(_ lines: [TreeLine]) throws(GitError) -> ObjectID {
    // Git sorts a folder as if its name ended with a slash.
    func sortKey(_ line: TreeLine) -> [UInt8] { line.name + (line.kind == .folder ? [UInt8(ascii: "/")] : []) }
    var bytes: [UInt8] = []
    let sorted = lines.map { (key: sortKey($0), line: $0) }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    for (_, line) in sorted {
      bytes += Array("\(String(line.mode, radix: 8)) ".utf8) + line.name + [0] + line.id.bytes
    }
    return try store(bytes, as: .tree)
  }

  private func store(_ bytes: [UInt8], as kind: ObjectKind) throws(GitError) -> ObjectID {
    try unsafe bytes.withUnsafeBytesThrowing { (bytes) throws(GitError) in try unsafe store(bytes, as: kind) }
  }
}

extension [UInt8] {
  /// Calls `withUnsafeBytes` with typed throws.
  func withUnsafeBytesThrowing<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    let result: Result<R, E> = unsafe withUnsafeBytes { bytes in
      do throws(E) { return .success(try unsafe body(bytes)) } catch { return .failure(error) }
    }
    return try result.get()
  }
}

/// The edits as a tree of names. Names are compared as bytes: names that only look the same are different.
private final class EditNode {
  var children: [[UInt8]: EditNode] = [:]
  var edit: TreeEdits.Edit?

  var writesSomething: Bool {
    if case .write? = edit { return true }
    return children.values.contains { $0.writesSomething }
  }

  func add(_ edit: TreeEdits.Edit, at path: TreePath) throws(GitError) {
    var node = self
    let components = path.components.map(String.init)
    guard !components.isEmpty, !components.contains(where: { $0 == ".." || $0 == "." || $0.lowercased() == ".git" })
    else { throw GitError(.obstructed, "commit \(path)", "git does not allow this path in a commit") }
    for component in components {
      if case .write? = node.edit {
        throw GitError(.obstructed, "commit \(path)", "the same commit has a file where this path needs a folder")
      }
      // The folder replaces a file that this commit removes.
      let name = Array(component.utf8)
      let next = node.children[name] ?? EditNode()
      node.children[name] = next
      node = next
    }
    guard node.children.isEmpty else {
      throw GitError(.obstructed, "commit \(path)", "the same commit has a folder of this name")
    }
    node.edit = edit
  }
}
