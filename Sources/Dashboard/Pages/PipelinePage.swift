package import Foundation
internal import Localization
package import Pipeline
package import ReadModel

/// The values that the page of a pipeline shows.
package struct PipelineView: Sendable {
  package var summary: PipelineSummary
  package var isRunning: Bool
  /// The URL of the repository, without a user name or password; `nil` if the pipeline does not run in this process.
  package var repository: String?
  package var completion: [BranchCompletion]
  /// The completion of the first branch over time, oldest first.
  package var history: [BranchCompletion]
  /// The branches whose newest commit has no figures in `completion`, because the commit is not yet read or has a catalog that cannot be read.
  package var uncounted: [String]
  package var problems: [PipelineProblem]
  /// The latest rounds, newest first.
  package var rounds: [Round]
  /// The latest deliveries, newest first.
  package var deliveries: [Delivery]
  package var now: Date

  package init(
    summary: PipelineSummary, isRunning: Bool, repository: String?, completion: [BranchCompletion],
    history: [BranchCompletion], uncounted: [String] = [], problems: [PipelineProblem], rounds: [Round],
    deliveries: [Delivery], now: Date
  ) {
    self.summary = summary
    self.isRunning = isRunning
    self.repository = repository
    self.completion = completion
    self.history = history
    self.uncounted = uncounted
    self.problems = problems
    self.rounds = rounds
    self.deliveries = deliveries
    self.now = now
  }
}

extension DashboardPages {
  /// The maximum number of rounds that the page of a pipeline shows.
  package static var latestRounds: Int { 8 }

  package func pipeline(_ view: PipelineView) -> String {
    let name = view.summary.name
    let url = Shown.url(name)
    let allPipelines = t(message("Pipelines", comment: "A link of the navigation."))
    var content: View = [
      "title": Shown.line(name), "url": url, "crumbs": crumbs, "all": allPipelines, "isOperator": isOperator,
      "form": formToken, "paused": view.summary.pause != nil,
      "repository": view.repository.map { Shown.line($0) } ?? false as Any,
      "pause": view.summary.pause.map(pauseText) ?? false as Any,
      "fault": view.summary.fault.map { Shown.text($0.message) } ?? false as Any,
      "faultLabel": t(message("The repository cannot be read:", comment: "Before an error message.")),
      "resume": t(message("Resume", comment: "A button: resume a paused pipeline.")),
      "look": t(message("Look now", comment: "A button: look at the repository now.")),
      "reason": t(message("Reason for a pause", comment: "The label of a field.")),
      "pauseButton": t(message("Pause", comment: "A button: pause a pipeline.")),
      "figures": figures(of: view, url),
      "completionTitle": t(message("Translated, by branch and language", comment: "A title.")),
      "heat": Self.fragment("heat", heat(view, of: name)),
      "preview": t(message("Preview with pseudolanguages", comment: "A link to a page with changed texts.")),
      "commits": t(message("Commits", comment: "A link: what commits changed.")),
      "historyTitle": t(message("Translated over time", comment: "A title.")),
      "chart": CompletionChart(view.history, now: view.now, t: t)?.html ?? false as Any,
      "problemsTitle": t(message("Problems", comment: "A title.")), "hasProblems": !view.problems.isEmpty,
      "problems": view.problems.prefix(50).map { problem in
        self.problem(
          problem, place: [problem.stage.rawValue, problem.scope].filter { !$0.isEmpty }.joined(separator: " "))
      },
      "roundsTitle": t(message("Latest rounds", comment: "A title: rounds of translation.")),
      "roundTable": Self.fragment("roundTable", roundTable(Array(view.rounds.prefix(Self.latestRounds)))),
      "allRounds": t(message("All rounds", comment: "A link.")),
      "deliveriesTitle": t(message("Latest deliveries", comment: "A title: commits of translations.")),
      "noDeliveries": t(message("Nothing has been delivered yet.", comment: "Shown if there is no delivery.")),
    ]
    content["deliveries"] = view.deliveries.prefix(8).map(delivery)
    return page("pipeline", Shown.line(name), content, events: "/events?pipeline=\(url)")
  }

  var crumbs: String { t(message("Where this page is", comment: "The name of the breadcrumb navigation.")) }

  private func pauseText(_ pause: PipelinePause) -> String {
    let since = t.timeText(pause.since)
    let text = t(
      message(
        "%1$@ paused this pipeline on %2$@.", Shown.line(pause.by, limit: 80), since,
        comment: "A person and a time."))
    return text + (pause.reason.map { " “\(Shown.line($0, limit: 500))”" } ?? "")
  }

  private func figures(of view: PipelineView, _ url: String) -> [View] {
    let summary = view.summary
    let (state, _) = state(of: summary, isRunning: view.isRunning)
    return [
      ["label": t(message("State", comment: "A column: the state of a pipeline.")), "value": state, "target": false],
      [
        "label": t(message("Translated", comment: "A column: how much is translated.")),
        "value": summary.tenths.map(t.percent) ?? "–", "target": false,
      ],
      figure(message("Texts out at vendors", comment: "A figure."), summary.outstanding),
      figure(
        message("Held for a decision", comment: "A figure."), summary.held,
        target: summary.held > 0 ? "/held?pipeline=\(url)" : nil),
      figure(message("Rounds", comment: "A link of the navigation: rounds of translation."), summary.rounds),
    ]
  }

  /// Returns the table of the completion by branch and language.
  private func heat(_ view: PipelineView, of pipeline: String) -> View {
    let branches = view.completion
    let languages = Set(branches.flatMap { $0.languages.map(\.language) }).sorted()
    let rows = branches.map { branch -> View in
      let byLanguage = Dictionary(branch.languages.map { ($0.language, $0) }, uniquingKeysWith: { first, _ in first })
      return [
        "branch": Shown.line(branch.branch),
        "cells": languages.map { language -> View in
          guard let cell = byLanguage[language] else { return ["has": false] }
          let share = "\(t.number(cell.translated))/\(t.number(cell.total))"
          return [
            "has": true, "tone": "c\(Self.step(cell.tenths))", "percent": t.percent(cell.tenths), "share": share,
            "label": "\(Shown.line(branch.branch)), \(t.name(of: language)): \(t.percent(cell.tenths)), \(share)",
            "target":
              "/pipelines/\(Shown.url(pipeline))/release?branch=\(Shown.url(branch.branch))"
              + "&language=\(Shown.url(language.rawValue))",
          ]
        },
      ]
    }
    return [
      "rows": rows, "hasRows": !rows.isEmpty && !languages.isEmpty,
      "none": rows.isEmpty && view.uncounted.isEmpty
        ? t(message("No branch has been read yet.", comment: "Shown if no completion is known.")) : false as Any,
      "uncounted": view.uncounted.isEmpty
        ? false as Any
        : t(
          message(
            "Not counted at the newest commit: %@", Shown.line(view.uncounted.joined(separator: ", ")),
            comment: "A list of branches. The problems of the page say why.")),
      "caption": t(
        message(
          "Each cell links to the missing translations.", comment: "The caption of a table of branches and languages.")),
      "branch": t(message("Branch", comment: "A column.")),
      "languages": languages.map { ["tag": $0.rawValue, "name": t.name(of: $0)] as View },
    ]
  }

  private static func step(_ tenths: Int) -> Int {
    switch tenths {
    case 1000...: 5
    case 950...: 4
    case 800...: 3
    case 500...: 2
    case 1...: 1
    default: 0
    }
  }

  func problem(_ problem: PipelineProblem, place: String) -> View {
    let isError = problem.severity == .error
    return [
      "tone": isError ? "bad" : "warn",
      "severity": isError
        ? t(message("error", comment: "How bad a problem is."))
        : t(message("warning", comment: "How bad a problem is.")),
      "place": Shown.line(place),
      "text": Shown.text(problem.message),
      "retry": problem.retry == .change
        ? "" : t(message("Dragoman retries this automatically.", comment: "About a problem.")),
    ]
  }

  private func delivery(_ delivery: Delivery) -> View {
    let (state, tone) = deliveryState(delivery.state)
    return [
      "state": state, "tone": tone, "commit": delivery.tip.short, "target": Shown.line(delivery.target),
      "units": t.counted(
        delivery.units, one: message("1 translation", comment: "A count."),
        other: message("%lld translations", delivery.units, comment: "A count.")),
      "created": [t.time(delivery.created)],
    ]
  }

  func deliveryState(_ state: Delivery.State) -> (text: String, tone: String) {
    switch state {
    case .planned: (t(message("about to be pushed", comment: "The state of a delivery.")), "")
    case .pushed: (t(message("pushed", comment: "The state of a delivery.")), "good")
    case .settled: (t(message("on the branch", comment: "The state of a delivery.")), "good")
    case .abandoned: (t(message("replaced", comment: "The state of a delivery.")), "")
    }
  }
}
