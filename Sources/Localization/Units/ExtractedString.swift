/// The kind of source in which a string was found.
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
  /// The line number, counted from 1.
  package let line: Int
  /// The column in UTF-8 bytes, counted from 1.
  package let column: Int
  /// The callee or the context that made the literal localizable: `Text`, `String(localized:)`, `return`.
  package let api: String

  package init(path: TreePath, line: Int, column: Int, api: String) {
    self.path = path
    self.line = line
    self.column = column
    self.api = api
  }

  /// Whether the literal of an uncertain key is in code that Release builds compile, but no Debug build: `#else` of `#if DEBUG`.
  package var isReleaseOnly: Bool { api == Self.releaseOnly }

  /// The value of `api` for such a literal.
  package static let releaseOnly = "#else"

  package static func < (a: Self, b: Self) -> Bool {
    (a.path, a.line, a.column, a.api) < (b.path, b.line, b.column, b.api)
  }
}

/// A localizable string found in sources, with all its sites. There is one such string for each catalog and key.
package struct ExtractedString: Hashable, Sendable {
  /// The path of the catalog for this table of these targets. The catalog may not exist yet.
  package var catalog: TreePath
  package var table: String
  package var key: UnitKey
  /// The source text, if the source states one in addition to the key: the default value in code, or the text of an interface file or an Info.plist.
  package var value: String?
  /// The distinct comments, sorted and joined by newlines (xcode-extraction.md E); `nil` if the sources have none.
  package var comment: String?
  /// For App Shortcuts, all phrases of the shortcut whose first phrase is the key; otherwise `nil`.
  package var phrases: [String]?
  /// Whether the literal at some site has an interpolation. Swift generated the specifiers of such a key. This is `false` for a C format.
  package var hasInterpolation: Bool
  /// Whether all sites are in code that only Debug builds compile. Xcode then marks the key stale if the last build was a Release build
  /// (xcode-extraction.md R21).
  package var isOnlyForDebugging: Bool
  package var origin: StringOrigin
  package var targets: [TargetID]
  package var sites: [ExtractionSite]

  package init(
    catalog: TreePath, table: String, key: UnitKey, value: String? = nil, comment: String? = nil,
    phrases: [String]? = nil, origin: StringOrigin = .swift, targets: [TargetID] = [], sites: [ExtractionSite] = [],
    hasInterpolation: Bool = false, isOnlyForDebugging: Bool = false
  ) {
    self.catalog = catalog
    self.table = table
    self.key = key
    self.value = value
    self.comment = comment
    self.phrases = phrases
    self.hasInterpolation = hasInterpolation
    self.isOnlyForDebugging = isOnlyForDebugging
    self.origin = origin
    self.targets = targets
    self.sites = sites
  }
}

extension StringOrigin {
  /// Returns the source text that Xcode writes for a key or value of this origin with numbered arguments (xcode-formats.md E4); `nil` if Xcode does
  /// not number the arguments.
  package func numbered(_ text: String) -> String? {
    self == .swift || self == .objectiveC ? FormatString(text).numbered : nil
  }
}
