/// What a tree is, as far as localization needs to know: its targets, their sources and their string tables.
///
/// `ProjectLayout` makes it, `StringExtraction` and the stages read it.
package struct ProjectDescription: Equatable, Sendable {
  /// The development language: `defaultLocalization` of the packages, or what the catalogs say; `en` where nothing tells.
  package var sourceLanguage: LocaleIdentifier
  /// Every language that a catalog or an `.lproj` folder of the project has, the source language among them.
  package var languages: Set<LocaleIdentifier>
  package var targets: [ProjectTarget]
  /// Every catalog of the tree that belongs to a target, and those that belong to none (`targets` empty).
  package var catalogs: [ProjectCatalog]
  package var diagnostics: [Diagnostic]

  package init(
    sourceLanguage: LocaleIdentifier, languages: Set<LocaleIdentifier> = [], targets: [ProjectTarget] = [],
    catalogs: [ProjectCatalog] = [], diagnostics: [Diagnostic] = []
  ) {
    self.sourceLanguage = sourceLanguage
    self.languages = languages
    self.targets = targets
    self.catalogs = catalogs
    self.diagnostics = diagnostics
  }
}

/// The name of a target, unique within its project: `Packages/Kit:KitUI` for a target of the package in that folder (`KitUI` where the
/// package is the root), `App/App.xcodeproj:Widgets` for one of an Xcode project, the folder for one that was told by folders (`.` for the root).
package struct TargetID: RawRepresentable, Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }
  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  package var description: String { rawValue }
}

/// A unit of compilation: the sources that see each other's declarations, and the tables that their strings go to.
package struct ProjectTarget: Equatable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// A target of a Swift package. `manifest` is its Package.swift.
    case package(manifest: TreePath)
    /// A target of an Xcode project. `project` is its project.pbxproj.
    case xcode(project: TreePath)
    /// Told by folders alone: there is no manifest and no readable project file.
    case folder
  }

  package var id: TargetID
  /// The module's name; for a target told by folders the folder's.
  package var name: String
  package var kind: Kind
  /// The folder that the sources lie in.
  package var folder: TreePath
  /// Swift files, and the contents of Core Data models, from which Xcode generates classes; in path order.
  package var swiftSources: [TreeEntry]
  /// Files other than Swift that can hold localizable strings, in path order: Objective-C and C with their headers, Interface Builder,
  /// Info.plist, intent definitions. While one cannot be read, a table that it can feed must not lose a key.
  package var otherSources: [TreeEntry]
  /// What the Xcode project sets for this target, by configuration in the project's order; empty where no project was read.
  package var configurations: [BuildConfiguration]
  /// Further functions that take a key by name in this target (`LOCALIZED_STRING_MACRO_NAMES`), beside those of the pipeline.
  package var macros: [String]
  /// Targets of this project whose declarations the sources can use.
  package var dependencies: [TargetID]
  /// Where the strings of a table that has no catalog yet would go: the folder of the target's resources.
  package var resourceFolder: TreePath
  /// Whether strings found here are reported at all: false for tests, and for a target without a table where the tree has tables.
  package var feedsCatalogs: Bool
  /// The catalogs that this target's strings go to, by table name; where there is no catalog, the source language's `.strings` table.
  package var catalogs: [String: TreePath]
  /// Where an export puts the tables that the target lacks; `nil` for a target whose strings no one translates, such as tests, and for one
  /// told by folders.
  package var places: TablePlaces?
  /// Where the strings of further tables go that are not there; `nil`: to a String Catalog in `resourceFolder`.
  package var newTables: TablePlaces?
  /// What Xcode takes from Swift code where there is no project but a file that one is generated from; `nil` where no such file tells.
  package var codeStringsOfGenerator: CodeStrings?
  /// The texts that such a file puts into the target's Info.plist, by name.
  package var infoPlistOfGenerator: [String: BuildSetting] = [:]
  /// Whether no simulator counts, as in an export, which Xcode builds for devices (Schokolado/FitTrackPro, Xcode 26.5).
  package var isForDevices = false
  /// Why not all of its sources are known (a manifest value that cannot be read statically); empty where all are.
  package var unknownSources: [Diagnostic]

  package init(
    id: TargetID, name: String, kind: Kind, folder: TreePath, swiftSources: [TreeEntry] = [],
    otherSources: [TreeEntry] = [], configurations: [BuildConfiguration] = [], macros: [String] = [],
    dependencies: [TargetID] = [], resourceFolder: TreePath, feedsCatalogs: Bool = true,
    catalogs: [String: TreePath] = [:], unknownSources: [Diagnostic] = []
  ) {
    self.id = id
    self.name = name
    self.kind = kind
    self.folder = folder
    self.swiftSources = swiftSources
    self.otherSources = otherSources
    self.configurations = configurations
    self.macros = macros
    self.dependencies = dependencies
    self.resourceFolder = resourceFolder
    self.feedsCatalogs = feedsCatalogs
    self.catalogs = catalogs
    self.unknownSources = unknownSources
  }
}

/// A catalog, its files and the targets that feed it.
package struct ProjectCatalog: Hashable, Sendable {
  /// The catalog file; for formats with a file a language the source language's one.
  package var path: TreePath
  package var table: String
  /// As the project says it; what a String Catalog says itself goes before it.
  package var sourceLanguage: LocaleIdentifier
  /// The further files of formats with a file a language; empty for a String Catalog.
  package var localizations: [LocaleIdentifier: TreePath]
  /// The source language's own file where `path` is that of `Base.lproj`: at run time it counts before that.
  package var twin: TreePath?
  /// Files of `localizations` that stand in the tree, and that no build takes, since the project lists others beside them.
  package var unlisted: Set<TreePath>
  package var targets: [TargetID]

  package init(
    path: TreePath, table: String, sourceLanguage: LocaleIdentifier,
    localizations: [LocaleIdentifier: TreePath] = [:], twin: TreePath? = nil, unlisted: Set<TreePath> = [],
    targets: [TargetID]
  ) {
    self.path = path
    self.table = table
    self.sourceLanguage = sourceLanguage
    self.localizations = localizations
    self.twin = twin
    self.unlisted = unlisted
    self.targets = targets
  }

  /// Whether one file holds all languages, and a build brings it in step with the code.
  package var isStringCatalog: Bool { path.ending == "xcstrings" }
}
