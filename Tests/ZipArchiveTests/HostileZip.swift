/// A builder of zips from single bytes, with contents that no ordinary tool writes. Entries are stored, or have the given deflated bytes.
struct HostileZip {
  struct Entry {
    var name: [UInt8]
    /// The name in the entry's local header, if it differs from the name in the directory.
    var localName: [UInt8]?
    var content: [UInt8] = Array("hello".utf8)
    var declaredSize: Int?
    var flags = 0x0800
    var method = 0
    /// Whether the entry references the data of the first entry.
    var sharesPlace = false
    /// The Unix mode; 0 if the entry has no mode.
    var mode = 0o100644

    init(_ name: String) { self.name = Array(name.utf8) }
  }

  static func bytes(_ entries: [Entry]) -> [UInt8] {
    var body: [UInt8] = []
    var directory: [UInt8] = []
    for entry in entries {
      let offset = entry.sharesPlace ? 0 : body.count
      let size = entry.declaredSize ?? entry.content.count
      let local = entry.localName ?? entry.name
      let common =
        u16(20) + u16(entry.flags) + u16(entry.method) + u16(0) + u16(0x21) + u32(Int(crc(entry.content)))
        + u32(entry.content.count) + u32(size)
      if !entry.sharesPlace { body += u32(0x0403_4B50) + common + u16(local.count) + u16(0) + local + entry.content }
      directory +=
        u32(0x0201_4B50) + u16(3 << 8 | 20) + common + u16(entry.name.count) + u16(0) + u16(0) + u16(0) + u16(0)
      directory += u32(entry.mode << 16) + u32(offset) + entry.name
    }
    let end = u32(0x0605_4B50) + u16(0) + u16(0) + u16(entries.count) + u16(entries.count)
    return body + directory + end + u32(directory.count) + u32(body.count) + u16(0)
  }

  static func u16(_ value: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8 & 0xFF)] }
  static func u32(_ value: Int) -> [UInt8] { u16(value & 0xFFFF) + u16(value >> 16 & 0xFFFF) }

  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
  }
}
