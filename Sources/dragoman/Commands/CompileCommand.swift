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
    console.say(
      dryRun
        ? message(
          "Catalogs: %lld; files that would be written: %lld. Nothing was written.", catalogs.count, written,
          comment: "The last line of the command compile with --dry-run.")
        : message(
          "Catalogs: %lld; files written: %lld.", catalogs.count, written,
          comment: "The last line of the command compile."))
    if unreadable { throw ExitStatus.unreadableInput.code }
  }

  /// - Throws: `InputFault` where the catalog cannot be read, or a text of it cannot be compiled: then none of its files is written.
  private func compiled(_ path: String, _ console: Console) throws -> [TreePath: [UInt8]] {
    let name = TreePath(trusted: path)
    guard StringCatalogFormat().recognizes(name) else {
      throw InputFault(
        Diagnostic(
          path: path, severity: .error, message: "compile: this is no String Catalog",
          hint: "name .xcstrings files; dragoman convert makes one from .strings"))
    }
    let chosen = languages.isEmpty ? nil : Set(languages.map { LocaleIdentifier($0) })
    let compiled = try CatalogCompiler.compile(try readFile(path), at: name, languages: chosen)
    if compiled.hasErrors { throw InputFault(compiled.diagnostics) }
    console.show(compiled.diagnostics)
    return compiled.files(as: format)
  }
}

extension CompiledCatalog.Form: ExpressibleByArgument {}
