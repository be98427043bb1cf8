import Localization

/// What a `Package.swift` says, as far as localization needs it.
struct PackageManifest {
  var path: TreePath
  var name: String?
  var toolsVersion: ToolsVersion?
  var defaultLocalization: LocaleIdentifier?
  var targets: [ManifestTarget] = []
  /// Why there may be targets that are not in `targets`; empty where all are known.
  var openTargets: [Diagnostic] = []
  /// The folders of packages that it takes from the same repository.
  var localPackages: [TreePath] = []
  /// Whether there may be more of them.
  var mayUseOtherPackages = false
  /// The targets of each library, by the product's name.
  var products: [String: [String]] = [:]
  var diagnostics: [Diagnostic] = []

  var folder: TreePath { path.parent }
}

/// The `// swift-tools-version` of a manifest's first line.
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

  /// Where the files lie.
  enum Location {
    /// By the rules of SwiftPM.
    case standard
    /// From the package's folder.
    case path(String)
    case unknown
  }

  var kind: Kind
  var name: String
  var location: Location = .standard
  /// Only these files and folders, from the target's folder; `nil`: all.
  var sources: [String]?
  var excluded: [String] = []
  var resources: [(rule: ResourceRule, path: String)] = []
  var dependencies: [Dependency] = []
  /// What of the above could not be read, so that not all sources are known.
  var unknown: [Diagnostic] = []
  /// The place of its declaration.
  var line: Int
  var column: Int
}
