import Localization

/// The folders of the packages and Xcode projects of a tree. The methods find the folders that contain a given folder.
///
/// This is a class because results are cached: thousands of files are in few folders.
final class Regions {
  private let packages: Set<TreePath>
  private let projects: Set<TreePath>
  private var knownPackages: [TreePath: TreePath?] = [:]
  private var knownProjects: [TreePath: TreePath?] = [:]

  /// - Parameter projects: the folders that contain an `.xcodeproj`.
  init(packages: Set<TreePath>, projects: Set<TreePath>) {
    self.packages = packages
    self.projects = projects
  }

  /// Returns the folder of the innermost package that contains a folder; `nil` if no package contains it.
  func package(of folder: TreePath) -> TreePath? {
    if let known = knownPackages[folder] { return known }
    let answer = packages.contains(folder) ? folder : folder.isRoot ? nil : package(of: folder.parent)
    knownPackages[folder] = .some(answer)
    return answer
  }

  /// Returns the folder of the innermost Xcode project that contains a folder; `nil` if there is none, or if a package is nearer to the given folder
  /// or has the same folder as the project.
  func projectFolder(of folder: TreePath) -> TreePath? {
    if let known = knownProjects[folder] { return known }
    let answer: TreePath? =
      packages.contains(folder)
      ? nil : projects.contains(folder) ? folder : folder.isRoot ? nil : projectFolder(of: folder.parent)
    knownProjects[folder] = .some(answer)
    return answer
  }

  /// Returns the highest folder in which the catalogs of a source are searched for: its project's folder, its package's folder, or the root.
  func top(of folder: TreePath) -> TreePath {
    projectFolder(of: folder) ?? package(of: folder) ?? .root
  }
}
