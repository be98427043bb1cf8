/// The new bytes of a file: unchanged ranges of the old bytes, and new bytes between them.
///
/// The ranges share the memory of the old bytes, so changing one value of a 70 MB catalog does not copy the catalog.
package struct FileContent: Equatable, Sendable {
  private enum Piece: Sendable {
    case old(Range<Int>)
    case new([UInt8])
  }

  private let old: [UInt8]
  private let pieces: [Piece]
  /// The size in bytes.
  package let count: Int

  /// Creates content that consists of these bytes.
  package init(_ bytes: [UInt8]) {
    old = bytes
    pieces = [.old(0..<bytes.count)]
    count = bytes.count
  }

  /// Creates the content that results from replacing ranges of the old bytes.
  /// - Parameter replacements: the ranges with their new bytes, sorted and without overlaps.
  package init(_ old: [UInt8], replacing replacements: [(range: Range<Int>, bytes: [UInt8])]) {
    self.old = old
    var pieces: [Piece] = []
    var count = old.count
    var position = 0
    for (range, bytes) in replacements {
      precondition(range.lowerBound >= position, "replacements overlap")
      pieces.append(.old(position..<range.lowerBound))
      pieces.append(.new(bytes))
      count += bytes.count - range.count
      position = range.upperBound
    }
    pieces.append(.old(position..<old.count))
    self.pieces = pieces
    self.count = count
  }

  /// The bytes in order, without copying.
  package var runs: some Sequence<ArraySlice<UInt8>> {
    pieces.lazy.map { piece in
      switch piece {
      case .old(let range): old[range]
      case .new(let bytes): bytes[...]
      }
    }
  }

  /// All bytes in one array.
  package var bytes: [UInt8] {
    if case .old(0..<old.count)? = pieces.first, pieces.count == 1 { return old }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    for run in runs { bytes.append(contentsOf: run) }
    return bytes
  }

  /// Returns whether the content equals a file. If the old bytes equal the file, old ranges that kept their position are not compared again.
  package func isExactly(_ file: [UInt8]) -> Bool {
    guard count == file.count else { return false }
    // The comparison of two arrays that share their memory reads no bytes.
    let isOld = old == file
    var position = 0
    for piece in pieces {
      switch piece {
      case .old(let range):
        guard isOld && range.lowerBound == position || old[range] == file[position..<position + range.count] else {
          return false
        }
        position += range.count
      case .new(let bytes):
        guard bytes[...] == file[position..<position + bytes.count] else { return false }
        position += bytes.count
      }
    }
    return true
  }

  package static func == (a: Self, b: Self) -> Bool { a.count == b.count && a.bytes == b.bytes }
}
