/// The data that a server sends on a connection of libgit2. Records its errors, and limits its data outside of a pack: libgit2 keeps all
/// references and acknowledgements in memory.
struct ServerAnswers {
  /// The same limit as for listing references over http: about 700,000 references.
  static let limit = 64 << 20

  /// Whether a pack arrives, whose size the fetch limits.
  var isInPack = false
  private(set) var isOverLimit = false
  private var count = 0
  private var errors = ErrorPackets()
  private var former = ""

  /// Whether the server sent an error. We wait for nothing after an error, because some servers do not close the connection.
  var isOver: Bool { errors.isFound }

  /// The server's errors, in one line; empty if there are none.
  var errorWords: String { former.isEmpty ? errors.summary : former }

  /// Begins another answer, with packets of its own.
  mutating func begin() {
    former = errorWords
    errors = ErrorPackets()
  }

  /// - Returns: whether libgit2 may have the bytes.
  mutating func admit(_ bytes: [UInt8]) -> Bool {
    errors.add(bytes)
    if !isInPack { count += bytes.count }
    isOverLimit = count > Self.limit
    return !isOverLimit
  }

  /// Returns the fault of a server that sends more than the limit.
  func limitFault(_ operation: String) -> GitError? {
    guard isOverLimit else { return nil }
    return GitError(
      .refused, operation,
      "the server sends more than \(Self.limit >> 20) MiB of references. Remove old references there, or ask its operator"
    )
  }
}
