/// The offsets at which the lines of a file begin.
package struct LineTable: Sendable {
  /// A removal of bytes from a file. From `offset` in the remaining bytes on, `dropped` bytes of the file are missing before each byte.
  struct Cut: Sendable {
    var offset: Int
    var dropped: Int
  }

  private let starts: [Int]
  private let cuts: [Cut]

  /// - Parameter bytes: the file. A line ends after `\n`, or after a `\r` that is not followed by `\n`.
  package init(_ bytes: UnsafeBufferPointer<UInt8>) { self.init(bytes, cuts: []) }

  init(_ bytes: UnsafeBufferPointer<UInt8>, cuts: [Cut]) {
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
    self.cuts = cuts
  }

  /// Returns the line and column of a byte offset. Both count from 1; columns are in bytes.
  package func place(of offset: Int) -> (line: Int, column: Int) {
    let cut = Self.last(cuts) { $0.offset <= offset }
    let whole = offset + (cut.map { cuts[$0].dropped } ?? 0)
    let line = Self.last(starts) { $0 <= whole } ?? 0
    return (line + 1, whole - starts[line] + 1)
  }

  /// Returns the index of the last element that satisfies a condition, by binary search. All elements before it must also satisfy the condition.
  private static func last<Element>(_ elements: [Element], where holds: (Element) -> Bool) -> Int? {
    var low = 0
    var high = elements.count
    while low < high {
      let middle = (low + high) / 2
      if holds(elements[middle]) { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : low - 1
  }
}
