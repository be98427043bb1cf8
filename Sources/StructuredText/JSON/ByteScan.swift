/// Fast functions that skip or compare parts of a file that need not be parsed or decoded.
package enum ByteScan {
  /// Returns the offset of the first quote, backslash, or control character below U+0020 at or after `start`; the end of the file if there
  /// is no such byte.
  package static func endOfPlainString(_ bytes: Span<UInt8>, from start: Int) -> Int {
    var index = start
    while let word = WordScan.load(bytes, index), !WordScan.endsString(word) { index += WordScan.width }
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { return index }
      index += 1
    }
    return index
  }

  /// Returns whether two spans have the same bytes. This is much faster than comparing array slices.
  package static func isEqual(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
    guard a.count == b.count else { return false }
    var index = 0
    while let one = WordScan.load(a, index), let two = WordScan.load(b, index) {
      guard one == two else { return false }
      index += WordScan.width
    }
    while index < a.count {
      guard a[index] == b[index] else { return false }
      index += 1
    }
    return true
  }

  /// Returns the first offset at or after `start` that is not a space, tab or line break.
  package static func endOfSpace(_ bytes: Span<UInt8>, from start: Int) -> Int {
    var index = start
    JSONScan.skipSpace(bytes, &index)
    return index
  }
}
