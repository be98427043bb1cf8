import Pipeline
import Synchronization

/// The running stages, and the pipelines whose jobs are being planned. A process that must exit before they end names them in its last message.
/// Background work waits until no stage reads commits.
final class RunningStages: Sendable {
  private let running = Mutex<[String: Int]>([:])
  private let reading = Mutex(0)

  /// Whether a stage that reads commits is running.
  var isReading: Bool { reading.withLock { $0 > 0 } }

  func note(_ event: ProgressEvent) {
    if [.extract, .diff, .merge].contains(event.stage) {
      reading.withLock { $0 = max(0, $0 + (event.state == .began ? 1 : -1)) }
    }
    let words = ([event.pipeline, event.stage.rawValue] + [event.branch, event.scope].compactMap(\.self)).joined(
      separator: " ")
    note(words, event.state)
  }

  /// Records the beginning or the end of planning, which is not a stage.
  func notePlanning(of pipeline: String, _ state: ProgressEvent.State) { note("\(pipeline) planning", state) }

  private func note(_ words: String, _ state: ProgressEvent.State) {
    running.withLock { running in
      let count = running[words, default: 0] + (state == .began ? 1 : -1)
      running[words] = count > 0 ? count : nil
    }
  }

  /// The first five running stages, sorted by name, and the number of the others.
  var description: String {
    let names = running.withLock { $0.keys.sorted() }
    guard !names.isEmpty else { return "no known stage" }
    return names.prefix(5).joined(separator: ", ") + (names.count > 5 ? " and \(names.count - 5) more" : "")
  }
}
