internal import Foundation
internal import Localization
internal import Pipeline
package import ReadModel

/// All pipelines.
extension DashboardPages {
  /// How many pipelines one page lists.
  private static var most: Int { 100 }

  /// - Parameters:
  ///   - pipelines: all, sorted by name.
  ///   - name: lists only those after this one; `nil` for the first ones.
  ///   - running: the names of the pipelines that run in this process.
  package func portfolio(
    _ pipelines: [PipelineSummary], after name: String? = nil, running: Set<String>
  ) -> String {
    let rest = name.map { name in pipelines.drop { $0.name <= name } } ?? pipelines[...]
    let listed = rest.prefix(Self.most)
    let title = t(message("Pipelines", comment: "A link of the navigation."))
    let labels = [
      "stateLabel": t(message("State", comment: "A column: the state of a pipeline.")),
      "completionLabel": t(message("Translated", comment: "A column: how much is translated.")),
      "outLabel": t(message("Out", comment: "A column: how many texts are out at vendors.")),
      "heldLabel": t(message("Held", comment: "A column: how many translations are held back.")),
      "deliveredLabel": t(message("Last delivery", comment: "A column: when translations were last delivered.")),
    ]
    let rows = listed.map { pipeline -> View in
      let (state, tone) = state(of: pipeline, isRunning: running.contains(pipeline.name))
      var row: View = labels
      row["name"] = Shown.line(pipeline.name)
      row["url"] = Shown.url(pipeline.name)
      (row["state"], row["tone"]) = (state, tone)
      row["known"] = pipeline.tenths != nil
      row["width"] = pipeline.tenths.map { "\($0 / 10)" } ?? "0"
      row["percent"] = pipeline.tenths.map(t.percent) ?? "–"
      (row["out"], row["held"]) = (t.number(pipeline.outstanding), t.number(pipeline.held))
      row["heldLink"] = pipeline.held > 0
      row["delivered"] = pipeline.lastDelivery.map { [t.time($0)] } ?? []
      return row
    }
    let faults = pipelines.count { $0.fault != nil || $0.failedJobs > 0 }
    var content: View = [
      "title": title,
      "lead": t(
        message(
          "What is translated, what is out at translators, and what needs a decision.",
          comment: "Below the title of the list of pipelines.")),
      "none": t(
        message("No pipeline has been looked at yet.", comment: "Said where there is no pipeline.")),
      "more": rest.count > listed.count
        ? listed.last.map { "/?after=\(Shown.url($0.name))" } ?? false as Any : false,
      "moreLabel": t(
        message("More pipelines", comment: "A link to the next page of the list of pipelines.")),
      "rows": rows, "hasRows": !rows.isEmpty, "name": t(message("Pipeline", comment: "A column.")),
      "figures": [
        figure(message("Pipelines", comment: "A link of the navigation."), pipelines.count),
        figure(message("Texts out at vendors", comment: "A figure."), pipelines.reduce(0) { $0 + $1.outstanding }),
        figure(message("Held for a decision", comment: "A figure."), pipelines.reduce(0) { $0 + $1.held }),
        figure(message("With a problem", comment: "A figure: how many pipelines."), faults),
      ],
    ]
    for (name, label) in labels { content[String(name.dropLast(5))] = label }
    return page("portfolio", title, content, events: "/events")
  }

  func figure(_ label: PageText, _ value: Int, target: String? = nil) -> View {
    ["label": t(label), "value": t.number(value), "target": target ?? false as Any]
  }

  func state(of pipeline: PipelineSummary, isRunning: Bool) -> (text: String, tone: String) {
    if pipeline.pause != nil { return (t(message("paused", comment: "The state of a pipeline.")), "warn") }
    if pipeline.fault != nil || pipeline.failedJobs > 0 {
      return (t(message("problem", comment: "The state of a pipeline.")), "bad")
    }
    if !isRunning { return (t(message("not running", comment: "The state of a pipeline.")), "") }
    return (t(message("running", comment: "The state of a pipeline.")), "good")
  }
}
