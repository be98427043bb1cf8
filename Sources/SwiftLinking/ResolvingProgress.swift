import SwiftFacts

/// What modules that are linked together share.
package final class ResolvingProgress {
  /// Steps that linking one file may take. The file that takes the most of eight public projects takes 16,000.
  package static let mostSteps = 2_000_000
  /// Steps that resolving one type as it is written may take.
  static let mostStepsOfType = 20_000

  private let mostSteps: Int
  /// Steps taken for the file at hand.
  package private(set) var steps = 0
  /// Steps taken for the type at hand, the types that it names included.
  private var stepsOfType = 0
  /// Whether a type of the file at hand needed more steps than it may take, and is unknown.
  private var holdsHugeType = false

  /// Whether the file at hand, or one of its types, needed more steps than it may take, so that types are unknown.
  package var isOverBudget: Bool { holdsHugeType || steps > mostSteps }

  package init(mostSteps: Int = ResolvingProgress.mostSteps) { self.mostSteps = mostSteps }

  /// Counts steps.
  /// - Returns: whether the work may go on.
  func spend(_ count: Int = 1) -> Bool {
    steps += count
    return steps <= mostSteps
  }

  /// Counts a step of resolving a type.
  /// - Parameter isWhole: whether nothing is being resolved around it.
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

  /// Does something for the bounds of a generic parameter, which may lead back to it: `<T: U, U: T>`, `<T: Node<T>>`.
  func descend<Result>(or fallback: Result, _ body: () -> Result) -> Result {
    guard levels < Self.mostLevels else { return fallback }
    levels += 1
    defer { levels -= 1 }
    return body()
  }

  /// Begins with another file.
  /// - Parameter keepingExcess: whether the declarations that all files share are over the budget already.
  func restart(keepingExcess: Bool) {
    steps = 0
    stepsOfType = 0
    holdsHugeType = keepingExcess
  }

  /// How many lists of superclasses and protocols are being resolved: what is found meanwhile may be only part of the answer.
  package var lists = 0
  /// The names of all types that stand within others: what has none of them, as most names, is looked for in no type.
  var nestedNames: Set<String> = []
}
