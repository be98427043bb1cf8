import Localization

/// An index that finds the targets to which a dependency in a manifest refers.
struct PackageDependencies {
  private let packages: [TreePath: PackageManifest]
  private let folders: [TreePath]
  /// The folders of the packages by identity: the folder's name in lower case.
  private let byIdentity: [String: [TreePath]]
  /// The names of each package's targets.
  private let names: [TreePath: Set<String>]

  init(_ packages: [TreePath: PackageManifest]) {
    self.packages = packages
    folders = packages.keys.sorted()
    byIdentity = Dictionary(grouping: folders) { $0.name.lowercased() }
    names = packages.mapValues { Set($0.targets.map(\.name)) }
  }

  func resolve(_ dependency: ManifestTarget.Dependency, of manifest: PackageManifest) -> [TargetID] {
    switch dependency {
    case .target(let name): return [PackageTargets.id(name, in: manifest.folder)]
    case .byName(let name):
      let isOwn = names[manifest.folder]?.contains(name) == true
      return isOwn
        ? [PackageTargets.id(name, in: manifest.folder)] : product(name, of: nil, for: manifest)
    case .product(let name, let package): return product(name, of: package, for: manifest)
    }
  }

  /// Returns the folders of the packages to which a path may refer. The packages of a project that is open in Xcode replace other packages with the
  /// same identity, even if the paths of those packages do not exist.
  private func homes(of folder: TreePath) -> [TreePath] {
    guard packages[folder] == nil else { return [folder] }
    return byIdentity[folder.name.lowercased()] ?? []
  }

  /// Returns the targets of a product of another package, or the target with the product's name.
  func product(_ name: String, of package: String?, for manifest: PackageManifest) -> [TargetID] {
    let candidates =
      manifest.mayUseOtherPackages
      ? folders
      : manifest.localPackages.flatMap { homes(of: $0.folder) }
    for folder in candidates where folder != manifest.folder {
      guard let other = packages[folder] else { continue }
      // A package's identity is its folder's name, ignoring case. Older manifests use the package's own name.
      if let package, package.lowercased() != folder.name.lowercased(), package != other.name { continue }
      if let targets = other.products[name] { return targets.map { PackageTargets.id($0, in: folder) } }
      if names[folder]?.contains(name) == true { return [PackageTargets.id(name, in: folder)] }
    }
    return []
  }
}
