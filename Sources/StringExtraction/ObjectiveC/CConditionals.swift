/// The branches of `#if` that are read. These are all branches except those after `#if 0` and `#elif 0`, because Xcode combines the platforms
/// (xcode-extraction.md C).
struct CConditionals {
  private struct Level {
    /// Whether the current branch is never compiled.
    var isOff: Bool
    /// The number of open brackets at the `#if`.
    var depth: Int
  }

  private var levels: [Level] = []
  private var offLevels = 0
  /// The maximum depth. Deeper `#if`s are only counted; real code is not nested so deeply.
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

  /// Begins the next branch of the innermost `#if`.
  /// - Returns: the number of brackets that were open before the first branch; `nil` if there is no open `#if`, or if it is nested too deeply.
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
