import Foundation

/// One line of a scenario's `steps.txt`.
enum ScenarioStep: Equatable {
  /// Lays the files of `commits/<folder>` over the work tree of a branch, commits, and pushes to the origin.
  case commit(branch: String, folder: String)
  /// All pipelines run once, or one of them.
  case run(pipeline: String?)
  /// A translator answers every bundle of a language, with `answers/<file>.json` where it is named.
  case translate(language: String, answers: String?)
  /// Someone merges a branch of the origin into another.
  case merge(source: String, target: String)
  /// A held bundle is moved back to `translated`.
  case tryAgain
  /// A branch of the origin is deleted.
  case delete(branch: String)
  /// Someone puts the changes of a branch as one commit on another; the branch stays.
  case squash(source: String, target: String)
  /// Someone puts copies of the commits of a branch on another; the branch stays.
  case rebase(source: String, target: String)
  /// The last commit of a branch is replaced by one with the files of `commits/<folder>`.
  case forcePush(branch: String, folder: String)
  /// The last commits of a branch are dropped, counted along first parents.
  case reset(branch: String, count: Int)
  case removeMirrors
  /// The ledger is copied, and put back later as from a backup.
  case saveLedger, restoreLedger
  /// The pipeline file is another one from now on.
  case pipeline(file: String)
  /// The origin gets a hook that decides about pushes, which a local repository's pusher cannot run; or it is taken away.
  case refusePushes, allowPushes
  /// A translator returns every bundle of a language with its source texts as translations.
  case echo(language: String)
  /// A translator returns a file of `bundles/` that nobody asked for.
  case bring(file: String)
  /// Bundles that were taken are moved back to `translated`.
  case requeue

  static func read(_ text: String) throws -> [ScenarioStep] {
    try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let words = line.split(separator: " ").map(String.init)
      switch (words.first, words.count) {
      case ("commit", 3): return .commit(branch: words[1], folder: words[2])
      case ("run", 1): return .run(pipeline: nil)
      case ("run", 2): return .run(pipeline: words[1])
      case ("translate", 2): return .translate(language: words[1], answers: nil)
      case ("translate", 3): return .translate(language: words[1], answers: words[2])
      case ("merge", 3): return .merge(source: words[1], target: words[2])
      case ("try-again", 1): return .tryAgain
      case ("delete", 2): return .delete(branch: words[1])
      case ("squash", 3): return .squash(source: words[1], target: words[2])
      case ("rebase", 3): return .rebase(source: words[1], target: words[2])
      case ("force-push", 3): return .forcePush(branch: words[1], folder: words[2])
      case ("reset", 3):
        guard let count = Int(words[2]) else { throw ScenarioFault(description: "steps.txt: no number: \(line)") }
        return .reset(branch: words[1], count: count)
      case ("remove", 2) where words[1] == "mirrors": return .removeMirrors
      case ("save", 2) where words[1] == "ledger": return .saveLedger
      case ("restore", 2) where words[1] == "ledger": return .restoreLedger
      case ("pipeline", 2): return .pipeline(file: words[1])
      case ("refuse", 2) where words[1] == "pushes": return .refusePushes
      case ("allow", 2) where words[1] == "pushes": return .allowPushes
      case ("echo", 2): return .echo(language: words[1])
      case ("bring", 2): return .bring(file: words[1])
      case ("requeue", 1): return .requeue
      default: throw ScenarioFault(description: "steps.txt: unknown step: \(line)")
      }
    }
  }
}

struct ScenarioFault: Error, CustomStringConvertible {
  let description: String
}
