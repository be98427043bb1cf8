import Foundation
import GitSource
import Localization
import Pipeline
import ProjectLayout
import StringExtraction
import SwiftParsing
import Synchronization

/// A benchmark of the extraction of an app from a bare mirror. A cold extraction is compared with SwiftParser and an empty walk, and with a checkout
/// and the compiler's own parser. The peak memory is measured, and so is the extraction after a commit that changes one file.
struct ExtractionBenchmark {
  let repository: String
  let name: String
  /// Whether strings of targets without a catalog are also extracted, which gives the maximum work for these sources.
  var takesAllTargets = false
  /// The limit for the peak of resident memory, in megabytes.
  let megabytes: Int

  private static let threads = 2
  private static let options = ExtractionOptions(threads: threads)

  func run() throws {
    let tree = try openTree(path: repository, revision: "HEAD").tree
    let sources = tree.walk().filter { $0.isFile && $0.path.ending == "swift" }
    let project = try layout(tree)
    let read = Set(project.targets.filter(\.feedsCatalogs).flatMap(\.swiftSources).map(\.path))
    let bytes = try sources.map { try tree.read($0.path) }
    print(
      "\(name): \(sources.count) Swift files, \(decimal(Double(bytes.reduce(0) { $0 + $1.count }) / 1e6)) MB;"
        + " \(read.count) of them are in targets whose strings are extracted" + (takesAllTargets ? ", here all" : ""))
    var strings = 0
    let samples = try Measure.samples(
      rounds: 5,
      of: [
        { _ = try ParserReference.parseAndWalk(bytes, threads: Self.threads) },
        { strings = try extract(tree, cache: nil).strings.count },
        { _ = try layout(tree) },
      ])
    print(
      "  cold: \(strings) strings in \(milliseconds(samples[1].seconds)); SwiftParser and an empty walk"
        + " \(milliseconds(samples[0].seconds)): ratio \(decimal(samples[1].seconds / samples[0].seconds)), of processor time"
        + " \(decimal(samples[1].processorSeconds / samples[0].processorSeconds)) (at most 1.5);"
        + " the layout is \(milliseconds(samples[2].seconds)) of it")
    let child = try Measure.child(CommandLine.arguments[0], ["cold", repository, takesAllTargets ? "all" : "fed"])
    print(
      "  as a process: \(milliseconds(child.seconds)), peak \(decimal(Double(child.bytes) / 1e6, 0)) MB (under \(megabytes))"
    )
    try compiler(beside: child)
    try incremental(cold: samples[1])
  }

  /// Runs the cold extraction in the process whose memory is measured.
  func cold() throws {
    _ = try extract(openTree(path: repository, revision: "HEAD").tree, cache: nil)
  }

  /// Measures the alternative: a checkout of all Swift files, which the compiler's parser then parses in one process.
  private func compiler(beside child: Measure.Child) throws {
    let script = """
      set -e; folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
      git -c safe.directory='*' --git-dir "$0" archive HEAD ':(glob)**/*.swift' | tar x -C "$folder"
      cd "$folder"; find . -name '*.swift' -type f | sed 's/.*/"&"/' > list
      swiftc -frontend -parse @list || true
      """
    let other = try Measure.child("bash", ["-c", script, URL(filePath: repository).standardizedFileURL.path])
    print(
      "  `git archive | tar x` and `swiftc -frontend -parse`: \(milliseconds(other.seconds)):"
        + " ours is \(decimal(child.seconds / other.seconds)) of it (under 1)")
  }

  // MARK: One file changed

  private func incremental(cold: Measure.Sample) throws {
    try ScratchRepository.with(borrowing: repository) { scratch in
      let tree = try openTree(path: scratch.path, revision: "HEAD").tree
      let cache = MemoryFactCache()
      let before = try extract(tree, cache: cache)
      guard let site = Self.plainSite(of: before, in: tree) else {
        return print("  skipped a change of one file: no string occurs exactly once")
      }
      let bytes = try tree.read(site.path)
      let literal = try scratch.commit(Self.replacing(site.key, in: bytes), at: site.path.text)
      let declaration = try scratch.commit(
        bytes + Array("\nstruct OfTheBenchmark { var x = 1 }\n".utf8), at: site.path.text)
      try again(scratch, literal, "a literal's text", cache, tree, before, cold, limit: "under 100 ms")
      try again(scratch, declaration, "a declaration", cache, tree, before, cold, limit: "under 10 %")
    }
  }

  private func again(
    _ scratch: ScratchRepository, _ commit: String, _ what: String, _ cache: MemoryFactCache, _ tree: any SourceTree,
    _ before: Extraction, _ cold: Measure.Sample, limit: String
  ) throws {
    var after = before
    let kept = cache.state
    // The daemon's process has already read the previous commit. Each round gets a new reader that has read only that commit.
    var readers = try (0..<5).map { _ in
      let reader = RepositoryLayout(remembers: true)
      _ = try reader.project(in: tree, excluding: [])
      return reader
    }
    let sample = try Measure.samples(
      rounds: readers.count,
      of: [
        {
          cache.state = kept
          after = try extract(
            openTree(path: scratch.path, revision: commit).tree, cache: cache, readers.removeLast())
        }
      ])[0]
    print(
      "  after a commit that changes \(what) of one file: \(after.parsedFiles) file parsed, \(milliseconds(sample.seconds)),"
        + " \(decimal(100 * sample.seconds / cold.seconds, 1)) % of the cold time (\(limit))")
    let fresh = try extract(openTree(path: scratch.path, revision: commit).tree, cache: nil)
    guard fresh.strings == after.strings else {
      throw BenchmarkFailure("the second extraction differs from a cold one")
    }
  }

  /// Returns the path and the key of a string that occurs once as a plain literal.
  private static func plainSite(of extraction: Extraction, in tree: any SourceTree) -> (path: TreePath, key: String)? {
    for string in extraction.strings where string.sites.count == 1 && string.origin == .swift {
      let key = string.key.text
      guard key.utf8.count > 8,
        key.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x25 && $0 != 0x5C }),
        let site = string.sites.first, let bytes = try? tree.read(site.path), replacing(key, in: bytes) != bytes
      else { continue }
      return (site.path, key)
    }
    return nil
  }

  private static func replacing(_ key: String, in bytes: [UInt8]) -> [UInt8] {
    let text = String(decoding: bytes, as: UTF8.self)
    return Array(text.replacingOccurrences(of: "\"\(key)\"", with: "\"\(key), changed\"").utf8)
  }

  // MARK: The work

  private func layout(
    _ tree: any SourceTree, _ reader: RepositoryLayout = RepositoryLayout()
  ) throws -> ProjectDescription {
    var project = try reader.project(in: tree, excluding: [])
    if takesAllTargets {
      for index in project.targets.indices { project.targets[index].feedsCatalogs = true }
    }
    return project
  }

  private func extract(
    _ tree: any SourceTree, cache: (any FactCache)?, _ reader: RepositoryLayout = RepositoryLayout()
  ) throws -> Extraction {
    try SourceStringExtractor().extract(
      layout(tree, reader), from: tree, existing: [:], options: Self.options, cache: cache)
  }
}

/// A fact cache in memory.
final class MemoryFactCache: FactCache {
  struct State {
    var facts: [String: [BlobID: [UInt8]]] = [:]
    var recent: [String: [UInt8]] = [:]
  }

  private let stored = Mutex(State())

  var state: State {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }

  func facts(for blobs: [BlobID], version: String) throws -> [BlobID: [UInt8]] {
    stored.withLock { state in
      var found: [BlobID: [UInt8]] = [:]
      for blob in blobs { found[blob] = state.facts[version]?[blob] }
      return found
    }
  }

  func store(_ facts: [BlobID: [UInt8]], version: String) throws {
    stored.withLock { $0.facts[version, default: [:]].merge(facts) { _, new in new } }
  }

  func recent(_ name: String) throws -> [UInt8]? { stored.withLock { $0.recent[name] } }

  func keep(_ bytes: [UInt8], as name: String) throws { stored.withLock { $0.recent[name] = bytes } }
}
