package import Localization
import SDKDeclarations
package import SwiftFacts
import SwiftLinking
import SwiftParsing
import Synchronization

/// The facts of a project's Swift files: from the cache where they are, else compiled now.
///
/// What linking takes for granted of a file, the digest of its interface, is known apart from its facts, so that the facts of files
/// that nobody has to look at are not even fetched.
package struct SourceFacts: Sendable {
  /// What is known of a file without its facts.
  package struct Summary: Sendable {
    /// `EncodedFacts.interfaceDigest`; empty where there is no cache.
    package var interface: [UInt8]
    package var imports: [String]
    /// Under which what was worked out from the file may be kept; `nil` where the tree does not name its bytes or they could not be read.
    package var blob: BlobID?
    /// Why not all of the file was understood.
    package var fault: Diagnostic?
    /// Whether nothing of it was: it has no facts.
    package var isUnread = false
  }

  /// The facts of a file in memory.
  private struct Content: Sendable {
    var interface: FileFacts
    /// All of them, where there is no cache.
    var whole: FileFacts?
    /// Where there is one.
    var encoded: EncodedFacts?
  }

  package private(set) var files: [TreePath: Summary] = [:]
  /// How many files were parsed.
  package private(set) var parsed = 0
  private var contents: [TreePath: Content] = [:]

  /// Names the project, for what is kept of it as a whole.
  package let projectName: String
  private let tree: any SourceTree
  private let threads: Int
  private let cache: (any FactCache)?
  private let version: String

  package static func version(_ extractor: String) -> String { "\(extractor).\(FactsEncoding.version)" }

  /// - Parameters:
  ///   - entries: each path once.
  ///   - name: of the project, for what is kept of it as a whole.
  /// - Throws: only what the cache throws; what is wrong with a file is its fault.
  package init(
    _ entries: [TreeEntry], named name: String, from tree: any SourceTree, threads: Int, cache: (any FactCache)?,
    version: String
  ) throws {
    projectName = name
    self.tree = tree
    self.threads = threads
    self.cache = cache
    self.version = version
    guard let cache else {
      try compile(entries)
      return
    }
    let key = "index \(version) \(name)"
    let known = FactsIndex(try cache.recent(key))
    var index = known
    var unknown: [TreeEntry] = []
    for entry in entries {
      guard let blob = entry.blob, let file = known.files[blob] else {
        unknown.append(entry)
        continue
      }
      files[entry.path] = Summary(
        interface: file.interface, imports: file.imports, blob: blob, fault: Self.fault(at: file.firstError, entry.path)
      )
    }
    guard !unknown.isEmpty else { return }
    // Those of files that are gone go once there are many of them.
    if known.files.count > 2 * entries.count {
      let present = Set(entries.compactMap(\.blob))
      index.files = index.files.filter { present.contains($0.key) }
    }
    try fetch(unknown)
    for entry in unknown {
      guard let blob = files[entry.path]?.blob, let facts = contents[entry.path]?.encoded else { continue }
      index.files[blob] = FactsIndex.File(
        interface: facts.interfaceDigest, imports: facts.imports, firstError: facts.firstError)
    }
    try cache.keep(index.encoded, as: key)
  }

  /// Gets the facts of these files into memory.
  package mutating func fetch(_ entries: [TreeEntry]) throws {
    let missing = entries.filter { contents[$0.path] == nil }
    guard !missing.isEmpty else { return }
    let cached = try cache?.facts(for: Array(Set(missing.compactMap(\.blob))), version: version) ?? [:]
    let read = try ParsingThreads.map(missing, threads: threads) { entry -> Content? in
      guard let blob = entry.blob, let bytes = cached[blob], let encoded = EncodedFacts(bytes),
        let interface = encoded.interfaceFacts()
      else { return nil }
      return Content(interface: interface, whole: nil, encoded: encoded)
    }
    for (entry, content) in zip(missing, read) {
      guard let content, let encoded = content.encoded else { continue }
      contents[entry.path] = content
      files[entry.path] = Summary(
        interface: encoded.interfaceDigest, imports: encoded.imports, blob: entry.blob,
        fault: Self.fault(at: encoded.firstError, entry.path))
    }
    try compile(missing.filter { contents[$0.path] == nil })
  }

  /// Notes that a file's types need too much work, so that it counts as unread.
  package mutating func giveUp(on path: TreePath) {
    files[path]?.fault = Diagnostic(
      path: path.text, line: 1, column: 1, severity: .error,
      message:
        "the types of this file need more than \(ResolvingProgress.mostSteps) steps to resolve; strings may be missing",
      hint: "keys of the catalogs that it feeds are only added, never removed")
  }

  /// Compiles files, whatever the cache has of them.
  package mutating func compile(_ entries: [TreeEntry]) throws {
    guard !entries.isEmpty else { return }
    let tree = tree
    let encodes = cache != nil
    // The table of the SDK is unpacked beside the files: linking waits for both.
    let outcomes = try ParsingThreads.map([nil] + entries.map(Optional.some), threads: threads) { entry -> Outcome? in
      guard let entry else {
        _ = SDKFacts.modules
        return nil
      }
      return Self.compile(entry, from: tree, encodes: encodes)
    }
    var fresh: [BlobID: [UInt8]] = [:]
    for (entry, outcome) in zip(entries, outcomes.dropFirst()) {
      guard let outcome else { continue }
      contents[entry.path] = outcome.content
      files[entry.path] = Summary(
        interface: outcome.content.encoded?.interfaceDigest ?? [], imports: outcome.content.interface.imports,
        blob: outcome.isParsed ? entry.blob : nil, fault: outcome.fault, isUnread: !outcome.isParsed)
      guard outcome.isParsed else { continue }
      parsed += 1
      if let blob = entry.blob, let encoded = outcome.content.encoded { fresh[blob] = encoded.bytes }
    }
    if let cache, !fresh.isEmpty { try cache.store(fresh, version: version) }
  }

  /// Lets go of the facts in memory, on all threads: taking trees of a large project apart takes time.
  /// - Parameter work: is done meanwhile.
  package mutating func dropContents<Output: Sendable>(beside work: @escaping @Sendable () -> Output) throws -> Output {
    let held = contents.values.map { Held($0) }
    contents = [:]
    let results = try ParsingThreads.map([nil] + held.map(Optional.some), threads: threads) { held -> Output? in
      guard let held else { return work() }
      held.drop()
      return nil
    }
    guard let result = results.first ?? nil else { return work() }
    return result
  }

  /// What code elsewhere can come to know of a file that was fetched.
  package func interface(of path: TreePath) -> FileFacts { contents[path]?.interface ?? .empty }

  /// The facts of all files that were fetched, in their binary form.
  package var fetched: [EncodedFacts] { contents.values.compactMap(\.encoded) }

  /// The facts of a file that was fetched in their binary form; `nil` where there is no cache.
  package func encoded(of path: TreePath) -> EncodedFacts? { contents[path]?.encoded }

  /// All facts of a file that was fetched; `nil` where the cache holds something else for them, so that the file has to be compiled.
  /// - Parameter asShape: with tokens in the place of texts, where there is a cache.
  package func facts(of path: TreePath, asShape: Bool = false) -> FileFacts? {
    // Most files of a large project hold no literal at all.
    guard let content = contents[path], content.interface.holdsLiterals else { return .empty }
    return content.whole ?? (asShape ? content.encoded?.shape() : content.encoded?.facts())
  }

  private final class Held: Sendable {
    private let content: Mutex<Content?>
    init(_ content: Content) { self.content = Mutex(content) }
    func drop() { content.withLock { $0 = nil } }
  }

  private struct Outcome: Sendable {
    var content: Content
    var fault: Diagnostic?
    var isParsed: Bool
  }

  /// The Swift source that a file is, or stands for.
  private static func read(_ path: TreePath, from tree: any SourceTree) throws(InputFault) -> [UInt8] {
    let bytes: [UInt8]
    do { bytes = try tree.read(path) } catch { throw InputFault(error.diagnostic) }
    return path.isDataModel ? try DataModelSource.swift(of: bytes, at: path) : bytes
  }

  private static func compile(_ entry: TreeEntry, from tree: any SourceTree, encodes: Bool) -> Outcome {
    let nothing = Content(interface: .empty, whole: .empty, encoded: encodes ? .empty : nil)
    let bytes: [UInt8]
    do { bytes = try read(entry.path, from: tree) } catch {
      return Outcome(content: nothing, fault: error.diagnostics.first, isParsed: false)
    }
    let stripped: StrippedSource
    switch SourceGuard.stripped(bytes) {
    case .success(let source): stripped = source
    case .failure(let fault):
      return Outcome(content: nothing, fault: fault.diagnostic(path: entry.path), isParsed: false)
    }
    let facts = FactCompiler.compile(SourceParsing.parse(stripped, of: bytes))
    return Outcome(
      content: encodes
        ? Content(interface: facts.interface, whole: nil, encoded: EncodedFacts(facts))
        : Content(interface: facts.interface, whole: facts, encoded: nil),
      fault: fault(at: facts.firstError, entry.path), isParsed: true)
  }

  private static func fault(at place: SourcePlace?, _ path: TreePath) -> Diagnostic? {
    place.map { place in
      Diagnostic(
        path: path.text, line: max(1, Int(place.line)), column: max(1, Int(place.column)), severity: .warning,
        message: "not Swift here; the code around it was read")
    }
  }
}
