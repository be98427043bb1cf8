package import Foundation
package import Localization

/// Functions that read and write zips in memory. Reading enforces limits.
package enum ZipArchive {
  /// Returns a zip of the files, sorted by path. The same arguments produce the same bytes in every time zone.
  /// - Parameter modified: the time of every entry, in UTC, rounded down to two seconds. A zip cannot store times before 1980 or after 2107, so the
  ///   nearest possible time is stored instead.
  /// - Throws: an error if `read` would refuse a path, or if two files have the same path.
  package static func write(_ files: [(TreePath, [UInt8])], modified: Date) throws(ArchiveError) -> [UInt8] {
    let sorted = files.sorted { $0.0 < $1.0 }
    for (path, _) in sorted {
      do { _ = try EntryName.check(Array(path.text.utf8)[...], limits: ArchiveLimits()) } catch {
        throw ArchiveError(kind: error.kind, operation: "write the zip", entry: error.entry, detail: error.detail)
      }
    }
    for (one, next) in zip(sorted, sorted.dropFirst()) where one.0 == next.0 {
      throw ArchiveError(
        kind: .duplicateName, operation: "write the zip", entry: one.0.printable, detail: "two files have this name")
    }
    let writer = try ArchiveWriter()
    for (path, bytes) in sorted { try writer.add(path, bytes) }
    return try stamp(try writer.finish(), modified)
  }

  /// Returns the files of a zip by path, without folders.
  /// - Throws: the first fault, with the name of its entry. In that case no files are returned, not even valid files.
  package static func read(
    _ bytes: [UInt8], limits: ArchiveLimits = ArchiveLimits()
  ) throws(ArchiveError) -> [TreePath: [UInt8]] {
    guard bytes.count <= limits.archiveBytes else {
      throw ArchiveError(
        kind: .tooLarge, detail: "the zip has \(bytes.count) bytes; the limit is \(limits.archiveBytes)")
    }
    let directory = try ZipDirectory(bytes, limits: limits)
    guard !directory.entries.isEmpty else { return [:] }
    return try ArchiveReader.unpack(bytes, directory.entries, limits: limits)
  }

  /// Writes the time into both headers of every entry. libarchive would use the time zone of the machine.
  private static func stamp(_ bytes: [UInt8], _ date: Date) throws(ArchiveError) -> [UInt8] {
    let fields = dosTime(Int64(date.timeIntervalSince1970.rounded(.down)))
    var bytes = bytes
    for entry in try ZipDirectory(bytes, limits: .none).entries {
      for (index, byte) in fields.enumerated() {
        bytes[entry.offset + 10 + index] = byte
        bytes[entry.record + 12 + index] = byte
      }
    }
    return bytes
  }

  /// Returns the time and then the date in the packed format of MS-DOS, as little-endian bytes.
  private static func dosTime(_ seconds: Int64) -> [UInt8] {
    let seconds = min(max(seconds, 315_532_800), 4_354_819_198)
    let days = seconds / 86_400
    let rest = seconds % 86_400
    // The following is Howard Hinnant's civil_from_days. It converts days since 1970 to year, month and day.
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let time = (rest / 3_600) << 11 | (rest / 60 % 60) << 5 | (rest % 60) / 2
    let date = (year - 1980) << 9 | month << 5 | day
    return [UInt8(time & 0xFF), UInt8(time >> 8 & 0xFF), UInt8(date & 0xFF), UInt8(date >> 8 & 0xFF)]
  }
}

extension ArchiveLimits {
  /// No limits, for archives that this process made.
  static let none = ArchiveLimits(
    entries: .max, archiveBytes: .max, totalBytes: .max, ratio: .max, nameBytes: .max, depth: .max)
}
