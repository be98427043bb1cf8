import ArgumentParser
import Daemon
import Foundation
import GitSource
import Localization
import TranslationVendors
import Workspace

struct CheckCommand: ParsableCommand, DocumentedCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, sarif, github }

  static let configuration = CommandConfiguration("check", help)

  static let help = CommandHelp(
    message("Give advice about localizable strings and their translations.", comment: "Describes the command check."),
    notes: [
      message(
        """
        Reads the code and the catalogs, and reports findings of rules with their locations. Findings are errors, \
        warnings and notes. Notes are shown, but do not change the exit code. A comment `dragoman:ignore RULE` \
        suppresses a finding: in code on its line or the line before, or in the comment of the entry in the catalog.
        """, comment: "Help for check; keep dragoman:ignore."),
      message(
        """
        With --baseline, only findings that the file does not list are reported. --write-baseline writes all current \
        findings to a file.
        """, comment: "Help for check."),
      message(
        """
        Some rules are opt-in and run only if --rule names them. The output of --list marks them.
        """, comment: "Help for check; opt-in is a mark of --list."),
      message(
        """
        --fix repairs the findings of bundle-missing and direction-fixed that have only one sensible repair, and reports \
        the others. Review the changes before you commit them.
        """, comment: "Help for check; bundle-missing and direction-fixed are names."),
    ],
    examples: [
      "dragoman check",
      "dragoman check --list",
      "dragoman check --rule placeholder-mismatch --rule plural-category-missing",
      "dragoman check --rule bundle-missing --fix",
      "dragoman check --write-baseline advice.json",
      "dragoman check --baseline advice.json --format sarif > check.sarif",
    ],
    exits: [
      .init(
        .done,
        message("done; no finding is an error or a warning", comment: "Help: when a command exits with 0.")),
      .init(
        .finding,
        message(
          "a finding is an error or a warning; with --require-none, any finding",
          comment: "Help: when a command exits with 1.")),
      .usage,
      .init(
        .unreadableInput,
        message(
          "the project, a part of it or the baseline cannot be read",
          comment: "Help: when a command exits with 65.")),
      .init(
        .notFound,
        message(
          "a path, revision, baseline or glossary was not found", comment: "Help: when a command exits with 66.")),
      .notWritten,
    ])

  @OptionGroup var tree: TreeOptions
  @OptionGroup var extraction: ExtractionArguments

  @Flag(help: .init(HelpText.submodules))
  var submodules = false

  @Option(name: .customLong("rule"), help: .init(HelpText.checkRules, valueName: "id"))
  var rules: [String] = []

  @Option(help: .init(HelpText.format))
  var format = Format.text

  @Option(help: .init(HelpText.checkGlossary, valueName: "file"), completion: .file())
  var glossary: String?

  @Option(help: .init(HelpText.checkBaseline, valueName: "file"), completion: .file())
  var baseline: String?

  @Option(help: .init(HelpText.checkWriteBaseline, valueName: "file"), completion: .file())
  var writeBaseline: String?

  @Flag(help: .init(HelpText.checkFix))
  var fix = false

  @Flag(help: .init(HelpText.checkRequireNone))
  var requireNone = false

  @Flag(help: .init(HelpText.checkList))
  var list = false

  @OptionGroup var output: ConsoleOptions

  func run() throws {
    let console = output.console
    guard baseline == nil || writeBaseline == nil else {
      throw CommandFailure(
        .usage,
        message("--baseline and --write-baseline cannot be used together", comment: "An error: two options of check."))
    }
    guard !fix || writeBaseline == nil && tree.revision == nil else {
      throw CommandFailure(
        .usage,
        message(
          "--fix changes the files of a directory; it cannot be used with --revision or --write-baseline",
          comment: "An error: options of check."))
    }
    let rules = try chosenRules()
    guard !list else {
      console.results(
        (rules ?? AdviceRule.all).map {
          "\($0.id)\t\($0.severity.rawValue)\t\($0.title)" + ($0.isOptIn ? "\topt-in" : "")
        })
      return
    }
    let known = try baseline.map { try AdviceBaseline.read(readFile($0), at: $0) }
    let terms = try glossary.map { try Glossary.read(readFile($0), at: $0) }
    let directory = fix ? try openDirectory(tree.path) : nil
    let outer = submodules ? try directoryWithSubmodules() : nil
    let whole: any SourceTree = try outer?.readingSubmodules() ?? directory ?? tree.open().tree
    var snapshot = try ProjectSnapshot.forReview(whole, with: .standard(), extraction.options)
    if let outer { snapshot.leaveOutCatalogs(where: outer.isInSubmodule) }
    let advice = try Advice(
      on: snapshot, rules: rules, threads: extraction.options.threads,
      terms: { terms?.glossary.check(from: $0) ?? TermCheck() })
    // A check that could not read everything must not pass.
    var obstacles =
      snapshot.gate.obstacles
      + snapshot.catalogs.values.flatMap { $0.unread.values.flatMap(\.diagnostics) }.map(\.withoutHint).sorted()
    if let glossary, let obstacle = terms?.glossary.obstacle(in: snapshot) {
      obstacles.append("\(glossary.withVisibleControls): \(obstacle.withVisibleControls)")
    }
    if let writeBaseline, obstacles.isEmpty {
      let written = AdviceBaseline(of: advice.findings)
      try writeFile(try written.encoded(), to: writeBaseline)
      console.say(
        counted(
          written.count, one: message("1 finding written to %@.", writeBaseline, comment: "A result of check: a path."),
          other: message(
            "%1$lld findings written to %2$@.", written.count, writeBaseline,
            comment: "A result of check: the number of findings, and a path.")))
      return
    }
    var findings = known?.new(among: advice.findings) ?? advice.findings
    if let directory {
      // A submodule is another repository, so its files are not changed.
      let own = findings.filter { finding in
        TreePath(checking: finding.diagnostic.path).map { outer?.isInSubmodule($0) ?? false } != true
      }
      let fixes = try AdviceFixes(of: own, in: directory)
      try apply(fixes.edits, to: directory, console)
      for finding in fixes.repaired {
        console.say(
          message(
            "fixed: %@", finding.diagnostic.withoutHint,
            comment: "A result of check --fix: a finding with its place."))
      }
      let repaired = Set(fixes.repaired.map(\.diagnostic))
      findings.removeAll { repaired.contains($0.diagnostic) }
    }
    let rendering = AdviceRendering(
      findings: findings, rules: rules ?? AdviceRule.byDefault, diagnostics: snapshot.diagnostics,
      folder: format == .sarif || format == .github ? folderInRepository(tree) : "")
    switch format {
    case .text: console.results(rendering.text)
    case .json: console.raw(try stableJSON(rendering.json))
    case .sarif: console.raw(try stableJSON(SARIFLog(rendering, of: snapshot.tree, isComplete: obstacles.isEmpty)))
    case .github: console.results(rendering.github)
    }
    // Notes about a glossary, such as about an ignored column, are shown as warnings, because a person who checks with a glossary expects all its
    // columns to be used.
    let ofGlossary = (terms?.diagnostics ?? []).map {
      Diagnostic(
        path: $0.path, line: $0.line, column: $0.column, severity: $0.severity == .error ? .error : .warning,
        message: $0.message, hint: $0.hint)
    }
    console.show(snapshot.diagnostics + ofGlossary)
    if format != .json && format != .sarif || console.isVerbose { say(rendering, advice, console) }
    guard obstacles.isEmpty else {
      for obstacle in obstacles {
        console.failure(
          message(
            "error: not everything could be checked: %@", obstacle,
            comment: "An error of check: the reason, such as a catalog that cannot be read."))
      }
      throw ExitStatus.unreadableInput.code
    }
    let hasFailed = requireNone ? !findings.isEmpty : findings.contains { $0.severity != .note }
    if hasFailed { throw ExitStatus.finding.code }
  }

  /// Returns the directory to check together with its submodules.
  /// - Throws: `CommandFailure` if `--revision` is given, or if the path is a bare repository.
  private func directoryWithSubmodules() throws -> DirectoryTree {
    guard tree.revision == nil, let directory = try tree.open().directory else {
      throw CommandFailure.submodulesOfRevision
    }
    return directory
  }

  /// Returns the rules that `--rule` names; `nil` without this option.
  /// - Throws: `CommandFailure` if there is no such rule.
  private func chosenRules() throws -> [AdviceRule]? {
    let all = AdviceRule.all
    for id in rules where !all.contains(where: { $0.id == id }) {
      throw CommandFailure.unknown(
        id, among: all.map(\.id), message("no rule %@", id, comment: "An error: a name that --rule of check gives."),
        .usage)
    }
    return rules.isEmpty ? nil : all.filter { rules.contains($0.id) }
  }

  private func say(_ rendering: AdviceRendering, _ advice: Advice, _ console: Console) {
    let (errors, warnings, notes) = (rendering.count(.error), rendering.count(.warning), rendering.count(.note))
    guard !rendering.findings.isEmpty else {
      console.say(message("No findings.", comment: "The last line of check."))
      return
    }
    let parts = [
      counted(
        errors, one: message("1 error", comment: "A part of the last line of check."),
        other: message("%lld errors", errors, comment: "A part of the last line of check.")),
      counted(
        warnings, one: message("1 warning", comment: "A part of the last line of check."),
        other: message("%lld warnings", warnings, comment: "A part of the last line of check.")),
      counted(
        notes, one: message("1 note", comment: "A part of the last line of check."),
        other: message("%lld notes", notes, comment: "A part of the last line of check.")),
    ]
    console.say(
      message(
        "%@. `dragoman check --list` lists the rules.", parts.joined(separator: ", "),
        comment: "The last line of check: the numbers of errors, warnings and notes."))
  }
}

extension Glossary {
  /// Returns the reason why no term can be used in a project; `nil` if at least one term can be used.
  fileprivate func obstacle(in snapshot: ProjectSnapshot) -> String? {
    let project = snapshot.project
    let sources = Set(snapshot.catalogs.values.map(\.sourceLanguage)).union([project.sourceLanguage])
    return obstacle(from: sources, to: project.targets(among: project.languages))
  }
}
