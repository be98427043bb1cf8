import Foundation

/// One line of a scenario's `steps.txt`.
enum ScenarioStep: Equatable {
  /// Lays the files of `commits/<folder>` over the work tree of a branch, commits, and pushes to the origin.
  case commit(branch: String, folder: String)
  case run
  /// A translator answers every bundle of a language, with `answers/<file>.json` where it is named.
  case translate(language: String, answers: String?)
  /// Someone merges a branch of the origin into another.
  case merge(source: String, target: String)
  /// A held bundle is moved back to `translated`.
  case tryAgain
  /// A branch of the origin is deleted.
  case delete(branch: String)

  static func read(_ text: String) throws -> [ScenarioStep] {
    try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let words = line.split(separator: " ").map(String.init)
      switch (words.first, words.count) {
      case ("commit", 3): return .commit(branch: words[1], folder: words[2])
      case ("run", 1): return .run
      case ("translate", 2): return .translate(language: words[1], answers: nil)
      case ("translate", 3): return .translate(language: words[1], answers: words[2])
      case ("merge", 3): return .merge(source: words[1], target: words[2])
      case ("try-again", 1): return .tryAgain
      case ("delete", 2): return .delete(branch: words[1])
      default: throw ScenarioFault(description: "steps.txt: unknown step: \(line)")
      }
    }
  }
}

struct ScenarioFault: Error, CustomStringConvertible {
  let description: String
}
