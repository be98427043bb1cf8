import ArgumentParser
import Foundation
import GitSource
import Localization

struct StatusCommand: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, markdown, junit, svg }

  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: HelpText.statusAbstract,
    discussion: HelpText.statusExample)

  @OptionGroup var tree: TreeOptions
  @OptionGroup var output: ConsoleOptions

  @Option(
    name: .customLong("require"),
    help: .init(HelpText.requirements))
  var requirements: [CompletionRequirement] = []

  @Option(help: .init(HelpText.statusFormat))
  var format = Format.text

  func run() throws {
    let console = output.console
    let snapshot = try ProjectSnapshot.read(tree.open().tree, options: nil)
    let languages = snapshot.project.languages.subtracting([snapshot.project.sourceLanguage]).sorted()
    let asked = requirements.compactMap(\.language).filter { !languages.contains($0) }
    var read = snapshot.catalogs
    TableKeys.settle(&read)
    let catalogs = read.sorted { $0.key < $1.key }.map(\.value)
    let report = Completion.report(catalogs: catalogs, languages: languages + Set(asked).sorted())
    console.show(snapshot.diagnostics)
    let rendering = CompletionRendering(report: report, unmet: unmet(in: report))
    switch format {
    case .text: console.result(rendering.text)
    case .json: console.raw(try stableJSON(report))
    case .markdown: console.result(rendering.markdown)
    case .junit: console.result(rendering.junit)
    case .svg: console.result(rendering.svg)
    }
    if catalogs.isEmpty, snapshot.diagnostics.contains(where: { $0.severity == .error }) {
      throw ExitStatus.unreadableInput.code
    }
    guard !rendering.unmet.isEmpty else { return }
    for missing in report.missing where rendering.unmet.contains(where: { $0.language == missing.language }) {
      console.failure(
        "\(missing.catalog): \(missing.language): \(missing.state.rawValue): \(missing.key.text.debugDescription)")
    }
    for language in rendering.unmet {
      console.failure(
        message(
          "%@ is at %@ %%, less than required.", language.language.rawValue, decimal(language.tenths),
          comment: "A requirement of status that is not met: the language and its percentage."))
    }
    throw ExitStatus.finding.code
  }

  /// The languages that fall short of what is required; a language's own requirement goes before the general one.
  private func unmet(in report: CompletionReport) -> [LanguageCompletion] {
    report.languages.filter { completion in
      let own = requirements.last { $0.language == completion.language }
      guard let requirement = own ?? requirements.last(where: { $0.language == nil }) else { return false }
      return completion.tenths < requirement.tenths
    }
  }
}

/// `95` for all languages, `de=100` for one.
struct CompletionRequirement: ExpressibleByArgument {
  let language: LocaleIdentifier?
  /// Tenths of a percent.
  let tenths: Int

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let last = parts.last, let percent = Double(last), (0...100).contains(percent) else { return nil }
    tenths = Int((percent * 10).rounded(.up))
    if parts.count == 2 {
      let name = LocaleIdentifier(String(parts[0]))
      guard name.isWellFormed else { return nil }
      language = name
    } else {
      language = nil
    }
  }
}

/// Tenths of a percent for people: 983 is `98.3`.
func decimal(_ tenths: Int) -> String { "\(tenths / 10).\(tenths % 10)" }
