import ArgumentParser
import Daemon
import Foundation
import Localization
import Logging
import Pipeline
import TranslationVendors

struct ReconcileCommand: AsyncParsableCommand, DocumentedCommand {
  static let configuration = CommandConfiguration("reconcile", help)

  static let help = CommandHelp(
    message(
      "Compare the books of a pipeline with the units at its vendors.", comment: "Describes the command reconcile."),
    notes: [
      message(
        """
        Nothing is changed and nothing is sent; a daemon may be running. Each vendor has one line: PASS, FAIL, or SKIP if its \
        state cannot be determined, such as for a folder from which the translators took the bundle.
        """, comment: "Help for reconcile."),
      message(
        "To send missing strings again, cancel the round with `rounds cancel` and restart it with `rounds retry`.",
        comment: "Help for reconcile; keep the commands."),
      message(
        "Source texts that differ on a platform are replaced by the next run, or by a daemon within a day.",
        comment: "Help for reconcile."),
    ],
    examples: [
      "dragoman reconcile pipelines/birds.yaml",
      "dragoman reconcile pipelines/*.yaml --vendor weblate --store sqlite:/var/lib/dragoman",
    ],
    exits: [
      .init(.done, message("no vendor differs from the books", comment: "Help: when a command exits with 0.")),
      .init(
        .finding,
        message("units are missing or changed at a vendor", comment: "Help: when a command exits with 1.")),
      .usage,
      .faultyPipeline,
      .noStore,
      .unreachable,
      .needsPerson,
    ])

  @Argument(help: .init(HelpText.runPipelines, valueName: "pipeline"), completion: .file())
  var pipelines: [String]

  @Option(help: .init(HelpText.reconcileVendor, valueName: "name"))
  var vendor: String?

  @OptionGroup var store: StoreOption

  @Option(help: .init(HelpText.format))
  var format = OutputFormat.text

  @OptionGroup var output: ConsoleOptions

  func run() async throws {
    let console = output.console
    let definitions = try definitions()
    let environment = ProcessInfo.processInfo.environment
    let review = try BooksReview(
      store: store.location(), settings: Settings(environment: environment), environment: environment,
      logger: Logger(label: "dragoman") { _ in SwiftLogNoOpLogHandler() })
    var records: [ReconciliationRecord] = []
    var codes: [ExitStatus] = []
    for definition in definitions {
      for (name, result) in try await review.comparisons(of: definition, vendor: vendor) {
        switch result {
        case .success(let comparison):
          records.append(ReconciliationRecord(pipeline: definition.name, comparison))
          if comparison.differences > 0 { codes.append(.finding) }
        case .failure(let error):
          records.append(ReconciliationRecord(pipeline: definition.name, vendor: name, error: "\(error)"))
          codes.append(ExitStatus(of: error))
        }
      }
    }
    guard !records.isEmpty else {
      throw CommandFailure.unknown(
        vendor ?? "", among: definitions.flatMap(\.vendors).map { $0.name ?? $0.kind },
        message("no pipeline has a vendor %@", vendor ?? "", comment: "An error: a vendor's name."))
    }
    switch format {
    case .json: console.raw(try stableJSON(records))
    case .text:
      for record in records {
        let lines = record.lines
        console.result(lines[0].withVisibleControls)
        for line in lines.dropFirst() { console.failure(line.withVisibleControls) }
      }
    }
    if let worst = ExitStatus.worst(of: codes) { throw worst.code }
  }

  /// This function is never inlined, because the compiler of Swift 6.3.1 crashes when it optimizes `run` with this function inlined (LLVM's
  /// CoroSplit).
  @inline(never)
  private func definitions() throws -> [PipelineDefinition] {
    try pipelines.map { try PipelineFile.read(readFile($0), at: $0) }
  }
}

/// One vendor in the output of `reconcile`.
struct ReconciliationRecord: Encodable {
  struct Part: Encodable {
    let round: String
    let language: LocaleIdentifier
    let outstanding: Int
    let isKnown: Bool
    let missing, changed: [UnitID]
    /// The units in `missing` that the vendor has but hides.
    let hidden: [UnitID]
  }

  let pipeline, vendor: String
  /// The reason why the vendor could not be compared; `nil` if it was compared.
  let error: String?
  let parts: [Part]

  init(pipeline: String, vendor: String, error: String) {
    self.pipeline = pipeline
    self.vendor = vendor
    self.error = error
    parts = []
  }

  init(pipeline: String, _ comparison: BooksComparison) {
    self.pipeline = pipeline
    vendor = comparison.vendor
    error = nil
    parts = comparison.parts.map {
      Part(
        round: "\(pipeline)#\($0.round)", language: $0.language, outstanding: $0.outstanding.count,
        isKnown: $0.stock != nil, missing: $0.stock?.missing.sorted() ?? [], changed: $0.stock?.changed.sorted() ?? [],
        hidden: $0.stock?.hidden.sorted() ?? [])
    }
  }

  /// The lines of the output: the verdict, followed by the differences.
  var lines: [String] {
    let name = "\(pipeline): \(vendor)"
    if let error { return ["FAIL \(name)", "  \(error)"] }
    let different = parts.filter { !$0.missing.isEmpty || !$0.changed.isEmpty }
    guard different.isEmpty else {
      return ["FAIL \(name)"]
        + different.flatMap { part in
          part.missing.map {
            "  \(part.round) \(part.language): \($0.catalog): \($0.key.text.debugDescription) is "
              + (part.hidden.contains($0) ? "hidden there" : "missing there")
          }
            + part.changed.map {
              "  \(part.round) \(part.language): \($0.catalog): \($0.key.text.debugDescription) has another source text there"
            }
        }
    }
    let known = parts.filter(\.isKnown).map(\.outstanding).reduce(0, +)
    let all = parts.map(\.outstanding).reduce(0, +)
    if all > 0, known < all {
      return ["SKIP \(name): the vendor does not report the state of \(all - known) of \(all) outstanding units"]
    }
    return ["PASS \(name): the vendor has all \(all) outstanding units"]
  }
}
