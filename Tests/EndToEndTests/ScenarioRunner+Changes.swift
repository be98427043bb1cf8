import Foundation
import Localization
import TestSupport

/// The changes that people make to the origin.
extension ScenarioRunner {
  func change(by step: ScenarioStep) throws {
    switch step {
    case .commit(let branch, let files): try commit(files, to: branch)
    case .merge(let source, let target): try merge(source, into: target)
    case .squash(let source, let target): try squash(source, into: target)
    case .rebase(let source, let target): try rebase(source, into: target)
    case .forcePush(let branch, let files): try replaceLast(of: branch, by: files)
    case .reset(let branch, let count):
      try checkOut(branch)
      try git("push", "-q", "--force", "origin", "HEAD~\(count):\(branch)")
      transcript += "reset \(branch) by \(count)\n\n"
    case .delete(let branch):
      try git("push", "-q", "origin", ":\(branch)")
      transcript += "delete \(branch)\n\n"
    case .refusePushes:
      let hook = origin + "/hooks/update"
      try "#!/bin/sh\nexit 1\n".write(toFile: hook, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: hook)
      transcript += "refuse pushes\n\n"
    case .allowPushes:
      try FileManager.default.removeItem(atPath: origin + "/hooks/update")
      transcript += "allow pushes\n\n"
    default: throw ScenarioFault(description: "\(step) does not change the origin")
    }
  }

  /// Checks out a branch of the origin.
  private func checkOut(_ branch: String) throws {
    try git("fetch", "-q", "--prune", "origin")
    try git("checkout", "-q", "-B", branch, "origin/\(branch)")
  }

  private func commit(_ files: String, to branch: String) throws {
    if (try? git("rev-parse", "--verify", "-q", "HEAD")) == nil {
      try git("remote", "add", "origin", origin)
    } else {
      try git("fetch", "-q", "origin")
      let stands = (try? git("rev-parse", "--verify", "-q", "origin/\(branch)")) != nil
      try git("checkout", "-q", "-B", branch, stands ? "origin/\(branch)" : "origin/main")
    }
    try lay(files)
    try repository.commit(message: files, seconds: seconds)
    try git("push", "-q", "origin", "HEAD:\(branch)")
    transcript += "commit \(files) to \(branch)\n\n"
  }

  /// Copies the files of a folder into the work tree. A file `<name>.removed` stands for the removal of `<name>`.
  private func lay(_ files: String) throws {
    // Projects that several scenarios share are in the folder `.projects` next to the scenarios.
    let own = "\(scenario)/commits/\(files)"
    let source = FileManager.default.fileExists(atPath: own) ? own : "\(scenario)/../.projects/\(files)"
    guard let names = FileManager.default.enumerator(atPath: source) else {
      throw ScenarioFault(description: "no folder \(source)")
    }
    for case let name as String in names {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: "\(source)/\(name)", isDirectory: &isFolder), !isFolder.boolValue
      else { continue }
      if name.hasSuffix(".removed") {
        try FileManager.default.removeItem(atPath: repository.path + "/" + name.dropLast(8))
      } else {
        try repository.write(String(contentsOfFile: "\(source)/\(name)", encoding: .utf8), to: name)
      }
    }
  }

  private func merge(_ source: String, into target: String) throws {
    try git("fetch", "-q", "origin")
    try git("checkout", "-q", "-B", target, "origin/\(target)")
    try repository.git("merge", "-q", "--no-ff", "-m", "Merge \(source)", "origin/\(source)", seconds: seconds)
    try git("push", "-q", "origin", "HEAD:\(target)")
    transcript += "merge \(source) into \(target)\n\n"
  }

  private func squash(_ source: String, into target: String) throws {
    try checkOut(target)
    try git("merge", "-q", "--squash", "origin/\(source)")
    try git("commit", "-q", "-m", "Squash \(source)")
    try git("push", "-q", "origin", "HEAD:\(target)")
    transcript += "squash \(source) into \(target)\n\n"
  }

  /// Copies commits as hosting services do, with another committer and time and therefore with different ids.
  private func rebase(_ source: String, into target: String) throws {
    try checkOut(target)
    let ids = try git("rev-list", "--reverse", "--no-merges", "\(target)..origin/\(source)").split(separator: "\n")
    for id in ids { try git("cherry-pick", "--no-ff", String(id)) }
    try git("push", "-q", "origin", "HEAD:\(target)")
    transcript += "rebase \(source) onto \(target)\n\n"
  }

  private func replaceLast(of branch: String, by files: String) throws {
    try checkOut(branch)
    try git("reset", "-q", "--hard", "HEAD~1")
    try lay(files)
    try repository.commit(message: files, seconds: seconds)
    try git("push", "-q", "--force", "origin", "HEAD:\(branch)")
    transcript += "replace the last commit of \(branch) by \(files)\n\n"
  }
}

/// The actions of translators on the drop folders.
extension ScenarioRunner {
  func translate(by step: ScenarioStep) throws {
    switch step {
    case .translate(let language, let answers):
      let given = try answers.map {
        try JSONDecoder().decode([String: String].self, from: Data(text("answers/\($0).json").utf8))
      }
      let count = try drops.reduce(0) {
        try $0 + Translator(drop: $1).translate(LocaleIdentifier(language), answers: given ?? [:])
      }
      transcript += "translate \(language): \(count)\n\n"
    case .echo(let language):
      let count = try drops.reduce(0) { try $0 + Translator(drop: $1).echo(LocaleIdentifier(language)) }
      transcript += "return \(language) untranslated: \(count)\n\n"
    case .bring(let file):
      try FileManager.default.createDirectory(atPath: "\(drops[0])/translated", withIntermediateDirectories: true)
      try text("bundles/\(file)").write(toFile: "\(drops[0])/translated/\(file)", atomically: true, encoding: .utf8)
      transcript += "bring \(file)\n\n"
    case .tryAgain: try move(from: "held", "try again")
    case .requeue: try move(from: "done", "requeue")
    default: throw ScenarioFault(description: "\(step) is not a step of a translator")
    }
  }

  private func move(from folder: String, _ what: String) throws {
    for drop in drops {
      for name in try Translator(drop: drop).names(in: folder) where !name.hasSuffix(".review.txt") {
        try FileManager.default.moveItem(atPath: "\(drop)/\(folder)/\(name)", toPath: "\(drop)/translated/\(name)")
      }
    }
    transcript += "\(what)\n\n"
  }
}
