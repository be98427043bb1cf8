/// The last deliveries of a webhook, by which repeated deliveries are recognized.
struct ReplayMemory: Sendable {
  /// The maximum number of remembered deliveries.
  static let limit = 1024

  private var known: Set<[UInt8]> = []
  private var order: [[UInt8]] = []
  /// The index of the oldest element of `order` when `order` is full.
  private var next = 0

  /// Remembers a delivery. If the memory is full, the oldest delivery is forgotten.
  /// - Returns: whether the delivery is new.
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
