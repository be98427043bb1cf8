/// Compares two files in which a few runs of white space may differ.
enum WhiteSpaceGaps {
  /// Returns the offset in `b` of the first difference between two files; `nil` if there is none. Up to `gaps` runs of white space may differ. The
  /// zero bytes of UTF-16 count as white space.
  static func firstDifference(_ a: [UInt8], _ b: [UInt8], beyond gaps: Int) -> Int? {
    var (left, right, met) = (0, 0, 0)
    while left < a.count || right < b.count {
      if left < a.count, right < b.count, a[left] == b[right] {
        left += 1
        right += 1
        continue
      }
      let ends = (end(ofSpaceIn: a, at: left), end(ofSpaceIn: b, at: right))
      guard met < gaps, ends != (left, right) else { return right }
      met += 1
      (left, right) = ends
    }
    return nil
  }

  /// Returns the offset at which the trailing white space of a file begins.
  static func end(of bytes: [UInt8]) -> Int { bytes.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? 0 }

  private static func end(ofSpaceIn bytes: [UInt8], at offset: Int) -> Int {
    var end = offset
    while end < bytes.count, isSpace(bytes[end]) { end += 1 }
    return end
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) || byte == 0 }
}
