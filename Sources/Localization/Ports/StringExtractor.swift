/// The strings of a tree.
package struct Extraction: Sendable {
  package var sourceLanguage: LocaleIdentifier
  /// Sorted by catalog, then key.
  package var strings: [ExtractedString]
  package var diagnostics: [Diagnostic]
  /// The catalogs of which not every source that can feed them was read and understood, each with the reasons. Sync only adds there.
  package var incompleteCatalogs: [TreePath: [Diagnostic]]
  /// How many source files were parsed for this, as against taken from the cache.
  package var parsedFiles: Int
  /// How many files of targets were linked for this, as against taken from the cache.
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

/// What the pipeline or the command line says about extraction.
package struct ExtractionOptions: Hashable, Sendable {
  /// Further functions that take a key as their first argument and `comment:` after it, as `LOCALIZED_STRING_MACRO_NAMES`.
  package var macros: [String]
  /// Only these targets, by module name; empty: all.
  package var targets: [String]
  /// How many threads parse at once.
  package var threads: Int
  /// Whether the strings go into an export: then also those of storyboards, xibs, intent definitions and Info.plists that have no String
  /// Catalog, under the name of the file, or table, that XLIFF gives.
  package var isForExport = false

  package init(macros: [String] = [], targets: [String] = [], threads: Int = 2) {
    self.macros = macros
    self.targets = targets
    self.threads = threads
  }
}

/// Where facts about blobs are kept between runs. May be emptied at any time.
package protocol FactCache: Sendable {
  /// The facts stored for these blobs by this version of the extractor; absent ones are missing from the answer.
  func facts(for blobs: [BlobID], version: String) throws -> [BlobID: [UInt8]]
  func store(_ facts: [BlobID: [UInt8]], version: String) throws

  /// What was kept under a name, if it still is.
  func recent(_ name: String) throws -> [UInt8]?
  /// Keeps something that replaces what the name had. Only the newest of all such things need be kept: each commit makes new ones.
  func keep(_ bytes: [UInt8], as name: String) throws
}

extension FactCache {
  package func recent(_ name: String) throws -> [UInt8]? { nil }
  package func keep(_ bytes: [UInt8], as name: String) throws {}
}

/// Finds the strings of a tree: the port that `StringExtraction` meets.
package protocol StringExtractor: Sendable {
  /// - Parameters:
  ///   - existing: the catalogs of the tree by path, whose keys settle a format specifier that the code leaves open.
  ///   - cache: `nil` parses every file.
  func extract(
    _ project: ProjectDescription, from tree: any SourceTree, existing: [TreePath: Catalog], options: ExtractionOptions,
    cache: (any FactCache)?
  ) throws -> Extraction
}
