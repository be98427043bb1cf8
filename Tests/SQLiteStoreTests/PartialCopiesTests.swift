import Foundation
import LedgerStore
import TestSupport
import Testing

@testable import SQLiteStore

/// Copies of files, and the files that a backup leaves if it is killed.
struct PartialCopiesTests {
  @Test("a backup deletes old partial copies of backups to the same file, and no other file")
  func abandoned() throws {
    let folder = try TemporaryFolder()
    _ = try SQLiteStore(folder: folder.file("store"))
    let (former, recent) = (UUID().uuidString, UUID().uuidString)
    let old = ["a.\(former).part", "a.\(former).part-journal"]
    let others = ["a.part", "a.\(former)", "a.\(former).parts", "a.monday.part", "b.\(former).part"]
    for name in old + others {
      try folder.write("x", to: name)
      try FileManager.default.setAttributes(
        [.modificationDate: Date().addingTimeInterval(-86_400)], ofItemAtPath: folder.file(name))
    }
    // Another backup may be writing this file.
    let running = "a.\(recent).part"
    try folder.write("x", to: running)
    _ = try LedgerCopies.back(up: folder.file("store"), to: folder.file("a"))
    #expect(Set(folder.names(in: ".")) == Set(others + [running, "store", "a"]))
  }

  @Test("a backup gets its name on a file system without hard links, and never replaces a file or symbolic link")
  func withoutHardLinks() throws {
    let folder = try TemporaryFolder()
    func name(_ path: String) throws -> Bool {
      try folder.write("copy", to: "part")
      return try StoreFiles.giveName(folder.file(path), to: folder.file("part")) { _, _ in
        errno = EPERM
        return -1
      }
    }
    #expect(try name("a"))
    #expect(try folder.read("a") == Array("copy".utf8) && folder.names(in: ".") == ["a"])
    try folder.write("other", to: "b")
    try FileManager.default.createSymbolicLink(atPath: folder.file("c"), withDestinationPath: "none")
    #expect(try !name("b") && !name("c"))
    #expect(try folder.read("b") == Array("other".utf8) && folder.names(in: ".").contains("part"))

    _ = try SQLiteStore(folder: folder.file("store"))
    let error = #expect(throws: StoreError.self) {
      try LedgerCopies.back(up: folder.file("store"), to: folder.file("c"))
    }
    #expect(error?.detail == "\(folder.file("c")) exists. Choose another name, or delete it")
  }

  @Test("an error of a copy says which of the two files cannot be read or written")
  func unreadableSource() throws {
    let folder = try TemporaryFolder()
    try folder.write("x", to: "file")
    // A folder can be opened for reading, but not read.
    for (source, target, words) in [
      ("none", "a", "cannot read \(folder.file("none")) ("), (".", "b", "cannot read \(folder.file(".")) ("),
      ("file", "none/c", "cannot write \(folder.file("none/c")) ("),
    ] {
      let error = #expect(throws: StoreError.self) {
        try StoreFiles.copy(folder.file(source), to: folder.file(target))
      }
      #expect(error?.kind == .unwritable && error?.detail.hasPrefix(words) == true, "\(String(describing: error))")
    }
  }
}
