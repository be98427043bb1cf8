internal import Foundation
private import Glibc

/// The resources that this process uses, as Linux reports them in `/proc`. Reading these files does not block, because they are in memory.
struct ProcessFigures: Hashable, Sendable {
  var residentBytes: Int
  var descriptors: Int

  /// - Returns: `nil` if `/proc` is not mounted.
  init?() {
    guard let data = FileManager.default.contents(atPath: "/proc/self/statm"),
      let pages = String(decoding: data, as: UTF8.self).split(separator: " ").dropFirst().first.flatMap({ Int($0) }),
      let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    else { return nil }
    residentBytes = pages * sysconf(Int32(_SC_PAGESIZE))
    descriptors = names.count
  }
}
