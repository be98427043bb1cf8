/// A kind of catalog with its capabilities.
///
/// Code outside `CatalogFormats` checks a capability instead of comparing file endings wherever it can, so a new format needs few changes besides a
/// new case in this type.
package enum CatalogKind: CaseIterable, Hashable, Sendable {
  /// `.xcstrings`
  case stringCatalog
  /// `.strings`
  case strings
  /// `.stringsdict`
  case stringsDict
  /// A storyboard, a xib or an intent definition, with one `.strings` file for each language.
  case interface

  /// Whether one file holds the texts of all languages.
  package var holdsAllLanguages: Bool { self == .stringCatalog }

  /// Whether a translation has a state, such as "needs review".
  package var hasStates: Bool { self == .stringCatalog }

  /// Whether a build in Xcode adds strings found in code and removes other strings. Catalogs for which this is `false` are maintained by hand.
  package var isKeptInStep: Bool { self == .stringCatalog }

  /// Whether every comment belongs to one entry. In a `.strings` file, a comment may be a heading.
  package var hasCommentsOfEntries: Bool { self == .stringCatalog }

  /// Whether keys that are alike are reported for the catalog. The keys of an interface file are object ids, which developers do not choose.
  package var hasKeysOfCode: Bool { self == .stringCatalog || self == .strings }
}

extension CatalogKind {
  /// Determines the kind of a catalog from the ending of its file name; `nil` if files with this ending are not catalogs.
  /// - Parameter ending: the ending in lower case, without the dot.
  package init?(ending: String) {
    switch ending {
    case "xcstrings": self = .stringCatalog
    case "strings": self = .strings
    case "stringsdict": self = .stringsDict
    default:
      guard TreePath.interfaceEndings.contains(ending) else { return nil }
      self = .interface
    }
  }
}

extension TreePath {
  package var catalogKind: CatalogKind? { CatalogKind(ending: ending) }
  package var isStringCatalog: Bool { catalogKind == .stringCatalog }
  /// Whether the path is that of a catalog whose file holds the texts of all languages (``CatalogKind/holdsAllLanguages``).
  package var holdsAllLanguages: Bool { catalogKind?.holdsAllLanguages == true }
  /// Whether the path is that of a catalog that builds sync with the code (``CatalogKind/isKeptInStep``).
  package var isKeptInStep: Bool { catalogKind?.isKeptInStep == true }

  /// Returns the path of the String Catalog for a table in this folder.
  package func stringCatalog(of table: String) -> TreePath { appending(table + ".xcstrings") }
}
