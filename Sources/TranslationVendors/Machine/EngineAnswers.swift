internal import Localization
internal import Synchronization

/// The answers of an engine on disk, until they are safely in the ledger, so no text is paid for twice.
///
/// One file for each vendor in the state folder: a line of JSON for each shipment that was noted and each answer.
package final class EngineAnswers: Sendable {
  private struct Line: Codable {
    var shipment: String?
    var language: String?
    var source: String?
    var context: String?
    var text: String?
    /// Whether a bundle contained the answer and was acknowledged.
    var isReturned: Bool?
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
    /// Answers that no bundle has returned yet.
    var unreturned: Set<Key> = []
    /// Answers that are stored in the ledger.
    var returned: Set<Key> = []
    var pending: [UInt8] = []
  }

  private let lines: StateLines
  private let state = Mutex(State())

  /// - Parameter vendor: names the file.
  package init(folder: String, vendor: String) {
    lines = StateLines(folder: folder, name: "answers", vendor: vendor)
  }

  /// Records a shipment. If a text is sent although its answer was returned, a person dropped the answer: it is forgotten, and requested
  /// anew.
  /// - Parameter texts: of the shipment, with their contexts.
  /// - Returns: whether the shipment was noted before.
  package func note(
    _ shipment: String, texts: [(source: String, context: String)] = [], in language: String = ""
  ) throws -> Bool {
    try withState { state in
      guard state.shipments.insert(shipment).inserted else { return true }
      state.pending += try StateLines.bytes(of: Line(shipment: shipment))
      for text in texts {
        let key = Key(language: language, context: text.context, source: text.source)
        guard state.returned.remove(key) != nil else { continue }
        state.texts[key] = nil
        state.pending += try StateLines.bytes(of: Self.line(key, text: nil, isReturned: nil))
      }
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

  /// Forgets a shipment. With the last one, the answers that were returned go too: the ledger has them. Before that, another shipment may
  /// need them.
  /// - Parameter texts: the current texts of the ledger.
  package func forget(_ shipment: String, texts: [(source: String, context: String, text: String)] = []) throws {
    try withState { state in
      state.shipments.remove(shipment)
      guard state.shipments.isEmpty else {
        let known = Set(texts.map { [$0.context, $0.source, $0.text] })
        for (key, text) in state.texts where known.contains([key.context, key.source, text]) {
          guard state.returned.insert(key).inserted else { continue }
          state.pending += try StateLines.bytes(of: Self.line(key, text: text, isReturned: true))
        }
        return try write(&state)
      }
      state.texts = state.texts.filter { state.unreturned.contains($0.key) }
      state.unreturned = []
      state.returned = []
      state.pending = []
      var kept: [UInt8] = []
      for (key, text) in state.texts { kept += try StateLines.bytes(of: Self.line(key, text: text, isReturned: nil)) }
      try lines.replace(kept)
    }
  }

  private static func line(_ key: Key, text: String?, isReturned: Bool?) -> Line {
    Line(language: key.language, source: key.source, context: key.context, text: text, isReturned: isReturned)
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
    if let language = line.language, let source = line.source, let context = line.context {
      let key = Key(language: language, context: context, source: source)
      state.texts[key] = line.text
      if line.isReturned == true { state.returned.insert(key) } else { state.returned.remove(key) }
    }
  }

  private func write(_ state: inout State) throws {
    try lines.append(state.pending)
    state.pending = []
  }
}
