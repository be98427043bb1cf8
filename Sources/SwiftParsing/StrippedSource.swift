/// A Swift file without the parts that cannot contain a string.
package struct StrippedSource: Sendable {
  package let bytes: [UInt8]
  /// The table that maps offsets in `bytes` to places in the whole file.
  package let lines: LineTable

  /// - Parameter ranges: the parts of the file to remove; ranges may be nested.
  init(_ whole: [UInt8], without ranges: [Range<Int>]) {
    guard !ranges.isEmpty else {
      bytes = whole
      lines = whole.withUnsafeBufferPointer { LineTable($0) }
      return
    }
    var left: [UInt8] = []
    left.reserveCapacity(whole.count)
    var cuts: [LineTable.Cut] = []
    var position = 0
    for range in ranges.sorted(by: { ($0.lowerBound, $1.upperBound) < ($1.lowerBound, $0.upperBound) })
    where range.lowerBound >= position {
      left += whole[position..<range.lowerBound]
      position = range.upperBound
      cuts.append(LineTable.Cut(offset: left.count, dropped: position - left.count))
    }
    left += whole[position...]
    bytes = left
    lines = whole.withUnsafeBufferPointer { LineTable($0, cuts: cuts) }
  }
}
