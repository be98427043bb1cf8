import Localization
import SwiftParsing

/// The facts of a project's Swift files: from the cache where they are, else compiled now.
struct SourceFacts {
  struct File: Sendable {
    var facts: FileFacts
    /// Why not all of the file was understood.
    var fault: Diagnostic?
  }

  private(set) var files: [TreePath: File] = [:]
  /// What the SDK declares: module by module.
  private(set) var sdk: [(name: String, facts: FileFacts)] = []
  /// How many files were parsed.
  private(set) var parsed = 0

  static func version(_ extractor: String) -> String { "\(extractor).\(FactsEncoding.version)" }

  /// - Throws: only what the cache throws; what is wrong with a file is its fault.
  static func load(
    _ entries: [TreeEntry], from tree: any SourceTree, threads: Int, cache: (any FactCache)?, version: String
  ) throws -> SourceFacts {
    var result = SourceFacts()
    let cached = try cache?.facts(for: Array(Set(entries.compactMap(\.blob))), version: version) ?? [:]
    // The table of the SDK is unpacked beside the files: linking waits for both.
    let results = try ParsingThreads.map([nil] + entries.map(Optional.some), threads: threads) { entry -> Result in
      guard let entry else { return .sdk(SDKFacts.modules()) }
      if let blob = entry.blob, let bytes = cached[blob], let facts = FactsEncoding.decode(bytes) {
        let file = File(facts: facts, fault: fault(of: facts, at: entry.path))
        return .file(entry, Outcome(file: file, fresh: nil, isParsed: false))
      }
      return .file(entry, compile(entry, from: tree, encodes: cache != nil))
    }
    var fresh: [BlobID: [UInt8]] = [:]
    for case .sdk(let modules) in results { result.sdk = modules }
    for case .file(let entry, let outcome) in results {
      result.files[entry.path] = outcome.file
      if outcome.isParsed { result.parsed += 1 }
      if let blob = entry.blob, let bytes = outcome.fresh { fresh[blob] = bytes }
    }
    if let cache, !fresh.isEmpty { try cache.store(fresh, version: version) }
    return result
  }

  private enum Result: Sendable {
    case sdk([(name: String, facts: FileFacts)])
    case file(TreeEntry, Outcome)
  }

  private struct Outcome: Sendable {
    var file: File
    var fresh: [UInt8]?
    var isParsed: Bool
  }

  private static func compile(_ entry: TreeEntry, from tree: any SourceTree, encodes: Bool) -> Outcome {
    let bytes: [UInt8]
    do { bytes = try tree.read(entry.path) } catch {
      return Outcome(file: File(facts: .empty, fault: error.diagnostic), fresh: nil, isParsed: false)
    }
    let quiet: QuietSource
    switch SourceGuard.quieted(bytes) {
    case .success(let source): quiet = source
    case .failure(let fault):
      let diagnostic = fault.diagnostic(path: entry.path)
      return Outcome(file: File(facts: .empty, fault: diagnostic), fresh: nil, isParsed: false)
    }
    let facts = FactCompiler.compile(SourceParsing.parse(quiet))
    return Outcome(
      file: File(facts: facts, fault: fault(of: facts, at: entry.path)),
      fresh: encodes ? FactsEncoding.encode(facts) : nil, isParsed: true)
  }

  private static func fault(of facts: FileFacts, at path: TreePath) -> Diagnostic? {
    facts.firstError.map { place in
      Diagnostic(
        path: path.text, line: max(1, Int(place.line)), column: max(1, Int(place.column)), severity: .warning,
        message: "parse source: not Swift here; what stands around it was read")
    }
  }
}
