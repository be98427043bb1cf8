/// The strings that were found in a tree, with the problems that were found.
package struct Extraction: Sendable {
  package var sourceLanguage: LocaleIdentifier
  /// The strings, sorted by catalog, then by key.
  package var strings: [ExtractedString]
  /// The strings of targets without a catalog, sorted in the same way; empty unless they were requested.
  package var unplaced: [ExtractedString] = []
  package var diagnostics: [Diagnostic]
  /// The catalogs for which some source could not be read, with the reasons. Sync adds keys to these catalogs but removes none.
  package var incompleteCatalogs: [TreePath: [Diagnostic]]
  /// For each catalog, the keys that occur in code only as literals of unknown type, each with the first such literal. The type is unknown
  /// because the declaration that determines it is not in the repository. Sync keeps these keys (decision 10).
  package var uncertainKeys: [TreePath: [UnitKey: ExtractionSite]] = [:]
  /// The number of source files that were parsed instead of read from the cache.
  package var parsedFiles: Int
  /// The number of files of targets that were linked instead of read from the cache.
  package var linkedFiles: Int

  package init(
    sourceLanguage: LocaleIdentifier, strings: [ExtractedString] = [], diagnostics: [Diagnostic] = [],
    incompleteCatalogs: [TreePath: [Diagnostic]] = [:], parsedFiles: Int = 0, linkedFiles: Int = 0
  ) {
    self.sourceLanguage = sourceLanguage
    self.strings = strings
    self.diagnostics = diagnostics
    self.incompleteCatalogs = incompleteCatalogs
    self.parsedFiles = parsedFiles
    self.linkedFiles = linkedFiles
  }
}

/// The settings for extraction, which come from the pipeline file or the command line.
package struct ExtractionOptions: Hashable, Sendable {
  /// The names of additional functions whose first argument is a key, followed by `comment:`, as in `LOCALIZED_STRING_MACRO_NAMES`.
  package var macros: [String]
  /// The module names of the targets whose strings are extracted; empty for all targets.
  package var targets: [String]
  /// The number of threads for parsing.
  package var threads: Int
  /// Whether the strings are for an export. An export also contains the strings of storyboards, xibs, intent definitions and Info.plists that
  /// have no String Catalog. In XLIFF, such strings are in a `<file>` with the name of their file or table.
  package var isForExport = false

  package init(macros: [String] = [], targets: [String] = [], threads: Int = 2) {
    self.macros = macros
    self.targets = targets
    self.threads = threads
  }
}

/// A cache of facts about blobs. Its entries may be deleted at any time.
package protocol FactCache: Sendable {
  /// Returns the facts that this version of the extractor stored for these blobs. Missing blobs are not in the result.
  func facts(for blobs: [BlobID], version: String) throws -> [BlobID: [UInt8]]
  func store(_ facts: [BlobID: [UInt8]], version: String) throws

  /// Returns the value stored under a name, if it still exists.
  func recent(_ name: String) throws -> [UInt8]?
  /// Stores a value under a name and replaces the previous value. Old values may be deleted, because each commit stores new values.
  func keep(_ bytes: [UInt8], as name: String) throws
}

extension FactCache {
  package func recent(_ name: String) throws -> [UInt8]? { nil }
  package func keep(_ bytes: [UInt8], as name: String) throws {}
}

/// Finds the strings of a tree. `StringExtraction` implements this protocol.
package protocol StringExtractor: Sendable {
  /// Finds the strings of a tree.
  /// - Parameters:
  ///   - existing: waits until the tree's catalogs are read and returns them by path. The closure may be called late and from any thread. The keys of
  ///   the catalogs determine format specifiers that code alone does not determine.
  ///   - cache: `nil` to parse all files.
  func extract(
    _ project: ProjectDescription, from tree: any SourceTree,
    existing: @escaping @Sendable () throws -> [TreePath: Catalog], options: ExtractionOptions,
    cache: (any FactCache)?
  ) throws -> Extraction

  /// Returns the usage descriptions and the titles of quick actions in Info.plists whose table is not a String Catalog. The table does not exist, or
  /// it is a `.strings` file, which may lack these texts. `ExtractedString.catalog` is the path of the table in an export.
  func usageDescriptions(of project: ProjectDescription, in tree: any SourceTree) -> FoundUsageDescriptions
}

/// The usage descriptions and the titles of quick actions in a project's Info.plists whose table is not a String Catalog.
package struct FoundUsageDescriptions: Sendable {
  package var strings: [ExtractedString] = []
  /// Diagnostics about Info.plists that cannot be read, by target. The texts of these Info.plists are missing from `strings`.
  package var unread: [TargetID: [Diagnostic]] = [:]

  package init() {}
}

extension StringExtractor {
  package func usageDescriptions(of project: ProjectDescription, in tree: any SourceTree) -> FoundUsageDescriptions {
    FoundUsageDescriptions()
  }

  /// Finds the strings of a tree whose catalogs are already read.
  package func extract(
    _ project: ProjectDescription, from tree: any SourceTree, existing: [TreePath: Catalog], options: ExtractionOptions,
    cache: (any FactCache)?
  ) throws -> Extraction {
    try extract(project, from: tree, existing: { existing }, options: options, cache: cache)
  }
}
