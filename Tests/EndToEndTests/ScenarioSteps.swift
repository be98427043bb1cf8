import Foundation

/// One line of a scenario's `steps.txt`.
enum ScenarioStep: Equatable {
  /// Copies the files of `commits/<folder>` into a branch's work tree, commits, and pushes to the origin.
  case commit(branch: String, folder: String)
  /// Runs all pipelines once, or only one of them.
  case run(pipeline: String?)
  /// Translates every bundle of a language as a translator, with the texts of `answers/<file>.json` if the file is given.
  case translate(language: String, answers: String?)
  /// Merges a branch of the origin into another branch.
  case merge(source: String, target: String)
  /// Moves a held bundle back to `translated`.
  case tryAgain
  /// Deletes a branch of the origin.
  case delete(branch: String)
  /// Adds the changes of the source branch to the target branch as one commit. The source branch is kept.
  case squash(source: String, target: String)
  /// Copies the commits of the source branch to the target branch. The source branch is kept.
  case rebase(source: String, target: String)
  /// Replaces the last commit of a branch with a commit of the files in `commits/<folder>`.
  case forcePush(branch: String, folder: String)
  /// Removes the last commits of a branch, counted along first parents.
  case reset(branch: String, count: Int)
  case removeMirrors
  /// Saves a copy of the ledger, or restores it, as from a backup.
  case saveLedger, restoreLedger
  /// Replaces the pipeline file for all later steps.
  case pipeline(file: String)
  /// Adds a hook to the origin that can refuse pushes, or removes it. A push to a local path runs no hooks, so Dragoman refuses to push while the
  /// hook exists.
  case refusePushes, allowPushes
  /// Puts every bundle of a language back into the drop folder, with its source texts as translations.
  case echo(language: String)
  /// Puts a file from `bundles/`, which was never requested, into the drop folder.
  case bring(file: String)
  /// Moves accepted bundles back to `translated`.
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
