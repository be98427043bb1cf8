internal import HTTPTransport

/// An error that lists refused strings. The platform accepted the other strings of the same requests. A ``TranslationPlatform`` throws the error
/// after all other strings have been sent.
struct StringsRefused: Error, CustomStringConvertible {
  /// The platform's reason for each refused string.
  var reasons: [PlatformID: String]

  var description: String {
    reasons.sorted { $0.key < $1.key }.map { "“\($0.key.name)”: \($0.value)" }.joined(separator: "; ")
  }
}

/// A search for the strings that a platform refuses. It sends all strings. Many platforms refuse a whole request because of one string. Such a
/// request is then sent in halves, until each refused string is alone in its request.
struct RefusalSearch<Item> {
  /// If this many strings are refused before any string is accepted, the other strings are not sent, because the cause is probably not the strings.
  static var mostAtFirst: Int { 5 }

  let id: (Item) -> PlatformID
  /// Returns the items that still have to be sent, because some items of a refused request may have been stored.
  let pending: ([Item]) async throws -> [Item]
  let send: ([Item]) async throws -> Void
  /// The search stops after this many refused strings if no string was accepted before.
  var mostAtFirst = Self.mostAtFirst
  /// The platform's reason for each refused string.
  private(set) var reasons: [PlatformID: String] = [:]
  private var hasSent = false
  private var last: (any Error)?

  init(
    id: @escaping (Item) -> PlatformID, pending: @escaping ([Item]) async throws -> [Item] = { $0 },
    send: @escaping ([Item]) async throws -> Void
  ) {
    self.id = id
    self.pending = pending
    self.send = send
  }

  /// Sends the items, and collects the reasons for refused items in ``reasons``.
  /// - Throws: the platform's refusal if the platform accepts none of several strings and ``mostAtFirst`` is limited; any error other than a refusal.
  mutating func run(_ items: [Item]) async throws {
    do {
      try await search(items)
      if let last, !hasSent, reasons.count > 1, mostAtFirst < .max { throw last }
    } catch {
      if !hasSent { reasons = [:] }
      throw error
    }
  }

  private mutating func search(_ items: [Item]) async throws {
    guard !items.isEmpty else { return }
    do {
      try await send(items)
      hasSent = true
    } catch let error as StringsRefused {
      hasSent = true
      // A refused string is not reported if it exists, because somebody else may have added it.
      let missing = Set(try await pending(items).map(id))
      reasons.merge(error.reasons.filter { missing.contains($0.key) }) { $1 }
    } catch {
      guard let words = Self.words(of: error) else { throw error }
      try Task.checkCancellation()
      let rest = try await pending(items)
      hasSent = hasSent || rest.count < items.count
      guard let first = rest.first else { return }
      guard rest.count == 1 else {
        try await search(Array(rest.prefix(rest.count / 2)))
        return try await search(Array(rest.dropFirst(rest.count / 2)))
      }
      reasons[id(first)] = words
      last = error
      guard hasSent || reasons.count < mostAtFirst else { throw error }
    }
  }

  /// Returns the platform's reason if the error may be caused by the sent strings; `nil` if the cause is the token, the project or the
  /// server.
  private static func words(of error: any Error) -> String? {
    switch error {
    case let error as TransportError:
      guard case .status(let status) = error.kind, [400, 413, 422].contains(status) else { return nil }
      return error.detail
    case let error as VendorError where error.kind == .refused: return error.detail
    default: return nil
    }
  }
}
