extension XLIFF {
  /// Returns whether a file in UTF-8 or UTF-16 begins with `<`, like XML. A byte order mark and white space may precede the `<`.
  package static func beginsAsXML(_ bytes: [UInt8]) -> Bool {
    let marks: [[UInt8]] = [[0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF]]
    let mark = marks.first { bytes.starts(with: $0) }?.count ?? 0
    return bytes.dropFirst(mark).first { ![0, 0x09, 0x0A, 0x0D, 0x20].contains($0) } == UInt8(ascii: "<")
  }

  /// Converts a UTF-16 file, which some Windows tools write, to UTF-8. Returns any other file unchanged, and also a UTF-16 file that is too large or
  /// damaged.
  ///
  /// UTF-16 is detected by its byte order mark, or by a zero byte next to the first `<`. The XML declaration, which declares the old encoding,
  /// is overwritten with spaces. Its line breaks are kept, so that positions still match the file.
  static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count >= 4, bytes.count.isMultiple(of: 2), bytes.count <= largestFile else { return bytes }
    let isBigEndian: Bool
    switch (bytes[0], bytes[1]) {
    case (0xFF, 0xFE), (UInt8(ascii: "<"), 0): isBigEndian = false
    case (0xFE, 0xFF), (0, UInt8(ascii: "<")): isBigEndian = true
    default: return bytes
    }
    let hasMark = bytes[0] >= 0xFE
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    for index in stride(from: hasMark ? 2 : 0, to: bytes.count, by: 2) {
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      units.append(isBigEndian ? first << 8 | second : second << 8 | first)
    }
    // A file with an unpaired surrogate is not repaired. It is returned unchanged, and the parser rejects it.
    guard let text = String(validating: units, as: UTF16.self) else { return bytes }
    var output = Array(text.utf8)
    let end = output.prefix(200).firstIndex(of: UInt8(ascii: ">"))
    if output.starts(with: "<?xml".utf8), let end {
      for index in 0...end where output[index] != 0x0A && output[index] != 0x0D { output[index] = 0x20 }
    }
    return output
  }
}
