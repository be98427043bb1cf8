/// The limits for an archive from an untrusted source.
package struct ArchiveLimits: Hashable, Sendable {
  package var entries: Int
  /// The maximum size of the archive itself, in bytes.
  package var archiveBytes: Int
  /// The maximum unpacked size of all entries together, in bytes.
  package var totalBytes: Int
  /// The maximum ratio of unpacked to packed bytes, for each entry and for the whole archive.
  package var ratio: Int
  /// The number of unpacked bytes up to which the ratio is not checked, because small harmless files can also compress well.
  package var ratioFreeBytes: Int
  /// The maximum length of a path, in bytes. Each component may have at most 255 bytes.
  package var nameBytes: Int
  /// The maximum number of components in a path.
  package var depth: Int

  package init(
    entries: Int = 10_000, archiveBytes: Int = 256 << 20, totalBytes: Int = 512 << 20, ratio: Int = 100,
    ratioFreeBytes: Int = 128 << 10, nameBytes: Int = 1_024, depth: Int = 32
  ) {
    self.entries = entries
    self.archiveBytes = archiveBytes
    self.totalBytes = totalBytes
    self.ratio = ratio
    self.ratioFreeBytes = ratioFreeBytes
    self.nameBytes = nameBytes
    self.depth = depth
  }

  func isRatioTooHigh(unpacked: Int, packed: Int) -> Bool {
    guard unpacked > ratioFreeBytes else { return false }
    let (most, overflow) = max(packed, 1).multipliedReportingOverflow(by: ratio)
    return !overflow && unpacked > most
  }
}
