/// Reads the layout of a project from a tree. `ProjectLayout` implements it.
package protocol ProjectReader: Sendable {
  /// Reads the layout. Faults in a manifest become diagnostics of the result. Throws only if nothing can be read.
  /// - Parameter excluded: path patterns of the pipeline to leave out (`Examples/**`).
  func project(in tree: any SourceTree, excluding excluded: [String]) throws -> ProjectDescription

  /// Registers new languages of catalogs in the project files, as Xcode's import does: adds them to `knownRegions` and, if the project
  /// lists files individually, adds their new files to the variant groups.
  /// - Returns: the changes to project files, and what a person must do.
  func registering(
    _ localizations: [NewLocalization], of project: ProjectDescription, in tree: any SourceTree
  ) -> (edits: TreeEdits, diagnostics: [Diagnostic])

  /// Finds the final paths of new catalogs and adds what a build needs: in manifests, `defaultLocalization` and a resource rule for the
  /// catalog's folder; in Xcode projects that list their files, the catalog.
  /// - Parameter catalogs: the paths at which extraction expects them.
  /// - Returns: the catalogs that a build will include, at their final paths; the changed files; and what a person must do in packages
  ///   first.
  func preparing(
    _ catalogs: [NewCatalog], sourceLanguage: LocaleIdentifier, of project: ProjectDescription, in tree: any SourceTree
  ) -> (catalogs: [NewCatalog], edits: TreeEdits, diagnostics: [Diagnostic])

  /// Returns the files that belong to one of the targets, as far as an Xcode project determines this.
  func taken(_ paths: [TreePath], by targets: [ProjectTarget], in tree: any SourceTree) -> Set<TreePath>
}
