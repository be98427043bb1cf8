internal import Foundation
internal import Localization
internal import Pipeline
package import ReadModel

/// The page with the list of all pipelines.
extension DashboardPages {
  /// Returns the page with the list of pipelines.
  /// - Parameters:
  ///   - running: the names of the pipelines that run in this process.
  ///   - fileProblems: the problems of pipeline files. The pipelines of these files are missing in the list if they have never run.
  package func portfolio(
    _ portfolio: Portfolio, running: Set<String>, fileProblems: [PipelineProblem] = []
  ) -> String {
    let title = t(message("Pipelines", comment: "A link of the navigation."))
    let rows = portfolio.pipelines.map { pipeline -> View in
      let (state, tone) = state(of: pipeline, isRunning: running.contains(pipeline.name))
      return [
        "name": Shown.line(pipeline.name), "url": Shown.url(pipeline.name), "stateText": state, "tone": tone,
        "known": pipeline.tenths != nil, "width": pipeline.tenths.map { "\($0 / 10)" } ?? "0",
        "percent": pipeline.tenths.map(t.percent) ?? "–", "outCount": t.number(pipeline.outstanding),
        "heldCount": t.number(pipeline.held), "heldLink": pipeline.held > 0,
        "time": pipeline.lastDelivery.map { [t.time($0)] } ?? [],
      ]
    }
    let totals = portfolio.totals
    let content: View = [
      "title": title,
      "lead": t(
        message(
          "The completion of each pipeline, the texts at translators, and the texts that need a decision.",
          comment: "Below the title of the list of pipelines.")),
      "none": t(
        message("No pipeline has been checked yet.", comment: "Shown if there is no pipeline.")),
      "more": portfolio.hasMore
        ? portfolio.pipelines.last.map { "/?after=\(Shown.url($0.name))" } ?? false as Any : false,
      "moreLabel": t(
        message("More pipelines", comment: "A link to the next page of the list of pipelines.")),
      "rows": rows, "hasRows": !rows.isEmpty, "pipeline": t(message("Pipeline", comment: "A column.")),
      "state": t(message("State", comment: "A column: the state of a pipeline.")),
      "completion": t(message("Translated", comment: "A column: how much is translated.")),
      "out": t(message("Out", comment: "A column: how many texts are out at vendors.")),
      "held": t(message("Held", comment: "A column: how many translations are held back.")),
      "delivered": t(message("Last delivery", comment: "A column: when translations were last delivered.")),
      "figures": [
        figure(message("Pipelines", comment: "A link of the navigation."), totals.pipelines),
        figure(message("Texts out at vendors", comment: "A figure."), totals.outstanding),
        figure(message("Held for a decision", comment: "A figure."), totals.held),
        figure(message("With a problem", comment: "A figure: how many pipelines."), totals.withProblem),
      ],
      "problemsTitle": t(message("Problems", comment: "A title.")), "hasProblems": !fileProblems.isEmpty,
      "problems": fileProblems.prefix(50).map { problem($0, place: $0.pipeline) },
    ]
    return page("portfolio", title, content, events: "/events")
  }

  func figure(_ label: PageText, _ value: Int, target: String? = nil) -> View {
    ["label": t(label), "value": t.number(value), "target": target ?? false as Any]
  }

  func state(of pipeline: PipelineSummary, isRunning: Bool) -> (text: String, tone: String) {
    if pipeline.pause != nil { return (t(message("paused", comment: "The state of a pipeline.")), "warn") }
    if pipeline.fault != nil || pipeline.failedJobs > 0 || pipeline.findings > 0 {
      return (t(message("problem", comment: "The state of a pipeline.")), "bad")
    }
    if !isRunning { return (t(message("not running", comment: "The state of a pipeline.")), "") }
    return (t(message("running", comment: "The state of a pipeline.")), "good")
  }
}
