import Daemon
import Foundation
import Localization
import Pipeline
import TestSupport

/// The transcript of a scenario.
extension ScenarioRunner {
  func describe(_ report: PipelineReport) {
    for round in report.rounds {
      for books in round.books {
        line(
          "  round \(round.number) \(name(books.vendor)) \(books.language): \(books.sent) sent = \(books.returned) returned"
            + " + \(books.outstanding) outstanding + \(books.withdrawn) withdrawn + \(books.superseded) superseded"
            + (books.isBalanced ? "" : " NOT BALANCED"))
      }
    }
    for held in report.held {
      line("  held on \(held.branch): \(held.unit) \(held.language) “\(held.text)”: \(held.reason?.sentence ?? "")")
    }
    for diagnostic in report.diagnostics { line("  \(masked("\(diagnostic)"))") }
    for failure in report.failures {
      line(
        "  failed: \(failure.stage.rawValue) \(failure.vendor.map(name) ?? failure.branch ?? "") (\(failure.disposition))"
      )
    }
  }

  /// Adds the new commits of each changed branch to the transcript, with their messages and changes. Commits of other branches that people own are
  /// omitted.
  func describeBranches(since before: [String: String]) throws {
    for (branch, head) in try heads().sorted(by: { $0.key < $1.key }) where before[branch] != head {
      let excluded =
        try heads().filter { $0.key != branch && !$0.key.hasPrefix("l10n/") }.values
        + [before[branch]].compactMap { $0 }
      let parents = excluded.flatMap { ["^\($0)"] }
      let ids = try TemporaryRepository.git(["rev-list", "--reverse", head] + parents, in: origin).split(
        separator: "\n")
      let base = ids.first.flatMap { try? TemporaryRepository.git(["log", "-1", "--format=%s", "\($0)^"], in: origin) }
      line("  \(branch) on “\(base ?? "")”:")
      for id in ids {
        let message = try TemporaryRepository.git(["log", "-1", "--format=%an <%ae> %at%n%B", String(id)], in: origin)
        let patch = try TemporaryRepository.git(["show", "--format=", "-U0", String(id)], in: origin)
        for text in masked(message).split(separator: "\n") { line("    | \(text)") }
        for text in patch.split(separator: "\n")
        where !text.hasPrefix("index ") && !text.hasPrefix("diff ") && !text.hasPrefix("@@") {
          line("    \(text)")
        }
      }
    }
  }

  func describeDrop(_ drop: String) throws {
    let translator = Translator(drop: drop)
    for folder in ["to-translate", "translated", "done", "held"] {
      let names = try translator.names(in: folder)
      if !names.isEmpty { line("  \(title(folder, of: drop)): \(names.joined(separator: ", "))") }
      for name in names where name.hasSuffix(".txt") {
        for text in String(decoding: try translator.bytes("\(folder)/\(name)"), as: UTF8.self).split(separator: "\n") {
          line("    \(masked(String(text)))")
        }
      }
    }
  }

  /// Replaces the ids of source commits with their subjects, because ids change with every change of the scenario's files. Also replaces the path of
  /// the test's folder.
  private func masked(_ text: String) -> String {
    text.replacing(#/L10n-Source: ([0-9a-f]{40})/#) { match in
      let subject = try? TemporaryRepository.git(["log", "-1", "--format=%s", String(match.1)], in: origin)
      return "L10n-Source: “\(subject ?? "?")”"
    }.replacingOccurrences(of: folder.path, with: "{folder}")
  }

  private func name(_ vendor: String) -> String { vendor.replacingOccurrences(of: folder.path, with: "{folder}") }

  private func line(_ text: String) { transcript += text + "\n" }

  /// Returns the title of a folder, with the name of its drop folder if there are several.
  private func title(_ name: String, of drop: String) -> String {
    drops.count == 1 ? name : "\(drop.split(separator: "/").last ?? "")/\(name)"
  }
}
