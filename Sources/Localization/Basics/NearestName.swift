/// Finds the known name that a mistyped name most likely means.
package enum NearestName {
  /// Returns the name that differs from the text by the fewest changes, ignoring case. A change replaces, inserts or deletes a character, or swaps
  /// two neighbours. At most two changes are allowed, or a third of the length of the longer text if that is more, and always fewer changes than
  /// the name has characters. Of the text, only the first 64 characters are compared. Returns `nil` if no name is that near.
  package static func nearest(to text: String, among names: [String]) -> String? {
    let given = Array(text.lowercased().unicodeScalars.prefix(64))
    let measured = names.map { name in
      let known = Array(name.lowercased().unicodeScalars)
      return (name: name, distance: distance(given, known), limit: max(2, max(given.count, known.count) / 3))
    }
    return measured.filter { $0.distance <= $0.limit && $0.distance < $0.name.unicodeScalars.count }
      .min { $0.distance < $1.distance }?.name
  }

  private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var before: [Int] = []
    var last = Array(0...b.count)
    for (row, scalar) in a.enumerated() {
      var next = [row + 1]
      for (column, other) in b.enumerated() {
        var least = min(last[column + 1] + 1, next[column] + 1, last[column] + (scalar == other ? 0 : 1))
        if row > 0, column > 0, scalar == b[column - 1], a[row - 1] == other {
          least = min(least, before[column - 1] + 1)
        }
        next.append(least)
      }
      before = last
      last = next
    }
    return last[b.count]
  }

  /// Returns `; did you mean …?` for the end of a message, or an empty string if no name is near.
  package static func suffix(_ text: String, _ names: [String]) -> String {
    nearest(to: text, among: names).map { "; did you mean `\($0)`?" } ?? ""
  }
}
