import Localization

/// The parts of skipped folders that targets contain. Folders with names such as `Pods` and `DerivedData` usually contain files that tools fetch and
/// build. But SwiftPM and Xcode do not treat these names specially and compile everything that a target contains.
struct ToolFolders {
  private(set) var folders: Set<TreePath> = []
  private(set) var files: Set<TreePath> = []

  init(of listing: TreeListing, in manifests: [TreePath: PackageManifest], _ projects: [XcodeProject]) {
    let absent = AbsentFolders(listing)
    for manifest in manifests.values { take(manifest, in: listing, absent: absent, besides: manifests) }
    for project in projects { take(project, in: listing) }
  }

  private mutating func take(
    _ manifest: PackageManifest, in listing: TreeListing, absent: AbsentFolders,
    besides manifests: [TreePath: PackageManifest]
  ) {
    guard !listing.skipped.isEmpty else { return }
    let inside = listing.skipped.filter { $0.isWithin(manifest.folder) }
    guard !inside.isEmpty else { return }
    let skipped = Set(inside)
    for target in PackageFolders.candidates(for: manifest) where target.isWithinAny(of: skipped) {
      folders.insert(target)
    }
    let placed = PackageFolders(manifest, in: listing, absent: absent).placed
    let owners = PackageOwners(placed)
    for folder in inside where owners.holders(of: folder).contains(where: { placed[$0].takesSources(in: folder) }) {
      // A folder belongs to the innermost package that contains it.
      var home = folder.parent
      while home != manifest.folder, manifests[home] == nil { home = home.parent }
      if home == manifest.folder { folders.insert(folder) }
    }
  }

  private mutating func take(_ project: XcodeProject, in listing: TreeListing) {
    var known: [TreePath: Bool] = [:]
    for target in project.targets {
      for file in target.compiled + target.resources + target.headers where listing.isSkipped(file.path, &known) {
        files.insert(file.path)
      }
    }
    guard !listing.skipped.isEmpty else { return }
    for group in project.paths.synchronizedGroups {
      guard let folder = SynchronizedFolder(group, of: project) else { continue }
      let takers = project.targets.filter { $0.folders.contains(group) || folder.exceptions[$0.node] != nil }
      guard !takers.isEmpty else { continue }
      if listing.isSkipped(folder.path) { folders.insert(folder.path) }
      for skipped in listing.skipped {
        guard let relative = skipped.relative(to: folder.path) else { continue }
        let isTaken = takers.contains { target in
          !target.folders.contains(group) || folder.exceptions[target.node]?.membership.contains(relative) != true
        }
        if isTaken { folders.insert(skipped) }
      }
    }
  }
}
