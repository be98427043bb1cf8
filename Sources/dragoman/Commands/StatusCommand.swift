import ArgumentParser
import Daemon
import Foundation
import GitSource
import Localization
import Pipeline
import Workspace

struct StatusCommand: ParsableCommand, DocumentedCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, markdown, junit, svg }

  static let configuration = CommandConfiguration("status", help)

  static let help = CommandHelp(
    message("Show completion for each language and catalog.", comment: "What status does."),
    notes: [
      message(
        """
        With --require, or with a pipeline file that has `require`, the command is a gate: it compares the \
        catalogs with the code, prints a verdict first (PASS or FAIL), and lists the missing strings. Without \
        a requirement the code is not read.
        """, comment: "Help of status.")
    ],
    examples: [
      "dragoman status",
      "dragoman status --require 95 --require de=100",
      "dragoman status --pipeline pipelines/birds.yaml --revision release/1.0",
      "dragoman status --since origin/main --require 100",
    ],
    exits: [
      .done,
      .init(
        .finding, message("a requirement is not met or cannot be judged", comment: "Help: when a command exits with 1.")
      ),
      .init(
        .usage,
        message("wrong usage, or a pipeline file without `require`", comment: "Help: when a command exits with 64.")),
      .init(
        .unreadableInput,
        message(
          "a catalog, a project file or the pipeline file cannot be read",
          comment: "Help: when a command exits with 65.")),
      .noSuchPartOrLanguage,
    ])

  @OptionGroup var tree: TreeOptions
  @OptionGroup var selected: SelectionArguments
  @OptionGroup var language: LanguageArguments
  @OptionGroup var extraction: ExtractionArguments

  @Option(
    name: .customLong("require"),
    help: .init(HelpText.statusRequirements, valueName: "percent"))
  var requirements: [CompletionRequirement] = []

  @Option(help: .init(HelpText.statusPipeline, valueName: "file"), completion: .file())
  var pipeline: String?

  @Option(help: .init(HelpText.statusBranch, valueName: "name"))
  var branch: String?

  @Option(help: .init(HelpText.statusSince, valueName: "rev"))
  var since: String?

  @Option(help: .init(HelpText.format))
  var format = Format.text

  @OptionGroup var output: ConsoleOptions

  func run() throws {
    let console = output.console
    let definition = try pipeline.map(Self.definition)
    // If several requirements name one language, the last one counts.
    let requirements = try (definition.map(required(by:)) ?? []) + requirements
    // The strings of the code are read only for a requirement, because a gate also checks whether the catalogs are in sync with the code.
    let isGate = !requirements.isEmpty
    var options = extraction.options
    options.macros += definition?.extract.macros ?? []
    var snapshot = try ProjectSnapshot(
      tree.open().tree, for: .comparison, with: .standard(), excluding: definition?.extract.exclude ?? [])
    if isGate { try snapshot.extract(options) }
    let selection = try selected.selection(in: snapshot.project)
    let languages = try language.chosen(
      among: (definition?.languages.map(Set.init) ?? snapshot.project.languages)
        .subtracting([snapshot.project.sourceLanguage]))
    if !selection.isWhole { snapshot.restrict(to: selection) }
    // Strings of the code without a catalog are determined before the catalogs are reduced to new strings.
    let inStep = isGate ? snapshot.inStep : nil
    let obstacles = inStep.map { snapshot.gate.obstacles + snapshot.gate.unheld($0) } ?? []
    if let since {
      try restrict(&snapshot, toChangesSince: since, excluding: definition?.extract.exclude ?? [], console)
    }
    let report = Completion.report(
      catalogs: snapshot.catalogs.sorted { $0.key < $1.key }.map(\.value), languages: languages)
    var verdict: CompletionVerdict?
    if isGate {
      verdict = CompletionVerdict(
        report, requirements: requirements, obstacles: obstacles, mayBeEmpty: since != nil)
    }
    let rendering = CompletionRendering(report: report, verdict: verdict)
    switch format {
    case .text: console.result(rendering.text)
    case .json: console.raw(try stableJSON(rendering.json))
    case .markdown: console.result(rendering.markdown)
    case .junit: console.result(rendering.junit)
    case .svg: console.result(rendering.svg)
    }
    console.show(snapshot.diagnostics)
    if let verdict, !verdict.isMet { tell(verdict, report, console) }
    if snapshot.project.diagnostics.contains(where: { $0.severity == .error }) || !snapshot.unreadable.isEmpty {
      throw ExitStatus.unreadableInput.code
    }
    if let verdict, !verdict.isMet { throw ExitStatus.finding.code }
  }

  /// Reads a pipeline file: its languages are judged, by its `require`.
  /// - Throws: `InputFault` with every fault of the file; `CommandFailure` if the file does not exist or requires nothing.
  private static func definition(_ path: String) throws -> PipelineDefinition {
    _ = try readFile(path)
    guard let reading = PipelineReading.all(of: [path]).first, let definition = reading.definition else {
      throw InputFault(PipelineReading.all(of: [path]).flatMap(\.diagnostics))
    }
    guard definition.hasRequirements else {
      throw CommandFailure(
        .usage,
        message(
          "%@ requires nothing; add `require: 100`, or a percentage for each language", path,
          comment: "An error: the path of a pipeline file without the key require."))
    }
    return definition
  }

  /// Returns what a pipeline requires of the branch that is judged.
  /// - Throws: `CommandFailure` if the pipeline requires something of some branches only, and the branch is unknown.
  private func required(by definition: PipelineDefinition) throws -> [CompletionRequirement] {
    guard !definition.requireOnBranches.isEmpty else { return definition.require }
    guard let branch = try judgedBranch() else {
      throw CommandFailure(
        .usage,
        message(
          "%@ requires more on some branches. Give the branch with --branch, or its name with --revision",
          pipeline ?? "", comment: "An error: the path of a pipeline file."))
    }
    let required = definition.requirements(on: branch)
    if required.isEmpty {
      output.console.failure(
        message(
          "%1$@ has no requirements for the branch %2$@", pipeline ?? "", branch,
          comment: "A warning: the path of a pipeline file and a branch."))
    }
    return required
  }

  /// The name of the branch in the pipeline file; `nil` if none was given.
  private func judgedBranch() throws -> String? {
    if let branch { return Self.short(branch) }
    guard let revision = tree.revision else { return nil }
    // A commit, a tag or HEAD may be on any branch.
    let repository = try GitRepository(path: tree.path, searchingUpwards: true)
    return Self.short(revision).flatMap { repository.hasBranch($0) ? $0 : nil }
  }

  /// A branch without what git or a CI system writes before it.
  private static func short(_ name: String) -> String? {
    let prefixes = ["refs/heads/", "refs/remotes/origin/", "remotes/origin/", "heads/", "origin/"]
    let short = prefixes.first { name.hasPrefix($0) }.map { String(name.dropFirst($0.count)) } ?? name
    return short.isEmpty ? nil : short
  }

  /// Leaves only the strings that are new or changed since a revision.
  private func restrict(
    _ snapshot: inout ProjectSnapshot, toChangesSince revision: String, excluding excluded: [String], _ console: Console
  ) throws {
    let old = try ProjectSnapshot(
      openTree(path: tree.path, revision: revision).tree, for: .comparison, with: .standard(), excluding: excluded)
    // A catalog that could not be read then would look new as a whole.
    guard old.unreadable.isEmpty else {
      throw InputFault(old.unreadable.sorted { $0.key < $1.key }.flatMap(\.value.diagnostics))
    }
    snapshot.restrict(toChangesSince: old)
    let count = snapshot.catalogs.values.reduce(0) { $0 + $1.entries.count }
    console.say(
      counted(
        count,
        one: message("1 string is new or changed since %@.", revision, comment: "Said by status: a revision."),
        other: message(
          "%1$lld strings are new or changed since %2$@.", count, revision, comment: "Said by status: a revision.")))
  }

  /// Lists the missing translations of the languages that fall short.
  private func tell(_ verdict: CompletionVerdict, _ report: CompletionReport, _ console: Console) {
    let unmet = Set(verdict.unmet.map(\.completion.language))
    for missing in report.missing where unmet.contains(missing.language) {
      console.failure(
        "\(missing.catalog): \(missing.language): \(missing.state.rawValue): \(missing.key.text.debugDescription)")
    }
  }
}

/// Parses `95` (all languages) or `de=100` (one language).
extension CompletionRequirement: ExpressibleByArgument {
  package init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let last = parts.last, let percent = Double(last), (0...100).contains(percent) else { return nil }
    var language: LocaleIdentifier?
    if parts.count == 2 {
      let name = LocaleIdentifier(String(parts[0]))
      guard name.isWellFormed else { return nil }
      language = name
    }
    self.init(language: language, tenths: Int((percent * 10).rounded(.up)))
  }
}

/// Formats tenths of a percent: 983 is `98.3`.
func decimal(_ tenths: Int) -> String { "\(tenths / 10).\(tenths % 10)" }
