import Localization

/// The content of a `Package.swift` that matters for localization.
struct PackageManifest {
  var path: TreePath
  var name: String?
  var toolsVersion: ToolsVersion?
  var defaultLocalization: LocaleIdentifier?
  /// Whether it has a `defaultLocalization` that cannot be read.
  var isLanguageOpen = false
  var targets: [ManifestTarget] = []
  /// The reasons that `targets` may be incomplete; empty if all targets are known.
  var openTargets: [Diagnostic] = []
  /// A package that it uses from the same repository.
  struct LocalPackage {
    var folder: TreePath
    /// The name that the manifest gives it.
    var name: String?
    /// The position of its declaration.
    var line: Int
    var column: Int

    /// Returns whether a dependency on a product names this package. The identity of a package is its folder's name, ignoring case.
    func isNamed(_ identity: String) -> Bool {
      identity.lowercased() == folder.name.lowercased() || identity == name
    }
  }

  var localPackages: [LocalPackage] = []
  /// Whether it uses packages of other repositories.
  var usesRemotePackages = false
  /// Whether it may use further packages of the repository.
  var mayUseOtherPackages = false
  /// The targets of each library, by the product's name.
  var products: [String: [String]] = [:]
  var diagnostics: [Diagnostic] = []
  /// Whether nothing of it could be read.
  private(set) var isUnread = false

  var folder: TreePath { path.parent }

  /// Returns a manifest whose content is unknown.
  /// - Parameter diagnostics: the reasons that its reader reports; empty if they are reported elsewhere.
  static func unreadable(
    _ path: TreePath, because reasons: [Diagnostic], diagnostics: [Diagnostic] = []
  ) -> PackageManifest {
    var manifest = PackageManifest(path: path, openTargets: reasons, mayUseOtherPackages: true)
    manifest.diagnostics = diagnostics
    manifest.isUnread = true
    return manifest
  }
}

/// The `// swift-tools-version` in a manifest's first line.
struct ToolsVersion: Comparable {
  var major: Int
  var minor: Int

  static func < (a: Self, b: Self) -> Bool { (a.major, a.minor) < (b.major, b.minor) }
}

/// One target as a manifest declares it.
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
    /// A target of the package, or else a product of the same name.
    case byName(String)
  }

  /// The location of the files.
  enum Location {
    /// The standard folder, by the rules of SwiftPM.
    case standard
    /// Relative to the package's folder.
    case path(String)
    case unknown
  }

  var kind: Kind
  var name: String
  var location: Location = .standard
  /// Only these files and folders, relative to the target's folder; `nil` means all.
  var sources: [String]?
  var excluded: [String] = []
  var resources: [(rule: ResourceRule, path: String)] = []
  /// Whether some of its resources could not be read.
  var hasOpenResources = false
  var dependencies: [Dependency] = []
  /// The parts that could not be read. If there are any, not all sources are known.
  var unknown: [Diagnostic] = []
  /// The position of its declaration.
  var line: Int
  var column: Int
}
