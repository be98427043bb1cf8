/// Where the lines of a file begin.
package struct LineTable: Sendable {
  private let starts: [Int]

  /// - Parameter bytes: the file; a line ends after `\n`, or after a `\r` that no `\n` follows.
  package init(_ bytes: UnsafeBufferPointer<UInt8>) {
    var starts = [0]
    for index in 0..<bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\n")
        || byte == UInt8(ascii: "\r") && !(index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "\n"))
      {
        starts.append(index + 1)
      }
    }
    self.starts = starts
  }

  /// The line and column, both from 1, the column in bytes, of a byte offset.
  package func place(of offset: Int) -> (line: Int, column: Int) {
    var low = 0
    var high = starts.count
    while low + 1 < high {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return (low + 1, offset - starts[low] + 1)
  }
}
