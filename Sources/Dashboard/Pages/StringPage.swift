internal import Foundation
package import Localization
package import Pipeline

/// The lines around a place in a source file.
package struct SourceExcerpt: Hashable, Sendable {
  /// The path of the file, with the line number.
  package var site: String
  package var line: Int
  /// The number of the first of `lines`.
  package var first: Int
  package var lines: [String]

  package init(site: String, line: Int, first: Int, lines: [String]) {
    self.site = site
    self.line = line
    self.first = first
    self.lines = lines
  }
}

/// The location of a picture of the app that shows a string.
package struct StringScreenshot: Hashable, Sendable {
  /// The branch at whose newest commit the picture is read.
  package var branch: String
  /// The index of the folder among the pipeline's folders of screenshots, from 0.
  package var folder: Int
  /// The path of the picture, relative to the folder.
  package var path: String

  package init(branch: String, folder: Int, path: String) {
    self.branch = branch
    self.folder = folder
    self.path = path
  }
}

/// The values that the page of a string shows: its history, its texts and places in the newest commit of a branch, and its screenshots.
package struct StringView: Sendable {
  package var history: UnitHistory
  /// The entry of the string in the catalog; `nil` if the pipeline is not running, or if none of the branches that could be read has the string.
  package var entry: CatalogEntry?
  package var sourceLanguage: LocaleIdentifier
  package var languages: [LocaleIdentifier]
  /// The places of the string in the code, as paths with line numbers.
  package var sites: [String]
  /// The source lines around the first places.
  package var excerpts: [SourceExcerpt] = []
  package var screenshots: [StringScreenshot] = []
  /// The reason why the screenshots could not be read; `nil` if there was no error.
  package var screenshotFault: String?

  package init(
    history: UnitHistory, entry: CatalogEntry?, sourceLanguage: LocaleIdentifier, languages: [LocaleIdentifier],
    sites: [String]
  ) {
    self.history = history
    self.entry = entry
    self.sourceLanguage = sourceLanguage
    self.languages = languages
    self.sites = sites
  }
}

extension DashboardPages {
  package func string(_ key: String, _ strings: [StringView]) -> String {
    let title = Shown.key(key)
    return page("string", title, ["title": title, "strings": strings.map(string)])
  }

  private func string(_ string: StringView) -> View {
    let history = string.history
    return [
      "pipeline": Shown.line(history.pipeline), "url": Shown.url(history.pipeline),
      "catalog": Shown.line(history.unit.catalog.text),
      "comment": string.entry?.comment.map { Shown.text($0) } ?? false as Any, "hasLanguages": string.entry != nil,
      "languagesTitle": t(message("In all languages", comment: "A title.")),
      "languageLabel": t(message("Language", comment: "A column.")),
      "textLabel": t(message("Text", comment: "A column.")),
      "stateLabel": t(message("State", comment: "A column: the state of a pipeline.")),
      "languages": string.entry.map { entry in
        ([string.sourceLanguage] + string.languages.filter { $0 != string.sourceLanguage }).map {
          language($0, of: entry, in: string)
        }
      } ?? [],
      "sites": string.sites.isEmpty
        ? false as Any
        : t(
          message(
            "In the code: %@", string.sites.prefix(20).map { Shown.line($0) }.joined(separator: ", "),
            comment: "Places in source files.")),
      "excerpts": string.excerpts.map { excerpt -> View in
        [
          "site": Shown.line(excerpt.site),
          "lines": excerpt.lines.enumerated().map { index, text -> View in
            [
              "number": "\(excerpt.first + index)", "text": Shown.line(text, limit: 400),
              "here": excerpt.first + index == excerpt.line,
            ]
          },
        ]
      },
      "hasScreenshots": !string.screenshots.isEmpty || string.screenshotFault != nil,
      "screenshotsTitle": t(message("Screenshots", comment: "A title: pictures of an app that show a text.")),
      "screenshotFault": string.screenshotFault.map { fault in
        t(
          message(
            "The screenshots cannot be read: %@", Shown.line(fault), comment: "On the page of a string: a reason."))
      } ?? false as Any,
      "screenshots": string.screenshots.prefix(Self.mostScreenshots).map { screenshot($0, of: history.pipeline) },
      "restOfScreenshots": rest(string.screenshots.count - Self.mostScreenshots),
      "versions": history.versions.reversed().map { version($0, of: history) },
      "hasUnmatched": !history.unmatched.isEmpty,
      "unmatchedTitle": t(message("Returned for a text that was never sent", comment: "A title.")),
      "unmatched": history.unmatched.suffix(50).map { returned($0, of: history) },
    ]
  }

  private static var mostScreenshots: Int { 24 }

  private func screenshot(_ screenshot: StringScreenshot, of pipeline: String) -> View {
    let name = Shown.line(screenshot.path)
    return [
      "source": "/screenshots/\(Shown.url(pipeline))?branch=\(Shown.url(screenshot.branch))&folder=\(screenshot.folder)"
        + "&path=\(Shown.url(screenshot.path))",
      "name": name,
      "description": t(
        message("Screenshot %@", name, comment: "Describes a picture to people who do not see it: its name.")),
    ]
  }

  private func language(_ language: LocaleIdentifier, of entry: CatalogEntry, in string: StringView) -> View {
    let translation = entry.translations[language]
    let isSource = language == string.sourceLanguage
    let direction = PageLanguage.direction(of: language)
    let forms: [View] =
      translation?.leaves.map { path, leaf in
        [
          "name": path.isRoot ? false as Any : Shown.line(path.text), "text": Shown.text(leaf.words.plain),
          "direction": direction,
        ]
      } ?? [
        ["name": false, "text": isSource ? Shown.text(string.history.unit.key.text) : "–", "direction": direction]
      ]
    let state = isSource ? nil : Completion.state(of: translation, in: language)
    let (words, tone) =
      switch state {
      case nil: (t(message("source", comment: "The state of a text: it is the source text.")), "")
      case .translated?: (t(message("translated", comment: "The state of a text.")), "good")
      case .new?: (t(message("missing", comment: "The state of a text.")), "bad")
      default: (t(message("needs review", comment: "The state of a text.")), "warn")
      }
    return [
      "language": t.name(of: language), "tag": Shown.line(language.rawValue, limit: 40), "forms": forms, "state": words,
      "tone": tone,
    ]
  }

  private func version(_ version: UnitHistory.Version, of history: UnitHistory) -> View {
    let origin =
      history.provenance(of: version).map { found in
        t(
          message(
            "Added in %1$@ by %2$@ on %3$@", found.commit.short, Shown.line(found.author, limit: 80),
            t.day(Date(timeIntervalSince1970: Double(found.seconds))),
            comment: "In the life of a string: a commit, its author and its date."))
      }
      ?? t(
        message(
          "Sent from %1$@ by %2$@; which commit added it is unknown", version.commit.short,
          Shown.line(version.author, limit: 80), comment: "In the life of a string: a commit and its author."))
    return [
      "heading": t(message("Source text", comment: "The label of a text.")), "text": Shown.text(version.text),
      "origin": origin,
      "hasSent": !version.sent.isEmpty, "sentTitle": t(message("Sent", comment: "A column: when.")),
      "sent": version.sent.suffix(100).map { sent($0, of: history) }, "hasReturned": !version.returned.isEmpty,
      "returnedTitle": t(message("Returned", comment: "A column: how many texts came back.")),
      "returned": version.returned.suffix(100).map { returned($0, of: history) },
    ]
  }

  private func sent(_ sent: UnitHistory.Sent, of history: UnitHistory) -> View {
    let (state, tone) =
      switch sent.state {
      case .outstanding where sent.time == nil:
        (t(message("not sent yet", comment: "The state of a text for a vendor.")), "")
      case .outstanding: (t(message("outstanding", comment: "The state of a text for a vendor.")), "warn")
      case .returned: (t(message("returned", comment: "The state of a text for a vendor.")), "good")
      case .withdrawn: (t(message("withdrawn", comment: "The state of a text for a vendor.")), "")
      case .superseded: (t(message("replaced by a newer text", comment: "The state of a text for a vendor.")), "")
      }
    return [
      "url": Shown.url(history.pipeline), "round": Shown.line("\(history.pipeline)#\(sent.round)"),
      "vendor": Shown.line(sent.vendor), "language": Shown.line(sent.language.rawValue, limit: 40), "state": state,
      "tone": tone, "time": sent.time.map { [t.time($0)] } ?? [],
    ]
  }

  private func returned(_ returned: UnitHistory.Returned, of history: UnitHistory) -> View {
    [
      "vendor": Shown.line(returned.vendor), "language": Shown.line(returned.language.rawValue, limit: 40),
      "received": [t.time(returned.received)], "bundle": Shown.line(returned.bundle), "text": Shown.text(returned.text),
      "direction": PageLanguage.direction(of: returned.language),
      "outcomes": returned.outcomes.map { outcome($0, isReplaced: history.isReplaced(returned, with: $0)) },
    ]
  }

  private func outcome(_ outcome: UnitHistory.Outcome, isReplaced: Bool) -> View {
    let (state, tone) =
      switch outcome.state {
      case .held: (t(message("held", comment: "What became of a returned text.")), "warn")
      case .passedOver: (t(message("passed over", comment: "What became of a returned text.")), "")
      case .delivered: (t(message("delivered", comment: "What became of a returned text.")), "good")
      case .settled where isReplaced:
        (t(message("on the branch until a later text replaced it", comment: "What became of a returned text.")), "")
      case .settled: (t(message("on the branch", comment: "The state of a delivery.")), "good")
      }
    let carrier = outcome.delivery.map { "\($0.commit.short) \(arrow) \($0.target) (\(deliveryState($0.state).text))" }
    return [
      "state": state, "tone": tone, "branch": Shown.line(outcome.branch),
      "detail": Shown.line(
        [outcome.reason?.sentence, carrier].compactMap(\.self).joined(separator: " · "), limit: 800),
    ]
  }
}
