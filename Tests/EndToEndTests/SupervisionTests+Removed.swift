import Daemon
import Foundation
import ReadModel
import TestSupport
import Testing

@testable import SQLiteStore

/// Pipelines whose files are removed.
extension SupervisionTests {
  @Test("the problems of a pipeline end when its file is removed, both while the daemon runs and before it starts")
  func removedProblems() async throws {
    try write("good")
    for name in ["bad", "worse"] { try write(name, url: folder.file("\(name).git")) }
    let desk = RoundAdministration(store: StoreLocation(folder: folder.path + "/store"))
    func failing(until isRight: ([String]) -> Bool) async throws -> [String] {
      var names: [String] = []
      for _ in 0..<10_000 {
        // The pipeline `good` is left out, because it has a warning: its project has no languages.
        names = try await desk.problems().map(\.pipeline).filter { $0 != "good" }.sorted()
        if isRight(names) { break }
      }
      return names
    }
    var log = Log()
    try await withDaemon(log) {
      _ = await log.wait(for: "good watch: 1 branch")
      var names = try await failing { $0.count == 2 }
      #expect(names == ["bad", "worse"])
      try FileManager.default.removeItem(atPath: folder.file("pipelines/bad.yaml"))
      _ = await log.wait(for: "bad: stopped; its ledger is kept")
      names = try await failing { $0.count == 1 }
      #expect(names == ["worse"])
    }
    try FileManager.default.removeItem(atPath: folder.file("pipelines/worse.yaml"))
    // The last task of the former daemon releases the store.
    while (try? StoreLock(folder: folder.path + "/store")) == nil { await Task.yield() }
    log = Log()
    try await withDaemon(log) {
      _ = await log.wait(for: "good: started")
      let names = try await failing(until: \.isEmpty)
      #expect(names == [])
    }
  }

  @Test(
    "a single run ends the problems of pipelines whose files were removed, but not of pipelines whose files were moved")
  func removedBeforeRun() throws {
    try write("good")
    for name in ["bad", "moved"] {
      // The pipeline's repository exists during the first run and is removed after it.
      try TemporaryRepository.git(["clone", "-q", "--bare", origin, folder.file("\(name).git")], in: folder.path)
      try write(name, url: folder.file("\(name).git"))
    }
    func run() throws -> Int32 {
      let files = folder.names(in: "pipelines").map { "pipelines/\($0)" }
      return try dragoman(["run", "--once", "--store", "sqlite:store"] + files, in: folder.path).status
    }
    #expect(try run() == 0)
    for name in ["bad", "moved"] { try FileManager.default.removeItem(atPath: folder.file("\(name).git")) }
    #expect(try run() != 0)
    let rounds = ["rounds", "--store", "sqlite:store"]
    let before = try dragoman(rounds, in: folder.path).output
    #expect(before.contains("bad watch: error") && before.contains("moved watch: error"), "\(before)")
    try FileManager.default.removeItem(atPath: folder.file("pipelines/bad.yaml"))
    try FileManager.default.moveItem(
      atPath: folder.file("pipelines/moved.yaml"), toPath: folder.file("pipelines/x.yaml"))
    #expect(try run() != 0)
    let after = try dragoman(rounds, in: folder.path).output
    #expect(!after.contains("bad watch") && after.contains("moved watch: error"), "\(after)")
  }
}
