import Localization

/// An index that finds the targets to which a dependency in a manifest refers.
struct PackageDependencies {
  private let packages: [TreePath: PackageManifest]
  /// The folders of the packages that have a product or a target with each name, in ascending order.
  private let makers: [String: [TreePath]]
  /// The names of each package's targets.
  private let names: [TreePath: Set<String>]
  /// The folders of the packages to which the dependencies of a package may refer, each with its position in the order of the manifest; `nil` for a
  /// package that may use all others.
  private let used: [TreePath: [TreePath: Int]]

  init(_ packages: [TreePath: PackageManifest]) {
    self.packages = packages
    let folders = packages.keys.sorted()
    names = packages.mapValues { Set($0.targets.map(\.name)) }
    var makers: [String: [TreePath]] = [:]
    for folder in folders {
      let products = packages[folder]?.products.keys.map(\.self) ?? []
      for name in Set(products).union(names[folder] ?? []) { makers[name, default: []].append(folder) }
    }
    self.makers = makers
    // The folders of the packages by identity: the folder's name in lower case.
    let byIdentity = Dictionary(grouping: folders) { $0.name.lowercased() }
    used = packages.filter { !$0.value.mayUseOtherPackages }.mapValues { manifest in
      var places: [TreePath: Int] = [:]
      var identities: Set<String> = []
      for folder in manifest.localPackages.map(\.folder) {
        // The packages of a project that is open in Xcode replace other packages with the same identity, even if the paths of those packages do not
        // exist.
        let identity = folder.name.lowercased()
        let homes =
          packages[folder] != nil ? [folder] : identities.insert(identity).inserted ? byIdentity[identity] : nil
        for home in homes ?? [] where places[home] == nil { places[home] = places.count }
      }
      return places
    }
  }

  /// Returns the packages that have a product or a target with this name.
  func packages(making name: String) -> [PackageManifest] { (makers[name] ?? []).compactMap { packages[$0] } }

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

  /// Returns the targets of a product of another package, or the target with the product's name.
  func product(_ name: String, of package: String?, for manifest: PackageManifest) -> [TargetID] {
    let makers = packages(making: name).filter { other in
      // A package's identity is its folder's name, ignoring case. Older manifests use the package's own name.
      other.folder != manifest.folder
        && package.map { $0.lowercased() == other.folder.name.lowercased() || $0 == other.name } ?? true
    }
    let maker =
      used[manifest.folder].map { places in
        makers.filter { places[$0.folder] != nil }.min { places[$0.folder] ?? 0 < places[$1.folder] ?? 0 }
      } ?? makers.first
    guard let maker else { return [] }
    return (maker.products[name] ?? [name]).map { PackageTargets.id($0, in: maker.folder) }
  }
}
