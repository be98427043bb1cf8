internal import Localization
internal import Synchronization

/// The answers of an engine on disk, until they are safely in the ledger: what was paid for is not asked for again.
///
/// One file for each vendor in the state folder: a line of JSON for each shipment that was noted and each answer.
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
    /// Answers that no bundle had yet.
    var unreturned: Set<Key> = []
    var pending: [UInt8] = []
  }

  private let lines: StateLines
  private let state = Mutex(State())

  /// - Parameter vendor: names the file.
  package init(folder: String, vendor: String) {
    lines = StateLines(folder: folder, name: "answers", vendor: vendor)
  }

  /// - Returns: whether the shipment was noted before.
  package func note(_ shipment: String) throws -> Bool {
    try withState { state in
      guard state.shipments.insert(shipment).inserted else { return true }
      state.pending += try StateLines.bytes(of: Line(shipment: shipment))
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
      state.pending += try StateLines.bytes(
        of: Line(language: language, source: source, context: context, text: text))
    }
  }

  /// Keeps an answer beyond the shipments, because the bundle that returns it is still to come.
  package func retain(_ source: String, context: String, in language: String) throws {
    try withState { _ = $0.unreturned.insert(Key(language: language, context: context, source: source)) }
  }

  package func sync() throws { try withState { try write(&$0) } }

  /// Forgets a shipment. With the last one, the answers that were returned go too: the ledger has them.
  package func forget(_ shipment: String) throws {
    try withState { state in
      guard state.shipments.remove(shipment) != nil, state.shipments.isEmpty else { return }
      state.texts = state.texts.filter { state.unreturned.contains($0.key) }
      state.unreturned = []
      state.pending = []
      var kept: [UInt8] = []
      for (key, text) in state.texts {
        kept += try StateLines.bytes(
          of: Line(language: key.language, source: key.source, context: key.context, text: text))
      }
      try lines.replace(kept)
    }
  }

  private func withState<Result>(_ body: (inout State) throws -> Result) throws -> Result {
    try state.withLock { state in
      if !state.isRead {
        for line in try lines.read(Line.self) { Self.add(line, to: &state) }
        state.isRead = true
      }
      return try body(&state)
    }
  }

  private static func add(_ line: Line, to state: inout State) {
    if let shipment = line.shipment { state.shipments.insert(shipment) }
    if let language = line.language, let source = line.source, let context = line.context, let text = line.text {
      state.texts[Key(language: language, context: context, source: source)] = text
    }
  }

  private func write(_ state: inout State) throws {
    try lines.append(state.pending)
    state.pending = []
  }
}
