internal import Localization

/// The central directory of a zip. We read it ourselves before libarchive unpacks anything, for two reasons. libarchive returns names as C strings,
/// which end at a NUL, and it does not compare the two headers of each entry.
struct ZipDirectory {
  struct Entry {
    /// The path of the entry: its components joined by `/`, without `./` or repeated slashes.
    let path: TreePath
    let isFolder: Bool
    let packed: Int
    let unpacked: Int
    /// The offset of the entry's local header.
    let offset: Int
    /// The offset of the entry's record in the directory.
    let record: Int
  }

  /// The entries in the order of the archive.
  let entries: [Entry]

  init(_ bytes: [UInt8], limits: ArchiveLimits) throws(ArchiveError) {
    let reader = LittleEndian(bytes)
    let end = try Self.findEnd(reader)
    let count = try reader.u16(end + 10)
    let size = try reader.u32(end + 12)
    let start = try reader.u32(end + 16)
    guard count != 0xFFFF, size != 0xFFFF_FFFF, start != 0xFFFF_FFFF else {
      throw ArchiveError(
        kind: .tooLarge, detail: "the zip has the zip64 format, which no bundle needs; zip it again without zip64")
    }
    guard try reader.u16(end + 4) == 0, try reader.u16(end + 6) == 0, try reader.u16(end + 8) == count else {
      throw ArchiveError(kind: .unreadable, detail: "the zip is a part of a multi-part archive; send one file")
    }
    guard count <= limits.entries else {
      throw ArchiveError(kind: .tooLarge, detail: "the zip has \(count) entries; the limit is \(limits.entries)")
    }
    guard start + size == end else {
      throw ArchiveError(
        kind: .contradiction, detail: "the zip is damaged: its directory is not at the position in its end record")
    }
    var entries: [Entry] = []
    var seen: [TreePath: Bool] = [:]
    var total = 0
    var at = start
    for _ in 0..<count {
      guard try reader.u32(at) == 0x0201_4B50 else {
        throw ArchiveError(kind: .unreadable, detail: "the zip is damaged: bad directory entry at byte \(at)")
      }
      let nameLength = try reader.u16(at + 28)
      let next = try at + 46 + nameLength + reader.u16(at + 30) + reader.u16(at + 32)
      guard next <= end else {
        throw ArchiveError(kind: .unreadable, detail: "the zip is damaged: its directory is cut off")
      }
      let entry = try Self.entry(reader, at: at, name: bytes[(at + 46)..<(at + 46 + nameLength)], limits: limits)
      if !entry.path.isRoot {
        // A folder may be listed more than once, but a file only once. A name may not be both a file and a folder.
        guard seen[entry.path].map({ $0 && entry.isFolder }) ?? true else {
          throw ArchiveError(kind: .duplicateName, entry: entry.path.printable, detail: "the zip has this name twice")
        }
        seen[entry.path] = entry.isFolder
      }
      total += entry.unpacked
      guard total <= limits.totalBytes else {
        throw ArchiveError(
          kind: .tooLarge, entry: entry.path.printable,
          detail: "with this entry, the zip unpacks to more than \(limits.totalBytes) bytes")
      }
      entries.append(entry)
      at = next
    }
    guard at == end else {
      throw ArchiveError(kind: .contradiction, detail: "the zip is damaged: its directory is longer than its entries")
    }
    for entry in entries where !entry.path.isRoot {
      var parent = entry.path.parent
      while !parent.isRoot {
        guard seen[parent] != false else {
          throw ArchiveError(
            kind: .duplicateName, entry: parent.printable, detail: "the zip has a file and a folder of this name")
        }
        parent = parent.parent
      }
    }
    guard !limits.isRatioTooHigh(unpacked: total, packed: bytes.count) else {
      throw ArchiveError(kind: .tooLarge, detail: "the zip would unpack to more than \(limits.ratio) times its size")
    }
    self.entries = entries.sorted { $0.offset < $1.offset }
    // A zip bomb can have entries that share bytes and unpack to far more than the size of the archive.
    for (one, next) in zip(self.entries, self.entries.dropFirst()) where one.offset + 30 + one.packed > next.offset {
      throw ArchiveError(kind: .contradiction, entry: next.path.printable, detail: "it overlaps another entry")
    }
    if let last = self.entries.last, last.offset + 30 + last.packed > start {
      throw ArchiveError(kind: .contradiction, entry: last.path.printable, detail: "it overlaps the directory")
    }
  }

  private static func findEnd(_ reader: LittleEndian) throws(ArchiveError) -> Int {
    let count = reader.bytes.count
    guard count >= 22 else { throw ArchiveError(kind: .unreadable, detail: LittleEndian.incomplete) }
    for at in stride(from: count - 22, through: max(0, count - 22 - 0xFFFF), by: -1) {
      guard try reader.u32(at) == 0x0605_4B50 else { continue }
      // Like libarchive, we use the last end record. If it does not end with the file, the zip is damaged, or the record is hidden in the comment of
      // another end record, as in an attack.
      guard try at + 22 + reader.u16(at + 20) == count else { break }
      return at
    }
    throw ArchiveError(kind: .unreadable, detail: LittleEndian.incomplete)
  }

  private static func entry(
    _ reader: LittleEndian, at: Int, name: ArraySlice<UInt8>, limits: ArchiveLimits
  ) throws(ArchiveError) -> Entry {
    let shown = printableName(name)
    func refused(_ kind: ArchiveError.Kind, _ detail: String) -> ArchiveError {
      ArchiveError(kind: kind, entry: shown, detail: detail)
    }
    let flags = try reader.u16(at + 8)
    guard flags & 0x2041 == 0 else { throw refused(.encrypted, "it is encrypted; send it without a password") }
    let path = try EntryName.check(name, limits: limits)
    let system = try reader.u16(at + 4) >> 8
    let mode = try reader.u32(at + 38) >> 16
    if system == 3 || system == 19, mode & 0o170000 != 0 {
      guard mode & 0o170000 != 0o120000 else {
        throw refused(.symbolicLink, "it is a symbolic link; symbolic links are not followed")
      }
      guard [0o100000, 0o040000].contains(mode & 0o170000) else {
        throw refused(.unsafeName, "it is neither a file nor a folder")
      }
    }
    let packed = try reader.u32(at + 20)
    let unpacked = try reader.u32(at + 24)
    guard packed != 0xFFFF_FFFF, unpacked != 0xFFFF_FFFF else {
      throw refused(.tooLarge, "it has the zip64 format; zip it again without zip64")
    }
    guard !limits.isRatioTooHigh(unpacked: unpacked, packed: packed) else {
      throw refused(.tooLarge, "it would unpack to more than \(limits.ratio) times its size")
    }
    let offset = try reader.u32(at + 42)
    guard try reader.u32(offset) == 0x0403_4B50 else {
      throw refused(.unreadable, "it is not at its position in the directory of the zip")
    }
    let own = try reader.u16(offset + 26)
    guard offset + 30 + own <= reader.bytes.count, reader.bytes[(offset + 30)..<(offset + 30 + own)] == name else {
      throw refused(.contradiction, "its name differs from the name in the directory of the zip")
    }
    guard try reader.u16(offset + 6) & 0x2041 == 0 else {
      throw refused(.encrypted, "it is encrypted; send it without a password")
    }
    let isFolder = name.last == UInt8(ascii: "/") || (system == 3 && mode & 0o170000 == 0o040000)
    return Entry(path: path, isFolder: isFolder, packed: packed, unpacked: unpacked, offset: offset, record: at)
  }
}

/// The rules for the names of entries.
enum EntryName {
  static func check(_ name: ArraySlice<UInt8>, limits: ArchiveLimits) throws(ArchiveError) -> TreePath {
    func refused(_ kind: ArchiveError.Kind, _ detail: String) -> ArchiveError {
      ArchiveError(kind: kind, entry: printableName(name.prefix(200)), detail: detail)
    }
    guard name.count <= limits.nameBytes else {
      throw refused(.tooLarge, "its name is longer than \(limits.nameBytes) bytes")
    }
    guard !name.isEmpty else { throw refused(.unsafeName, "it has no name") }
    guard !name.contains(0) else { throw refused(.unsafeName, "its name contains a NUL") }
    guard !name.contains(UInt8(ascii: "\\")) else {
      throw refused(.unsafeName, "its name contains a backslash; zips separate folders with /")
    }
    guard !name.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      throw refused(.unsafeName, "its name contains a control character")
    }
    guard let text = String(validating: name, as: UTF8.self) else {
      throw refused(.unsafeName, "its name is not UTF-8")
    }
    let isDrive = name.count >= 2 && name[name.startIndex + 1] == UInt8(ascii: ":") && name.first.map(isLetter) ?? false
    guard name.first != UInt8(ascii: "/"), !isDrive else { throw refused(.unsafeName, "its name is absolute") }
    let components = TreePath.components(of: text).filter { $0 != "." }
    guard !components.contains("..") else { throw refused(.unsafeName, "its name leaves the folder with ..") }
    guard components.count <= limits.depth else {
      throw refused(.tooLarge, "it is deeper than \(limits.depth) folders")
    }
    guard components.allSatisfy({ $0.utf8.count <= 255 }) else {
      throw refused(.tooLarge, "a part of its name is longer than 255 bytes")
    }
    return TreePath(trusted: components.joined(separator: "/"))
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }
}

/// Returns a name with its control characters escaped, so that it fits on one line.
func printableName(_ name: some Sequence<UInt8>) -> String {
  String(decoding: Array(name), as: UTF8.self).unicodeScalars.map {
    $0.value < 0x20 || $0.value == 0x7F ? "\\u{\(String($0.value, radix: 16))}" : String($0)
  }.joined()
}

extension TreePath {
  var printable: String { printableName(text.utf8) }
}

/// A reader of little-endian numbers, as in zips. Reading past the end is an error.
struct LittleEndian {
  static let incomplete = "the zip is incomplete (upload cut off?); copy it again"

  let bytes: [UInt8]
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func u16(_ at: Int) throws(ArchiveError) -> Int { try number(at, 2) }
  func u32(_ at: Int) throws(ArchiveError) -> Int { try number(at, 4) }

  private func number(_ at: Int, _ count: Int) throws(ArchiveError) -> Int {
    guard at >= 0, at + count <= bytes.count else {
      throw ArchiveError(kind: .unreadable, detail: Self.incomplete)
    }
    return (0..<count).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) }
  }
}
