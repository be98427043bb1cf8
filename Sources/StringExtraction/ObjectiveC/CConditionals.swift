/// Which groups of `#if` are read: all branches but those of `#if 0`, since Xcode unites the platforms (xcode-extraction.md C).
struct CConditionals {
  private struct Level {
    /// Whether the branch that is read now is never compiled.
    var isOff: Bool
    /// How many brackets were open at the `#if`.
    var depth: Int
  }

  private var levels: [Level] = []
  private var offLevels = 0
  /// Beyond these, `#if` is counted only; nobody nests so deep.
  private static let limit = 10_000
  private var overflow = 0

  var isSkipping: Bool { offLevels > 0 }

  mutating func open(isOff: Bool, depth: Int) {
    guard levels.count < Self.limit else {
      overflow += 1
      return
    }
    levels.append(Level(isOff: isOff, depth: depth))
    if isOff { offLevels += 1 }
  }

  /// `#else`, `#elif`.
  /// - Returns: how many brackets were open where the branches begin.
  mutating func turn(isOff: Bool) -> Int? {
    guard overflow == 0, let last = levels.indices.last else { return nil }
    if levels[last].isOff != isOff { offLevels += isOff ? 1 : -1 }
    levels[last].isOff = isOff
    return levels[last].depth
  }

  mutating func close() {
    guard overflow == 0 else {
      overflow -= 1
      return
    }
    if let last = levels.popLast(), last.isOff { offLevels -= 1 }
  }
}
