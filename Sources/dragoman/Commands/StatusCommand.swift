import ArgumentParser
import Daemon
import Foundation
import GitSource
import Localization
import Pipeline
import Workspace

struct StatusCommand: AsyncParsableCommand, DocumentedCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json, markdown, junit, sarif, svg, html

    /// Whether the format lists missing translations with their source texts.
    var hasDetails: Bool { [.json, .markdown, .sarif, .html].contains(self) }
  }

  static let configuration = CommandConfiguration("status", help)

  static let help = CommandHelp(
    message("Show completion for each language and catalog.", comment: "Describes the command status."),
    notes: [
      message(
        """
        With --require, or with a pipeline file that has `require`, the command is a gate: it compares the \
        catalogs with the code, prints a verdict first (PASS or FAIL), and lists the missing strings. Without \
        a requirement the code is not read.
        """, comment: "Help for status."),
      message(
        """
        A gate judges one configuration of an Xcode target: the one named Debug, or the first if there is no Debug. Xcode \
        syncs catalogs when it builds that configuration. Settings and excluded files of other configurations have no effect.
        """, comment: "Help for status; Debug is a name."),
      message(
        """
        With --details, also show the commit and author that added each missing string, from the history of its catalog, and \
        where its translation is, from the ledger of the pipeline if there is one.
        """, comment: "Help for status."),
    ],
    examples: [
      "dragoman status",
      "dragoman status --require 95 --require de=100",
      "dragoman status --pipeline pipelines/birds.yaml --revision release/1.0",
      "dragoman status --since origin/main --require 100",
      "dragoman status --require App/**:de=100 --fallback es-MX=es-419,es",
      "dragoman status --require 100 --details --format html > release.html",
    ],
    exits: [
      .done,
      .init(
        .finding, message("a requirement is not met or cannot be judged", comment: "Help: when a command exits with 1.")
      ),
      .init(
        .usage,
        message(
          "wrong usage, or a pipeline file without requirements for any branch or for this branch",
          comment: "Help: when a command exits with 64.")),
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
    help: .init(HelpText.statusRequirements, valueName: "percent"), transform: CompletionRequirement.parse)
  var requirements: [CompletionRequirement] = []

  @Option(help: .init(HelpText.statusPipeline, valueName: "file"), completion: .file())
  var pipeline: String?

  @Option(help: .init(HelpText.statusBranch, valueName: "name"))
  var branch: String?

  @Option(help: .init(HelpText.statusSince, valueName: "rev"))
  var since: String?

  @Flag(help: .init(HelpText.submodules))
  var submodules = false

  @Option(
    name: .customLong("fallback"), help: .init(HelpText.statusFallbacks, valueName: "chain"),
    transform: FallbackArgument.parse)
  var fallbacks: [FallbackArgument] = []

  @Flag(help: .init(HelpText.statusDetails))
  var details = false

  @Option(help: .init(HelpText.statusStore, valueName: "store"))
  var store: String?

  @Option(help: .init(HelpText.format))
  var format = Format.text

  @OptionGroup var output: ConsoleOptions

  /// Refuses two percentages for the same strings, because one of them would weaken the other.
  private func refuseContradictions() throws {
    for (index, requirement) in requirements.enumerated() {
      let same = requirements[..<index].first {
        $0.language == requirement.language && $0.catalogs == requirement.catalogs
      }
      guard let same, same.needed != requirement.needed else { continue }
      throw CommandFailure(
        .usage,
        message(
          "--require gives %1$@ and %2$@ for the same strings; give one of them", same.needed.description,
          requirement.needed.description, comment: "An error of status: two percentages."))
    }
  }

  func run() async throws {
    let console = output.console
    guard store == nil || details && pipeline != nil else {
      throw CommandFailure(
        .usage,
        message(
          "--store needs --details, and --pipeline to find the entries in the ledger",
          comment: "An error: options of status."))
    }
    guard branch == nil || pipeline != nil else {
      throw CommandFailure(
        .usage,
        message(
          "--branch needs --pipeline, because only a pipeline file can have requirements for a branch",
          comment: "An error: options of status."))
    }
    try refuseContradictions()
    let definition = try pipeline.map(Self.definition)
    let chains = self.chains(definition)
    // Of several requirements for the same language, or for all languages, the last counts. Those of the command line therefore come last.
    let requirements = try (definition.map(required(by:)) ?? []) + requirements
    // The code is read only for a gate, which also checks whether the catalogs are in sync with the code.
    let isGate = !requirements.isEmpty
    var options = extraction.options
    options.macros += definition?.extract.macros ?? []
    let outer = try directoryWithSubmodules(definition)
    var snapshot = try ProjectSnapshot(
      outer?.readingSubmodules() ?? tree.open().tree, for: .comparison, with: .standard(),
      excluding: definition?.extract.exclude ?? [])
    if isGate { try snapshot.extract(options, findsUnplaced: true) }
    snapshot.findUsageDescriptions()
    if let outer { snapshot.leaveOutCatalogs(where: outer.isInSubmodule) }
    if let paths = definition?.extract.pathPatterns, !paths.isEmpty { snapshot.restrict(to: paths) }
    let selection = try selected.selection(in: snapshot.project)
    let targets = snapshot.project.targets(
      among: try (definition?.languages.map(Set.init) ?? projectLanguages(snapshot, outer, definition))
        .union(chains.chains.keys))
    var languages = try language.chosen(among: targets, source: snapshot.project.sourceLanguage)
    let leftOut = targets.subtracting(languages)
    warn(ofFallbacksBeside: snapshot, targets, console)
    if !selection.isWhole { snapshot.restrict(to: selection) }
    // Strings of the code without a catalog are determined before the catalogs are reduced to new strings.
    let inStep = isGate ? snapshot.inStep : nil
    // A requirement may leave out languages. Faults in the files of these languages do not count.
    let required = Set(requirements.map(\.language))
    let judgedLanguages = isGate && !required.contains(nil) ? languages.filter(required.contains) : languages
    let judged = Set(judgedLanguages).union(judgedLanguages.flatMap { chains.chains[$0] ?? [] })
    let unread = CompletionGate.unread(in: judged, of: snapshot.catalogs)
    let unjudged = CompletionGate.unjudged(in: judged, of: snapshot.project)
    var obstacles =
      inStep.map {
        snapshot.gate.obstacles + unread + unjudged + snapshot.gate.ahead($0) + snapshot.usageDescriptions.obstacles
      } ?? []
    var unreadBefore: [Diagnostic] = []
    snapshot.addUsageDescriptions()
    if let since {
      let base = try restrict(
        &snapshot, toChangesSince: since, excluding: definition?.extract.exclude ?? [], isGate: isGate,
        in: &languages, console)
      obstacles += base.obstacles
      unreadBefore = base.faults
    }
    let report = Completion.report(
      catalogs: snapshot.catalogs.sorted { $0.key < $1.key }.map(\.value), languages: languages,
      fallbacks: chains)
    var verdict: CompletionVerdict?
    if isGate {
      verdict = CompletionVerdict(
        report, requirements: requirements, obstacles: obstacles, leftOut: leftOut, mayBeEmpty: since != nil)
      let unmet = Set(verdict?.unmet.map(\.completion.language) ?? [])
      verdict?.notes = snapshot.usageDescriptions.notes(in: unmet, fallbacks: chains, where: snapshot.has)
    }
    var found: [MissingDetail] = []
    if details || format.hasDetails { found = try await missing(report, in: snapshot, definition) }
    let isReadable =
      snapshot.unreadable.isEmpty && unread.isEmpty && unreadBefore.isEmpty
      && !snapshot.project.diagnostics.contains { $0.severity == .error }
    let rendering = CompletionRendering(
      report: report, verdict: verdict, isComplete: isReadable, details: found,
      folder: [.sarif, .junit].contains(format) ? folderInRepository(tree) : "")
    switch format {
    case .text: console.text(rendering.text)
    case .json: console.raw(try stableJSON(rendering.json))
    case .markdown: console.text(rendering.markdown)
    case .junit: console.text(rendering.junit)
    case .sarif: console.raw(try stableJSON(SARIFLog(rendering, of: snapshot.tree)))
    case .svg: console.text(rendering.svg)
    case .html:
      let subject = tree.name + (tree.revision.map { " (\($0))" } ?? "")
      console.text(CompletionPage(rendering: rendering, subject: subject, now: Date()).html)
    }
    let untold = snapshot.usageDescriptions.warnings(in: languages, fallbacks: chains, where: snapshot.has)
    console.show(snapshot.diagnostics + unreadBefore + untold)
    if let verdict, !verdict.isMet { tell(rendering, console) }
    if !isReadable {
      throw ExitStatus.unreadableInput.code
    }
    if let verdict, !verdict.isMet { throw ExitStatus.finding.code }
  }

  private func chains(_ definition: PipelineDefinition?) -> LanguageFallbacks {
    LanguageFallbacks(
      (definition?.fallbacks.chains ?? [:])
        .merging(fallbacks.map { ($0.language, $0.chain) }, uniquingKeysWith: { _, new in new }))
  }

  /// Warns about fallbacks of the command line that have no effect, because the project does not have the language.
  private func warn(
    ofFallbacksBeside snapshot: ProjectSnapshot, _ targets: Set<LocaleIdentifier>, _ console: Console
  ) {
    let known = targets.union(snapshot.catalogs.values.flatMap(\.languages)).union([snapshot.project.sourceLanguage])
    for language in Set(fallbacks.flatMap(\.chain)).subtracting(known).sorted() {
      console.failure(
        message(
          "warning: the project has no translations into %@, a fallback of --fallback", language.rawValue,
          comment: "A warning of status: a language.") + LanguageMatch([known]).suffix(language.rawValue))
    }
  }

  /// Finds details of the missing translations. With `--details`, they include the authors of the strings, and the states of the translations in the
  /// ledger if there is one and `--pipeline` is given.
  private func missing(
    _ report: CompletionReport, in snapshot: ProjectSnapshot, _ definition: PipelineDefinition?
  ) async throws -> [MissingDetail] {
    var missing = MissingDetails(report, in: snapshot)
    guard details else { return missing.all }
    try missing.addOrigins(from: tree)
    if let definition, let location = try ledger() {
      let desk = RoundAdministration(store: location)
      try await missing.addWhereabouts(
        in: definition.name, on: judgedBranch(), isProposed: definition.deliver.mode == .pullRequest
      ) { key in
        do { return try await desk.histories(of: key, in: definition.name, languages: []) } catch let error
          as PipelineError where error.kind == .notFound
        { return [] }
      }
    }
    return missing.all
  }

  /// Returns the store of `--store`, or else the store in the current directory; `nil` if there is no store.
  private func ledger() throws -> StoreLocation? {
    if let store { return try StoreLocation(store) }
    let standard = StoreLocation.standard
    return FileManager.default.fileExists(atPath: standard.folder + "/ledger.sqlite") ? standard : nil
  }

  /// Lists the missing translations of the languages that do not meet their requirements.
  private func tell(_ rendering: CompletionRendering, _ console: Console) {
    // The HTML page and the SARIF log already list the missing translations.
    guard format != .html, format != .sarif else { return }
    if details, format == .text {
      for detail in rendering.details where rendering.isUnmet(detail.missing) {
        let missing = detail.missing
        let facts = detail.facts.isEmpty ? "" : ": " + detail.facts.joined(separator: "; ")
        let place = missing.catalog.text + (detail.line.map { ":\($0)" } ?? "")
        console.failure("\(place): \(missing.language): \(missing.state.rawValue): \(detail.quoted)\(facts)")
      }
      return
    }
    for missing in rendering.report.missing where rendering.isUnmet(missing) {
      console.failure(
        "\(missing.catalog): \(missing.language): \(missing.state.rawValue): "
          + MissingDetail.shortened(missing.key.text).debugDescription)
    }
  }
}

/// Formats tenths of a percent: 983 is `98.3`.
func decimal(_ tenths: Int) -> String { "\(tenths / 10).\(tenths % 10)" }
