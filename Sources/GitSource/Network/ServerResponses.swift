/// A filter for the data that a server sends to libgit2. It records the server's errors, and limits the data outside packs, because libgit2 keeps all
/// references and acknowledgements in memory.
struct ServerResponses {
  /// The maximum number of bytes outside packs: about 700,000 references. Listing references over http has the same limit.
  static let limit = 64 << 20

  /// Whether the server is sending a pack. The limit of the fetch applies to the pack's size.
  var isInPack = false
  private(set) var isOverLimit = false
  private var count = 0
  private var errors = ErrorPackets()
  private var former = ""

  /// Whether the server sent an error. We do not wait for further data after an error, because some servers do not close the connection.
  var isOver: Bool { errors.isFound }

  /// Whether the current response shows that the server's repository is a shallow clone.
  var isShallow: Bool { errors.isShallow }

  /// The server's errors, in one line; empty if there are none.
  var errorWords: String { former.isEmpty ? errors.summary : former }

  /// Begins another response, which starts with a new packet.
  mutating func begin() {
    former = errorWords
    errors = ErrorPackets()
  }

  /// Records the next bytes from the server.
  /// - Returns: whether the bytes may be passed to libgit2, which is `false` beyond the limit.
  mutating func admit(_ bytes: [UInt8]) -> Bool {
    errors.add(bytes)
    if !isInPack { count += bytes.count }
    isOverLimit = count > Self.limit
    return !isOverLimit
  }

  /// Returns the error for a server that has sent more than the limit; `nil` if the limit is not exceeded.
  func limitFault(_ operation: String) -> GitError? {
    guard isOverLimit else { return nil }
    return GitError(
      .refused, operation,
      "the server sends more than \(Self.limit >> 20) MiB of references. Remove old references there, or ask its operator to do so"
    )
  }
}
