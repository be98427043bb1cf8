import CLibGit2
import Localization
import Pipeline

/// A function that returns the armored signature of a commit's text. `seconds` is the commit's time in seconds since 1970, which an OpenPGP signature
/// contains. The function may block.
typealias CommitSigning = @Sendable ([UInt8], _ seconds: Int64) throws(GitError) -> String

extension RepositoryHandle {
  /// Stores a commit of a tree. Equal arguments always produce the same id, if `sign` always returns the same signature for a text.
  /// - Parameter sign: returns a signature of the commit's text; `nil` for a commit without a signature.
  func makeCommit(
    tree: ObjectID, parents: [ObjectID], message: String, author: CommitSignature, committer: CommitSignature,
    sign: CommitSigning? = nil
  ) throws(GitError) -> ObjectID {
    // We write the commit's text ourselves, because libgit2's builder requires all parents and the whole tree, and a mirror may lack some objects.
    var text = "tree \(tree)\n"
    for parent in parents { text += "parent \(parent)\n" }
    text += "author \(line(author))\ncommitter \(line(committer))\n"
    if let sign {
      // The signature covers the text without this header. Lines that continue a header begin with a space.
      let signature = try sign(Array("\(text)\n\(message)".utf8), committer.seconds)
      // An OpenPGP signature has an empty line after its first line, and readers require this empty line.
      let lines = signature.split(separator: "\n", omittingEmptySubsequences: false)
      text += "gpgsig " + lines.dropLast(lines.last == "" ? 1 : 0).joined(separator: "\n ") + "\n"
    }
    let bytes = Array("\(text)\n\(message)".utf8)
    return try unsafe bytes.withUnsafeBytesThrowing { (bytes) throws(GitError) in
      try unsafe store(bytes, as: .commit)
    }
  }

  /// Formats an author or committer like git, without characters that would end the name or the address.
  private func line(_ signature: CommitSignature) -> String {
    func cleaned(_ text: String) -> String {
      String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0 != "<" && $0 != ">" }))
    }
    let minutes = abs(signature.offsetMinutes)
    func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let zone = (signature.offsetMinutes < 0 ? "-" : "+") + twoDigits(minutes / 60) + twoDigits(minutes % 60)
    return "\(cleaned(signature.name)) <\(cleaned(signature.email))> \(signature.seconds) \(zone)"
  }

  /// Stores a tree with the edits applied, and returns its id. New folders are created, folders that become empty are removed, and existing files
  /// keep their mode.
  /// - Throws: `obstructed` if a path leads through or to an entry that is not suitable, such as a symbolic link, if git does not allow a path, or if
  ///   two edits contradict each other.
  func editedTree(_ tree: ObjectID, _ edits: TreeEdits) throws(GitError) -> ObjectID {
    let root = EditNode()
    for path in edits.paths {
      guard let edit = edits.edits[path] else { continue }
      try root.add(edit, at: path)
    }
    if let edited = try editedTree(tree, root, at: .root) { return edited }
    return try store([], as: .tree)
  }

  /// Stores the folder's tree with the edits applied, and returns its id. Returns `nil` if the folder becomes empty.
  /// - Parameter tree: the folder's tree before the edits; `nil` for a new folder.
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
        // A folder that other edits create can replace the removed file.
        lines[name] = try folderLine(name, tree: nil, child, at: childPath)
      case nil:
        if let old, old.kind != .folder {
          // A removal below a file has no effect.
          if child.writesSomething { throw obstructed(childPath, old.kind) }
          continue
        }
        lines[name] = try folderLine(name, tree: old?.id, child, at: childPath)
      }
    }
    return lines.isEmpty ? nil : try storeTree(Array(lines.values))
  }

  /// Stores an edited folder, and returns its line for the tree that contains it. Returns `nil` if the folder becomes empty.
  private func folderLine(
    _ name: [UInt8], tree: ObjectID?, _ node: EditNode, at path: TreePath
  ) throws(GitError) -> TreeLine? {
    guard let id = try editedTree(tree, node, at: path) else { return nil }
    return TreeLine(mode: TreeLine.folder, name: name, id: id)
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

/// A path with an edit, with edits below it, or with both if a new folder replaces a removed file. Names are compared byte by byte, without Unicode
/// normalization.
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
      // A new folder may replace a file that this commit removes.
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
