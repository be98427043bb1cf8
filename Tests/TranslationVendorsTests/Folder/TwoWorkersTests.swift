import Foundation
import Localization
import Synchronization
import TestSupport
import Testing
import TranslationVendors

/// The bundles that each worker accepted.
private final class Tally: Sendable {
  private let state = Mutex<[(name: String, worker: String)]>([])
  var names: [String] { state.withLock { $0.map(\.name) } }
  var workers: Set<String> { state.withLock { Set($0.map(\.worker)) } }
  func add(_ name: String, by worker: String) { state.withLock { $0.append((name, worker)) } }
}

/// Two workers with separate connections that share one folder on a real server.
@Suite(.timeLimit(.minutes(10))) struct TwoWorkersTests {
  private static let bundles = (10..<60).map { "b\($0).xcloc.zip" }

  /// Creates the folders of the vendor, and writes the bundles in `translated/`.
  private func fill(_ storage: any DropStorage) async throws {
    for folder in ["to-translate", "translated", "done", "held"] as [TreePath] { try await storage.makeFolder(folder) }
    for (number, name) in Self.bundles.enumerated() {
      try await storage.create(TreePath("translated").appending(name), with: [UInt8(number)])
    }
  }

  @Test("if two processes move one file, one succeeds and the other finds no file", arguments: DropServer.allCases)
  func moves(_ server: DropServer) async throws {
    guard let running = try await server.start() else { return }
    try await fill(try running.storage())
    let taken = Tally()
    try await withThrowingTaskGroup { group in
      for worker in 1...2 {
        group.addTask {
          let storage = try running.storage()
          for name in Self.bundles {
            do {
              try await storage.move(
                TreePath("translated").appending(name), to: TreePath("done").appending("\(worker)-\(name)"))
              taken.add(name, by: "\(worker)")
            } catch let error as VendorError where error.kind == .missing {
              continue
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(taken.names.sorted() == Self.bundles)
    let storage = try running.storage()
    let done = try #require(try await storage.list("done")).entries.map { String($0.path.name.dropFirst(2)) }
    #expect(done.sorted() == Self.bundles)
    #expect(try await storage.list("translated")?.entries == [])
  }

  @Test("if several writers create one file at the same moment, exactly one succeeds", arguments: DropServer.allCases)
  func creators(_ server: DropServer) async throws {
    guard let running = try await server.start() else { return }
    let storages = try (0..<3).map { _ in try running.storage() }
    try await storages[0].makeFolder("f")
    for number in 0..<20 {
      let path = TreePath("f").appending("\(number).json")
      let winners = try await withThrowingTaskGroup(of: UInt8?.self) { group in
        for (index, storage) in storages.enumerated() {
          group.addTask {
            do { try await storage.createFirst(path, with: [UInt8(index)]) } catch let error as VendorError
              where error.kind == .exists
            { return nil }
            return UInt8(index)
          }
        }
        return try await group.reduce(into: [UInt8]()) { if let winner = $1 { $0.append(winner) } }
      }
      #expect(winners.count == 1, "\(number)")
      #expect(try await storages[0].read(path, limit: 9) == winners, "\(number)")
    }
    #expect(try await storages[0].list("f")?.entries.filter { !$0.path.name.hasSuffix(".json") } == [])
  }

  @Test("a reader that sees a newly created file sees all of its content", arguments: DropServer.allCases)
  func wholeFile(_ server: DropServer) async throws {
    guard let running = try await server.start() else { return }
    let writer = try running.storage()
    let reader = try running.storage()
    try await writer.makeFolder("f")
    let contents = [UInt8](repeating: 7, count: 1000)
    for number in 0..<20 {
      let path = TreePath("f").appending("\(number).json")
      try await withThrowingTaskGroup { group in
        group.addTask { try await writer.createFirst(path, with: contents) }
        group.addTask {
          while true {
            do {
              let seen = try await reader.read(path, limit: 2000)
              #expect(seen == contents, "\(number)")
              return
            } catch let error as VendorError where error.kind == .missing { continue }
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test(
    "if two installations use a folder, the one that claims it reads every bundle, and the other none",
    arguments: DropServer.allCases)
  func claims(_ server: DropServer) async throws {
    guard let running = try await server.start() else { return }
    try await fill(try running.storage())
    let taken = Tally()
    let refused = Tally()
    try await withThrowingTaskGroup { group in
      for installation in ["one", "two"] {
        group.addTask {
          let vendor = FolderVendor(
            storage: try running.storage(), settle: .zero,
            owner: FolderOwner(installation: installation, pipeline: "birds"), bundleLimit: 7)
          do {
            while true {
              let found = try await vendor.pull().bundles
              if found.isEmpty { return }
              for bundle in found {
                try await vendor.acknowledge(bundle, verdict: .taken)
                taken.add(bundle.reference, by: installation)
              }
            }
          } catch let error as VendorError where error.kind == .claimed {
            refused.add("\(error)", by: installation)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(taken.workers.count == 1 && refused.workers.count == 1 && taken.workers != refused.workers)
    #expect(taken.names.sorted() == Self.bundles.map { "translated/\($0)" })
    #expect(try await running.storage().list("done")?.entries.map(\.path.name) == Self.bundles)
  }

  @Test("two processes of one installation archive every bundle exactly once", arguments: DropServer.allCases)
  func oneInstallation(_ server: DropServer) async throws {
    guard let running = try await server.start() else { return }
    try await fill(try running.storage())
    try await withThrowingTaskGroup { group in
      for _ in 0..<2 {
        group.addTask {
          let vendor = FolderVendor(
            storage: try running.storage(), settle: .zero,
            owner: FolderOwner(installation: "one", pipeline: "birds"))
          for bundle in try await vendor.pull().bundles {
            do { try await vendor.acknowledge(bundle, verdict: .taken) } catch let error as VendorError {
              // The other worker moved the file between two of our steps.
              guard error.kind == .missing else { throw error }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let storage = try running.storage()
    #expect(try await storage.list("translated")?.entries == [])
    #expect(try await storage.list("done")?.entries.map(\.path.name) == Self.bundles)
  }
}
