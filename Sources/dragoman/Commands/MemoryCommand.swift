import ArgumentParser
import CatalogFormats
import Daemon
import Foundation
import GitSource
import Localization
import ProjectLayout
import Workspace

struct MemoryCommand: ParsableCommand, DocumentedCommand {
  static let configuration = CommandConfiguration("memory", help, subcommands: [Export.self, Fill.self])

  static let help = CommandHelp(
    message(
      "Export translations to a translation memory, or reuse translations from one.",
      comment: "Describes the command memory."),
    notes: [
      message(
        "A translation memory is a file in the format TMX, which translation tools can read and write.",
        comment: "Help for memory.")
    ],
    examples: [
      "dragoman memory export --output birds.tmx",
      "dragoman memory fill --from birds.tmx --output filled",
    ],
    exits: [.done, .usage])

  struct Export: ParsableCommand, DocumentedCommand {
    static let configuration = CommandConfiguration("export", help)

    static let help = CommandHelp(
      message("Write all translations of a project into a TMX file.", comment: "Describes the command memory export."),
      notes: [
        message(
          """
          Only finished translations are written. The catalog, key and form of each text are stored as properties. With them, \
          memory fill finds the translation of the same key first.
          """, comment: "Help for memory export.")
      ],
      examples: [
        "dragoman memory export --output birds.tmx",
        "dragoman memory export ~/Birds.git --revision main --output birds.tmx",
      ],
      exits: [
        .done, .usage,
        .init(
          .unreadableInput,
          message(
            "nothing could be read, or a catalog or its file of a language is unreadable (the others are exported)",
            comment: "Help: when a command exits with 65.")),
        .noSuchPart, .notWritten,
      ])

    @OptionGroup var tree: TreeOptions

    @Option(help: .init(HelpText.memoryFile, valueName: "file"), completion: .file())
    var output: String

    @OptionGroup var console: ConsoleOptions

    func run() throws {
      let console = console.console
      let project = try MemoryProject(tree, console)
      var memory = TranslationMemory()
      for language in project.languages { memory.add(project.files(for: language)) }
      let document = memory.document(
        sourceLanguage: project.snapshot.project.sourceLanguage, toolVersion: dragomanVersion)
      var places: [TreePath: UnitPlaces] = [:]
      let (bytes, diagnostics) = document.write(at: output) { unit, language in
        guard let origin = TranslationMemory.origin(of: unit), let files = project.snapshot.files[origin.catalog] else {
          return nil
        }
        let known = places[origin.catalog] ?? UnitPlaces(files)
        places[origin.catalog] = known
        return known.place(of: origin.key, in: LocaleIdentifier(language), at: origin.path)
      }
      try writeFile(bytes, to: output)
      console.show(diagnostics)
      console.say(
        message(
          "%@: %@.", output,
          counted(
            memory.count, one: message("1 translation", comment: "A count."),
            other: message("%lld translations", memory.count, comment: "A count.")),
          comment: "The last line of memory export: a path and a count."))
      if project.snapshot.isPartlyUnread() { throw ExitStatus.unreadableInput.code }
    }
  }

  struct Fill: ParsableCommand, DocumentedCommand {
    static let configuration = CommandConfiguration("fill", help)

    static let help = CommandHelp(
      message(
        "Find translations of untranslated strings in TMX files, and write them as XLIFF files to import.",
        comment: "Describes the command memory fill."),
      notes: [
        message(
          """
          A string is filled if a source text of the memory is exactly the same, in the same plural form or for the same \
          device. The translation of the same key comes first. If the memory has the text only under other keys, it is taken \
          only if all its translations are the same. Nothing in the project is changed: import the files with dragoman \
          import.
          """, comment: "Help for memory fill; keep dragoman import.")
      ],
      examples: [
        "dragoman memory fill --from birds.tmx --output filled",
        "dragoman memory fill --from birds.tmx --from agency.tmx --output filled --state translated",
      ],
      exits: [
        .done, .usage,
        .init(
          .unreadableInput,
          message(
            "a file is not TMX, or a catalog or its file of a language is unreadable (the others are filled)",
            comment: "Help: when a command exits with 65.")),
        .noSuchPart, .notWritten,
      ])

    @OptionGroup var tree: TreeOptions

    @Option(help: .init(HelpText.memoryFrom, valueName: "file"), completion: .file())
    var from: [String]

    @Option(help: .init(HelpText.memoryOutput, valueName: "folder"), completion: .directory)
    var output: String

    @Option(help: .init(HelpText.memoryState))
    var state = FilledState.needsReview

    @OptionGroup var console: ConsoleOptions

    func run() throws {
      let console = console.console
      var memory = TranslationMemory()
      for path in from {
        let (document, diagnostics) = try TMXDocument.read(readFile(path), at: path)
        console.show(diagnostics)
        let before = memory.count
        memory.add(document)
        if memory.count == before, let lack = document.lack(at: path) { console.show([lack]) }
      }
      let project = try MemoryProject(tree, console)
      try makeFolder(output)
      let folder = DirectoryTree(path: output)
      var count = 0
      for language in project.languages {
        let files = project.files(for: language).compactMap {
          memory.filled($0, isFinished: state == .translated)
        }
        guard !files.isEmpty else { continue }
        var edits = TreeEdits()
        edits.write(XLIFF.write(XLIFFDocument(files: files)), to: TreePath(trusted: "\(language).xliff"))
        try apply(edits, to: folder, console)
        let units = files.reduce(0) { $0 + Set($1.units.map(\.key)).count }
        count += units
        console.result(
          message(
            "%@.xliff: %@", language.rawValue,
            counted(
              units, one: message("1 string filled", comment: "A count."),
              other: message("%lld strings filled", units, comment: "A count.")),
            comment: "A file that memory fill wrote: its language, and a count."))
      }
      if count == 0 {
        console.say(
          message(
            "The memory has no translation for any untranslated string.", comment: "The last line of memory fill."))
      }
      if project.snapshot.isPartlyUnread() { throw ExitStatus.unreadableInput.code }
    }
  }
}

extension TMXDocument {
  /// Returns a warning about what the file lacks, if the memory takes nothing from the file. Returns `nil` for a file without units, and for a
  /// complete file, whose translations the memory already has.
  fileprivate func lack(at path: String) -> Diagnostic? {
    guard !units.isEmpty else { return nil }
    let usable = units.filter { unit in
      (unit.sourceLanguage ?? sourceLanguage) == Self.anyLanguage || source(of: unit)?.text.isEmpty == false
    }
    guard !usable.isEmpty else {
      return Diagnostic(
        path: path, severity: .warning, message: "no unit has a text in its source language, \(sourceLanguage)",
        hint: "correct srclang in the file's header")
    }
    guard !usable.contains(where: { $0.variants.count { !$0.text.isEmpty } > 1 }) else { return nil }
    return Diagnostic(
      path: path, severity: .warning,
      message: "no unit has a translation: the texts in other languages are empty or missing",
      hint: "export the file again, with its translations")
  }
}

/// The state that filled translations have in a catalog.
enum FilledState: String, ExpressibleByArgument, CaseIterable {
  case needsReview = "needs_review"
  case translated
}

/// The units of a project's catalogs, for a translation memory.
private struct MemoryProject {
  let snapshot: ProjectSnapshot
  private let units: ProjectUnits

  init(_ tree: TreeOptions, _ console: Console) throws {
    let opened = try tree.open()
    snapshot = try ProjectSnapshot(opened.tree, for: .exchange, with: .standard())
    console.show(snapshot.diagnostics)
    if snapshot.isUnreadable { throw ExitStatus.unreadableInput.code }
    units = ProjectUnits(
      snapshot: snapshot, tool: .newest, scope: tree.wholeScope(of: snapshot.project, in: opened.tree, console))
  }

  /// The target languages.
  var languages: [LocaleIdentifier] {
    snapshot.project.languages.filter { $0 != snapshot.project.sourceLanguage }.sorted()
  }

  func files(for language: LocaleIdentifier) -> [ExchangeFile] { units.files(for: language).files }
}
