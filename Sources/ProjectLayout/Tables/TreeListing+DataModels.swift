import Localization
import StructuredText

extension TreeListing {
  /// Removes the versions of each Core Data model except the current version, from which alone Xcode generates classes. Apps keep many former
  /// versions. All versions of a model stay if its current version is unknown or is not in the tree.
  mutating func removeFormerModels(of tree: any SourceTree) {
    let listed = Set(dataModels.map(\.path.parent))
    var current: [TreePath: TreePath] = [:]
    for entry in modelVersions {
      guard let bytes = try? tree.read(entry.path),
        let name = (try? PropertyListValue.parse(bytes))?["_XCCurrentVersionName"]?.string,
        let version = listed.first(where: { $0.parent == entry.path.parent && $0.name.isExactly(name) })
      else { continue }
      current[version.parent] = version
    }
    dataModels.removeAll { entry in
      let version = entry.path.parent
      return current[version.parent].map { $0 != version } ?? false
    }
  }
}
