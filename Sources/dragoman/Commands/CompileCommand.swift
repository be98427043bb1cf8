import ArgumentParser
import CatalogFormats
import Foundation
import GitSource
import Localization

struct CompileCommand: ParsableCommand, DocumentedCommand {
  static let configuration = CommandConfiguration("compile", help)

  static let help = CommandHelp(
    message(
      "Compile String Catalogs to .strings and .stringsdict files, as a build does.",
      comment: "Describes the command compile."),
    notes: [
      message("The files are written to one .lproj folder for each language.", comment: "Help for compile.")
    ],
    examples: [
      "dragoman compile App/Localizable.xcstrings --output Build",
      "dragoman compile App/*.xcstrings --language de --format binary --output Build",
    ],
    exits: [
      .done,
      .usage,
      .init(
        .unreadableInput,
        message(
          "a catalog cannot be read, or has a text that cannot be compiled; no files are written for it",
          comment: "Help: when a command exits with 65.")),
      .init(.notFound, message("a catalog or language was not found", comment: "Help: when a command exits with 66.")),
      .notWritten,
    ])

  @Argument(help: .init(HelpText.compileCatalogs, valueName: "catalog"), completion: .file(extensions: ["xcstrings"]))
  var catalogs: [String]

  @Option(name: .customLong("output"), help: .init(HelpText.compileOutput, valueName: "folder"), completion: .directory)
  var folder: String

  @Option(help: .init(HelpText.compileFormat))
  var format = CompiledCatalog.Form.text

  @Flag(help: .init(HelpText.dryRun))
  var dryRun = false

  @OptionGroup var language: LanguageArguments
  @OptionGroup var output: ConsoleOptions

  /// Refuses two catalogs with the same name, because their files would overwrite each other.
  func validate() throws {
    let named = Dictionary(grouping: Set(catalogs)) { URL(filePath: $0).lastPathComponent }
    let shared = named.values.filter { $0.count > 1 }.map { $0.sorted() }
    guard let same = shared.min(by: { $0[0] < $1[0] }) else { return }
    throw ValidationError(
      message(
        "%@ and %@ have the same name, so their files would overwrite each other. Compile each into a different --output.",
        same[0], same[1], comment: "Refusal by compile: the paths of two catalogs."))
  }

  func run() throws {
    let console = output.console
    let languages = try chosenLanguages()
    var unreadable = false
    var written = 0
    for path in catalogs {
      do {
        let edits = TreeEdits(try compiled(path, languages, console).mapValues { .write($0) })
        func told(_ file: TreePath) {
          console.result(URL(filePath: folder).appending(path: file.text).relativePath)
          written += 1
        }
        if dryRun {
          edits.paths.forEach(told)
        } else {
          try makeFolder(folder)
          try DirectoryTree(path: folder).apply(edits, made: told)
        }
      } catch let fault as InputFault {
        console.show(fault.diagnostics)
        unreadable = true
      }
    }
    let sources = counted(
      catalogs.count, one: message("1 catalog", comment: "A count."),
      other: message("%lld catalogs", catalogs.count, comment: "A count."))
    let files = counted(
      written, one: message("1 file", comment: "A count."),
      other: message("%lld files", written, comment: "A count."))
    console.say(
      dryRun
        ? message(
          "%@: would write %@. Nothing was written.", sources, files,
          comment: "The last line of the command compile with --dry-run: counts of catalogs and files.")
        : message(
          "%@: %@ written.", sources, files,
          comment: "The last line of the command compile: counts of catalogs and files."))
    if unreadable { throw ExitStatus.unreadableInput.code }
  }

  /// Returns the languages to compile; `nil` for all languages.
  /// - Throws: an error if none of the catalogs has a language of `--language`.
  private func chosenLanguages() throws -> Set<LocaleIdentifier>? {
    guard !language.languages.isEmpty else { return nil }
    var known: Set<LocaleIdentifier> = []
    for path in catalogs {
      // A catalog that cannot be read is reported when it is compiled.
      guard let catalog = try? StringCatalogFormat().read(try readFile(path), at: TreePath(trusted: path)) else {
        return Set(language.languages.map(LocaleIdentifier.init(_:)))
      }
      known.formUnion(catalog.languages)
    }
    return Set(try language.chosen(among: known))
  }

  /// Compiles a catalog and returns its files.
  /// - Throws: `CommandFailure` if the file does not exist; `InputFault` if it is not a String Catalog, if it cannot be read, or if one of its texts
  ///   cannot be compiled. In all cases, no file is written for the catalog.
  private func compiled(
    _ path: String, _ languages: Set<LocaleIdentifier>?, _ console: Console
  ) throws -> [TreePath: [UInt8]] {
    let name = TreePath(trusted: path)
    guard FileManager.default.fileExists(atPath: path) else {
      throw CommandFailure(.notFound, message("%@: no such file", path, comment: "An error: a path."))
    }
    guard StringCatalogFormat().recognizes(name) else {
      throw InputFault(
        Diagnostic(
          path: path, severity: .error, message: "this is not a String Catalog",
          hint: "give .xcstrings files; dragoman convert creates them from .strings"))
    }
    let compiled = try CatalogCompiler.compile(try readFile(path), at: name, languages: languages)
    if compiled.hasErrors { throw InputFault(compiled.diagnostics) }
    console.show(compiled.diagnostics)
    return compiled.files(as: format)
  }
}

extension CompiledCatalog.Form: ExpressibleByArgument {}
