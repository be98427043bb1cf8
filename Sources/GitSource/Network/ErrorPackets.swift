/// A search for errors in a server's packet lines: `ERR` packets, and packets of the side band's third channel. During a transfer, libgit2 ignores
/// both kinds. The search also recognizes the `shallow` lines of a shallow repository, which libgit2 cannot read.
struct ErrorPackets {
  /// The digits of an incomplete packet length, at most three.
  private var digits: [UInt8] = []
  /// The number of bytes of the current packet that have not arrived.
  private var left = 0
  /// The beginning of the current packet if it is, or may be, an error or a `shallow` line; otherwise `nil`.
  private var beginning: [UInt8]?
  /// Whether the bytes are packet lines. `false` after bytes without a valid length: a pack without a side band, or invalid data. libgit2 handles
  /// both cases.
  private var hasPackets = true
  private var words = ServerWords()

  private static let longest = 1024

  /// Whether an error was found. In git's protocol, nothing follows an error.
  private(set) var isFound = false

  /// Whether the server listed commits whose parents it lacks.
  private(set) var isShallow = false

  /// The errors found so far, in one line; empty if there are none.
  var summary: String { words.summary }

  /// Searches the next bytes from the server. They may begin and end anywhere in a packet.
  mutating func add(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while hasPackets, let byte = rest.first {
      guard left == 0 else {
        let part = rest.prefix(left)
        take(part)
        rest = rest[part.endIndex...]
        continue
      }
      digits.append(byte)
      rest = rest.dropFirst()
      if digits.count == 4 { begin() }
    }
  }

  private mutating func begin() {
    let length = Int(String(decoding: digits, as: UTF8.self), radix: 16)
    digits = []
    switch length {
    case .some(0...2): return
    case .some(let length) where length >= 4:
      left = length - 4
      beginning = left > 0 ? [] : nil
    default: hasPackets = false
    }
  }

  private mutating func take(_ part: ArraySlice<UInt8>) {
    left -= part.count
    guard var text = beginning else { return }
    text += part.prefix(Self.longest - text.count)
    let isChannel = text.first == 3
    let isError = text.starts(with: "ERR ".utf8)
    isShallow = isShallow || text.starts(with: "shallow ".utf8)
    let isIncomplete = left > 0 && ("ERR ".utf8.starts(with: text) || "shallow ".utf8.starts(with: text))
    let isPossible = isChannel || isError || isIncomplete
    beginning = isPossible ? text : nil
    guard isPossible, left == 0 else { return }
    words.add(String(decoding: text.dropFirst(isChannel ? 1 : 4), as: UTF8.self) + "\n")
    isFound = true
    beginning = nil
  }
}
