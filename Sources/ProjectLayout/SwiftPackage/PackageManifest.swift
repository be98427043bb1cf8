import Localization

/// The content of a `Package.swift` that is relevant for localization.
struct PackageManifest {
  var path: TreePath
  var name: String?
  var toolsVersion: ToolsVersion?
  var defaultLocalization: LocaleIdentifier?
  /// Whether the manifest has a `defaultLocalization` that cannot be evaluated.
  var isLanguageOpen = false
  var targets: [ManifestTarget] = []
  /// The reasons why `targets` may be incomplete; empty if all targets are known.
  var openTargets: [Diagnostic] = []
  /// A package of the same repository that the manifest uses.
  struct LocalPackage {
    var folder: TreePath
    /// The name that the manifest gives to the package; `nil` if there is none.
    var name: String?
    /// The position of the declaration.
    var line: Int
    var column: Int

    /// Returns whether a dependency with this identity refers to this package. The identity is the name of the package's folder, ignoring case, or
    /// the name that the manifest gives to the package.
    func isNamed(_ identity: String) -> Bool {
      identity.lowercased() == folder.name.lowercased() || identity == name
    }
  }

  var localPackages: [LocalPackage] = []
  /// Whether the manifest uses packages of other repositories.
  var usesRemotePackages = false
  /// Whether the manifest may use further packages of the same repository.
  var mayUseOtherPackages = false
  /// The targets of each product, by the product's name.
  var products: [String: [String]] = [:]
  var diagnostics: [Diagnostic] = []
  /// Whether the manifest could not be read at all.
  private(set) var isUnread = false

  var folder: TreePath { path.parent }

  /// Returns a manifest whose content is unknown.
  /// - Parameter diagnostics: the diagnostics to report for the manifest; empty if the reasons are reported elsewhere.
  static func unreadable(
    _ path: TreePath, because reasons: [Diagnostic], diagnostics: [Diagnostic] = []
  ) -> PackageManifest {
    var manifest = PackageManifest(path: path, openTargets: reasons, mayUseOtherPackages: true)
    manifest.diagnostics = diagnostics
    manifest.isUnread = true
    return manifest
  }
}

/// The version in a manifest's comment `// swift-tools-version`.
struct ToolsVersion: Comparable {
  var major: Int
  var minor: Int

  static func < (a: Self, b: Self) -> Bool { (a.major, a.minor) < (b.major, b.minor) }
}

/// A target in the form in which a manifest declares it.
struct ManifestTarget {
  enum Kind: String {
    case regular = "target"
    case executable = "executableTarget"
    case test = "testTarget"
    case macro
    case plugin
    case system = "systemLibrary"
    case binary = "binaryTarget"
  }

  enum ResourceRule: String {
    case process, copy, embedInCode
  }

  enum Dependency: Hashable {
    case target(String)
    case product(String, package: String?)
    /// A target of the package, or otherwise a product with this name.
    case byName(String)
  }

  /// The location of the files.
  enum Location {
    /// The standard folder, by the rules of SwiftPM.
    case standard
    /// A path relative to the package's folder.
    case path(String)
    case unknown
  }

  var kind: Kind
  var name: String
  var location: Location = .standard
  /// The only files and folders of the target that are sources, relative to its folder; `nil` for all.
  var sources: [String]?
  var excluded: [String] = []
  var resources: [(rule: ResourceRule, path: String)] = []
  /// Whether some of the target's resources could not be evaluated.
  var hasOpenResources = false
  var dependencies: [Dependency] = []
  /// The reasons why the sources may be incomplete: parts that could not be evaluated, or a folder that is not in the tree.
  var unknown: [Diagnostic] = []
  /// The position of the declaration.
  var line: Int
  var column: Int

  /// Returns the path that a rule, source or exclusion refers to, such as `./Resources`, `Resources/` or `../Shared`. SwiftPM resolves it from the
  /// target's folder.
  /// - Returns: `nil` if the path is outside the repository.
  static func path(_ text: String, in folder: TreePath) -> TreePath? {
    TreePath(checking: folder.appending(text).text)
  }

  /// Returns the paths of the target's resource rules.
  /// - Parameters:
  ///   - folder: the target's folder.
  ///   - rules: the kinds of rules; `nil` for all.
  func resourcePaths(in folder: TreePath, _ rules: Set<ResourceRule>? = nil) -> [TreePath] {
    resources.filter { rules?.contains($0.rule) ?? true }.compactMap { Self.path($0.path, in: folder) }
  }
}
