/// Which reader found a string.
package enum StringOrigin: String, Hashable, Sendable, Codable {
  case swift
  case objectiveC = "objective-c"
  case interfaceBuilder = "interface-builder"
  case infoPlist = "info-plist"
  case intents
  case appShortcuts = "app-shortcuts"
}

/// The place of a literal in a source file.
package struct ExtractionSite: Hashable, Comparable, Sendable, Codable {
  package let path: TreePath
  /// From 1.
  package let line: Int
  /// In UTF-8 bytes, from 1.
  package let column: Int
  /// The callee or the context that made the literal localizable: `Text`, `String(localized:)`, `return`.
  package let api: String

  package init(path: TreePath, line: Int, column: Int, api: String) {
    self.path = path
    self.line = line
    self.column = column
    self.api = api
  }

  package static func < (a: Self, b: Self) -> Bool {
    (a.path, a.line, a.column, a.api) < (b.path, b.line, b.column, b.api)
  }
}

/// A localizable string that sources hold: one for each (catalog, key), whatever the number of its sites.
package struct ExtractedString: Hashable, Sendable {
  /// The file that holds, or would hold, this table of these targets.
  package var catalog: TreePath
  package var table: String
  package var key: UnitKey
  /// The default value where code gives one.
  package var value: String?
  /// De-duplicated, sorted, joined by a newline (xcode-extraction.md E); `nil` where code gives none.
  package var comment: String?
  /// App Shortcuts: all phrases of the shortcut whose first phrase is the key.
  package var phrases: [String]?
  /// Whether a site's literal holds an interpolation: such a key's specifiers are Swift's, and sync numbers them in the source text
  /// (xcode-formats.md E4). False for a C-format key, which stays as it is.
  package var hasInterpolation: Bool
  package var origin: StringOrigin
  package var targets: [TargetID]
  package var sites: [ExtractionSite]

  package init(
    catalog: TreePath, table: String, key: UnitKey, value: String? = nil, comment: String? = nil,
    phrases: [String]? = nil, origin: StringOrigin = .swift, targets: [TargetID] = [], sites: [ExtractionSite] = [],
    hasInterpolation: Bool = false
  ) {
    self.catalog = catalog
    self.table = table
    self.key = key
    self.value = value
    self.comment = comment
    self.phrases = phrases
    self.hasInterpolation = hasInterpolation
    self.origin = origin
    self.targets = targets
    self.sites = sites
  }
}

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
