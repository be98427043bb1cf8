import Localization

/// The packages and Xcode projects of a tree as folders: which of them a folder lies in.
///
/// A class, because answers are kept: thousands of files ask about few folders.
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

  /// The folder of the innermost package that a folder lies in.
  func package(of folder: TreePath) -> TreePath? {
    if let known = knownPackages[folder] { return known }
    let answer = packages.contains(folder) ? folder : folder.isRoot ? nil : package(of: folder.parent)
    knownPackages[folder] = .some(answer)
    return answer
  }

  /// The folder of the innermost Xcode project that a folder lies in, if no package's folder stands between or there too.
  func projectFolder(of folder: TreePath) -> TreePath? {
    if let known = knownProjects[folder] { return known }
    let answer: TreePath? =
      packages.contains(folder)
      ? nil : projects.contains(folder) ? folder : folder.isRoot ? nil : projectFolder(of: folder.parent)
    knownProjects[folder] = .some(answer)
    return answer
  }

  /// How far up a source may look for its catalogs: its project's folder, its package's, or the root.
  func top(of folder: TreePath) -> TreePath {
    projectFolder(of: folder) ?? package(of: folder) ?? .root
  }
}
