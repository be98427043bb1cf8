import Foundation
import GitSource
import Localization
import TestSupport
import Testing

@Suite("A plain folder as a tree")
struct DirectoryTreeTests {
  private func make() throws -> (TemporaryFolder, DirectoryTree) {
    let folder = try TemporaryFolder()
    let manager = FileManager.default
    for name in ["a/b", "inner/.git", "tree/.git"] {
      try manager.createDirectory(atPath: folder.file(name), withIntermediateDirectories: true)
    }
    for (name, text) in ["a/b/file": "text", "run": "x", "inner/file": "y", "tree/file": "z"] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file(name)))
    }
    try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.file("run"))
    try manager.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: "a")
    try manager.createSymbolicLink(
      atPath: folder.file("a/out"), withDestinationPath: "/etc/passwd")
    return (folder, DirectoryTree(path: folder.file("tree")))
  }

  @Test(
    "no file is written if one of the edits is invalid, and each edit is reported",
    arguments: [
      "link/x", "a/out", "a/b", "a/b/file/x", "inner/.git/x", "inner/.GIT/x", "run\0.xcstrings", "a/../run", "/tmp/x",
      "a//x", String(repeating: "x", count: 256),
    ])
  func allOrNothing(bad: String) throws {
    let (folder, _) = try make()
    let tree = DirectoryTree(path: folder.path)
    var edits = TreeEdits()
    edits.write(Array("new".utf8), to: "a/b/file")
    edits.write(Array("new".utf8), to: "new/deep/file")
    edits.remove("run")
    var made: [String] = []
    var refused = edits
    refused.write([], to: TreePath(trusted: bad))
    #expect(throws: TreeError.self) { try tree.apply(refused) { made.append($0.text) } }
    #expect(made.isEmpty)
    #expect(try folder.read("a/b/file") == Array("text".utf8))
    #expect(try tree.entry(at: "new") == nil)
    #expect(try tree.entry(at: "run") != nil)
    try tree.apply(edits) { made.append($0.text) }
    #expect(made == ["a/b/file", "new/deep/file", "run"])
  }

  @Test("a submodule that is not initialized is listed as a submodule, also in a tree of a subfolder")
  func emptySubmodule() throws {
    let repository = try TemporaryRepository()
    try repository.commit(["Apps/A.swift": ""])
    let head = try repository.git("rev-parse", "HEAD")
    try repository.git("update-index", "--add", "--cacheinfo", "160000,\(head),Apps/Inner/Sub")
    try FileManager.default.createDirectory(
      atPath: repository.path + "/Apps/Inner/Sub", withIntermediateDirectories: true)
    #expect(try DirectoryTree(path: repository.path).entry(at: "Apps/Inner/Sub")?.kind == .submodule)
    let part = DirectoryTree(path: repository.path + "/Apps")
    #expect(try part.list("Inner").map(\.kind) == [.submodule])
    #expect(try part.list(.root).map(\.kind) == [.file, .folder])
  }

  @Test(
    "files, executables, links and other repositories are listed, and links are never followed, even within a path")
  func listing() throws {
    let (folder, _) = try make()
    let tree = DirectoryTree(path: folder.path)
    #expect(try tree.list(.root).map(\.path.text) == ["a", "inner", "link", "run", "tree"])
    #expect(
      try tree.list(.root).map(\.kind) == [
        .folder, .submodule, .symbolicLink, .executable, .submodule,
      ])
    #expect(try tree.read("a/b/file") == Array("text".utf8))
    for (path, kind) in [
      ("link", TreeError.Kind.isSymbolicLink), ("link/b/file", .isSymbolicLink),
      ("a/out", .isSymbolicLink),
      ("a", .notAFile), ("none", .notFound), ("run/x", .notFound),
    ] {
      let error = #expect(throws: TreeError.self) { try tree.read(TreePath(trusted: path)) }
      #expect(error?.kind == kind, "\(path)")
    }
    #expect(throws: TreeError.self) { try tree.list("link") }
    #expect(throws: TreeError.self) { try tree.list("none") }
    #expect(try tree.entry(at: "link/b/file") == nil)
    #expect(try tree.entry(at: "a/b/file")?.kind == .file)
    #expect(throws: TreeError.self) {
      try DirectoryTree(path: folder.file("absent")).list(.root)
    }
  }

  @Test("edits keep file modes, create and remove folders, and leave no temporary files")
  func edits() throws {
    let (folder, _) = try make()
    let tree = DirectoryTree(path: folder.path)
    var edits = TreeEdits()
    edits.write(Array("new".utf8), to: "run")
    edits.write(Array("deep".utf8), to: "x/y/z")
    edits.remove("a/b/file")
    edits.remove("never/was")
    try tree.apply(edits)
    #expect(try tree.entry(at: "run")?.kind == .executable)
    #expect(try tree.read("run") == Array("new".utf8))
    #expect(try tree.read("x/y/z") == Array("deep".utf8))
    #expect(try tree.entry(at: "a/b") == nil)
    #expect(try tree.entry(at: "a") != nil)
    #expect(try tree.list("x/y").map(\.path.text) == ["x/y/z"])
    #expect(try tree.list(.root).map(\.path.text) == ["a", "inner", "link", "run", "tree", "x"])
  }

  @Test("a file that another program changed after it was read is neither replaced nor removed")
  func changedMeanwhile() throws {
    let (folder, _) = try make()
    let tree = DirectoryTree(path: folder.path)
    _ = try tree.read("a/b/file")
    // Many editors replace a file when they save it.
    try folder.write("edited", to: "a/b/new")
    rename(folder.file("a/b/new"), folder.file("a/b/file"))
    var edits = TreeEdits()
    edits.write([1], to: "a/b/file")
    edits.write([1], to: "a/added")
    var removal = TreeEdits()
    removal.remove("a/b/file")
    for edits in [edits, removal] {
      let fault = #expect(throws: TreeError.self) { try tree.apply(edits) }
      #expect(fault?.path == "a/b/file" && fault?.detail.contains("changed by another program") == true)
      // The message fits a file that would have been removed, too.
      #expect(fault?.detail.contains("so it was left as it is") == true)
    }
    #expect(try tree.read("a/b/file") == Array("edited".utf8))
    #expect(try tree.entry(at: "a/added") == nil)
    // Files that this tree wrote can be overwritten again.
    let later = DirectoryTree(path: folder.path)
    _ = try later.read("a/b/file")
    for text in ["one", "two"] {
      var edits = TreeEdits()
      edits.write(Array(text.utf8), to: "a/b/file")
      try later.apply(edits)
    }
    #expect(try later.read("a/b/file") == Array("two".utf8))
  }

  @Test("a name that is not UTF-8 is listed, but the file cannot be read")
  func oddName() throws {
    let (folder, _) = try make()
    let name: [CChar] = Array(folder.file("a/b/").utf8CString.dropLast()) + [0x78, -1, 0x2E, 0x79, 0]
    close(open(name, O_WRONLY | O_CREAT, 0o644))
    let tree = DirectoryTree(path: folder.path)
    let listed = try tree.list("a/b").map(\.path)
    #expect(listed.map(\.name) == ["file", "x\u{FFFD}.y"])
    #expect(throws: TreeError.self) { try tree.read(try #require(listed.last)) }
  }

  @Test("no file is removed if any file cannot be written")
  func writtenFirst() throws {
    let (folder, _) = try make()
    let tree = DirectoryTree(path: folder.path)
    var edits = TreeEdits()
    edits.remove("a/b/file")
    edits.write([1], to: "link")
    #expect(throws: TreeError.self) { try tree.apply(edits) }
    #expect(try tree.entry(at: "a/b/file") != nil)
  }

  @Test(
    "edits neither follow nor replace links, and never change .git",
    arguments: ["link", "link/b/file", "a/out", ".git/config", "inner", "a"])
  func refused(path: String) throws {
    let (folder, _) = try make()
    let tree = DirectoryTree(path: folder.path)
    var writing = TreeEdits()
    writing.write([1], to: TreePath(trusted: path))
    #expect(throws: TreeError.self) { try tree.apply(writing) }
    var removing = TreeEdits()
    removing.remove(TreePath(trusted: path))
    #expect(throws: TreeError.self) { try tree.apply(removing) }
    #expect(try String(contentsOfFile: folder.file("a/b/file"), encoding: .utf8) == "text")
  }
}
