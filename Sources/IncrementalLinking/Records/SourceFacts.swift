package import Localization
import SDKDeclarations
import StructuredText
package import SwiftFacts
import SwiftLinking
import SwiftParsing
import Synchronization

/// The facts of a project's Swift files. The facts come from the cache if the cache contains them; otherwise the files are compiled.
///
/// The digest of a file's interface, which linking needs, is stored separately from its facts. The facts of files that are not needed for linking are
/// therefore not loaded.
package struct SourceFacts: Sendable {
  /// Information about a file without its facts.
  package struct Summary: Sendable {
    /// The value of `EncodedFacts.interfaceDigest`; `nil` if there is no cache.
    package var interface: FactsDigest?
    package var imports: [String]
    /// The id under which results for the file may be cached; `nil` if the tree has no id for the file, or if the file could not be read.
    package var blob: BlobID?
    /// The reason why the file or a part of it could not be read or parsed, or why its types could not be resolved; `nil` if there is none.
    package var fault: Diagnostic?
    /// Whether nothing in the file could be read. If so, the file has no facts.
    package var isUnread = false
  }

  /// The facts of a file in memory.
  private struct Content: Sendable {
    var interface: FileFacts
    /// All facts, if there is no cache.
    var whole: FileFacts?
    /// The encoded facts, if there is a cache.
    var encoded: EncodedFacts?
  }

  package private(set) var files: [TreePath: Summary] = [:]
  /// The number of parsed files.
  package private(set) var parsed = 0
  private var contents: [TreePath: Content] = [:]

  /// The name that identifies the project in the cache.
  package let projectName: String
  private let tree: any SourceTree
  private let threads: Int
  private let cache: (any FactCache)?
  private let version: String

  package static func version(_ extractor: String) -> String { "\(extractor).\(FactsEncoding.version)" }

  /// - Parameters:
  ///   - entries: the files; each path must occur only once.
  ///   - name: the name that identifies the project in the cache.
  /// - Throws: errors of the cache, `CancellationError` and `ThreadError`. A fault in a file is not thrown, but stored in its summary.
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
    let key = "index \(FactsIndex.version) \(version) \(name)"
    let known = FactsIndex(try cache.recent(key))
    var index = known
    var unknown: [TreeEntry] = []
    for entry in entries {
      guard let blob = Self.id(of: entry), let file = known.files[blob] else {
        unknown.append(entry)
        continue
      }
      files[entry.path] = Summary(
        interface: file.interface, imports: file.imports, blob: blob,
        fault: Self.fault(at: file.firstError, entry.path, from: tree)
      )
    }
    guard !unknown.isEmpty else { return }
    // Entries of removed files are pruned when the index has too many entries.
    if known.files.count > 2 * entries.count {
      let present = Set(entries.compactMap(Self.id))
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

  /// Returns the id under which results for a file are cached; `nil` if the tree has no id for the file. A Core Data model and a Swift file with the
  /// same bytes, such as two empty files, have different facts, so they have different ids.
  private static func id(of entry: TreeEntry) -> BlobID? {
    guard entry.path.isDataModel, let blob = entry.blob else { return entry.blob }
    return BlobID(rawValue: ContentDigest.hexadecimal(of: "data model \(blob.rawValue)".utf8, bytes: 20))
  }

  /// Loads the facts of these files into memory. Files whose facts are not in the cache are compiled.
  package mutating func fetch(_ entries: [TreeEntry]) throws {
    let missing = entries.filter { contents[$0.path] == nil }
    guard !missing.isEmpty else { return }
    let cached = try cache?.facts(for: Array(Set(missing.compactMap(Self.id))), version: version) ?? [:]
    let read = try ParsingThreads.map(missing, threads: threads) { entry -> Content? in
      guard let blob = Self.id(of: entry), let bytes = cached[blob], let encoded = EncodedFacts(bytes),
        let interface = encoded.interfaceFacts()
      else { return nil }
      return Content(interface: interface, whole: nil, encoded: encoded)
    }
    for (entry, content) in zip(missing, read) {
      guard let content, let encoded = content.encoded else { continue }
      contents[entry.path] = content
      files[entry.path] = Summary(
        interface: encoded.interfaceDigest, imports: encoded.imports, blob: Self.id(of: entry),
        fault: Self.fault(at: encoded.firstError, entry.path, from: tree))
    }
    try compile(missing.filter { contents[$0.path] == nil })
  }

  /// Stores a fault for a file whose types take too much work to resolve. Like an error when reading the file, this fault has the effect that no keys
  /// are removed from the file's catalogs.
  package mutating func giveUp(on path: TreePath) {
    files[path]?.fault = Diagnostic(
      path: path.text, line: 1, column: 1, severity: .error,
      message:
        "the types of this file need more than \(ResolvingProgress.mostSteps) steps to resolve; strings may be missing",
      hint: "keys in the file's catalogs are only added, never removed")
  }

  /// Compiles files, even if the cache contains their facts, and stores the facts in the cache.
  package mutating func compile(_ entries: [TreeEntry]) throws {
    guard !entries.isEmpty else { return }
    let tree = tree
    let encodes = cache != nil
    // The table of the SDK is decoded at the same time, because linking also needs it.
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
        interface: outcome.content.encoded?.interfaceDigest, imports: outcome.content.interface.imports,
        blob: outcome.isParsed ? Self.id(of: entry) : nil, fault: outcome.fault, isUnread: !outcome.isParsed)
      guard outcome.isParsed else { continue }
      parsed += 1
      if let blob = Self.id(of: entry), let encoded = outcome.content.encoded { fresh[blob] = encoded.bytes }
    }
    if let cache, !fresh.isEmpty { try cache.store(fresh, version: version) }
  }

  /// Frees the facts in memory, on all threads because freeing the trees of a large project takes time.
  /// - Parameter work: the work to run at the same time. Its result is returned.
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

  /// Returns the interface of a fetched file, which is the part of its facts that other files can see.
  package func interface(of path: TreePath) -> FileFacts { contents[path]?.interface ?? .empty }

  /// Returns the digest of a file's interface; `FactsDigest.absent` if the file has no facts, or if there is no cache.
  func interfaceDigest(of path: TreePath) -> FactsDigest { files[path]?.interface ?? .absent }

  /// The encoded facts of all fetched files; empty if there is no cache.
  package var fetched: [EncodedFacts] { contents.values.compactMap(\.encoded) }

  /// Returns the encoded facts of a fetched file; `nil` if there is no cache.
  package func encoded(of path: TreePath) -> EncodedFacts? { contents[path]?.encoded }

  /// Returns all facts of a fetched file, or empty facts if it contains no literals; `nil` if the facts in the cache are not valid and the file must
  /// be compiled.
  /// - Parameter asShape: whether to put tokens in place of the texts, if there is a cache.
  package func facts(of path: TreePath, asShape: Bool = false) -> FileFacts? {
    // Most files of a large project contain no literals.
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

  /// Returns the Swift source of a file, or the source generated for a Core Data model.
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
      fault: fault(at: facts.firstError, entry.path, from: tree), isParsed: true)
  }

  /// Returns the reason why a part of a file could not be parsed; `nil` if there is no such part. The facts contain only the place, so the file is
  /// read again to detect an unfinished merge.
  private static func fault(at place: SourcePlace?, _ path: TreePath, from tree: any SourceTree) -> Diagnostic? {
    guard let place else { return nil }
    if !path.isDataModel, let region = (try? tree.read(path)).flatMap({ MergeRegion.all(in: $0).first }) {
      return Diagnostic(
        path: path.text, line: region.start.line, column: region.start.column, severity: .warning,
        message: "\(region.message); the code around them was read", hint: MergeRegion.hint)
    }
    return Diagnostic(
      path: path.text, line: max(1, Int(place.line)), column: max(1, Int(place.column)), severity: .warning,
      message: "this is not valid Swift; the code around it was read")
  }
}
