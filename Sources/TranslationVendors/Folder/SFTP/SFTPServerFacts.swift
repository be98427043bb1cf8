internal import Foundation

/// What must be tried out, because SFTP does not say it.
struct SFTPServerFacts {
  /// How far the server's clock is ahead of ours, in seconds. It cuts off parts of a second, so it may be less by one.
  var clockOffset: TimeInterval
  /// Whether writing and renaming fail where the name is taken, as the protocol wants it.
  var isExclusive: Bool

  /// Tries it with two empty files that are hidden from translators and removed at once.
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
