import Localization

/// Finds out why a folder that a project or a manifest names is not in the tree.
///
/// A class, because the second index is created only if a folder is not found in its exact spelling.
final class AbsentFolders {
  enum Reason: Equatable {
    /// The folder is, or lies in, another repository.
    case submodule(TreePath)
    /// The folder is, or lies in, a symbolic link, which is not followed.
    case link(TreePath)
    /// Git ignores the folder, so a build or a tool creates it.
    case generated
    case missing
  }

  private let listing: TreeListing
  /// The identities of the packages in the tree: the names of their folders in lower case.
  private let identities: Set<String>
  /// The folders of the tree as macOS file systems compare them.
  private lazy var folded = Set(listing.seen.lazy.map { $0.text.lowercased() })

  /// - Parameter packages: the folders of the packages in the tree.
  init(_ listing: TreeListing, packages: Set<TreePath> = []) {
    self.listing = listing
    identities = Set(packages.map { $0.name.lowercased() })
  }

  /// - Returns: `nil` for a folder that is in the tree, and for one that is not read: the pipeline excludes it, or it was skipped.
  func reason(_ folder: TreePath) -> Reason? {
    guard !listing.isLeftOut(folder) else { return nil }
    if let submodule = listing.submodules.first(where: folder.isWithin) { return .submodule(submodule) }
    guard !exists(folder), !listing.isSkipped(folder) else { return nil }
    // Patterns such as `App/` fit folders only.
    if listing.ignored.contains(folder.appending("x")) { return .generated }
    return listing.links.first { folder.isWithin($0.path) }.map { .link($0.path) } ?? .missing
  }

  /// Returns whether the tree has a folder, even one without sources. Git has no empty folders.
  func exists(_ folder: TreePath) -> Bool {
    // A sparse checkout leaves folders out that `folders` has.
    listing.seen.contains(folder) || listing.folders.contains(folder) || folded.contains(folder.text.lowercased())
  }

  /// Returns why the package in a folder is not in the tree. Where a project is open in Xcode, its packages replace others of the same
  /// identity, even if their paths lead nowhere.
  /// - Parameters:
  ///   - target: a target that uses it.
  ///   - place: the declaration of the package.
  /// - Returns: `nil` if it is in the tree, or is made by a build.
  func diagnostic(
    ofPackage folder: TreePath, usedBy target: String, at place: (path: String, line: Int?, column: Int?)
  ) -> Diagnostic? {
    let state: String
    let hint: String
    switch reason(folder) {
    case .generated, nil: return nil
    case .missing where identities.contains(folder.name.lowercased()): return nil
    case .submodule:
      (state, hint) = ("in a submodule, which is another repository", TreeListing.submoduleHint)
    case .link: (state, hint) = ("behind a symbolic link, which is not followed", "replace the link with the folder")
    case .missing:
      (state, hint) = ("missing, so strings may be unknown", "restore the folder, or remove the package")
    }
    return Diagnostic(
      path: place.path, line: place.line, column: place.column, severity: .warning,
      message: "the package \(folder), which target \(target) uses, is \(state)", hint: hint)
  }
}
