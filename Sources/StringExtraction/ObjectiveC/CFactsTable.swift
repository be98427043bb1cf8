import Localization
import SDKDeclarations
import SwiftLinking
import SwiftParsing

/// The facts of the C-family files of several targets. A file that several targets build is read only once.
struct CFactsTable: Sendable {
  private var facts: [TreePath: Result<CFileFacts, TreeError>] = [:]

  static func isSource(_ path: TreePath) -> Bool { endings.contains(path.ending.lowercased()) }

  private static let endings: Set<String> = ["m", "mm", "c", "cc", "cpp", "cxx", "h", "hh", "hpp", "hxx", "pch"]

  /// Loads the facts of the targets' files from the cache, or compiles the files and adds their facts to the cache.
  /// - Throws: errors of the cache, `CancellationError` and `ThreadError`.
  static func load(
    _ targets: [ProjectTarget], from tree: any SourceTree, threads: Int, cache: (any FactCache)?
  ) throws -> CFactsTable {
    let version = "c-\(CFileFacts.version)"
    let entries = Set(targets.flatMap(\.otherSources).filter { isSource($0.path) }).sorted { $0.path < $1.path }
    let cached = try cache?.facts(for: Array(Set(entries.compactMap(\.blob))), version: version) ?? [:]
    let read = try ParsingThreads.map(entries, threads: threads) { entry -> Outcome in
      if let bytes = entry.blob.flatMap({ cached[$0] }), let facts = CFactsEncoding.decode(bytes) {
        return Outcome(facts: .success(facts))
      }
      let facts = Result { () throws(TreeError) -> CFileFacts in CFileFacts.compile(try tree.read(entry.path)) }
      guard cache != nil, case .success(let made) = facts else { return Outcome(facts: facts) }
      return Outcome(facts: facts, fresh: CFactsEncoding.encode(made))
    }
    var table = CFactsTable()
    var fresh: [BlobID: [UInt8]] = [:]
    for (entry, outcome) in zip(entries, read) {
      table.facts[entry.path] = outcome.facts
      if let blob = entry.blob, let bytes = outcome.fresh { fresh[blob] = bytes }
    }
    if let cache, !fresh.isEmpty { try cache.store(fresh, version: version) }
    return table
  }

  private struct Outcome: Sendable {
    var facts: Result<CFileFacts, TreeError>
    /// The encoded facts to store in the cache.
    var fresh: [UInt8]?
  }

  /// Returns the strings, diagnostics and gaps of one target's files. A file that cannot be read is recorded as a gap.
  func reading(of target: ProjectTarget, options: ExtractionOptions) -> NonSwiftReading {
    var reading = NonSwiftReading()
    for path in target.otherSources.map(\.path) {
      if case .failure(let error) = facts[path] { reading.gaps.append(NonSwiftReading.Gap(error.diagnostic)) }
    }
    let (files, strings) = linked(target, options)
    for file in files {
      let found = strings.reading(of: file.facts, at: file.path)
      reading.strings += found.strings
      reading.diagnostics += found.diagnostics
      reading.gaps += found.gaps
    }
    return reading
  }

  /// Explains the calls of a target with `key` as their first argument, or all calls if `key` is `nil` (`extract --why`).
  func explanations(
    of key: String?, in target: ProjectTarget, options: ExtractionOptions
  ) -> [(path: TreePath, explanation: LiteralExplanation)] {
    let (files, strings) = linked(target, options)
    return files.flatMap { file in strings.explanations(of: key, in: file.facts).map { (file.path, $0) } }
  }

  private func linked(
    _ target: ProjectTarget, _ options: ExtractionOptions
  ) -> (files: [(path: TreePath, facts: CFileFacts)], strings: ObjectiveCStrings) {
    let files = target.otherSources.map(\.path).compactMap { path -> (path: TreePath, facts: CFileFacts)? in
      guard case .success(let facts) = facts[path] else { return nil }
      return (path, facts)
    }
    let strings = ObjectiveCStrings(
      files, macros: LocalizingMacros(options.macros + target.macros),
      readsComments: target.builtConfiguration?.settings["LOCALIZED_STRING_CODE_COMMENTS"]?.flag == true)
    return (files, strings)
  }
}
