import Daemon
import Foundation
import GitSource
import Localization
import Pipeline
import Synchronization
import TestSupport
import Testing

/// Deliveries while a person commits to the same catalog, and the same bundles in different orders.
///
/// `RACES=full` runs all 20 seeds with 200 bundles and all 50 orders, and `RACES=9-20` runs only these seeds and orders. Full runs take many
/// minutes. The tests run one after another, because a person who commits without a pause leaves no processor time for other seeds.
@Suite("Concurrent changes", .serialized) struct RaceTests {
  private static let asked = ProcessInfo.processInfo.environment["RACES"]
  private static let range: ClosedRange<UInt64>? = {
    let ends = asked?.split(separator: "-").compactMap { UInt64($0) } ?? []
    return ends.count == 2 && ends[0] <= ends[1] ? ends[0]...ends[1] : nil
  }()
  private static let seeds = Array(range ?? 1...(asked == nil ? 1 : 20))
  private static let orders = range ?? 1...(asked == nil ? 3 : 50)
  private static let bundles = asked == nil ? 12 : 200
  private static let catalog = "App/Localizable.xcstrings"

  /// A simulated person who commits to the watched branch in a separate clone. The person adds strings, and corrects German texts of those strings.
  ///
  /// The person commits as fast as possible, but at most ``pace`` times during a run. Without this limit, the person could be faster than every
  /// push on a busy machine, and the test would never end.
  private final class Person: Sendable {
    private let bench: PipelineBench
    private let clone: String
    private static let pace = 20
    /// The condition that protects `isDone` and `left`.
    private let condition = NSCondition()
    private nonisolated(unsafe) var isDone = false
    /// The number of further commits that are allowed during this run.
    private nonisolated(unsafe) var left = 0
    /// The newest text of the person for each key.
    let texts = Mutex<[String: String]>([:])
    let commits = Mutex(0)

    init(_ bench: PipelineBench) throws {
      self.bench = bench
      clone = bench.folder.file("person")
      try TemporaryRepository.git(["clone", "-q", bench.origin, clone], in: bench.folder.path)
    }

    func stop() {
      condition.withLock {
        isDone = true
        condition.signal()
      }
    }

    /// Allows commits during the run that starts now.
    func startRun() {
      condition.withLock {
        left = Self.pace
        condition.signal()
      }
    }

    /// Waits until the person can commit.
    /// - Returns: whether the person makes another commit.
    private func waitForTurn() -> Bool {
      condition.withLock {
        while left == 0, !isDone { condition.wait() }
        left -= 1
        return !isDone
      }
    }

    func work(seed: UInt64) throws {
      var random = SeededGenerator(seed: seed)
      for number in 0... {
        guard waitForTurn() else { return }
        let key = "p\(Int.random(in: 0...(number / 2), using: &random))"
        try commit(key, "Text \(number)")
      }
    }

    /// Adds a text to the newest catalog and pushes. Starts again if the push is rejected.
    private func commit(_ key: String, _ text: String) throws {
      while true {
        try TemporaryRepository.git(["fetch", "-q", "origin"], in: clone)
        try TemporaryRepository.git(["reset", "-q", "--hard", "origin/main"], in: clone)
        let file = URL(filePath: "\(clone)/\(RaceTests.catalog)")
        var object = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any] ?? [:]
        var strings = object["strings"] as? [String: Any] ?? [:]
        func unit(_ text: String) -> [String: Any] { ["stringUnit": ["state": "translated", "value": text]] }
        strings[key] = ["extractionState": "manual", "localizations": ["en": unit(key), "de": unit(text)]]
        object["strings"] = strings
        try JSONSerialization.data(withJSONObject: object, options: [.prettyPrinted, .sortedKeys]).write(to: file)
        try TemporaryRepository.git(["commit", "-q", "-am", "Say \(text)"], in: clone)
        do { try TemporaryRepository.git(["push", "-q", "origin", "HEAD:main"], in: clone) } catch { continue }
        texts.withLock { $0[key] = text }
        commits.withLock { $0 += 1 }
        return
      }
    }
  }

  @Test("no text is lost while a person commits to the same catalog", .timeLimit(.minutes(60)), arguments: seeds)
  func person(_ seed: UInt64) async throws {
    let bench = try PipelineBench()
    let keys = (0..<Self.bundles).map { "k\($0)" }
    try bench.repository.commit([
      Self.catalog: PipelineBench.catalog(Dictionary(uniqueKeysWithValues: keys.map { ($0, $0) }))
    ])
    try bench.publish()
    let definition = bench.definition(deliver: DeliverSettings(mode: .push))
    try await bench.run(definition)
    var random = SeededGenerator(seed: seed)
    let person = try Person(bench)
    let work = Task {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        Thread { continuation.resume(with: Result { try person.work(seed: seed) }) }.start()
      }
    }
    defer { person.stop() }
    // The bundles are returned one at a time, a few in each run.
    var waiting = keys.shuffled(using: &random)
    while !waiting.isEmpty {
      for key in waiting.prefix(Int.random(in: 1...8, using: &random)) {
        try bring([key], as: key, bench)
        waiting.removeAll { $0 == key }
      }
      person.startRun()
      // The person's git may hold the lock of the branch for longer than a push waits. The next run pushes again.
      try await bench.run(definition, except: { ($0.error as? GitError)?.kind == .locked })
    }
    person.stop()
    try await work.value
    // A push that was rejected because the person was faster is repeated.
    for _ in 0..<2 { try await bench.run(definition) }
    let texts = try bench.texts("main", Self.catalog)
    for key in keys { #expect(texts[key] == "de: \(key)", "seed \(seed)") }
    for (key, text) in person.texts.withLock({ $0 }) { #expect(texts[key] == text, "seed \(seed)") }
    #expect(person.commits.withLock { $0 } > 0)
    // Every commit of the person still exists.
    let subjects = try bench.git("log", "--format=%s", "main").split(separator: "\n")
    #expect(subjects.count { $0.hasPrefix("Say ") } == person.commits.withLock { $0 })
    print("seed \(seed): \(person.commits.withLock { $0 }) commits of a person, \(subjects.count) in all")
  }

  @Test("the same bundles in any order give the same tree", .timeLimit(.minutes(60)))
  func orders() async throws {
    let keys = (0..<Self.bundles).map { "k\($0)" }
    var trees: Set<String> = []
    for seed in Self.orders {
      var random = SeededGenerator(seed: seed)
      let bench = try PipelineBench()
      try bench.repository.commit([
        Self.catalog: PipelineBench.catalog(Dictionary(uniqueKeysWithValues: keys.map { ($0, $0) }))
      ])
      try bench.publish()
      let definition = bench.definition(languages: ["de", "fr"])
      try await bench.run(definition)
      var waiting = (keys.map { ($0, "de") } + keys.map { ($0, "fr") }).shuffled(using: &random)
      while !waiting.isEmpty {
        let count = min(waiting.count, Int.random(in: 1...max(2, waiting.count / 2), using: &random))
        for (key, language) in waiting.prefix(count) {
          try bring([key], as: key, language: LocaleIdentifier(language), bench)
        }
        waiting.removeFirst(count)
        try await bench.run(definition)
      }
      trees.insert(try bench.git("rev-parse", "l10n/main^{tree}"))
      #expect(try bench.texts("l10n/main", Self.catalog, "fr").count == keys.count)
    }
    #expect(trees.count == 1, "\(trees)")
    print("orders \(Self.orders): tree \(trees.sorted().joined(separator: ", "))")
  }

  /// Puts a bundle with translations of only the given keys of the first round into the drop folder, as a vendor would return it.
  private func bring(
    _ keys: Set<String>, as name: String, language: LocaleIdentifier = "de", _ bench: PipelineBench
  ) throws {
    let other = Dictionary(
      uniqueKeysWithValues: (0..<Self.bundles).map { "k\($0)" }.filter { !keys.contains($0) }.map { ($0, "") })
    let translated = bench.drop() + "/translated"
    try bench.translator().translate(language, bundles: "app-1-", answers: other)
    // Each bundle gets a different name.
    for file in try FileManager.default.contentsOfDirectory(atPath: translated)
    where file.hasSuffix("-\(language).xliff") && file.hasPrefix("app-1-") {
      try FileManager.default.moveItem(
        atPath: "\(translated)/\(file)", toPath: "\(translated)/\(name)-\(language).xliff")
    }
  }
}
