import ArgumentParser
import CatalogFormats
import Daemon
import Foundation
import GitSource
import Localization
import Pipeline
import ProjectLayout
import TranslationVendors
import Workspace

struct ImportCommand: ParsableCommand, DocumentedCommand {
  static let configuration = CommandConfiguration("import", help)

  static let help = CommandHelp(
    message(
      """
      Import translated bundles into the project after a review, as xcodebuild -importLocalizations does.
      """, comment: "Describes the command import."),
    notes: [
      message(
        """
        The placeholders, markup, state and source text of each unit are checked. A unit that fails a check is held, which \
        means that it is reported and not written.
        """, comment: "Help for import.")
    ],
    examples: [
      "dragoman import de.xcloc uk.xliff --dry-run",
      "dragoman import de.xcloc --take reason=sourceChanged --skip key=Birds",
    ],
    exits: [
      .done,
      .init(
        .finding,
        message(
          "a unit was held, no unit has a translation, or a part of a bundle cannot be read; everything else was written",
          comment: "Help: when a command exits with 1.")),
      .usage,
      .init(
        .unreadableInput,
        message("the bundles have no unit that can be read", comment: "Help: when a command exits with 65.")),
      .init(
        .notFound, message("a bundle or the project was not found", comment: "Help: when a command exits with 66.")),
      .notWritten,
    ])

  @Argument(
    help: .init(HelpText.importBundles, valueName: "bundle"),
    completion: .file())
  var bundles: [String]

  @Option(help: .init(HelpText.directory, valueName: "path"), completion: .directory)
  var project = "."

  @Option(name: .customLong("language"), help: .init(HelpText.importLanguages, valueName: "language[=as]"))
  var languages: [String] = []

  @Option(name: .customLong("take"), help: .init(HelpText.importTake, valueName: "selector"))
  var take: [ImportSelector] = []

  @Option(name: .customLong("skip"), help: .init(HelpText.importSkip, valueName: "selector"))
  var skip: [ImportSelector] = []

  @Flag(help: .init(HelpText.dryRun))
  var dryRun = false

  @Option(help: .init(HelpText.format))
  var format = OutputFormat.text

  @OptionGroup var extraction: ExtractionArguments
  @OptionGroup var output: ConsoleOptions

  func validate() throws {
    _ = try meanings()
    let known = ImportChoices.overrulable.sorted()
    for case .reason(let code) in (take + skip).map(\.selector) where !known.contains(code) {
      throw ValidationError(
        message(
          "--take cannot overrule the reason %@%@; it can overrule: %@", code,
          NearestName.suffix(code, known), known.joined(separator: ", "),
          comment: "Refusal of --take reason=: the reason, the name that may be meant, and the known names."))
    }
  }

  private func meanings() throws -> LanguageMeanings {
    var meanings = LanguageMeanings()
    for language in languages {
      do { try meanings.add(language) } catch { throw Self.refusal(error, of: language) }
    }
    return meanings
  }

  func run() throws {
    let console = output.console
    let directory = try openDirectory(project)
    // The first bundle is read while the project is read. Each further bundle is read while the previous one is reviewed.
    let reader = BlockingPool("bundles and written files", width: 1)
    var reading = bundles.first.map { bundle in reader.start { try BundleInput.read(bundle) } }
    // The program must not end while another thread reads.
    defer { _ = try? reading?.value() }
    let snapshot = try ProjectSnapshot(directory, for: .exchange, with: .standard())
    guard snapshot.project.outside.isEmpty else {
      console.show(snapshot.diagnostics)
      throw ExitStatus.unreadableInput.code
    }
    let meanings = try meanings()
    let folders = ExportScope.folders(of: snapshot.project, in: directory)
    var faults: [Diagnostic] = []
    var bundleImport = BundleImport(
      into: snapshot, meanings: meanings, folders: folders,
      choices: ImportChoices(take: take.map(\.selector), skip: skip.map(\.selector)), extraction: extraction.options)
    var units = 0
    var came: Set<LocaleIdentifier> = []
    var differences = BundleDifferences()
    for (index, bundle) in bundles.enumerated() {
      guard let read = try reading?.value() else { break }
      reading = bundles.dropFirst(index + 1).first.map { next in reader.start { try BundleInput.read(next) } }
      faults +=
        read.diagnostics + Self.left(read.assets, beside: directory)
        + Self.unlikely(read.files, in: bundle)
      units += read.files.reduce(0) { $0 + $1.units.count }
      came.formUnion(read.files.map(\.targetLanguage).filter { !$0.rawValue.isEmpty })
      let review = try bundleImport.add(read.files)
      if bundles.count > 1 { differences.add(review, of: bundle) }
    }
    let review = bundleImport.reviewed
    try refuseUnknownChoices(in: review, of: snapshot)
    if !came.isEmpty { try refuseUnknownLanguages(of: meanings, from: came, in: snapshot) }
    faults +=
      Self.newLanguages(in: review.catalogs, of: snapshot)
      + UnknownKeys.diagnostics(of: review, in: snapshot.catalogs) + differences.found
    let written = TreeEdits(
      bundleImport.files.values.reduce(into: [:]) { $0.merge($1.mapValues { .write($0) }) { $1 } })
    let registered = snapshot.registering(review.catalogs, written: written)
    let edits = written.merging(registered.edits)
    try refuseNewFiles(edits.paths, of: snapshot, in: directory, console)
    faults += registered.diagnostics
    let dryRun = dryRun
    let writing = reader.start { try apply(edits, to: directory, isDryRun: dryRun, console) }
    let diagnostics = snapshot.diagnostics.filter { $0.severity != .note } + faults + review.diagnostics
    let report = ImportReport(
      review, of: snapshot.catalogs, files: edits.paths, diagnostics: diagnostics,
      namesAbsent: console.isVerbose || format == .json)
    let lines = format == .text ? report.lines(isVerbose: console.isVerbose) : []
    try writing.value()
    switch format {
    case .json: console.raw(try stableJSON(report))
    case .text: console.results(lines)
    }
    console.show(diagnostics)
    console.say(
      message(
        "%lld taken, %lld unchanged, %lld without a translation, %lld skipped, %lld held.", report.taken,
        report.unchanged, report.untranslated, report.skipped, report.held,
        comment: "The last line of the command import: counts of texts."))
    if dryRun {
      console.say(message("Nothing was written.", comment: "The last line of a command with --dry-run."))
    }
    if units == 0 && !faults.isEmpty { throw ExitStatus.unreadableInput.code }
    let isUntranslated = units > 0 && report.untranslated == units
    if report.held > 0 || isUntranslated || faults.contains(where: { $0.severity == .error }) {
      throw ExitStatus.finding.code
    }
  }

  /// Refuses to create files if a project cannot be read, because the project must list the new files. Called before anything is written.
  private func refuseNewFiles(
    _ paths: [TreePath], of snapshot: ProjectSnapshot, in directory: DirectoryTree, _ console: Console
  ) throws {
    guard !snapshot.isComplete, let new = try paths.first(where: { try directory.entry(at: $0) == nil }) else { return }
    console.show(snapshot.diagnostics.filter { $0.severity != .note })
    console.failure(
      message(
        "error: nothing was written, because the import would create %@, and the project that must list it cannot be read",
        new.text, comment: "An error of import: the path of a file."))
    throw ExitStatus.unreadableInput.code
  }

  /// Warns about a bundle that contains no translations, or mostly unchanged source texts.
  private static func unlikely(_ files: [ExchangeFile], in bundle: String) -> [Diagnostic] {
    ReturnPolicy.untranslatedWarning(files, in: bundle, hint: "check that this is the translated file").map { [$0] }
      ?? ReturnPolicy.unchangedWarnings(
        files, in: bundle, hint: "skip its language with --skip language=…, or restore the files with git")
  }

  /// Reports each language that the import adds to the project, once.
  private static func newLanguages(
    in catalogs: [TreePath: Catalog], of snapshot: ProjectSnapshot
  ) -> [Diagnostic] {
    let known = snapshot.project.languages.union(snapshot.catalogs.values.flatMap(\.languages))
    var told: Set<LocaleIdentifier> = []
    return catalogs.sorted { $0.key < $1.key }.flatMap { path, catalog in
      catalog.languages.subtracting(known).sorted().filter { told.insert($0).inserted }.map {
        Diagnostic(path: path.text, severity: .note, message: "“\($0)” is a new language in the project")
      }
    }
  }

  /// Reports images and other localized files of the bundle (xcode-formats.md C) that the project lacks or has with other contents, at most 100. They
  /// are not imported.
  private static func left(_ assets: [TreePath: Set<[UInt8]>], beside directory: DirectoryTree) -> [Diagnostic] {
    var found: [Diagnostic] = []
    for (path, versions) in assets.sorted(by: { $0.key < $1.key }) where found.count < 100 {
      let present = try? directory.read(path)
      guard versions.contains(where: { $0 != present }) else { continue }
      found.append(
        Diagnostic(
          path: path.text, severity: .warning,
          message: versions.count == 1
            ? "the bundle contains a new or changed version of this file, which was not imported"
            : "the bundles contain \(versions.count) different versions of this file, which were not imported",
          hint: "only texts are imported; copy the file from “Localized Contents”"))
    }
    return found
  }
}

/// The translations of a bundle that replace different translations of an earlier bundle in the same import.
private struct BundleDifferences {
  private struct Place: Hashable {
    var unit: UnitID
    var language: LocaleIdentifier
    var path: VariationPath
  }

  private var taken: [Place: (text: ExchangeText?, bundle: String)] = [:]
  private(set) var found: [Diagnostic] = []

  mutating func add(_ review: ReviewedImport, of bundle: String) {
    for outcome in review.outcomes where outcome.verdict == .taken {
      let text = outcome.target?.text
      let place = Place(unit: outcome.unit, language: outcome.language, path: outcome.path)
      if let known = taken.updateValue((text, bundle), forKey: place), known.text != text {
        found.append(
          Diagnostic(
            path: bundle, severity: .warning,
            message:
              "\(outcome.language): \"\(outcome.id)\": this translation replaces a different one from \(known.bundle)",
            hint:
              "if the other one is right, import the two bundles in the other order, or leave this unit out of \(bundle)"
          ))
      }
    }
  }
}

/// The value of `--take` or `--skip`: `key=TEXT`, `language=de` or `reason=sourceChanged`.
struct ImportSelector: ExpressibleByArgument {
  let selector: ImportChoices.Selector

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else { return nil }
    switch parts[0] {
    case "key": selector = .key(UnitKey(parts[1]))
    case "language":
      let language = LocaleIdentifier(parts[1].replacing("_", with: "-"))
      guard language.isWellFormed else { return nil }
      selector = .language(language)
    case "reason": selector = .reason(parts[1])
    default: return nil
    }
  }
}
