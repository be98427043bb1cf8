extension [UInt8] {
  /// Returns the spaces and tabs at the start of the line that contains an offset, up to the offset.
  ///
  /// The result is empty if the line starts more than 64 KiB earlier. Without this limit, searching for the start of the line at every change
  /// would take quadratic time in a file without line breaks.
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
  /// The number of line breaks: LF, CR LF or a single CR.
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
