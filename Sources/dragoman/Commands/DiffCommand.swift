import ArgumentParser
import Daemon
import GitSource
import Localization
import Pipeline
import Workspace

struct DiffCommand: AsyncParsableCommand, DocumentedCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, markdown }

  static let configuration = CommandConfiguration("diff", help)

  static let help = CommandHelp(
    message("Show what changed for translators between two revisions.", comment: "Describes the command diff."),
    notes: [
      message(
        """
        Both revisions are compared as if their catalogs were in step with their code, so strings that are only in the code also count.
        """, comment: "Help for diff."),
      message(
        """
        With --pipeline, each change names the last commit that made it and that commit's author, if the history in the store \
        has the commit. OLD must be on the line of first parents of NEW.
        """, comment: "Help for diff; keep OLD and NEW."),
    ],
    examples: [
      "dragoman diff v1.0 main",
      "dragoman diff v1.0 HEAD --language de --format markdown",
      "dragoman diff v1.0 main --pipeline birds --store sqlite:/var/lib/dragoman",
    ],
    exits: [
      .done,
      .usage,
      .init(
        .unreadableInput,
        message(
          "a file of a revision could not be read, or only in part; catalogs that are unreadable at one revision are not compared",
          comment: "Help: when a command exits with 65.")),
      .noSuchPartOrLanguage,
    ])

  @Argument(help: .init(HelpText.diffOld))
  var old: String

  @Argument(help: .init(HelpText.diffNew))
  var new: String

  @Option(help: .init(HelpText.path, valueName: "path"), completion: .directory)
  var project = "."

  @Option(help: .init(HelpText.format))
  var format = Format.text

  @Option(help: .init(HelpText.diffPipeline, valueName: "name"))
  var pipeline: String?

  @OptionGroup var store: StoreOption
  @OptionGroup var selected: SelectionArguments
  @OptionGroup var language: LanguageArguments
  @OptionGroup var extraction: ExtractionArguments
  @OptionGroup var output: ConsoleOptions

  func run() async throws {
    let console = output.console
    let before = try openTree(path: project, revision: old, allowingNew: true)
    let after = try openTree(path: project, revision: new)
    let (oldState, newState) = (try snapshot(of: before.tree), try snapshot(of: after.tree))
    let (oldSynced, newSynced) = (oldState.synced(), newState.synced())
    let faults =
      Self.faults(of: oldState, at: old) + Self.faults(of: newState, at: new)
      + Self.halfRead(oldState, at: old, but: newState, before.tree, after.tree)
      + Self.halfRead(newState, at: new, but: oldState, before.tree, after.tree)
    console.show(faults + newState.diagnostics.filter { $0.severity != .error } + newSynced.diagnostics)
    let changes = try shown(
      CatalogDiff.changes(from: oldSynced.inStep.catalogs, to: newSynced.inStep.catalogs), oldState, newState)
    var authors = ChangeAuthors()
    if let pipeline, let tip = after.commit {
      let records = try await store.desk().history(of: pipeline, from: tip, limit: 10_000)
      authors = ChangeAuthors(records.prefix { $0.commit != before.commit })
    }
    switch format {
    case .text:
      for change in changes {
        console.result(Self.line(change) + (authors[change].map { " (\($0.commit.short) \($0.author))" } ?? ""))
      }
    case .json: console.raw(try stableJSON(DiffReport(changes, authors)))
    case .markdown: console.text(Self.markdown(changes, authors))
    }
    console.say(
      counted(
        changes.count, one: message("1 change.", comment: "The last line of the command diff."),
        other: message("%lld changes.", changes.count, comment: "The last line of the command diff.")))
    if !faults.isEmpty { throw ExitStatus.unreadableInput.code }
  }

  private static func faults(of state: ProjectSnapshot, at revision: String) -> [Diagnostic] {
    state.diagnostics.filter { $0.severity == .error }.map { RevisionFault.make($0, at: revision) }
  }

  /// Returns diagnostics about sources that can be read only in part at a revision, unless the other revision has the same file. If the
  /// files differ, strings could be shown as added or removed although they are not, or changes could be missing.
  private static func halfRead(
    _ state: ProjectSnapshot, at revision: String, but other: ProjectSnapshot, _ before: any SourceTree,
    _ after: any SourceTree
  ) -> [Diagnostic] {
    func contents(_ path: String, in tree: any SourceTree) -> [UInt8]? {
      TreePath(checking: path).flatMap { try? tree.read($0) }
    }
    func reasons(_ state: ProjectSnapshot) -> [Diagnostic] {
      state.extraction.incompleteCatalogs.values.joined().filter { $0.severity == .warning }
    }
    let known = Set(reasons(other).map(\.path)).filter { contents($0, in: before) == contents($0, in: after) }
    return Set(reasons(state)).filter { !known.contains($0.path) }
      .sorted { ($0.path, $0.line ?? 0) < ($1.path, $1.line ?? 0) }.map { RevisionFault.make($0, at: revision) }
  }

  private func snapshot(of tree: any SourceTree) throws -> ProjectSnapshot {
    var snapshot = try ProjectSnapshot(tree, for: .comparison, with: .standard())
    try snapshot.extract(extraction.options)
    return snapshot
  }

  /// Returns the changes that the options select. A target, table or language may exist on one side only. Files that are unreadable on one side are
  /// left out, because their strings would be shown as added or removed. `--language` selects only among the changes of translations.
  private func shown(
    _ changes: [UnitChange], _ old: ProjectSnapshot, _ new: ProjectSnapshot
  ) throws -> [UnitChange] {
    var both = new.project
    both.targets += old.project.targets
    both.catalogs += old.project.catalogs
    let selection = try selected.selection(in: both)
    let languages = Set(try language.chosen(among: old.project.languages.union(new.project.languages)))
    return changes.filter { change in
      let catalog = change.unit.catalog
      guard selection.contains(catalog), old.unreadable[catalog] == nil, new.unreadable[catalog] == nil else {
        return false
      }
      if case .translationChanged(let language, _, _) = change.kind {
        let isRead = [old, new].allSatisfy { $0.catalogs[catalog]?.unread[language] == nil }
        return isRead && languages.contains(language)
      }
      return true
    }
  }

  private static func line(_ change: UnitChange) -> String {
    let description = DiffDescription(change.kind)
    return "\(change.unit.catalog): \(description.name): \(change.unit.key.text.debugDescription)"
      + (description.detail.map { ": " + $0 } ?? "")
  }

  private static func markdown(_ changes: [UnitChange], _ authors: ChangeAuthors) -> String {
    let isAuthored = !authors.isEmpty
    var lines: [String] = []
    var catalog: TreePath?
    for change in changes {
      if change.unit.catalog != catalog {
        lines +=
          (catalog == nil ? [] : [""]) + [
            "### \(cell(change.unit.catalog.text))", "", "| change | key | |" + (isAuthored ? " by |" : ""),
            "| --- | --- | --- |" + (isAuthored ? " --- |" : ""),
          ]
        catalog = change.unit.catalog
      }
      let description = DiffDescription(change.kind)
      let author = authors[change].map { "\(cell($0.author)) \($0.commit.short)" } ?? ""
      lines.append(
        "| \(description.name) | \(cell(change.unit.key.text)) | \(cell(description.detail ?? "")) |"
          + (isAuthored ? " \(author) |" : ""))
    }
    return lines.joined(separator: "\n")
  }

  private static func cell(_ text: String) -> String {
    text.isEmpty
      ? "" : "`" + text.withVisibleControls.replacing("|", with: "\\|").replacing("`", with: "'") + "`"
  }
}

/// The newest commits that changed each string, from the history of a pipeline.
private struct ChangeAuthors {
  /// The newest commit of each kind of change, newest first.
  private var commits: [UnitID: [(kind: CommitRecord.Kind, record: CommitRecord)]] = [:]

  init() {}

  /// - Parameter history: the commits, newest first.
  init(_ history: some Sequence<CommitRecord>) {
    for record in history {
      for change in record.changes where commits[change.unit]?.contains(where: { $0.kind == change.kind }) != true {
        commits[change.unit, default: []].append((change.kind, record))
      }
    }
  }

  var isEmpty: Bool { commits.isEmpty }

  /// Returns the newest recorded commit that made a change. If no commit made such a change, for example because a commit changed both text and
  /// comment, returns the newest commit that changed the string. Returns `nil` if there is none, and for a change of a translation, because the
  /// history does not record who changed translations.
  subscript(change: UnitChange) -> CommitRecord? {
    let kinds: [CommitRecord.Kind]
    switch change.kind {
    case .translationChanged: return nil
    case .added, .revived: kinds = [.added]
    case .removed, .becameStale: kinds = [.removed]
    // A string may also be removed, and added again with another text.
    case .sourceChanged: kinds = [.changed, .added]
    case .commentChanged: kinds = [.commented]
    }
    let known = commits[change.unit] ?? []
    return (known.first { kinds.contains($0.kind) } ?? known.first)?.record
  }
}

/// The short name of a change, and its details.
private struct DiffDescription {
  let name: String
  let detail: String?

  init(_ kind: UnitChange.Kind) {
    switch kind {
    case .added: (name, detail) = ("added", nil)
    case .removed: (name, detail) = ("removed", nil)
    case .becameStale: (name, detail) = ("stale", nil)
    case .revived: (name, detail) = ("revived", nil)
    case .commentChanged(_, let new): (name, detail) = ("comment", new ?? "(none)")
    case .sourceChanged(let old, let new):
      name = "source"
      detail = Set(old.keys).union(new.keys).sorted().filter { !old[$0].isExactly(new[$0]) }.map { path in
        "\(path.isEmpty ? "" : path + ": ")\(old[path] ?? "(none)") → \(new[path] ?? "(none)")"
      }.joined(separator: "; ")
    case .translationChanged(let language, let old, let new):
      name = "translation " + language.rawValue
      detail = "\(Self.text(old)) → \(Self.text(new))"
    }
  }

  private static func text(_ translation: Translation?) -> String {
    guard let translation else { return "(none)" }
    if case .text(let unit) = translation.text, translation.substitutions.isEmpty {
      return "\(unit.value) (\(unit.state.rawValue))"
    }
    return translation.leaves.map { path, leaf in
      let words =
        switch leaf {
        case .text(let unit): unit.value
        case .phrases(let set): set.values.joined(separator: " / ")
        }
      return "\(path.text): \(words) (\(leaf.state.rawValue))"
    }.joined(separator: "; ")
  }
}

/// The JSON of `diff`.
private struct DiffReport: Encodable {
  struct Change: Encodable {
    let catalog, key, change: String
    let detail, commit, author: String?
  }

  let changes: [Change]

  init(_ changes: [UnitChange], _ authors: ChangeAuthors) {
    self.changes = changes.map { change in
      let description = DiffDescription(change.kind)
      return Change(
        catalog: change.unit.catalog.text, key: change.unit.key.text, change: description.name,
        detail: description.detail, commit: authors[change]?.commit.rawValue, author: authors[change]?.author)
    }
  }
}
