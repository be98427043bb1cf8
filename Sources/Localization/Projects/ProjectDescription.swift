/// The parts of a tree that matter for localization: targets, their sources and their string tables.
///
/// `ProjectLayout` creates the description. `StringExtraction` and the stages use it.
package struct ProjectDescription: Equatable, Sendable {
  /// The development language. It is read from the first of these that states a language: `defaultLocalization` of the packages with catalogs, the
  /// source languages of the String Catalogs, `developmentRegion` of the Xcode projects, `defaultLocalization` of the other packages. If they state
  /// several languages, it is the most frequent one. `en` if none states a language.
  package var sourceLanguage: LocaleIdentifier
  /// The source language, and outside test folders every language of a String Catalog, an `.lproj` folder or the `knownRegions` of an Xcode project.
  package var languages: Set<LocaleIdentifier>
  package var targets: [ProjectTarget]
  /// All catalogs of the tree. A catalog that belongs to no target has an empty `targets`.
  package var catalogs: [ProjectCatalog]
  /// Files with plural forms in a target language, for tables that have no such file in the source language. They belong to no catalog. An app shows
  /// their texts instead of the texts in the `.strings` file of the same table.
  package var unjudged: [TreePath]
  /// String tables that are built for targets but belong to no catalog, because they have no file in the source language or are outside the language
  /// folders. Each table is listed with these targets.
  package var strayTables: [TreePath: Set<TargetID>] = [:]
  /// Reports of tables that SwiftPM leaves out of a package or refuses to build, each with the next step.
  package var unbuiltTables: [Diagnostic] = []
  /// The Xcode project files and manifests that cannot be read. Their targets are unknown.
  package var unread: Set<TreePath> = []
  /// Files that a sparse checkout leaves out although they determine what is localized; see `noteOutside`.
  package private(set) var outside: [TreePath] = []
  /// The folders of tests. The languages of their catalogs do not count as languages of the project.
  package var testFolders: Set<TreePath> = []
  package var diagnostics: [Diagnostic]

  package init(
    sourceLanguage: LocaleIdentifier, languages: Set<LocaleIdentifier> = [], targets: [ProjectTarget] = [],
    catalogs: [ProjectCatalog] = [], unjudged: [TreePath] = [], diagnostics: [Diagnostic] = []
  ) {
    self.unjudged = unjudged
    self.sourceLanguage = sourceLanguage
    self.languages = languages
    self.targets = targets
    self.catalogs = catalogs
    self.diagnostics = diagnostics
  }
}

extension ProjectDescription {
  /// The String Catalogs that belong to a target but are wrongly in the folder of one language. Swift Build (XCStringsCompilerSpec) reports that they
  /// “should not be inside an lproj directory”. Catalogs of interface files are correct in `mul.lproj`.
  package var misplacedCatalogs: [TreePath] {
    let built = builtTargets
    return catalogs.filter { catalog in
      catalog.isStringCatalog && catalog.path.isInLanguageFolder && catalog.path.parent.stem != "mul"
        && catalog.targets.contains(where: built.contains)
    }.map(\.path).sorted()
  }

  /// The targets of packages and Xcode projects, without targets that are inferred from folders.
  package var builtTargets: Set<TargetID> {
    Set(targets.filter { if case .folder = $0.kind { false } else { true } }.map(\.id))
  }

  /// The catalogs outside test folders whose source language differs from the project's source language. `en-GB` and `en` count as equal.
  package var catalogsOfOtherSources: [ProjectCatalog] {
    catalogs.filter { catalog in
      catalog.sourceLanguage.language != sourceLanguage.language
        && !testFolders.contains(where: catalog.path.isWithin)
    }
  }

  /// Returns the languages into which catalogs are translated. The project's source language is included only if some catalog has a different
  /// source language. Each catalog is translated into all of these languages except its own source language.
  package func targets(among languages: Set<LocaleIdentifier>) -> Set<LocaleIdentifier> {
    catalogsOfOtherSources.isEmpty ? languages.subtracting([sourceLanguage]) : languages
  }

  /// Records the files that a sparse checkout leaves out although they determine what is localized, and reports an error. Without these
  /// files, all counts are wrong, and no catalog may be created or changed.
  /// - Parameter files: the sorted files. They replace those of earlier calls.
  package mutating func noteOutside(_ files: [TreePath]) {
    diagnostics.removeAll { $0 == Self.outsideCheckout(outside) }
    outside = files
    if let diagnostic = Self.outsideCheckout(files) { diagnostics.append(diagnostic) }
  }

  private static func outsideCheckout(_ files: [TreePath]) -> Diagnostic? {
    guard let first = files.first else { return nil }
    let folder = first.parent.isRoot ? first : first.parent
    return .outsideCheckout(
      first, of: files.count, severity: .error,
      hint: "check out the missing files (`git sparse-checkout add \(folder)`), or read a commit (`--revision HEAD`)")
  }
}

extension Diagnostic {
  /// Returns a report of the files that a sparse checkout leaves out. The report's location is the first of these files.
  /// - Parameters:
  ///   - count: the number of files.
  ///   - kind: the kind of the first file.
  ///   - owner: the owner of the files, which the message names after “of”.
  package static func outsideCheckout(
    _ first: TreePath, of count: Int, kind: String = "file", owner: String? = nil, severity: Severity, hint: String
  ) -> Diagnostic {
    let others = count == 1 ? "" : " and " + counted(count - 1, "more file")
    let place = owner.map { " of \($0)" } ?? ""
    return Diagnostic(
      path: first.text, severity: severity,
      message: "this \(kind)\(others)\(place) \(count == 1 ? "is" : "are") left out of the sparse checkout",
      hint: hint)
  }
}

/// The name of a target, unique in its tree. It is `Packages/Kit:KitUI` for a target of the package in `Packages/Kit` (`KitUI` in the root package),
/// `App/App.xcodeproj:Widgets` for a target of an Xcode project, and the folder for any other target (`.` for the root).
package struct TargetID: RawRepresentable, Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }
  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  package var description: String { rawValue }
}

/// A unit of compilation: sources that can use each other's declarations, and the tables for their strings.
package struct ProjectTarget: Equatable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// A target of a Swift package. `manifest` is its Package.swift.
    case package(manifest: TreePath)
    /// A target of an Xcode project. `project` is its project.pbxproj.
    case xcode(project: TreePath)
    /// A target that is inferred from folders, because there is neither a manifest nor a readable project file.
    case folder
  }

  package var id: TargetID
  /// The module's name, or the folder's name for a target inferred from folders.
  package var name: String
  package var kind: Kind
  /// The folder of the sources.
  package var folder: TreePath
  /// The Swift files, and the contents files of Core Data models, from which Xcode generates classes; sorted by path.
  package var swiftSources: [TreeEntry]
  /// Other files that can contain localizable strings, sorted by path: Objective-C and C with headers, Interface Builder, Info.plist,
  /// intent definitions. While such a file cannot be read, no keys may be removed from tables whose strings it can contain.
  package var otherSources: [TreeEntry]
  /// The target's settings by configuration, in the project's order; empty if no project was read.
  package var configurations: [BuildConfiguration]
  /// The names of this target's localizing functions (`LOCALIZED_STRING_MACRO_NAMES`), in addition to the standard functions and the pipeline's.
  package var macros: [String]
  /// Targets of this tree whose declarations the sources can use.
  package var dependencies: [TargetID]
  /// The folder for new catalogs of the target.
  package var resourceFolder: TreePath
  /// Whether strings of this target are reported. This is `false` for tests, and for other targets without a table if the tree has a String Catalog
  /// or the target is a plug-in or a macro.
  package var feedsCatalogs: Bool
  /// The catalogs for this target's strings by table name. If a table is not a String Catalog, the value is the source language's `.strings`
  /// file.
  package var catalogs: [String: TreePath]
  /// The places where an export puts tables that the target lacks. `nil` for targets that are never translated, such as tests, for targets of
  /// packages without a `defaultLocalization`, and for targets inferred from folders.
  package var places: TablePlaces?
  /// The places for tables that are not in `catalogs`; `nil` if the strings of such tables are put in a String Catalog in `resourceFolder`.
  package var newTables: TablePlaces?
  /// The strings that Xcode extracts from Swift code, according to the file of a project generator; `nil` if this file does not determine them.
  package var codeStringsOfGenerator: CodeStrings?
  /// The texts that a generator's file puts into the target's Info.plist, by name.
  package var infoPlistOfGenerator: [String: BuildSetting] = [:]
  /// Whether the target is an extension. The code of an extension uses the tables of its own bundle, not those of the containing app.
  package var isExtension = false
  /// Whether strings in code for simulators are left out. Exports leave them out, because Xcode builds for devices (Schokolado/FitTrackPro, Xcode
  /// 26.5).
  package var isForDevices = false
  /// The Xcode project file that assigns the target's files, if it cannot be read; otherwise `nil`. Without it, the files are assigned by folder,
  /// which is a guess.
  package var unreadProject: TreePath?
  /// Reasons why some sources are unknown, such as a manifest value that cannot be determined without running the manifest; empty if all are known.
  package var unknownSources: [Diagnostic]
  /// Listed sources that are missing because a build generates them. Keys that may occur only in these sources must not be removed. Gates
  /// ignore these diagnostics.
  package var generatedSources: [Diagnostic] = []
  /// String tables that the target lists but that are missing. A gate fails because of such tables.
  package var missingTables: [Diagnostic] = []

  /// Whether Xcode's exports contain translatable tables of this target.
  package var isTranslated: Bool { places?.isUntranslatable == false }

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

/// A catalog with its files and the targets whose strings it contains.
package struct ProjectCatalog: Hashable, Sendable {
  /// The catalog's file. If the format has one file for each language, this is the source language's file.
  package var path: TreePath
  package var table: String
  /// The language that a String Catalog declares; for other catalogs, the development language of their Xcode project or package, or else that of
  /// the tree.
  package var sourceLanguage: LocaleIdentifier
  /// The files of other languages; empty for a String Catalog.
  package var localizations: [LocaleIdentifier: TreePath]
  /// The file in the source language's own folder, if `path` is in `Base.lproj`; otherwise `nil`. This file has precedence at run time.
  package var twin: TreePath?
  /// Files of `localizations` that no build includes, because the project does not list them.
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

  /// Whether the catalog is a String Catalog: one file contains all languages, and builds sync the file with the code.
  package var isStringCatalog: Bool { path.isStringCatalog }
}
