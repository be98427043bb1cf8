internal import HTTPTransport

/// An error that names the strings that a platform refused while it accepted the others of the same requests. A ``TranslationPlatform``
/// throws it after it has sent everything else.
struct StringsRefused: Error, CustomStringConvertible {
  /// The platform's own words.
  var reasons: [PlatformID: String]

  var description: String {
    reasons.sorted { $0.key < $1.key }.map { "“\($0.key.name)”: \($0.value)" }.joined(separator: "; ")
  }
}

/// Sends the strings that a platform accepts. Many platforms refuse a whole request because of one string: the rest is then sent in halves,
/// until each refused string is alone.
struct RefusalSearch<Item> {
  /// If this many strings are refused before any is accepted, the others are not tried: the strings are probably not the cause.
  static var mostAtFirst: Int { 5 }

  let id: (Item) -> PlatformID
  /// Those of the items that the platform does not have yet. A part of a refused request may have arrived.
  let pending: ([Item]) async throws -> [Item]
  let send: ([Item]) async throws -> Void
  /// The number of strings that may be refused before any was accepted.
  var mostAtFirst = Self.mostAtFirst
  /// The refused strings, with the platform's own words.
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

  /// - Throws: the platform's refusal if it takes none of several strings, and any other fault.
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
      // Somebody else may have added one of them.
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

  /// The platform's words, if the error may concern what was sent rather than the token, the project or the server.
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
