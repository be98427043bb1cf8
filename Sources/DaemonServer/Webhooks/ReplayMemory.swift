/// The last deliveries of a webhook, to recognize repeated ones.
struct ReplayMemory: Sendable {
  /// The number of remembered deliveries.
  static let limit = 1024

  private var known: Set<[UInt8]> = []
  private var order: [[UInt8]] = []
  /// Index of the oldest element of `order` when it is full.
  private var next = 0

  /// Remembers a delivery. The oldest one is forgotten if there are too many.
  /// - Returns: whether it is new.
  mutating func insert(_ identity: [UInt8]) -> Bool {
    guard known.insert(identity).inserted else { return false }
    guard order.count == Self.limit else {
      order.append(identity)
      return true
    }
    known.remove(order[next])
    order[next] = identity
    next = (next + 1) % Self.limit
    return true
  }
}
