internal import Foundation
internal import Localization
package import Pipeline

/// The pages of the history, which shows for each commit the changes that concern translators.
extension DashboardPages {
  /// Returns the page with the history of a branch.
  /// - Parameters:
  ///   - branches: the watched branches.
  ///   - unrecorded: the newest commit of the branch, if it has no record yet; otherwise `nil`.
  ///   - older: the first commit of the next page; `nil` if there is no next page.
  package func history(
    _ records: [CommitRecord], of pipeline: String, branch: String, branches: [String], unrecorded: CommitID? = nil,
    older: CommitID?
  ) -> String {
    let title = t(message("Commits on %@", Shown.line(branch), comment: "A title: a branch."))
    let url = Shown.url(pipeline)
    return page(
      "commits", title,
      [
        "title": title, "url": url, "pipeline": Shown.line(pipeline), "crumbs": crumbs,
        "all": t(message("Pipelines", comment: "A link of the navigation.")),
        "lead": t(
          message(
            "The changes of each commit that concern translators, newest first.",
            comment: "Below the title of the history.")
        ),
        "branchLabel": t(message("Branch", comment: "A column.")),
        "branches": branches.map { name -> View in
          ["raw": name, "name": Shown.line(name), "chosen": name == branch]
        },
        "show": t(message("Show", comment: "A button.")),
        "none": t(message("No commit has been recorded yet.", comment: "Shown if the history is empty.")),
        "unrecorded": unrecorded.map {
          t(
            message(
              "The newest commits, up to %@, are not recorded yet.", $0.short,
              comment: "Above a list of commits: the newest commit of the branch."))
        } ?? false as Any,
        "hasCommits": !records.isEmpty, "commitLabel": t(message("Commit", comment: "A column.")),
        "columns": kinds.map(\.column)
          + [t(message("Translations", comment: "A column: how many translations a commit changed."))],
        "commits": records.map { line($0, of: url) },
        "older": older.map { "/pipelines/\(url)/history?branch=\(Shown.url(branch))&from=\($0.rawValue)" }
          ?? false as Any,
        "olderLabel": t(message("Older ones", comment: "A link to the next page.")),
      ], events: "/events?pipeline=\(url)")
  }

  /// The maximum number of a commit's changes that are shown.
  private static let mostChanges = 500

  package func commit(_ record: CommitRecord, of pipeline: String) -> String {
    let shown = record.changes.prefix(Self.mostChanges)
    let title = Shown.line(record.subject.isEmpty ? record.commit.short : record.subject)
    let counted = record.counts.added + record.counts.changed + record.counts.commented + record.counts.removed
    let names = Dictionary(uniqueKeysWithValues: kinds.map { ($0.kind, $0.column) })
    return page(
      "commit", title,
      [
        "title": title, "url": Shown.url(pipeline), "pipeline": Shown.line(pipeline), "crumbs": crumbs,
        "all": t(message("Pipelines", comment: "A link of the navigation.")),
        "history": t(message("Commits", comment: "A link: what commits changed.")),
        "commit": record.commit.rawValue, "author": Shown.line(record.author, limit: 80),
        "date": [t.time(Date(timeIntervalSince1970: TimeInterval(record.seconds)))],
        "ours": record.isOurs, "oursLabel": oursLabel,
        "fault": record.fault.map { Shown.text($0) } ?? false as Any,
        "faultLabel": t(message("Not everything could be read:", comment: "Before an error message.")),
        "figures": counts(of: record).map { label, value -> View in ["label": label, "value": value] },
        "changesTitle": t(message("Texts", comment: "A column: how many texts times languages were sent.")),
        "none": t(message("This commit changes no texts.", comment: "On the page of a commit.")),
        "formerLabel": t(message("Before:", comment: "Before the former text of a string.")),
        "changes": shown.map { change -> View in
          [
            "kind": names[change.kind] ?? "", "key": Shown.key(change.unit.key.text),
            "target": target(of: change.unit.key.text, in: pipeline), "catalog": Shown.line(change.unit.catalog.text),
            "text": change.text == change.unit.key.text ? false as Any : Shown.text(change.text, limit: 500),
            "former": change.former.map { Shown.text($0, limit: 500) } ?? false as Any,
            "place": change.path.map { Shown.line("\($0.text)\(change.line.map { ":\($0)" } ?? "")") } ?? false as Any,
          ]
        },
        "rest": rest(counted - shown.count),
      ])
  }

  private var oursLabel: String { t(message("by Dragoman", comment: "Beside a commit that Dragoman made.")) }

  private var kinds: [(kind: CommitRecord.Kind, column: String)] {
    [
      (.added, t(message("New", comment: "A column and a mark: new texts."))),
      (.changed, t(message("Changed", comment: "A column and a mark: texts that changed."))),
      (.commented, t(message("Other comment", comment: "A column and a mark: texts whose comment changed."))),
      (.removed, t(message("Removed", comment: "A column and a mark: texts that are gone."))),
    ]
  }

  private func counts(of record: CommitRecord) -> [(label: String, value: String)] {
    let counts = record.counts
    let values = [counts.added, counts.changed, counts.commented, counts.removed, counts.translations]
    let labels =
      kinds.map(\.column) + [t(message("Translations", comment: "A column: how many translations a commit changed."))]
    return zip(labels, values.map(t.number)).map { ($0, $1) }
  }

  private func line(_ record: CommitRecord, of url: String) -> View {
    [
      "target": "/pipelines/\(url)/commits/\(record.commit.rawValue)", "commit": record.commit.short,
      "subject": Shown.line(record.subject), "author": Shown.line(record.author, limit: 80),
      "date": t.day(Date(timeIntervalSince1970: TimeInterval(record.seconds))),
      "ours": record.isOurs, "oursLabel": oursLabel, "isIncomplete": record.fault != nil,
      "incomplete": t(message("partly unreadable", comment: "A mark of a commit with unreadable catalogs.")),
      "cells": counts(of: record).map { label, value -> View in ["label": label, "value": value] },
    ]
  }
}
