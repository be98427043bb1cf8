import Foundation
import GitSource
import Localization
import Pipeline
import ProjectLayout
import StringExtraction
import SwiftParsing
import Synchronization

/// Extraction of a large app from a bare mirror: cold, against SwiftParser with an empty walk; and after one file changed.
struct ExtractionBenchmark {
  let repository: String
  let name: String
  let dragoman: String

  func run() throws {
    let threads = 2
    let tree = try openTree(path: repository, revision: "HEAD").tree
    let sources = tree.walk().filter { $0.isFile && $0.path.ending == "swift" }
    let bytes = try sources.map { try tree.read($0.path) }
    let project = try RepositoryLayout().project(in: tree, excluding: [])
    let fed = Set(project.targets.flatMap(\.swiftSources).map(\.path))
    let size = bytes.reduce(0) { $0 + $1.count }
    print(
      "\(name): \(sources.count) Swift files, \(decimal(Double(size) / 1e6)) MB; \(fed.count) of them belong to a target"
    )
    let options = ExtractionOptions(threads: threads)
    let medians = try Measure.medians(
      rounds: 7,
      of: [
        { _ = try ExtractionBenchmarkReference.parseAndWalk(bytes, threads: threads) },
        { _ = try extract(tree, options: options, cache: nil) },
        { _ = try RepositoryLayout().project(in: tree, excluding: []) },
      ])
    print(
      "  cold extraction \(decimal(medians[1] * 1000, 0)) ms, SwiftParser and an empty walk \(decimal(medians[0] * 1000, 0)) ms:"
        + " ratio \(decimal(medians[1] / medians[0])) (at most 1.5); the layout is \(decimal(medians[2] * 1000, 0)) ms of it"
    )
    let child = try Measure.child(dragoman, ["extract", repository, "--revision", "HEAD", "--format", "json"])
    print(
      "  `dragoman extract` as a process: \(decimal(child.seconds * 1000, 0)) ms, peak \(decimal(Double(child.bytes) / 1e6, 0)) MB (under 150)"
    )
    let cache = MemoryFactCache()
    _ = try extract(tree, options: options, cache: cache)
    guard let changed = sources.first(where: { fed.contains($0.path) }) else { return }
    let edited = try tree.read(changed.path) + Array("\nlet benchmark = 1\n".utf8)
    let next = OneFileChanged(base: tree, path: changed.path, bytes: edited)
    var parsed = 0
    let warm = try Measure.medians(
      rounds: 5,
      of: [
        {
          cache.forget(next.blob)
          parsed = try extract(next, options: options, cache: cache).parsedFiles
        }
      ])
    print("  after a commit that touches one file: files parsed \(parsed) (1), \(decimal(warm[0] * 1000, 0)) ms")
  }

  private func extract(_ tree: any SourceTree, options: ExtractionOptions, cache: (any FactCache)?) throws -> Extraction
  {
    let project = try RepositoryLayout().project(in: tree, excluding: [])
    return try SourceStringExtractor().extract(project, from: tree, existing: [:], options: options, cache: cache)
  }
}

/// A tree in which one file has other bytes and another blob id.
private struct OneFileChanged: SourceTree {
  let base: any SourceTree
  let path: TreePath
  let bytes: [UInt8]
  let blob = BlobID(rawValue: String(repeating: "f", count: 40))

  func list(_ folder: TreePath) throws(TreeError) -> [TreeEntry] {
    try base.list(folder).map { $0.path == path ? TreeEntry(path: path, kind: $0.kind, blob: blob) : $0 }
  }

  func entry(at path: TreePath) throws(TreeError) -> TreeEntry? {
    path == self.path ? TreeEntry(path: path, kind: .file, blob: blob) : try base.entry(at: path)
  }

  func read(_ path: TreePath) throws(TreeError) -> [UInt8] { path == self.path ? bytes : try base.read(path) }
}

/// A fact cache in memory.
private final class MemoryFactCache: FactCache {
  private let stored = Mutex<[BlobID: [UInt8]]>([:])

  func facts(for blobs: [BlobID], version: String) throws -> [BlobID: [UInt8]] {
    let wanted = Set(blobs)
    return stored.withLock { $0.filter { wanted.contains($0.key) } }
  }

  func store(_ facts: [BlobID: [UInt8]], version: String) throws {
    stored.withLock { $0.merge(facts) { _, new in new } }
  }

  func forget(_ blob: BlobID) { stored.withLock { $0[blob] = nil } }
}
