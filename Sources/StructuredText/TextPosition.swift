/// A position in a text file, counted as in editors and compilers.
package struct TextPosition: Hashable, Sendable {
  /// The offset in bytes, counted from 0.
  package let offset: Int
  /// The line, counted from 1. A line ends after LF. A CR before the LF is part of the line.
  package let line: Int
  /// The column in UTF-8 bytes, counted from 1.
  package let column: Int

  package init(offset: Int, line: Int, column: Int) {
    self.offset = offset
    self.line = line
    self.column = column
  }

  /// Creates the position of a byte. This reads the file from its start, so use `LineMap` for many positions.
  package init(offset: Int, in bytes: [UInt8]) {
    let end = min(max(offset, 0), bytes.count)
    var line = 1
    var lineStart = 0
    for index in 0..<end where bytes[index] == UInt8(ascii: "\n") {
      line += 1
      lineStart = index + 1
    }
    self.init(offset: end, line: line, column: end - lineStart + 1)
  }
}

/// The starts of all lines of a file, for looking up many positions.
package struct LineMap: Sendable {
  private let starts: [Int]

  package init(_ bytes: [UInt8]) {
    var starts = [0]
    let span = bytes.span
    for index in span.indices where span[index] == UInt8(ascii: "\n") { starts.append(index + 1) }
    self.starts = starts
  }

  package func position(at offset: Int) -> TextPosition {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return TextPosition(offset: offset, line: low + 1, column: offset - starts[low] + 1)
  }
}
