import Foundation
import GitSource
import Localization
import Pipeline

/// Benchmarks of commits to a large catalog, compared with git's own commands, and of repositories that are opened and closed repeatedly.
struct GitBenchmark {
  /// Measures a commit that changes one translation in a catalog of 2 MB, made by Dragoman and by git.
  static func commits(rounds: Int = 21) async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "dragoman-bench-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let folder = BenchmarkFolder(path: path)
    let place = "Sources/Kit/Resources/Localizable.xcstrings"
    try MadeRepository.make(folder.file("origin.git"), files: 130, strings: 50, languages: ["de"], in: folder)
    try folder.git(["clone", "-q", "origin.git", "work"])
    for (key, value) in [("user.name", "Ann"), ("user.email", "ann@example.com")] {
      try folder.git(["config", key, value], in: "work")
    }
    let text = try String(contentsOfFile: folder.file("work/\(place)"), encoding: .utf8)
    let mark = "de Sentence number 00700 of"
    guard text.contains(mark) else { throw BenchmarkFailure("the catalog lacks the text to change") }
    let mirror = try GitMirror(url: folder.file("origin.git"), folder: folder.file("mirror.git"))
    guard var parent = try await mirror.refresh().first(where: { $0.name == "main" })?.commit else {
      throw BenchmarkFailure("the mirror has no branch")
    }
    let bot = CommitSignature(name: "Bot", email: "bot@example.com", seconds: 1_800_000_000)
    var ours: [Double] = []
    var others: [Double] = []
    for round in 0..<rounds {
      let changed = text.replacingOccurrences(of: mark, with: "de Satz \(round) von")
      let bytes = Array(changed.utf8)
      let start = ContinuousClock.now
      parent = try await mirror.makeCommit(
        TreeEdits([TreePath(trusted: place): .write(bytes)]), on: parent, message: "Translate \(round)", author: bot,
        committer: bot)
      ours.append((ContinuousClock.now - start).seconds)
      try folder.write(changed, to: "work/\(place)")
      others.append(
        try ["add", "commit"].reduce(0) { sum, word in
          let arguments = word == "add" ? ["add", place] : ["commit", "-q", "-m", "Translate \(round)"]
          let child = try Measure.child("git", arguments, directory: folder.file("work"))
          guard child.status == 0 else { throw BenchmarkFailure("git \(word) failed") }
          return sum + child.seconds
        })
    }
    let (own, git) = (ours.sorted()[rounds / 2], others.sorted()[rounds / 2])
    print(
      "a commit that changes one text of a catalog of \(decimal(Double(text.utf8.count) / 1e6, 1)) MB, median of \(rounds):"
        + " \(decimal(own * 1000, 1)) ms; `git add` and `git commit` \(decimal(git * 1000, 1)) ms;"
        + " ratio \(decimal(own / git, 3)) (at most 0.333)")
  }

  /// Opens and closes a repository and a mirror repeatedly, and polls a server repeatedly.
  /// - Throws: an error if memory or the number of open files grows.
  static func cycles(count: Int = 10_000) async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "dragoman-bench-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let folder = BenchmarkFolder(path: path)
    try MadeRepository.make(folder.file("origin.git"), files: 5, strings: 20, languages: ["de"], in: folder)
    try folder.git(["repack", "-adq"], in: "origin.git")
    let origin = folder.file("origin.git")
    let server = try LoopbackServer(of: folder)
    defer { server.stop() }
    let url = server.url + "/0/origin.git"
    let polled = try GitMirror(url: url, folder: folder.file("polled.git"))
    try await grow("a repository opened, read and closed", count) {
      let opened = try openTree(path: origin, revision: "main")
      _ = try opened.tree.read("Package.swift")
    }
    // All mirrors use the same worker threads, because a process keeps such threads until it ends.
    let workers = GitWorkers()
    try await grow("a mirror opened, refreshed, read and closed", count) {
      let mirror = try GitMirror(url: origin, folder: folder.file("mirror.git"), workers: workers)
      guard let head = try await mirror.refresh().first else { throw BenchmarkFailure("the mirror has no branch") }
      _ = try await mirror.tree(of: head.commit).read("Package.swift")
    }
    try await grow("a look over http", count) { _ = try await polled.remoteBranches() }
  }

  /// Runs `work` repeatedly, and compares the memory and open files after a tenth of the runs with those at the end.
  private static func grow(_ what: String, _ count: Int, _ work: () async throws -> Void) async throws {
    for _ in 0..<(count / 10) { try await work() }
    let before = try (megabytes(), files())
    for _ in (count / 10)..<count { try await work() }
    let after = try (megabytes(), files())
    print(
      "\(count) times \(what): \(decimal(before.0, 1)) MB and \(before.1) files after \(count / 10),"
        + " \(decimal(after.0, 1)) MB and \(after.1) files at the end (at most 2 MB and 5 files more)")
    guard after.0 - before.0 <= 2, after.1 - before.1 <= 5 else {
      throw BenchmarkFailure("\(what): memory or the number of open files grows")
    }
  }

  private static func megabytes() throws -> Double {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS") }
    return Double(line?.split(separator: " ").dropFirst().first ?? "").map { $0 / 1000 } ?? 0
  }

  private static func files() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
  }
}
