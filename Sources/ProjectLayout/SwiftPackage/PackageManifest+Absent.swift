import Localization

extension PackageManifest {
  /// Returns why the package that a dependency names is not in the tree.
  /// - Parameters:
  ///   - target: the target that has the dependency.
  ///   - isMade: whether a package of the tree makes a product.
  /// - Returns: `nil` if it is in the tree, and for packages of other repositories.
  func absentPackage(
    _ dependency: ManifestTarget.Dependency, of target: String, _ folders: AbsentFolders, isMade: (String) -> Bool
  ) -> Diagnostic? {
    guard !localPackages.isEmpty else { return nil }
    for package in packages(named: dependency, isMade) {
      let place = (path: path.text, line: package.line, column: package.column)
      if let diagnostic = folders.diagnostic(ofPackage: package.folder, usedBy: target, at: place) { return diagnostic }
    }
    return nil
  }

  /// Returns the packages of the repository that a dependency may mean.
  private func packages(named dependency: ManifestTarget.Dependency, _ isMade: (String) -> Bool) -> [LocalPackage] {
    switch dependency {
    case .target: return []
    case .product(_, let package?): return localPackages.filter { $0.isNamed(package) }
    case .product(let name, nil), .byName(let name):
      if targets.contains(where: { $0.name == name }) || isMade(name) { return [] }
      let fitting = localPackages.filter { $0.isNamed(name) }
      // Before tools version 5.2, the product could have any name.
      return fitting.isEmpty && !usesRemotePackages && !mayUseOtherPackages ? localPackages : fitting
    }
  }
}
