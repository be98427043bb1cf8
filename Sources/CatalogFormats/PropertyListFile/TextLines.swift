/// Functions that find the white space on the line of an offset or a range.
extension [UInt8] {
  /// Whether the only line breaks are single CRs, as in files from old Macs.
  var breaksWithCR: Bool { !contains(0x0A) && contains(0x0D) }

  /// The bytes with LF in place of each CR if `breaksWithCR`, for functions that search for lines. The offsets are the same.
  var withLineFeeds: [UInt8] { breaksWithCR ? map { $0 == 0x0D ? 0x0A : $0 } : self }

  /// Returns whether the rest of the line contains characters other than white space.
  func isFollowed(at offset: Int) -> Bool {
    var end = offset
    while end < count, self[end] == 0x20 || self[end] == 0x09 || self[end] == 0x0D { end += 1 }
    return end < count && self[end] != 0x0A
  }

  /// Returns the end of the spaces and tabs that start at an offset.
  func endOfSpaces(at offset: Int) -> Int {
    var end = offset
    while end < count, self[end] == 0x20 || self[end] == 0x09 { end += 1 }
    return end
  }

  /// Returns a range extended by the spaces before it on its line. If only spaces precede the range on its line, the range is extended by the spaces
  /// after it instead.
  func withSpaces(around range: Range<Int>) -> Range<Int> {
    let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    var start = range.lowerBound
    while start > 0, isSpace(self[start - 1]) { start -= 1 }
    if start > 0, self[start - 1] != 0x0A { return start..<range.upperBound }
    var end = range.upperBound
    while end < count, isSpace(self[end]) { end += 1 }
    return range.lowerBound..<end
  }
}
