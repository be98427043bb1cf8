internal import Synchronization

/// The refusals of an engine, which are recorded on disk, so a refused text is not sent and paid for again.
///
/// A refusal applies to one form of a unit in one language, as long as the source text and the engine's settings do not change and the unit is
/// outstanding.
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
    /// The reason for the refusal; `nil` if the text is not refused yet.
    var reason: String?
    /// The number of consecutive pulls in which the engine gave no answer.
    var silences: Int?
  }

  private struct State {
    var isRead = false
    var reasons: [Key: String] = [:]
    var silences: [Key: Int] = [:]
    /// The refusals that this process has reported.
    var told: Set<Key> = []
    var pending: [UInt8] = []
  }

  /// The number of consecutive pulls without an answer after which a text is refused.
  static let mostSilences = 3

  private let lines: StateLines
  private let state = Mutex(State())

  init(folder: String, vendor: String) { lines = StateLines(folder: folder, name: "refused", vendor: vendor) }

  func reason(for key: Key) throws -> String? { try withState { $0.reasons[key] } }

  /// Stores a refusal; ``sync()`` makes it durable.
  func keep(_ reason: String, for key: Key) throws {
    try withState { state in
      state.reasons[key] = reason
      state.pending += try StateLines.bytes(of: Line(key: key, reason: reason))
    }
  }

  /// Counts another pull in which the engine gave no answer for a text; ``sync()`` makes it durable.
  /// - Returns: the number of consecutive pulls without an answer.
  func noteSilence(for key: Key) throws -> Int {
    try withState { state in
      let count = (state.silences[key] ?? 0) + 1
      state.silences[key] = count
      state.pending += try StateLines.bytes(of: Line(key: key, silences: count))
      return count
    }
  }

  /// Returns whether a refusal must be reported. Each refusal is reported once while the process runs.
  func isNews(_ key: Key) -> Bool { state.withLock { $0.told.insert(key).inserted } }

  func sync() throws {
    try withState { state in
      try lines.append(state.pending)
      state.pending = []
    }
  }

  /// Deletes all refusals and counts except those of these texts.
  func retain(_ keys: Set<Key>) throws {
    try withState { state in
      state.told.formIntersection(keys)
      let kept = state.reasons.filter { keys.contains($0.key) }
      let silences = state.silences.filter { keys.contains($0.key) }
      guard kept.count < state.reasons.count || silences.count < state.silences.count else { return }
      var bytes: [UInt8] = []
      for (key, count) in silences { bytes += try StateLines.bytes(of: Line(key: key, silences: count)) }
      for (key, reason) in kept { bytes += try StateLines.bytes(of: Line(key: key, reason: reason)) }
      try lines.replace(bytes)
      (state.reasons, state.silences) = (kept, silences)
      state.pending = []
    }
  }

  private func withState<Result>(_ body: (inout State) throws -> Result) throws -> Result {
    try state.withLock { state in
      if !state.isRead {
        for line in try lines.read(Line.self) {
          if let reason = line.reason { state.reasons[line.key] = reason }
          if let silences = line.silences { state.silences[line.key] = silences }
        }
        state.isRead = true
      }
      return try body(&state)
    }
  }
}
