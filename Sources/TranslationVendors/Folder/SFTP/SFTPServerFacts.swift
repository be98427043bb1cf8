internal import Foundation

/// Properties of a server that must be tested, because SFTP does not announce them.
struct SFTPServerFacts {
  /// The difference of the server's clock to ours, in seconds. The server drops fractions, so it may be up to 1 too small.
  var clockOffset: TimeInterval
  /// Whether writing and renaming fail for an existing name, as the protocol demands.
  var isExclusive: Bool

  /// Tests the server with two empty files. They are hidden from translators and removed at once.
  static func find(_ channel: SFTPChannel, in root: String, name: String, now: Date) throws -> SFTPServerFacts {
    let first = "\(root)/.dragoman-\(name)-1.tmp"
    let second = "\(root)/.dragoman-\(name)-2.tmp"
    let attributes = try channel.create(first) { nil }
    try channel.create(second) { nil }
    let writesOnce = try refuses { try channel.create(first) { nil } }
    let renamesOnce = try refuses { try channel.rename(first, to: second) }
    for path in [first, second] {
      do { try channel.remove(path) } catch let status as SFTPStatus where status.code == SFTPStatus.Code.noSuchFile {}
    }
    let clock = attributes.modified.map { TimeInterval($0) - now.timeIntervalSince1970 } ?? 0
    return SFTPServerFacts(clockOffset: clock, isExclusive: writesOnce && renamesOnce)
  }

  private static func refuses(_ body: () throws -> Void) throws -> Bool {
    do {
      try body()
      return false
    } catch is SFTPStatus { return true }
  }
}
