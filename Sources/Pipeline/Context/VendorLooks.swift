internal import Synchronization

/// Requests by webhooks to check vendors before their next check is due. Requests that arrive before the next check are combined.
package final class VendorLooks: Sendable {
  private let signals = Mutex<[String: WorkSignal]>([:])

  package init() {}

  /// Records that the vendor with this name reported a change with a verified request.
  package func request(_ vendor: String) { signal(of: vendor).ring() }

  /// Waits for the next request, or until the task is cancelled.
  func wait(for vendor: String) async { await signal(of: vendor).wait() }

  private func signal(of vendor: String) -> WorkSignal {
    signals.withLock { signals in
      let signal = signals[vendor] ?? WorkSignal()
      signals[vendor] = signal
      return signal
    }
  }
}
