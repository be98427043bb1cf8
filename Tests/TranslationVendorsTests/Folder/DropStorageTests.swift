import Foundation
import Localization
import TestSupport
import Testing
import TranslationVendors

/// The behaviour that every storage has, tested with a real directory and with real servers.
@Suite(.timeLimit(.minutes(10))) struct DropStorageTests {
  @Test("existing files are never overwritten", arguments: DropServer.allCases)
  func exclusive(_ server: DropServer) async throws {
    guard let running = try await server.start() else { return }
    let storage = try running.storage()
    try await storage.create("a.txt", with: [1])
    try await storage.create("c.txt", with: [2])
    let large = [UInt8](repeating: 3, count: 100_000)
    for attempt in [
      { try await storage.create("a.txt", with: [3]) }, { try await storage.create("a.txt", with: large) },
      { try await storage.move("c.txt", to: "a.txt") }, { try await storage.copy("c.txt", to: "a.txt") },
    ] as [@Sendable () async throws -> Void] {
      let error = try await #require(throws: VendorError.self) { try await attempt() }
      #expect(error.kind == .exists)
    }
    #expect(try await storage.read("a.txt", limit: 9) == [1])
    var attempts: [@Sendable () async throws -> Void] = [
      { try await storage.move("none", to: "x") }, { try await storage.copy("none", to: "x") },
      { _ = try await storage.read("none", limit: 9) },
    ]
    if running.hasFolders { attempts.append { try await storage.create("nowhere/a", with: [1]) } }
    for attempt in attempts {
      let error = try await #require(throws: VendorError.self) { try await attempt() }
      #expect(error.kind == .missing)
    }
    #expect(try await storage.list("")?.entries.map(\.path) == ["a.txt", "c.txt"])
    try await storage.replace("a.txt", with: [4])
    try await storage.replace("b.txt", with: [5])
    #expect(try await storage.read("a.txt", limit: 9) == [4])
    #expect(try await storage.read("b.txt", limit: 9) == [5])
    #expect(try await storage.list("")?.entries.map(\.path) == ["a.txt", "b.txt", "c.txt"])
  }

  @Test("folders are created, moved, copied and removed with their content", arguments: DropServer.allCases)
  func folders(_ server: DropServer) async throws {
    guard let running = try await server.start() else { return }
    let storage = try running.storage()
    #expect(try await storage.list("x") == nil)
    #expect(try await storage.entry("x") == nil)
    for _ in 0..<2 { try await storage.makeFolder("x/y/z") }
    #expect(try await storage.entry("x/y")?.kind == .folder)
    try await storage.create("x/y/a", with: [1])
    try await storage.create("x/b", with: [2])
    try await storage.copy("x", to: "copy")
    #expect(try await storage.list("copy")?.entries.map(\.kind) == [.file, .folder])
    #expect(try await storage.read("copy/y/a", limit: 9) == [1])
    try await storage.move("x", to: "moved")
    #expect(try await storage.entry("x") == nil)
    #expect(try await storage.read("moved/b", limit: 9) == [2])
    let taken = try await #require(throws: VendorError.self) { try await storage.move("copy", to: "moved") }
    #expect(taken.kind == .exists)
    for _ in 0..<2 { try await storage.remove("moved") }
    #expect(try await storage.list("")?.entries.map(\.path) == ["copy"])
    #expect(try await storage.list("copy/y/z")?.entries == [])
    // The second removal finds no file or folder.
    for _ in 0..<2 { try await storage.remove("copy/y/a") }
    try await storage.remove("nowhere/a")
  }

  @Test("a name can contain any character, and its bytes are kept", arguments: DropServer.allCases)
  func names(_ server: DropServer) async throws {
    guard let running = try await server.start() else { return }
    let storage = try running.storage()
    try await storage.makeFolder("f")
    var names = [
      "-rf", "100% & #1+2=3?.txt", "a b", "back\\slash", "e\u{301}", "q'uo\"te", "semi;colon,~", "é", "🐦.zip", "<&>",
      "%2e",
      "$(id)", "*", "[x]", "{a}",
    ]
    if running.takesControlCharacters { names.append("tab\tline\n") }
    for (number, name) in names.enumerated() {
      try await storage.create(TreePath("f").appending(name), with: [UInt8(number)])
    }
    let listing = try #require(try await storage.list("f"))
    #expect(
      listing.entries.map { Array($0.path.name.utf8) }
        == names.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) })
    for (number, name) in names.enumerated() {
      #expect(try await storage.read(TreePath("f").appending(name), limit: 9) == [UInt8(number)], "\(name)")
      try await storage.move(TreePath("f").appending(name), to: TreePath("f").appending(name + "2"))
      #expect(try await storage.entry(TreePath("f").appending(name + "2"))?.kind == .file, "\(name)")
      #expect(try await storage.entry(TreePath("f").appending(name)) == nil, "\(name)")
    }
  }

  @Test("files of every size up to the limit are read back unchanged", arguments: DropServer.allCases)
  func sizes(_ server: DropServer) async throws {
    guard let running = try await server.start() else { return }
    let storage = try running.storage()
    for size in [0, 1, 32_767, 32_768, 32_769, 524_288, 524_289, 3_000_001] {
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }
      let path = TreePath(trusted: "\(size)")
      try await storage.create(path, with: bytes)
      #expect(try await storage.read(path, limit: size) == bytes, "\(size)")
      let tag = try #require(try await storage.entry(path)).tag
      #expect(try await storage.list("")?.entries.first { $0.path == path }?.tag == tag)
      guard size > 0 else { continue }
      let error = try await #require(throws: VendorError.self) { try await storage.read(path, limit: size - 1) }
      #expect(error.kind == .tooLarge)
      try await storage.replace(path, with: [1] + bytes)
      #expect(try await storage.entry(path)?.tag != tag)
    }
  }

  @Test(
    "a folder with many files is listed completely, with the server's times and clock", arguments: DropServer.allCases)
  func many(_ server: DropServer) async throws {
    guard let running = try await server.start() else { return }
    let storage = try running.storage()
    try await storage.makeFolder("f")
    let paths = (10_000..<11_100).map { TreePath(trusted: "f/\($0)") }
    for path in paths { try await storage.create(path, with: []) }
    let listing = try #require(try await storage.list("f"))
    #expect(listing.entries.map(\.path) == paths)
    let now = listing.now ?? Date()
    #expect(listing.entries.allSatisfy { $0.modified.map { abs(now.timeIntervalSince($0)) < 600 } == true })
    try await storage.remove("f")
    #expect(try await storage.entry("f") == nil)
  }
}
