/// Replacements of parts of a file that are applied together. The bytes between the replacements do not change.
package struct ByteEdits: Sendable {
  private var edits: [(range: Range<Int>, bytes: [UInt8])] = []

  package init() {}

  /// Adds the edits of another part of the same file.
  package mutating func append(_ other: ByteEdits) { edits.append(contentsOf: other.edits) }

  package var isEmpty: Bool { edits.isEmpty }

  package mutating func replace(_ range: Range<Int>, with bytes: [UInt8]) { edits.append((range, bytes)) }

  package mutating func remove(_ range: Range<Int>) { edits.append((range, [])) }

  /// Inserts bytes at an offset. Several insertions at the same offset keep the order in which they were added.
  package mutating func insert(_ bytes: [UInt8], at offset: Int) { edits.append((offset..<offset, bytes)) }

  /// Whether no two edits overlap except removals, as `applied` requires.
  package var isDisjoint: Bool {
    var position = 0
    for range in ordered.map(\.range) {
      guard range.lowerBound >= position else { return false }
      position = range.upperBound
    }
    return true
  }

  /// The edits in file order. An insertion at the start of a replaced range precedes the replacement. Other edits at the same offset keep the
  /// order in which they were added. Overlapping removals are combined, because removals of adjacent entries on a line share the space between
  /// the entries.
  package var ordered: [(range: Range<Int>, bytes: [UInt8])] {
    // Edits are usually added in file order.
    let isOrdered = zip(edits, edits.dropFirst()).allSatisfy { $0.range.upperBound <= $1.range.lowerBound }
    if isOrdered { return edits }
    var result: [(range: Range<Int>, bytes: [UInt8])] = []
    for edit in sorted {
      if let last = result.last, Self.isRemoval(last), Self.isRemoval(edit),
        edit.range.lowerBound <= last.range.upperBound
      {
        result[result.count - 1].range =
          last.range.lowerBound..<max(last.range.upperBound, edit.range.upperBound)
      } else {
        result.append(edit)
      }
    }
    return result
  }

  private static func isRemoval(_ edit: (range: Range<Int>, bytes: [UInt8])) -> Bool {
    edit.bytes.isEmpty && !edit.range.isEmpty
  }

  private var sorted: [(range: Range<Int>, bytes: [UInt8])] {
    edits.enumerated().sorted {
      ($0.element.range.lowerBound, $0.element.range.upperBound, $0.offset)
        < ($1.element.range.lowerBound, $1.element.range.upperBound, $1.offset)
    }.map(\.element)
  }

  /// Returns the file with all edits applied. Only removals may overlap. Edits of different nodes of a tree never overlap.
  package func applied(to original: [UInt8]) -> [UInt8] {
    guard !edits.isEmpty else { return original }
    var result: [UInt8] = []
    result.reserveCapacity(original.count + edits.reduce(0) { $0 + $1.bytes.count })
    var position = 0
    for edit in ordered {
      precondition(edit.range.lowerBound >= position, "edits of one tree overlap")
      result.append(contentsOf: original[position..<edit.range.lowerBound])
      result.append(contentsOf: edit.bytes)
      position = edit.range.upperBound
    }
    result.append(contentsOf: original[position...])
    return result
  }
}
