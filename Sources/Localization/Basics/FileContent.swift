/// The new bytes of a file as a writer gives them: runs of the old ones, with what is new between.
///
/// Put together they are only where all bytes are needed at once: to write a value of a catalog of 70 MB takes no second copy of it.
package struct FileContent: Equatable, Sendable {
  private enum Piece: Sendable {
    case old(Range<Int>)
    case new([UInt8])
  }

  private let old: [UInt8]
  private let pieces: [Piece]
  /// In bytes.
  package let count: Int

  /// All of these bytes.
  package init(_ bytes: [UInt8]) {
    old = bytes
    pieces = [.old(0..<bytes.count)]
    count = bytes.count
  }

  /// - Parameter replacements: parts of the old bytes in their order, none overlapping another, with what stands in their place.
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

  /// The bytes in their order; none of them is a copy.
  package var runs: some Sequence<ArraySlice<UInt8>> {
    pieces.lazy.map { piece in
      switch piece {
      case .old(let range): old[range]
      case .new(let bytes): bytes[...]
      }
    }
  }

  /// Put together.
  package var bytes: [UInt8] {
    if case .old(0..<old.count)? = pieces.first, pieces.count == 1 { return old }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    for run in runs { bytes.append(contentsOf: run) }
    return bytes
  }

  /// Whether these are the bytes of a file; of the old file, what stands where it stood is not looked at.
  package func isExactly(_ file: [UInt8]) -> Bool {
    guard count == file.count else { return false }
    // Arrays that share their memory are known to be equal at once.
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
