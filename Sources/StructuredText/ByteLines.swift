extension [UInt8] {
  /// The spaces and tabs with which the line of an offset begins, up to the offset.
  ///
  /// Empty where the line begins more than 64 KiB before: a file without line breaks has no indentation, and to look for the start of its
  /// line at every change would take the square of its size.
  package func indentation(ofLineAt offset: Int) -> ArraySlice<UInt8> {
    var start = offset
    while start > 0, self[start - 1] != 0x0A {
      guard offset - start < 64 << 10 else { return self[offset..<offset] }
      start -= 1
    }
    return self[start..<offset].prefix { $0 == 0x20 || $0 == 0x09 }
  }
}

extension ArraySlice<UInt8> {
  /// How many lines end here: with LF, with CR LF, or with CR alone.
  package var lineBreakCount: Int {
    var breaks = 0
    for index in indices {
      switch self[index] {
      case 0x0A: breaks += 1
      case 0x0D where index + 1 == endIndex || self[index + 1] != 0x0A: breaks += 1
      default: break
      }
    }
    return breaks
  }
}
