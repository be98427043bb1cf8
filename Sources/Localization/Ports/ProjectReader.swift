/// Reads the layout of a project from a tree. `ProjectLayout` implements this protocol.
package protocol ProjectReader: Sendable {
  /// Reads the layout. Faults in a manifest become diagnostics of the result. Throws only if the tree cannot be read at all.
  /// - Parameter excluded: the pipeline's patterns for paths that are left out (`Examples/**`).
  func project(in tree: any SourceTree, excluding excluded: [String]) throws -> ProjectDescription

  /// Registers new languages of catalogs in the project files, like Xcode's import. It adds the languages to `knownRegions` and, if the
  /// project lists files individually, adds the languages' new files to the variant groups.
  /// - Returns: the changes to project files, and diagnostics about changes that a person must make.
  func registering(
    _ localizations: [NewLocalization], of project: ProjectDescription, in tree: any SourceTree
  ) -> (edits: TreeEdits, diagnostics: [Diagnostic])

  /// Finds the final paths of new catalogs and adds what a build needs: in manifests, `defaultLocalization` and a resource rule for the
  /// catalog's folder; in Xcode projects that list their files, the catalog.
  /// - Parameter catalogs: the catalogs, at the paths where extraction expects them.
  /// - Returns: the catalogs that a build will include, at their final paths; the changed files; and diagnostics about changes that a person
  ///   must make in packages first.
  func preparing(
    _ catalogs: [NewCatalog], sourceLanguage: LocaleIdentifier, of project: ProjectDescription, in tree: any SourceTree
  ) -> (catalogs: [NewCatalog], edits: TreeEdits, diagnostics: [Diagnostic])

  /// Returns those of the given files that the Xcode projects of these targets include as resources; all of them if none of the targets is in an
  /// Xcode project.
  func taken(_ paths: [TreePath], by targets: [ProjectTarget], in tree: any SourceTree) -> Set<TreePath>
}
