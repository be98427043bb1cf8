import Localization
import SwiftParsing
import Synchronization

/// Compiles a tree's Swift files while the layout is still being worked out, which is done on one thread: what a file says does not hang
/// on the target that it belongs to. What turns out to be of no target was compiled in vain.
final class EarlyCompilation: Sendable {
  private struct State {
    var outcomes: [TreePath: SourceFacts.Outcome] = [:]
    /// Of the files that were compiled.
    var bytes = 0
    var isStopped = false
  }

  private final class Work: Sendable {
    let state = Mutex(State())
    let next = Atomic<Int>(0)
  }

  private let work: Work
  private let threads: Mutex<[RunningThread]>

  /// What may be compiled in vain, in bytes of source: far more than comes about while any layout is read.
  private static let mostBytes = 32 << 20

  /// - Parameter threads: how many there are in all; one is left to the layout.
  init(in tree: any SourceTree, threads: Int) {
    let work = Work()
    let first = ParsingThreads.begin {
      // The others take part as soon as the files are known.
      let entries = Self.entries(of: tree)
      guard threads > 2 else { return Self.compile(entries, from: tree, work) }
      let helpers = (2..<threads).compactMap { _ in ParsingThreads.begin { Self.compile(entries, from: tree, work) } }
      Self.compile(entries, from: tree, work)
      for helper in helpers { helper.wait() }
    }
    self.work = work
    self.threads = Mutex(first.map { [$0] } ?? [])
  }

  deinit { stop() }

  /// Stops after the files that are being compiled.
  /// - Returns: what was compiled, once.
  func finish() -> [TreePath: SourceFacts.Outcome] {
    stop()
    return work.state.withLock { state in
      defer { state.outcomes = [:] }
      return state.outcomes
    }
  }

  private func stop() {
    work.state.withLock { $0.isStopped = true }
    let threads = threads.withLock { threads in
      defer { threads = [] }
      return threads
    }
    for thread in threads { thread.wait() }
  }

  private static func compile(_ entries: [TreeEntry], from tree: any SourceTree, _ work: Work) {
    while true {
      guard work.state.withLock({ !$0.isStopped && $0.bytes < mostBytes }) else { return }
      let index = work.next.add(1, ordering: .relaxed).oldValue
      guard index < entries.count else { return }
      let (outcome, bytes) = SourceFacts.compile(entries[index], from: tree, encodes: false)
      work.state.withLock { state in
        state.outcomes[entries[index].path] = outcome
        state.bytes += bytes
      }
    }
  }

  /// Those that are most likely asked for first: tests have no strings for translators.
  private static func entries(of tree: any SourceTree) -> [TreeEntry] {
    let found = tree.walk(skipping: { $0.name.hasPrefix(".") || leftOut.contains($0.name) })
      .filter { $0.isFile && $0.path.ending == "swift" }
    func isOfTests(_ entry: TreeEntry) -> Bool { entry.path.text.utf8.firstRange(of: "Tests/".utf8) != nil }
    return found.filter { !isOfTests($0) } + found.filter(isOfTests)
  }

  private static let leftOut: Set<String> = ["Pods", "Carthage", "DerivedData", "SourcePackages", "node_modules"]
}
