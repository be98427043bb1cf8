import Localization

extension PackageManifest {
  /// Returns a warning about a package that is not in the tree: the first of the packages to which a dependency may refer.
  /// - Parameters:
  ///   - target: the target that has the dependency.
  ///   - isMade: returns whether a package of the tree has a product with this name.
  /// - Returns: the warning; `nil` if `AbsentFolders.diagnostic` has none for the packages to which the dependency may refer, or if there are no such
  ///   packages in this repository.
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

  /// Returns the packages of the repository to which a dependency may refer.
  private func packages(named dependency: ManifestTarget.Dependency, _ isMade: (String) -> Bool) -> [LocalPackage] {
    switch dependency {
    case .target: return []
    case .product(_, let package?): return localPackages.filter { $0.isNamed(package) }
    case .product(let name, nil), .byName(let name):
      if targets.contains(where: { $0.name == name }) || isMade(name) { return [] }
      let fitting = localPackages.filter { $0.isNamed(name) }
      // Before tools version 5.2, a product could have any name, so each package may have it.
      return fitting.isEmpty && !usesRemotePackages && !mayUseOtherPackages ? localPackages : fitting
    }
  }
}
