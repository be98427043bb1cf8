import ArgumentParser
import CatalogFormats
import Foundation
import GitSource
import Localization

struct CompileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compile",
    abstract: HelpText.compileAbstract,
    discussion: HelpText.compileExample)

  @Argument(help: .init(HelpText.compileCatalogs), completion: .file(extensions: ["xcstrings"]))
  var catalogs: [String]

  @Option(name: .customLong("output"), help: .init(HelpText.compileOutput), completion: .directory)
  var folder: String

  @Option(name: .customLong("language"), help: .init(HelpText.shownLanguages))
  var languages: [String] = []

  @Option(help: .init(HelpText.compileFormat))
  var format = CompiledCatalog.Form.text

  @Flag(help: .init(HelpText.dryRun))
  var dryRun = false

  @OptionGroup var output: ConsoleOptions

  func run() throws {
    let console = output.console
    var unreadable = false
    var written = 0
    for path in catalogs {
      do {
        let edits = TreeEdits(try compiled(path, console).mapValues { .write($0) })
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

  /// - Throws: `InputFault` if the catalog cannot be read or one of its texts cannot be compiled. None of its files is written then.
  private func compiled(_ path: String, _ console: Console) throws -> [TreePath: [UInt8]] {
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
    let chosen = languages.isEmpty ? nil : Set(languages.map { LocaleIdentifier($0) })
    let compiled = try CatalogCompiler.compile(try readFile(path), at: name, languages: chosen)
    if compiled.hasErrors { throw InputFault(compiled.diagnostics) }
    console.show(compiled.diagnostics)
    return compiled.files(as: format)
  }
}

extension CompiledCatalog.Form: ExpressibleByArgument {}
