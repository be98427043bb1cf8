internal import Foundation
package import Localization
internal import Pipeline
package import ReadModel

/// The page with the missing translations of a branch, for decisions about a release. It can be printed, or shared as a link.
extension DashboardPages {
  /// Returns the page with the missing translations of a branch.
  /// - Parameters:
  ///   - branches: the watched branches.
  ///   - language: the requested language; `nil` for all languages.
  ///   - languages: the languages to choose from: those of the commit and those with fallbacks.
  package func release(
    _ missing: MissingStrings, branches: [String], language: LocaleIdentifier?, languages: [LocaleIdentifier]
  ) -> String {
    let title = t(
      message("What is missing on %@", Shown.line(missing.branch), comment: "A title: a branch."))
    let lead = t(
      message(
        "%1$@, commit %2$@", Shown.line(missing.pipeline), missing.commit.short, comment: "A pipeline and a commit."))
    let groups = Dictionary(grouping: missing.strings, by: \.language)
    return page(
      "release", title,
      [
        "title": title, "lead": lead, "url": Shown.url(missing.pipeline), "pipeline": Shown.line(missing.pipeline),
        "crumbs": crumbs, "all": t(message("Pipelines", comment: "A link of the navigation.")),
        "tone": missing.isComplete ? "good" : "bad", "verdict": verdict(missing),
        "hasObstacles": !missing.obstacles.isEmpty, "obstacles": missing.obstacles.prefix(50).map { Shown.text($0) },
        "gate": missing.gate.map { gate in
          t(
            message(
              "The gate of this branch: %@", Shown.text(gate.line), comment: "The verdict of a check, in English."))
        } ?? false as Any,
        "branchLabel": t(message("Branch", comment: "A column.")),
        "branches": branches.map { branch -> View in
          ["raw": branch, "name": Shown.line(branch), "chosen": branch == missing.branch]
        },
        "languageLabel": t(message("Language", comment: "A column.")),
        "allLanguages": t(message("All languages", comment: "A choice in a list.")),
        "languages": languages.map { tag -> View in
          ["raw": tag.rawValue, "name": t.name(of: tag), "chosen": tag == language]
        },
        "show": t(message("Show", comment: "A button.")),
        "groups": missing.languages.compactMap { completion in
          groups[completion.language].map { group(completion, $0, of: missing.pipeline) }
        },
        "rest": rest(missing.count - missing.strings.count),
      ])
  }

  private func verdict(_ missing: MissingStrings) -> String {
    if missing.isComplete { return t(message("Nothing is missing.", comment: "The verdict about a release.")) }
    guard missing.count > 0 else {
      return t(
        message(
          "It is unknown whether anything is missing:",
          comment: "The verdict about a release; a list of reasons follows."))
    }
    return t.counted(
      missing.count, one: message("1 translation is missing.", comment: "The verdict about a release."),
      other: message("%lld translations are missing.", missing.count, comment: "The verdict about a release."))
  }

  private func group(_ completion: LanguageCompletion, _ strings: [MissingString], of pipeline: String) -> View {
    [
      "language": t.name(of: completion.language),
      "share": "\(t.percent(completion.tenths)) (\(t.number(completion.translated))/\(t.number(completion.total)))",
      "stringLabel": t(message("String", comment: "A column.")),
      "placeLabel": t(message("Where it is", comment: "A column: where a missing translation is.")),
      "authorLabel": t(message("Added by", comment: "A column: who added a string.")),
      "strings": strings.map { string -> View in
        let (place, tone, detail) = place(of: string)
        return [
          "key": Shown.key(string.unit.key.text), "catalog": Shown.line(string.unit.catalog.text),
          "target": target(of: string.unit.key.text, in: pipeline),
          "text": string.text == string.unit.key.text ? false as Any : Shown.text(string.text, limit: 500),
          "place": place, "tone": tone, "detail": detail,
          "author": string.author.map { Shown.line($0, limit: 80) } ?? "",
          "commit": string.commit?.short ?? t(message("unknown", comment: "Shown instead of an unknown commit.")),
          "added": string.added.map(t.day) ?? "",
        ]
      },
    ]
  }

  private func place(of string: MissingString) -> (place: String, tone: String, detail: String) {
    let since = string.since.map(t.day) ?? ""
    let vendor = Shown.line(string.vendor ?? "", limit: 80)
    switch string.place {
    case .unsent:
      let reason =
        string.text.isEmpty
        ? t(
          message(
            "its source text is empty, so rounds do not send it; set it to “Don't Translate” in Xcode",
            comment: "Why a missing translation is not sent; “Don't Translate” is a command of Xcode.")) : ""
      return (t(message("not sent", comment: "Where a missing translation is.")), "bad", reason)
    case .queued:
      return (t(message("about to be sent", comment: "Where a missing translation is.")), "warn", vendor)
    case .out:
      return (
        t(message("out", comment: "Where a missing translation is: at a vendor.")), "warn",
        t(message("at %1$@ since %2$@", vendor, since, comment: "A vendor and a day."))
      )
    case .held:
      return (
        t(message("held", comment: "What became of a returned text.")), "bad",
        Shown.line(string.detail ?? "", limit: 400)
      )
    case .delivered:
      return (
        t(message("delivered", comment: "What became of a returned text.")), "good",
        t(message("on %1$@ since %2$@", Shown.line(string.detail ?? ""), since, comment: "A branch and a day."))
      )
    case .needsReview: return (t(message("needs review", comment: "The state of a text.")), "warn", "")
    }
  }
}
