internal import Foundation
internal import Localization
internal import Synchronization

/// The answers of an engine on disk, until they are safely in the ledger: what was paid for is not asked for again.
///
/// One file for each vendor in the state folder: a line of JSON for each shipment that was noted and each answer. Lines are added and
/// synced; a torn last line is ignored.
package final class EngineAnswers: Sendable {
  private struct Line: Codable {
    var shipment: String?
    var language: String?
    var source: String?
    var context: String?
    var text: String?
  }

  private struct Key: Hashable {
    var language: String
    var context: String
    var source: String
  }

  private struct State {
    var isRead = false
    var shipments: Set<String> = []
    var texts: [Key: String] = [:]
    var pending: [UInt8] = []
  }

  private let storage: DirectoryStorage
  private let file: TreePath
  private let state = Mutex(State())

  /// - Parameter vendor: names the file; characters that file names should not have are replaced.
  package init(folder: String, vendor: String) {
    storage = DirectoryStorage(root: folder)
    let plain = vendor.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") ? $0 : "_" }
    file = TreePath(trusted: "answers-\(String(plain)).jsonl")
  }

  /// - Returns: whether the shipment was noted before.
  package func note(_ shipment: String) throws -> Bool {
    try withState { state in
      guard state.shipments.insert(shipment).inserted else { return true }
      try append(Line(shipment: shipment), to: &state)
      try write(&state)
      return false
    }
  }

  package func holds(_ shipment: String) throws -> Bool { try withState { $0.shipments.contains(shipment) } }

  package func text(for source: String, context: String, in language: String) throws -> String? {
    try withState { $0.texts[Key(language: language, context: context, source: source)] }
  }

  /// Keeps an answer; ``sync()`` makes it durable.
  package func keep(_ text: String, for source: String, context: String, in language: String) throws {
    try withState { state in
      state.texts[Key(language: language, context: context, source: source)] = text
      try append(Line(language: language, source: source, context: context, text: text), to: &state)
    }
  }

  package func sync() throws { try withState { try write(&$0) } }

  /// Forgets a shipment. With the last one, the answers go too: the ledger has them.
  package func forget(_ shipment: String) throws {
    try withState { state in
      guard state.shipments.remove(shipment) != nil, state.shipments.isEmpty else { return }
      state.texts = [:]
      state.pending = []
      if try storage.entry(file) != nil { try storage.remove(file) }
    }
  }

  private func withState<Result>(_ body: (inout State) throws -> Result) throws -> Result {
    try state.withLock { state in
      if !state.isRead {
        try read(into: &state)
        state.isRead = true
      }
      return try body(&state)
    }
  }

  private func read(into state: inout State) throws {
    guard try storage.entry(file) != nil else { return }
    let bytes = try storage.read(file, limit: 1 << 30)
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard let line = try? JSONDecoder().decode(Line.self, from: Data(line)) else { continue }
      if let shipment = line.shipment { state.shipments.insert(shipment) }
      if let language = line.language, let source = line.source, let context = line.context, let text = line.text {
        state.texts[Key(language: language, context: context, source: source)] = text
      }
    }
    state.pending = bytes.last == UInt8(ascii: "\n") || bytes.isEmpty ? [] : [UInt8(ascii: "\n")]
  }

  private func append(_ line: Line, to state: inout State) throws {
    state.pending += try JSONEncoder().encode(line) + [UInt8(ascii: "\n")]
  }

  private func write(_ state: inout State) throws {
    guard !state.pending.isEmpty else { return }
    try storage.makeFolder(.root)
    if try storage.entry(file) == nil { try storage.create(file, with: []) }
    do {
      guard let handle = FileHandle(forUpdatingAtPath: storage.fullPath(file)) else {
        throw CocoaError(.fileWriteNoPermission)
      }
      defer { try? handle.close() }
      try handle.seekToEnd()
      try handle.write(contentsOf: Data(state.pending))
      try handle.synchronize()
    } catch {
      throw VendorError(
        kind: .disk, operation: "write \(storage.fullPath(file))", detail: "the answers of an engine could not be kept")
    }
    state.pending = []
  }
}
