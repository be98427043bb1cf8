import Localization

extension PackageTargets {
  /// Returns the targets of a product that an Xcode project uses by name.
  /// - Parameters:
  ///   - preferred: the folders of packages that the project references. They come first.
  ///   - folder: the project's folder. Among the other packages with such a product or target, the package whose folder has the most leading path
  ///     components in common with this folder is used.
  func targets(ofProduct name: String, preferring preferred: [TreePath], near folder: TreePath) -> [TargetID] {
    func shared(_ path: TreePath) -> Int {
      zip(path.components, folder.components).prefix { $0.0 == $0.1 }.count
    }
    func rank(_ manifest: PackageManifest) -> (Int, Int, TreePath) {
      (preferred.firstIndex(of: manifest.folder) ?? preferred.count, -shared(manifest.folder), manifest.folder)
    }
    guard let maker = dependencies.packages(making: name).min(by: { rank($0) < rank($1) }) else { return [] }
    return (maker.products[name] ?? [name]).map { Self.id($0, in: maker.folder) }.filter(ids.contains)
  }
}
