import Foundation
import GitSource
import Localization
import Synchronization
import TestSupport
import Testing

@Suite("A tree in the object database")
struct GitTreeTests {
  @Test("entries are listed in byte order; executables, links and submodules are marked and not followed")
  func kinds() throws {
    let repository = try TemporaryRepository()
    try repository.commit(["run.sh": "#!/bin/sh", "a/b": "1", "a-b": "2", "Ünï/ß": "3"])
    try FileManager.default.createSymbolicLink(
      atPath: repository.path + "/link", withDestinationPath: "a")
    try repository.git("update-index", "--chmod=+x", "run.sh")
    let id = try repository.git("rev-parse", "HEAD")
    try repository.git("update-index", "--add", "--cacheinfo", "160000,\(id),module")
    try repository.git("add", "link")
    try repository.git("commit", "-qm", "kinds")
    let tree = try openTree(path: repository.path, revision: "HEAD").tree
    let entries = try tree.list(.root)
    #expect(entries.map(\.path.text) == ["a", "a-b", "link", "module", "run.sh", "Ünï"])
    #expect(
      entries.map(\.kind) == [.folder, .file, .symbolicLink, .submodule, .executable, .folder])
    let blob = try #require(entries[1].blob)
    #expect(blob.rawValue == (try repository.git("rev-parse", "HEAD:a-b")))
    #expect(try tree.read("Ünï/ß") == [0x33])
    for (path, kind) in [
      ("link", TreeError.Kind.isSymbolicLink), ("link/b", .isSymbolicLink), ("a", .notAFile),
      ("none", .notFound),
      ("a/none/deeper", .notFound), ("a-b/x", .notFound), ("", .notAFile), ("module", .notAFile),
    ] {
      let error = #expect(throws: TreeError.self) { try tree.read(TreePath(trusted: path)) }
      #expect(error?.kind == kind, "\(path)")
    }
    #expect(try tree.entry(at: "link/b") == nil)
    #expect(try tree.entry(at: "a/b")?.kind == .file)
    #expect(tree.walk().map(\.path.text) == ["a-b", "link", "module", "run.sh", "a/b", "Ünï/ß"])
  }

  @Test("the files whose content changed since an earlier tree are returned, or no list if anything else changed")
  func modifiedFiles() throws {
    let repository = try TemporaryRepository()
    func tree() throws -> any VersionedTree {
      try #require(openTree(path: repository.path, revision: "HEAD").tree as? any VersionedTree)
    }
    try repository.commit(["a/b/one": "1", "a/two": "2", "a-c": "3"])
    let first = try tree()
    #expect(first.modifiedFiles(since: first.id) == [])
    try repository.commit(["a/b/one": "changed", "a-c": "changed too"])
    let second = try tree()
    #expect(second.id != first.id)
    let modified = try #require(second.modifiedFiles(since: first.id))
    #expect(modified.map(\.path.text) == ["a-c", "a/b/one"])
    #expect(try modified.map(\.blob) == ["a-c", "a/b/one"].map { try second.entry(at: $0)?.blob })
    #expect(first.modifiedFiles(since: second.id)?.count == 2)
    try repository.commit(["a/b/new": "4"])
    let third = try tree()
    #expect(third.modifiedFiles(since: second.id) == nil)
    try repository.git("mv", "a/two", "a/three")
    try repository.git("commit", "-qm", "Rename")
    #expect(try tree().modifiedFiles(since: third.id) == nil)
    try repository.git("update-index", "--chmod=+x", "a-c")
    try repository.git("commit", "-qm", "Run")
    #expect(try tree().modifiedFiles(since: third.id) == nil)
    #expect(third.modifiedFiles(since: String(repeating: "0", count: 40)) == nil)
    #expect(third.modifiedFiles(since: "no id") == nil)
  }

  @Test("a missing object is an error of one file, and the other files are read")
  func missingObject() throws {
    let repository = try TemporaryRepository()
    try repository.commit(["a/one": "1", "a/two": "2", "b/three": "3"])
    let blob = try repository.git("rev-parse", "HEAD:a/one")
    let folder = try repository.git("rev-parse", "HEAD:b")
    for id in [blob, folder] {
      try FileManager.default.removeItem(
        atPath: repository.path + "/.git/objects/\(id.prefix(2))/\(id.dropFirst(2))")
    }
    let tree = try openTree(path: repository.path, revision: "HEAD").tree
    let error = #expect(throws: TreeError.self) { try tree.read("a/one") }
    #expect(error?.kind == .unreadable)
    #expect(
      error?.diagnostic.description.hasPrefix("a/one: error: object \(blob.prefix(10)) is missing")
        == true)
    #expect(try tree.read("a/two") == [0x32])
    var faults: [TreeError] = []
    #expect(tree.walk(unreadable: { faults.append($0) }).map(\.path.text) == ["a/one", "a/two"])
    #expect(faults.map(\.path.text) == ["b"])
    let root = try repository.git("rev-parse", "HEAD^{tree}")
    try FileManager.default.removeItem(
      atPath: repository.path + "/.git/objects/\(root.prefix(2))/\(root.dropFirst(2))")
    let whole = #expect(throws: GitError.self) {
      try openTree(path: repository.path, revision: "HEAD")
    }
    #expect(whole?.kind == .missingObject)
  }

  @Test("several threads can read a tree at once")
  func threads() throws {
    let repository = try TemporaryRepository()
    let files = Dictionary(
      uniqueKeysWithValues: (0..<300).map { ("d\($0 % 17)/f\($0)", "text \($0)") })
    try repository.commit(files)
    try repository.git("gc", "-q")
    let tree = try openTree(path: repository.path, revision: "HEAD").tree
    let names = files.keys.sorted()
    let faults = Mutex([String]())
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for name in names {
        let bytes = try? tree.read(TreePath(trusted: name))
        if bytes != files[name].map({ Array($0.utf8) }) { faults.withLock { $0.append(name) } }
      }
    }
    #expect(faults.withLock { $0 } == [])
  }

  @Test("opening and closing a thousand repositories leaves no file open")
  func handles() throws {
    let repository = try TemporaryRepository()
    try repository.commit(["a": "1"])
    try repository.git("gc", "-q")
    let path = repository.path
    func openFiles() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }
    let before = try openFiles()
    for _ in 0..<1000 {
      let opened = try openTree(path: path, revision: "HEAD")
      #expect(try opened.tree.read("a") == [0x31])
    }
    // The limit has a margin, because other tests open files at the same time.
    #expect(try openFiles() < before + 500)
  }
}
