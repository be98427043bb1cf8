import Localization
import StructuredText

extension TreeListing {
  /// Removes the versions of each Core Data model except the current version, from which alone Xcode generates classes. Apps keep many former
  /// versions. All versions of a model stay if its current version is unknown or is not in the tree.
  mutating func removeFormerModels(of tree: any SourceTree) {
    var names: [TreePath: String] = [:]
    for entry in modelVersions {
      guard let bytes = try? tree.read(entry.path),
        let name = (try? PropertyListValue.parse(bytes))?["_XCCurrentVersionName"]?.string
      else { continue }
      names[entry.path.parent] = name
    }
    modelVersions = []
    let isCurrent = { (version: TreePath) in names[version.parent].map(version.name.isExactly) ?? false }
    let known = Set(dataModels.map(\.path.parent).filter(isCurrent).map(\.parent))
    dataModels.removeAll { known.contains($0.path.parent.parent) && !isCurrent($0.path.parent) }
  }
}
