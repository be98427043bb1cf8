import SwiftFacts

/// State that modules share when they are linked together. It mainly counts steps, such as checking an expression or resolving a type, because the
/// work for a file is limited.
package final class ResolvingProgress {
  /// The limit of steps for linking one file. The most expensive file of eight public projects needs 16,000 steps.
  package static let mostSteps = 2_000_000
  /// The limit of steps for resolving one type of the source code.
  static let mostStepsOfType = 20_000

  private let mostSteps: Int
  /// The number of steps for the current file.
  package private(set) var steps = 0
  /// The number of steps for the current type, including the types that it names.
  private var stepsOfType = 0
  /// Whether a type of the current file, or of the declarations that all files share, exceeded the limit and is therefore unknown.
  private var holdsHugeType = false

  /// Whether the current file, one of its types, or a type of the shared declarations exceeded a limit. Some types are then unknown.
  package var isOverBudget: Bool { holdsHugeType || steps > mostSteps }

  package init(mostSteps: Int = ResolvingProgress.mostSteps) { self.mostSteps = mostSteps }

  /// Adds to the number of steps.
  /// - Returns: whether the limit is not exceeded.
  func spend(_ count: Int = 1) -> Bool {
    steps += count
    return steps <= mostSteps
  }

  /// Counts a step of resolving a type.
  /// - Parameter isWhole: whether this is the outermost type.
  /// - Returns: whether neither the limit of one type nor the limit of the file is exceeded.
  func spendOnType(isWhole: Bool) -> Bool {
    stepsOfType = isWhole ? 1 : stepsOfType + 1
    guard stepsOfType <= Self.mostStepsOfType else {
      holdsHugeType = true
      return false
    }
    return spend()
  }

  private var levels = 0
  private static let mostLevels = 64

  /// Runs `body` for the bounds of a generic parameter and returns its result, or returns `fallback` if the bounds are nested too deeply. The bounds
  /// may refer back to the parameter, as in `<T: U, U: T>` and `<T: Node<T>>`.
  func descend<Result>(or fallback: Result, _ body: () -> Result) -> Result {
    guard levels < Self.mostLevels else { return fallback }
    levels += 1
    defer { levels -= 1 }
    return body()
  }

  /// Resets the counts for another file.
  /// - Parameter keepingExcess: whether the declarations that all files share already exceeded the limit.
  func restart(keepingExcess: Bool) {
    steps = 0
    stepsOfType = 0
    holdsHugeType = keepingExcess
  }

  /// The number of inheritance lists that are being resolved. Results that are found in the meantime may be incomplete.
  package var lists = 0
  /// The names of all nested types, aliases and associated types. Most names are not among them, so they need not be looked up in types.
  var nestedNames: Set<String> = []
}
