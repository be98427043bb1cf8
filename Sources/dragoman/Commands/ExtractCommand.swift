import ArgumentParser
import Daemon
import GitSource
import Localization
import StringExtraction
import Workspace

struct ExtractCommand: ParsableCommand, DocumentedCommand {
  static let configuration = CommandConfiguration("extract", help)

  static let help = CommandHelp(
    message("Find every localizable string in the code.", comment: "Describes the command extract."),
    notes: [
      message(
        """
        Sources, interface files, intent definitions and Info.plists are read; nothing is built or run. A localized interface \
        file without a String Catalog is its own catalog, as in exports; sync does not change it. With --why, each literal \
        with a given text is explained instead: what it resolved to and by which rule, or why it is not localizable.
        """, comment: "Help for extract.")
    ],
    examples: [
      "dragoman extract ~/Birds.git --revision main",
      "dragoman extract --format json",
      #"dragoman extract --why "Birds seen today""#,
    ],
    exits: [
      .init(
        .done, message("done; files that cannot be read are reported", comment: "Help: when a command exits with 0.")),
      .usage,
      .nothingReadable,
      .noSuchPart,
    ])

  @OptionGroup var tree: TreeOptions
  @OptionGroup var selected: SelectionArguments
  @OptionGroup var extraction: ExtractionArguments

  @Option(help: .init(HelpText.format))
  var format = OutputFormat.text

  @Option(help: .init(HelpText.extractWhy, valueName: "text"))
  var why: String?

  @OptionGroup var output: ConsoleOptions

  func validate() throws {
    // A literal that is not localizable has no table.
    if why != nil, !selected.tables.isEmpty {
      throw ValidationError(
        message("--table cannot be used with --why; use --target.", comment: "Refusal of options of extract."))
    }
  }

  func run() throws {
    var options = extraction.options
    options.targets = selected.targets
    // Like Xcode's export, this includes interface files, intent definitions and Info.plists that have no String Catalog.
    options.isForExport = true
    var state = try ProjectSnapshot(tree.open().tree, for: .sync, with: .standard())
    try state.extract(options)
    let selection = try selected.selection(in: state.project)
    state.extraction.strings.removeAll { !selection.contains(table: $0.table, of: $0.targets) }
    let console = output.console
    if let why {
      let explanation = try KeyExplanation(
        why, in: state.project, from: state.tree, existing: state.catalogsInCode, extraction: state.extraction,
        options: options, cache: nil)
      switch format {
      case .json: console.raw(try stableJSON(KeyExplanationReport(explanation, diagnostics: state.diagnostics)))
      case .text: KeyExplanationPresentation(explanation: explanation, console: console).show()
      }
      console.show(state.diagnostics)
      if state.isUnreadable { throw ExitStatus.unreadableInput.code }
      return
    }
    switch format {
    case .json:
      console.raw(try stableJSON(ExtractionReport(state)))
    case .text:
      let strings = state.extraction.strings.count
      let catalogs = Set(state.extraction.strings.map(\.catalog)).count
      for string in state.extraction.strings {
        let site = string.sites.first.map { "\($0.path):\($0.line):\($0.column)" } ?? ""
        console.result("\(string.catalog)\t\(string.key.text.debugDescription)\t\(site)")
      }
      console.say(
        message(
          "%@ in %@.",
          counted(
            strings, one: message("1 string", comment: "A count."),
            other: message("%lld strings", strings, comment: "A count.")),
          counted(
            catalogs, one: message("1 catalog", comment: "A count."),
            other: message("%lld catalogs", catalogs, comment: "A count.")),
          comment: "The last line of the command extract: counts of strings and catalogs."))
    }
    console.show(state.diagnostics)
    if state.isUnreadable { throw ExitStatus.unreadableInput.code }
  }
}

/// The JSON of `extract`, as cli.md specifies it.
private struct ExtractionReport: Encodable {
  struct Record: Encodable {
    let key, table: String
    let targets: [String]
    let catalog: String
    let value, comment: String?
    let origin: String
    let sites: [ExtractionSite]

    /// Encodes a missing value as `null`, which the synthesized method does not do.
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(key, forKey: .key)
      try container.encode(table, forKey: .table)
      try container.encode(targets, forKey: .targets)
      try container.encode(catalog, forKey: .catalog)
      try container.encode(value, forKey: .value)
      try container.encode(comment, forKey: .comment)
      try container.encode(origin, forKey: .origin)
      try container.encode(sites, forKey: .sites)
    }

    enum CodingKeys: String, CodingKey { case key, table, targets, catalog, value, comment, origin, sites }
  }

  let sourceLanguage: String
  let strings: [Record]
  let diagnostics: [Diagnostic]

  init(_ state: ProjectSnapshot) {
    let names = Dictionary(state.project.targets.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    sourceLanguage = state.extraction.sourceLanguage.rawValue
    strings = state.extraction.strings.map { string in
      Record(
        key: string.key.text, table: string.table, targets: string.targets.map { names[$0] ?? $0.rawValue },
        catalog: string.catalog.text, value: string.value, comment: string.comment, origin: string.origin.rawValue,
        sites: string.sites)
    }
    diagnostics = state.diagnostics
  }
}
