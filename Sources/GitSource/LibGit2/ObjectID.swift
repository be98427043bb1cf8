import CLibGit2
import Localization
import Pipeline

/// The id of a git object, such as a commit, a tree or a blob. It has 20 bytes.
struct ObjectID: Hashable, Sendable, CustomStringConvertible {
  fileprivate let words: (UInt64, UInt64, UInt32)

  /// - Parameter bytes: exactly 20 bytes; `nil` is returned for any other number.
  init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 20 else { return nil }
    var first: UInt64 = 0
    var second: UInt64 = 0
    var third: UInt32 = 0
    for (offset, byte) in bytes.enumerated() {
      switch offset {
      case 0..<8: first = first << 8 | UInt64(byte)
      case 8..<16: second = second << 8 | UInt64(byte)
      default: third = third << 8 | UInt32(byte)
      }
    }
    words = (first, second, third)
  }

  /// - Parameter hex: 40 hexadecimal digits; `nil` is returned for anything else.
  init?(hex: some StringProtocol) {
    guard hex.utf8.count == 40 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(20)
    var high: UInt8?
    for digit in hex.utf8 {
      let value: UInt8
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): value = digit - UInt8(ascii: "A") + 10
      default: return nil
      }
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    self.init(bytes: bytes)
  }

  init?(_ commit: CommitID) { self.init(hex: commit.rawValue) }

  var bytes: [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: words.0 >> (56 - 8 * $0)) }
      + (0..<8).map { UInt8(truncatingIfNeeded: words.1 >> (56 - 8 * $0)) }
      + (0..<4).map { UInt8(truncatingIfNeeded: words.2 >> (24 - 8 * UInt32($0))) }
  }

  var hex: String { bytes.hexadecimal }

  var description: String { hex }
  var commit: CommitID { CommitID(rawValue: hex) }
  var blob: BlobID { BlobID(rawValue: hex) }

  static func == (a: Self, b: Self) -> Bool { a.words == b.words }

  func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
    hasher.combine(words.1)
  }
}

extension ObjectID {
  private init(_ words: (UInt64, UInt64, UInt32)) { self.words = words }

  /// Converts an id from libgit2.
  init(_ id: git_oid) {
    let raw = unsafe withUnsafeBytes(of: id) {
      unsafe (
        $0.loadUnaligned(as: UInt64.self).bigEndian,
        $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self).bigEndian,
        $0.loadUnaligned(fromByteOffset: 16, as: UInt32.self).bigEndian
      )
    }
    self.init(raw)
  }

  /// The id as a libgit2 value.
  var raw: git_oid {
    var id = git_oid()
    unsafe withUnsafeMutableBytes(of: &id) {
      unsafe $0.storeBytes(of: words.0.bigEndian, as: UInt64.self)
      unsafe $0.storeBytes(of: words.1.bigEndian, toByteOffset: 8, as: UInt64.self)
      unsafe $0.storeBytes(of: words.2.bigEndian, toByteOffset: 16, as: UInt32.self)
    }
    return id
  }
}
