import Daemon
import Localization
import Pipeline

/// The presentation of a dry run's report as text: branches, bundles, shipments, commits with their changes, and other requests.
struct DryRunPresentation {
  let pipeline: PipelineReport
  let dryRun: DryRunReport
  let console: Console

  func show() {
    for branch in dryRun.branches { show(branch) }
    for bundle in dryRun.bundles {
      say(
        counted(
          bundle.units,
          one: message(
            "would take 1 unit from %@: %@", bundle.vendor, bundle.reference,
            comment: "A dry run: a vendor and a bundle."),
          other: message(
            "would take %lld units from %@: %@", bundle.units, bundle.vendor, bundle.reference,
            comment: "A dry run: a count of units, a vendor and a bundle.")))
    }
    for shipment in dryRun.shipments {
      say(
        counted(
          shipment.units,
          one: message(
            "would send 1 unit to %@ in %@", shipment.vendor, shipment.language.rawValue,
            comment: "A dry run: a vendor and a language."),
          other: message(
            "would send %lld units to %@ in %@", shipment.units, shipment.vendor, shipment.language.rawValue,
            comment: "A dry run: a count of units, a vendor and a language.")))
    }
    for push in dryRun.pushes { show(push) }
    for request in dryRun.requests {
      say(message("would do: %@", request, comment: "A dry run: a request that was not sent."))
    }
    if dryRun.bundles.isEmpty, dryRun.shipments.isEmpty, dryRun.pushes.isEmpty, dryRun.requests.isEmpty {
      console.result(
        message("%@: nothing to do.", pipeline.name, comment: "The end of a run: the name of a pipeline."))
    }
    console.say(message("Nothing was changed.", comment: "The last line of run with --dry-run."))
  }

  private func show(_ branch: DryRunReport.Branch) {
    guard branch.known != branch.commit else {
      return say(
        message(
          "%@ is at %@, as before", branch.name, branch.commit.short, comment: "A dry run: a branch and a commit."))
    }
    guard let known = branch.known else {
      return say(
        message(
          "%@ is at %@, and is new", branch.name, branch.commit.short, comment: "A dry run: a branch and a commit."))
    }
    say(
      message(
        "%@ is at %@; it was at %@", branch.name, branch.commit.short, known.short,
        comment: "A dry run: a branch, its commit, and the commit before."))
  }

  private func show(_ push: DryRunReport.Push) {
    if let expected = push.expected {
      say(
        message(
          "would push %@, which is at %@:", push.branch, expected.short,
          comment: "A dry run: a branch and a commit. The commits follow."))
    } else {
      say(
        message("would create %@:", push.branch, comment: "A dry run: a branch. The commits follow."))
    }
    for commit in push.commits {
      console.text("commit \(commit.id)\ntree \(commit.tree)\n\n    \(commit.subject)\n\n\(commit.patch)")
    }
  }

  private func say(_ text: String) { console.result("\(pipeline.name): \(text)") }
}
