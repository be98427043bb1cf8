internal import Synchronization

/// Records refusals of an engine on disk, so that pulls do not pay for a refused text again.
///
/// A refusal applies to one text in one form and language while the engine's settings are unchanged and the text is outstanding.
final class EngineRefusals: Sendable {
  struct Key: Hashable, Codable {
    var catalog: String
    var language: String
    var context: String
    var source: String
    var fingerprint: String
  }

  private struct Line: Codable {
    var key: Key
    var reason: String
  }

  private struct State {
    var isRead = false
    var reasons: [Key: String] = [:]
    /// Those that this process has reported.
    var told: Set<Key> = []
    var pending: [UInt8] = []
  }

  private let lines: StateLines
  private let state = Mutex(State())

  init(folder: String, vendor: String) { lines = StateLines(folder: folder, name: "refused", vendor: vendor) }

  func reason(for key: Key) throws -> String? { try withState { $0.reasons[key] } }

  /// Keeps a refusal; ``sync()`` makes it durable.
  func keep(_ reason: String, for key: Key) throws {
    try withState { state in
      state.reasons[key] = reason
      state.pending += try StateLines.bytes(of: Line(key: key, reason: reason))
    }
  }

  /// Whether the refusal is to be reported: once while the process runs.
  func isNews(_ key: Key) -> Bool { state.withLock { $0.told.insert(key).inserted } }

  func sync() throws {
    try withState { state in
      try lines.append(state.pending)
      state.pending = []
    }
  }

  /// Forgets all but these.
  func retain(_ keys: Set<Key>) throws {
    try withState { state in
      state.told.formIntersection(keys)
      let kept = state.reasons.filter { keys.contains($0.key) }
      guard kept.count < state.reasons.count else { return }
      var bytes: [UInt8] = []
      for (key, reason) in kept { bytes += try StateLines.bytes(of: Line(key: key, reason: reason)) }
      try lines.replace(bytes)
      state.reasons = kept
      state.pending = []
    }
  }

  private func withState<Result>(_ body: (inout State) throws -> Result) throws -> Result {
    try state.withLock { state in
      if !state.isRead {
        for line in try lines.read(Line.self) { state.reasons[line.key] = line.reason }
        state.isRead = true
      }
      return try body(&state)
    }
  }
}
