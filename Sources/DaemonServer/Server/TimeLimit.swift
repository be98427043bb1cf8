private import Synchronization

/// A limit for the time that a caller waits for work. The work may continue in the background.
enum TimeLimit {
  struct Exceeded: Error, CustomStringConvertible {
    let seconds: Int
    var description: String { "it did not respond within \(seconds) s" }
  }

  /// Waits for work, for at most the given number of seconds.
  /// - Throws: ``Exceeded`` if the work takes longer than the limit; otherwise the error of `work`.
  static func seconds<Value: Sendable>(
    _ seconds: Int, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let first = First<Value>()
    return try await withCheckedThrowingContinuation { continuation in
      first.set(continuation)
      Task {
        do { first.resume(with: .success(try await work())) } catch { first.resume(with: .failure(error)) }
      }
      Task {
        try? await Task.sleep(for: .seconds(seconds))
        first.resume(with: .failure(Exceeded(seconds: seconds)))
      }
    }
  }

  /// A continuation that is resumed with the first of several results.
  private final class First<Value: Sendable>: Sendable {
    private let waiting = Mutex<CheckedContinuation<Value, any Error>?>(nil)

    func set(_ continuation: CheckedContinuation<Value, any Error>) { waiting.withLock { $0 = continuation } }

    func resume(with result: Result<Value, any Error>) {
      waiting.withLock { waiting in
        defer { waiting = nil }
        return waiting
      }?.resume(with: result)
    }
  }
}
