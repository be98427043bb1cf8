import Localization
import SwiftParsing

/// The facts of the C-family files of a project, each file once, however many targets build it.
struct CFactsTable: Sendable {
  private var facts: [TreePath: Result<CFileFacts, TreeError>] = [:]

  static func isSource(_ path: TreePath) -> Bool { endings.contains(path.ending.lowercased()) }

  private static let endings: Set<String> = ["m", "mm", "c", "cc", "cpp", "cxx", "h", "hh", "hpp", "hxx", "pch"]

  static func load(_ targets: [ProjectTarget], from tree: any SourceTree, threads: Int) throws -> CFactsTable {
    let paths = Set(targets.flatMap(\.otherSources).map(\.path).filter(isSource)).sorted()
    let read = try ParsingThreads.map(paths, threads: threads) { path in
      (path, Result { () throws(TreeError) -> CFileFacts in CFileFacts.compile(try tree.read(path)) })
    }
    return CFactsTable(facts: Dictionary(read) { first, _ in first })
  }

  /// The strings of one target; a file that cannot be read is a gap.
  func reading(of target: ProjectTarget, options: ExtractionOptions) -> OtherReading {
    var reading = OtherReading()
    var files: [(path: TreePath, facts: CFileFacts)] = []
    for path in target.otherSources.map(\.path) {
      switch facts[path] {
      case .success(let facts): files.append((path, facts))
      case .failure(let error): reading.gaps.append(OtherReading.Gap(error.diagnostic))
      case nil: break
      }
    }
    let strings = ObjectiveCStrings(
      files, macros: LocalizingMacros(options.macros + target.macros),
      readsComments: target.builtConfiguration?.settings["LOCALIZED_STRING_CODE_COMMENTS"]?.flag == true)
    for file in files {
      let found = strings.reading(of: file.facts, at: file.path)
      reading.strings += found.strings
      reading.diagnostics += found.diagnostics
      reading.gaps += found.gaps
    }
    return reading
  }
}
