import ArgumentParser
import CatalogFormats
import Foundation
import GitSource
import Localization
import TranslationVendors

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: HelpText.importAbstract,
    discussion: HelpText.importExample)

  @Argument(
    help: .init(HelpText.bundles),
    completion: .file())
  var bundles: [String]

  @Option(help: .init(HelpText.importProject), completion: .directory)
  var project = "."

  @Flag(help: .init(HelpText.dryRun))
  var dryRun = false

  @Option(help: .init(HelpText.importFormat))
  var format = OutputFormat.text

  @OptionGroup var output: ConsoleOptions

  func run() throws {
    let console = output.console
    let directory = try openDirectory(project)
    let snapshot = try ProjectSnapshot.read(directory, options: nil)
    var faults: [Diagnostic] = []
    var review = ReviewedImport()
    var units = 0
    // One after the other, so that a later bundle is reviewed against what an earlier one brought.
    for bundle in bundles {
      let read = try BundleInput.read(bundle)
      faults += read.diagnostics
      units += read.files.reduce(0) { $0 + $1.units.count }
      let catalogs = snapshot.catalogs.merging(review.catalogs) { _, new in new }
      let next = ImportReview(catalogs: catalogs, policy: .asXcode).review(read.files)
      review.catalogs.merge(next.catalogs) { _, new in new }
      review.outcomes += next.outcomes
      review.diagnostics += next.diagnostics
    }
    let written = snapshot.write(review.catalogs)
    let edits = written.edits
    faults += written.diagnostics
    if !dryRun { try directory.apply(edits) }
    let report = ImportReport(review, files: edits.paths)
    switch format {
    case .json: console.raw(try stableJSON(report))
    case .text:
      for unit in report.units where unit.verdict != "unchanged" || console.isVerbose {
        console.result(
          "\(unit.catalog): \(unit.language): \(unit.verdict): \(unit.id.debugDescription)"
            + (unit.reason.map { ": " + $0 } ?? ""))
      }
    }
    console.show(snapshot.diagnostics.filter { $0.severity != .note } + faults + review.diagnostics)
    console.say(
      message(
        "Taken: %lld; unchanged: %lld; held: %lld.", report.taken, report.unchanged, report.held,
        comment: "The last line of the command import: counts of texts."))
    if units == 0 && !faults.isEmpty { throw ExitStatus.unreadableInput.code }
    if report.held > 0 || faults.contains(where: { $0.severity == .error }) { throw ExitStatus.finding.code }
  }
}

/// The JSON of `import`.
private struct ImportReport: Encodable {
  struct Unit: Encodable {
    let catalog, key, id, language, verdict: String
    let reason: String?
  }

  let taken, unchanged, held: Int
  /// The files that were written, or would be.
  let files: [String]
  let units: [Unit]

  init(_ review: ReviewedImport, files: [TreePath]) {
    units = review.outcomes.map { outcome in
      let verdict =
        switch outcome.verdict {
        case .taken: "taken"
        case .unchanged: "unchanged"
        // A unit that has no target brings nothing, as Xcode sees it too (formats.md D).
        case .held(.noTarget): "unchanged"
        case .held: "held"
        }
      return Unit(
        catalog: outcome.unit.catalog.text, key: outcome.unit.key.text,
        id: ExchangeIdentifier.text(key: outcome.unit.key, path: outcome.path), language: outcome.language.rawValue,
        verdict: verdict, reason: outcome.holdReason?.sentence)
    }
    taken = units.count { $0.verdict == "taken" }
    unchanged = units.count { $0.verdict == "unchanged" }
    held = units.count { $0.verdict == "held" }
    self.files = files.map(\.text)
  }
}
