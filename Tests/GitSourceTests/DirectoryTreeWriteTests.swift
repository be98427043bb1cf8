import Glibc
import Localization
import TestSupport
import Testing

@testable import GitSource

/// The writing of files, which syncs several files together.
@Suite struct DirectoryTreeWriteTests {
  private let folder: TemporaryFolder
  private let tree: DirectoryTree

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("text", to: "a/file")
    tree = DirectoryTree(path: folder.path)
  }

  private func text(_ path: String) throws -> String { String(decoding: try folder.read(path), as: UTF8.self) }

  @Test("more files than are synced together are all written, in order, with their modes")
  func manyFiles() throws {
    chmod(folder.file("a/file"), 0o755)
    var edits = TreeEdits()
    for number in 0..<150 { edits.write(Array("\(number)".utf8), to: TreePath(trusted: "f\(number % 7)/\(number)")) }
    edits.write(Array("new".utf8), to: "a/file")
    var made: [TreePath] = []
    try tree.apply(edits) { made.append($0) }
    #expect(made == edits.paths && made.count == 151)
    for number in 0..<150 { #expect(try text("f\(number % 7)/\(number)") == "\(number)") }
    #expect(try tree.entry(at: "a/file")?.kind == .executable)
    #expect(Set(folder.names(in: ".")) == Set(["a"] + (0..<7).map { "f\($0)" }))
    #expect(folder.names(in: "a") == ["file"])
  }

  @Test(
    "a file that another program created after its folder was listed is neither replaced nor removed",
    arguments: ["a/new", "fr.lproj/new", "deep/er/new"])
  func createdMeanwhile(_ path: String) throws {
    let project = tree.walk().map(\.path.text)
    #expect(project.contains("a/file"))
    try folder.write("theirs", to: path)
    var edits = TreeEdits()
    edits.write(Array("ours".utf8), to: TreePath(trusted: path))
    edits.write(Array("ours".utf8), to: "a/other")
    var removal = TreeEdits()
    removal.remove(TreePath(trusted: path))
    for edits in [edits, removal] {
      let error = #expect(throws: TreeError.self) { try tree.apply(edits) }
      #expect(error?.path.text == path && error?.detail.contains("was created by another program") == true)
    }
    #expect(try text(path) == "theirs" && folder.names(in: "a").contains("other") == false)
    // A file that this tree created can be changed again.
    for content in ["one", "two"] {
      var edits = TreeEdits()
      edits.write(Array(content.utf8), to: "a/own")
      try tree.apply(edits)
    }
    #expect(try text("a/own") == "two")
  }

  /// Writes "ours" to a file that does not have its name yet.
  private func unnamedFile(_ path: TreePath, replaces: Bool, canBeUnnamed: Bool) throws -> UnnamedFile {
    let folder = try tree.openFolder(path.parent)
    let file = try #require(
      UnnamedFile(for: path, in: LockedFolder(folder), replaces: replaces, canBeUnnamed: canBeUnnamed))
    let isWritten = file.handle.writeAll(FileContent(Array("ours".utf8)))
    #expect(isWritten)
    return file
  }

  @Test("a file that appears just before a new file gets its name is not replaced", arguments: [true, false])
  func createdAtLast(canBeUnnamed: Bool) throws {
    do {
      let file = try unnamedFile("a/new", replaces: false, canBeUnnamed: canBeUnnamed)
      try folder.write("theirs", to: "a/new")
      #expect(file.giveName() == EEXIST)
    }
    #expect(try text("a/new") == "theirs" && Set(folder.names(in: "a")) == ["file", "new"])
  }

  @Test(
    "files get their names, replace the former file, and leave no temporary names", arguments: [true, false],
    [true, false])
  func names(canBeUnnamed: Bool, replaces: Bool) throws {
    let path: TreePath = replaces ? "a/file" : "a/new"
    do { #expect(try unnamedFile(path, replaces: replaces, canBeUnnamed: canBeUnnamed).giveName() == nil) }
    #expect(try text(path.text) == "ours" && Set(folder.names(in: "a")) == ["file", path.name])
    // A file that is never named is deleted.
    do { _ = try unnamedFile("a/other", replaces: false, canBeUnnamed: canBeUnnamed) }
    #expect(Set(folder.names(in: "a")) == ["file", path.name])
  }

  @Test("a file with a long name in any script is replaced")
  func longName() throws {
    let name = String(repeating: "文", count: 76) + ".xcstrings"
    try folder.write("text", to: "a/\(name)")
    var edits = TreeEdits()
    edits.write(Array("new".utf8), to: TreePath(trusted: "a/\(name)"))
    try tree.apply(edits)
    #expect(try text("a/\(name)") == "new" && folder.names(in: "a").count == 2)
  }

  @Test("a folder that becomes empty is removed, unless another process has locked it to write into it")
  func emptiedFolder() throws {
    for isLocked in [false, true] {
      try folder.write("text", to: "b/c/file")
      let lock = open(folder.file("b"), O_RDONLY | O_DIRECTORY)
      defer { close(lock) }
      if isLocked { #expect(flock(lock, LOCK_EX) == 0) }
      var edits = TreeEdits()
      edits.remove("b/c/file")
      try DirectoryTree(path: folder.path).apply(edits)
      #expect(folder.names(in: ".").contains("b") == isLocked)
      #expect(folder.names(in: "b").isEmpty)
    }
  }

  @Test("a file that was listed in another case counts as existing")
  func otherCase() throws {
    try folder.write("text", to: "a/Table.strings")
    _ = try tree.list("a")
    // On a file system that ignores case, this is the same file.
    try folder.write("text", to: "a/table.strings")
    var edits = TreeEdits()
    edits.write(Array("new".utf8), to: "a/table.strings")
    try tree.apply(edits)
    #expect(try text("a/table.strings") == "new")
  }

  @Test("files that wait for a locked folder do not keep their own folders locked")
  func lockedFolder() throws {
    try folder.write("text", to: "z/file")
    let lock = open(folder.file("z"), O_RDONLY | O_DIRECTORY)
    #expect(flock(lock, LOCK_EX) == 0)
    var edits = TreeEdits()
    for path in ["a/file", "z/file"] { edits.write(Array("new".utf8), to: TreePath(trusted: path)) }
    // The lock is released only when the first file has its name.
    try tree.apply(edits) { if $0 == "a/file" { close(lock) } }
    #expect(try text("a/file") == "new" && text("z/file") == "new")
  }

  @Test("temporary files of a killed process are removed, and other files with similar names are kept")
  func leftovers() throws {
    let digits = "00012345678901234567"
    let others = [".notes.2024.dragoman", ".file.dragoman", "file.\(digits).dragoman", ".\(digits).dragoman"]
    for name in others + [".file.\(digits).dragoman"] { try folder.write("x", to: "a/\(name)") }
    #expect(symlink("file", folder.file("a/.link.\(digits).dragoman")) == 0)
    var edits = TreeEdits()
    edits.write([1], to: "a/file")
    try tree.apply(edits)
    #expect(Set(folder.names(in: "a")) == Set(others + ["file", ".link.\(digits).dragoman"]))
  }
}
