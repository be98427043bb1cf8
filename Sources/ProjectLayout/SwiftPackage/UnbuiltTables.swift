import Localization

/// The rules of SwiftPM by which a package's tables are not built although its manifest and folders are otherwise correct.
enum UnbuiltTables {
  /// Returns warnings about the tables of a target that SwiftPM does not build.
  /// - Parameters:
  ///   - localized: the target's files in `.lproj` folders, except for copied files.
  ///   - catalogs: the target's String Catalogs.
  static func diagnostics(
    of placed: PackageFolders.Placed, localized: [TreePath], catalogs: [TreePath], _ manifest: PackageManifest
  ) -> [Diagnostic] {
    var found: [Diagnostic] = []
    // SwiftPM's PackageBuilder reports: “manifest property 'defaultLocalization' not set; it is required in the presence of localized resources”.
    if manifest.defaultLocalization == nil, !manifest.isLanguageOpen, let first = localized.min() {
      found.append(
        Diagnostic(
          path: manifest.path.text, severity: .warning,
          message: "SwiftPM refuses to build \(first): the manifest has no defaultLocalization",
          hint: "add `defaultLocalization: \"en\"`, or the language that the texts are in"))
    }
    // The version is from SwiftPM's `FileRuleDescription.stringCatalog`.
    guard let version = manifest.toolsVersion, version < ToolsVersion(major: 5, minor: 9),
      !placed.target.hasOpenResources
    else { return found }
    let ruled = Set(placed.target.resourcePaths(in: placed.folder))
    found += catalogs.filter { !$0.isWithinAny(of: ruled) }.sorted().map { catalog in
      Diagnostic(
        path: catalog.text, severity: .warning,
        message: "SwiftPM does not include this catalog in the product: \(manifest.path) has tools version "
          + "\(version.major).\(version.minor), and before 5.9 a catalog needs a resource rule",
        hint: "add a rule such as `.process(\"\(catalog.name)\")` to the target's `resources`")
    }
    return found
  }
}
