import CatalogFormats
import Localization

/// Finds the tables of a project that a build refuses or omits. The counts of such tables do not describe the product.
enum BuildObstacles {
  /// Returns a description of each kind of such tables, for `CompletionGate`.
  /// - Parameter catalogs: the catalogs that could be read.
  static func all(of project: ProjectDescription, _ catalogs: [TreePath: Catalog]) -> [String] {
    uncompiled(project, catalogs) + misplaced(project) + unbuilt(project) + TableRivals.obstacles(of: project)
  }

  /// Describes catalogs that Xcode cannot compile. An app with such a catalog cannot be built.
  private static func uncompiled(_ project: ProjectDescription, _ catalogs: [TreePath: Catalog]) -> [String] {
    let built = project.catalogs.filter { $0.isStringCatalog && !$0.targets.isEmpty }
    let faults = built.compactMap { catalogs[$0.path].flatMap { CatalogCompiler.faults(of: $0).first } }
    return CompletionGate.some(faults, "catalogs do not compile in Xcode", "catalog does not compile in Xcode") {
      $0.placeAndMessage
    }
  }

  /// Describes catalogs that Xcode does not compile because of their folder.
  private static func misplaced(_ project: ProjectDescription) -> [String] {
    CompletionGate.some(
      project.misplacedCatalogs, "String Catalogs are in the folder of a language, which Xcode refuses to build",
      "String Catalog is in the folder of a language, which Xcode refuses to build"
    ) { "\($0); move it out of \($0.parent.name)" }
  }

  private static func unbuilt(_ project: ProjectDescription) -> [String] {
    CompletionGate.some(
      project.unbuiltTables, "tables of packages are not built", "table of a package is not built"
    ) { $0.sentence }
  }
}
