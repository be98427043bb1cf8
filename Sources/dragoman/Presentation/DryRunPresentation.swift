import Daemon
import Localization
import Pipeline

/// What a real run would do, as text: one line for each request, and below a push its commits with their diffs.
struct DryRunPresentation {
  let report: RunReport
  let console: Console

  func show() {
    for pipeline in report.pipelines {
      let requests = pipeline.requests ?? []
      for request in requests {
        console.result("\(pipeline.name): \(line(request))".withVisibleControls)
        for commit in request.commits ?? [] {
          console.result(
            "  "
              + message(
                "commit %1$@, tree %2$@: %3$@", commit.commit.rawValue, commit.tree, commit.subject,
                comment: "A commit that a dry run made: ids and the first line of its message."
              ).withVisibleControls)
          console.results(
            commit.diff.split(separator: "\n", omittingEmptySubsequences: false).map {
              "    " + String($0).withVisibleControls
            })
        }
      }
      if requests.isEmpty {
        console.result(
          "\(pipeline.name): " + message("nothing would be sent", comment: "The result of a dry run of a pipeline."))
      }
      console.show(pipeline.diagnostics)
      for failure in pipeline.failures { console.failure("error: \(failure.error)") }
    }
    console.say(
      message("Dry run: nothing was sent, pushed or changed.", comment: "The last line of a dry run."))
  }

  private func line(_ request: PlannedRequest) -> String {
    switch request.kind {
    case .send:
      message("send to %1$@: %2$@", request.subject, request.detail, comment: "A request: a vendor and units.")
    case .withdraw:
      message("withdraw from %1$@: %2$@", request.subject, request.detail, comment: "A request: a vendor and units.")
    case .retire:
      message(
        "tell %1$@ that strings are gone: %2$@", request.subject, request.detail,
        comment: "A request: a vendor and units.")
    case .acknowledge:
      message("take from %1$@: %2$@", request.subject, request.detail, comment: "A request: a vendor and a bundle.")
    case .push:
      message("push %1$@: %2$@", request.subject, request.detail, comment: "A request: a branch and commits.")
    case .openPullRequest:
      message(
        "open a pull request %1$@: %2$@", request.subject, request.detail, comment: "A request: branches and a title.")
    case .updatePullRequest:
      message(
        "update pull request %1$@: %2$@", request.subject, request.detail, comment: "A request: a number and a title.")
    case .status:
      message("set a status on %1$@: %2$@", request.subject, request.detail, comment: "A request: a commit, a status.")
    case .comment:
      message(
        "comment on pull request %1$@ (%2$@)", request.subject, request.detail,
        comment: "A request: a number, added or changed.")
    case .extras:
      message(
        "set on pull request %1$@: %2$@", request.subject, request.detail, comment: "A request: a number and labels.")
    }
  }
}
