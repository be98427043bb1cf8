import ArgumentParser
import Daemon
import Foundation
import Localization
import Pipeline
import TranslationVendors

struct VendorsCommand: ParsableCommand, DocumentedCommand {
  static let configuration = CommandConfiguration("vendors", help, subcommands: [List.self, Test.self])

  static let help = CommandHelp(
    message("List the kinds of vendors, or test the vendors of a pipeline.", comment: "Describes the command vendors."),
    examples: [
      "dragoman vendors list",
      "dragoman vendors test --pipeline pipelines/birds.yaml",
    ],
    exits: [
      .done,
      .usage,
    ])

  struct List: ParsableCommand, DocumentedCommand {
    static let configuration = CommandConfiguration("list", help)

    static let help = CommandHelp(
      message("List the kinds of vendors, or the options of one kind.", comment: "Describes the command vendors list."),
      notes: [
        message("The options are keys of an entry of `vendors` in a pipeline file.", comment: "Help for vendors list.")
      ],
      examples: [
        "dragoman vendors list",
        "dragoman vendors list folder",
      ],
      exits: [
        .done,
        .usage,
        .init(.notFound, message("no kind of vendor has this name", comment: "Help: when a command exits with 66.")),
      ])

    @Argument(help: .init(HelpText.vendorsKind))
    var kind: String?

    @Option(help: .init(HelpText.format))
    var format = OutputFormat.text

    @OptionGroup var output: ConsoleOptions

    func run() throws {
      let kinds = VendorRegistry.kinds.filter { kind == nil || $0.name == kind }
      guard !kinds.isEmpty else {
        throw CommandFailure.unknown(
          kind ?? "", among: VendorRegistry.names,
          message("no vendor %@", kind ?? "", comment: "An error: the name of a kind of vendor."))
      }
      let records = kinds.sorted { $0.name < $1.name }.map { VendorRecord($0) }
      switch format {
      case .json: output.console.raw(try stableJSON(records))
      case .text: for record in records { output.console.results(record.lines(withOptions: kind != nil)) }
      }
    }
  }

  struct Test: AsyncParsableCommand, DocumentedCommand {
    static let configuration = CommandConfiguration("test", help)

    static let help = CommandHelp(
      message(
        "Test whether the addresses, tokens and languages of a pipeline's vendors are correct.",
        comment: "Describes the command vendors test."),
      notes: [
        message(
          "No strings are sent. Each vendor has one line, PASS or FAIL, followed by the findings.",
          comment: "Help for vendors test.")
      ],
      examples: [
        "dragoman vendors test --pipeline pipelines/birds.yaml",
        "dragoman vendors test folder --pipeline pipelines/birds.yaml",
      ],
      exits: [
        .done,
        .init(.finding, message("a vendor failed the test", comment: "Help: when a command exits with 1.")),
        .usage,
        .faultyPipeline,
        .init(
          .notFound,
          message(
            "the pipeline file was not found, or it has no such vendor", comment: "Help: when a command exits with 66.")
        ),
      ])

    @Argument(help: .init(HelpText.vendorsName))
    var name: String?

    @Option(help: .init(HelpText.vendorsPipeline, valueName: "file"), completion: .file())
    var pipeline: String

    @OptionGroup var output: ConsoleOptions

    func run() async throws {
      let console = output.console
      let definition = try PipelineFile.read(readFile(pipeline), at: pipeline)
      let folder = FileManager.default.currentDirectoryPath + "/.dragoman/vendors/\(definition.name)"
      let inspection = VendorInspection(
        definition, environment: ProcessInfo.processInfo.environment, stateFolder: folder)
      let findings = try await inspection.findings(of: name)
      guard !findings.isEmpty else {
        throw CommandFailure.unknown(
          name ?? "", among: definition.vendors.map { $0.name ?? $0.kind },
          message("%@ has no vendor %@", pipeline, name ?? "", comment: "An error: a path and a vendor's name."))
      }
      var isFaulty = false
      for finding in findings {
        switch finding.result {
        case .success(let probe):
          console.result("\(probe.faults.isEmpty ? "PASS" : "FAIL") \(finding.name)")
          for fact in probe.facts { console.result("  \(fact)".withVisibleControls) }
          for fault in probe.faults { console.failure("  \(fault)".withVisibleControls) }
          isFaulty = isFaulty || !probe.faults.isEmpty
        case .failure(let error):
          console.result("FAIL \(finding.name)")
          console.failure("  \(error)".withVisibleControls)
          isFaulty = true
        }
      }
      if isFaulty { throw ExitStatus.finding.code }
    }
  }
}

/// The JSON of `vendors list`.
private struct VendorRecord: Encodable {
  struct Option: Encodable {
    let name, documentation: String
    let required: Bool
    let `default`: String?
    let values: [String]?
  }

  let name, summary: String
  let capabilities: VendorCapabilities
  let options: [Option]

  init(_ kind: any VendorKind.Type) {
    name = kind.name
    summary = kind.summary
    capabilities = kind.capabilities
    options = kind.options.map {
      Option(
        name: $0.name, documentation: $0.documentation, required: $0.isRequired, default: $0.defaultText,
        values: $0.kind.choices)
    }
  }

  func lines(withOptions: Bool) -> [String] {
    guard withOptions else { return ["\(name)\t\(summary)"] }
    return [name, "  \(summary)", ""]
      + options.map { option in
        let usual = option.required ? "required" : option.default.map { "default: \($0)" } ?? "optional"
        let values = option.values.map { " Values: \($0.joined(separator: ", "))." } ?? ""
        return "  \(option.name) (\(usual)): \(option.documentation)\(values)"
      }
  }
}
