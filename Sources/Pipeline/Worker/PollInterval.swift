/// The polling interval of a repository. It is short after a change, and grows while nothing changes.
///
/// While webhooks work, polling is infrequent. Polling becomes frequent again when a poll finds a commit whose event does not arrive.
package struct PollInterval: Hashable, Sendable {
  private enum Webhooks: Hashable, Sendable {
    /// No event has arrived, or events have stopped.
    case unseen
    case working
    /// Polling found a commit whose event may still arrive.
    case late
  }

  /// The fixed interval from the pipeline file; `nil` if the interval is adaptive.
  private let fixed: Duration?
  private var webhooks = Webhooks.unseen
  private var hasFailed = false
  package private(set) var current: Duration

  package static let shortest = Duration.seconds(15)
  package static let longest = Duration.seconds(900)

  package init(fixed: Duration?) {
    self.fixed = fixed
    current = fixed ?? Self.shortest
  }

  /// Updates the interval after a look.
  /// - Parameter afterEvent: whether a webhook event has arrived since the previous look.
  /// - Returns: whether webhooks worked and have stopped: there was no event before the last two looks, and the first of these looks found
  ///   a commit.
  @discardableResult
  package mutating func looked(foundSomething: Bool, afterEvent: Bool = false) -> Bool {
    hasFailed = false
    let former = webhooks
    if afterEvent {
      webhooks = .working
    } else if former == .working, foundSomething {
      webhooks = .late
    } else if former == .late {
      webhooks = .unseen
    }
    adapt(
      webhooks == .working
        ? Self.longest : foundSomething || webhooks == .late ? Self.shortest : min(current * 3 / 2, Self.longest))
    return former == .late && webhooks == .unseen
  }

  /// Updates the interval after a look that failed. While webhooks work, the first failed look is repeated soon, because no event will trigger
  /// it. In all other cases, the interval grows.
  package mutating func failed() {
    adapt(webhooks == .working && !hasFailed ? Self.shortest : min(current * 3 / 2, Self.longest))
    hasFailed = true
  }

  private mutating func adapt(_ interval: Duration) {
    if fixed == nil { current = interval }
  }
}
