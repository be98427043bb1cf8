import Localization

/// The folders of the packages and Xcode projects of a tree. Finds the ones that contain a given folder.
///
/// A class, because results are cached: thousands of files ask about few folders.
final class Regions {
  private let packages: Set<TreePath>
  private let projects: Set<TreePath>
  private var knownPackages: [TreePath: TreePath?] = [:]
  private var knownProjects: [TreePath: TreePath?] = [:]

  /// - Parameter projects: the folders that hold an `.xcodeproj`.
  init(packages: Set<TreePath>, projects: Set<TreePath>) {
    self.packages = packages
    self.projects = projects
  }

  /// Returns the folder of the innermost package that contains a folder.
  func package(of folder: TreePath) -> TreePath? {
    if let known = knownPackages[folder] { return known }
    let answer = packages.contains(folder) ? folder : folder.isRoot ? nil : package(of: folder.parent)
    knownPackages[folder] = .some(answer)
    return answer
  }

  /// Returns the folder of the innermost Xcode project that contains a folder; `nil` if a package's folder is there too, or between the
  /// two.
  func projectFolder(of folder: TreePath) -> TreePath? {
    if let known = knownProjects[folder] { return known }
    let answer: TreePath? =
      packages.contains(folder)
      ? nil : projects.contains(folder) ? folder : folder.isRoot ? nil : projectFolder(of: folder.parent)
    knownProjects[folder] = .some(answer)
    return answer
  }

  /// Returns the highest folder in which a source looks for its catalogs: its project's folder, its package's, or the root.
  func top(of folder: TreePath) -> TreePath {
    projectFolder(of: folder) ?? package(of: folder) ?? .root
  }
}
