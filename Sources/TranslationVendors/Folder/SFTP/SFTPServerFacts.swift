internal import Foundation

/// Properties of a server that are determined by a test, because SFTP has no request for them.
struct SFTPServerFacts {
  /// The server's time minus this machine's time, in seconds. SFTP has only whole seconds, so the value may be up to 1 second too small. If the
  /// server sends no times, the value is 0.
  var clockOffset: TimeInterval
  /// Whether writing and renaming fail for an existing name, as the protocol requires.
  var isExclusive: Bool

  /// Tests the server with two empty files, and returns the server's properties. The files have hidden names and are removed after the test.
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
