/// What a tree is: the port that `ProjectLayout` meets.
package protocol ProjectReader: Sendable {
  /// Reads the layout. A fault in a manifest is a diagnostic of the result; throws only where nothing can be read at all.
  /// - Parameter excluded: path patterns of the pipeline (`Examples/**`) that are left out.
  func project(in tree: any SourceTree, excluding excluded: [String]) throws -> ProjectDescription

  /// Tells the projects of a tree about catalogs' new languages, as Xcode does when it imports: `knownRegions`, and where a project lists
  /// files one by one, a new file in its group.
  /// - Returns: what changes in project files, and what a person has to do.
  func registering(
    _ localizations: [NewLocalization], of project: ProjectDescription, in tree: any SourceTree
  ) -> (edits: TreeEdits, diagnostics: [Diagnostic])

  /// Finds the places of new catalogs, and changes what packages need so that they are built: a `defaultLocalization`, and a resource rule for
  /// the catalog's folder.
  /// - Parameter catalogs: where extraction expects them.
  /// - Returns: the catalogs that a build will take, at their final paths; the changed manifests; and what a person has to do first.
  func preparing(
    _ catalogs: [NewCatalog], sourceLanguage: LocaleIdentifier, of project: ProjectDescription, in tree: any SourceTree
  ) -> (catalogs: [NewCatalog], edits: TreeEdits, diagnostics: [Diagnostic])

  /// Those of these files that one of the targets takes, as far as an Xcode project decides it.
  func taken(_ paths: [TreePath], by targets: [ProjectTarget], in tree: any SourceTree) -> Set<TreePath>
}
