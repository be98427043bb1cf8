import Localization
import StructuredText

/// An index that finds the targets of the tree on which another target depends.
struct ProductIndex {
  private struct Maker {
    var id: TargetID
    var project: TreePath
    var target: XcodeTarget
  }

  private struct Node: Hashable {
    var project: TreePath
    var node: OldStyleNode
  }

  private var makers: [Node: Maker] = [:]
  /// The targets by product name, in the order of the projects.
  private var byProduct: [String: [Maker]] = [:]
  private var byName: [TreePath: [String: Maker]] = [:]
  /// The projects that a workspace lists together with each project, and the projects that each project references.
  private var companions: [TreePath: Set<TreePath>] = [:]
  private var packagesBeside: [TreePath: [TreePath]] = [:]
  /// The folders that a workspace lists together with each project. They may be packages.
  private var foldersBeside: [TreePath: [TreePath]] = [:]
  private let packages: PackageTargets

  init(_ projects: [XcodeProject], ids: [[TargetID]], workspaces: [Workspace], packages: PackageTargets) {
    self.packages = packages
    for (project, ids) in zip(projects, ids) {
      for (target, id) in zip(project.targets, ids) {
        let maker = Maker(id: id, project: project.path, target: target)
        makers[Node(project: project.path, node: target.node)] = maker
        if let product = target.product { byProduct[product, default: []].append(maker) }
        if byName[project.path]?[target.name] == nil { byName[project.path, default: [:]][target.name] = maker }
      }
      companions[project.path, default: []].formUnion(project.subprojects)
      packagesBeside[project.path, default: []] += project.localPackages.map(\.folder)
    }
    for workspace in workspaces {
      for project in workspace.projects {
        companions[project, default: []].formUnion(workspace.projects)
        packagesBeside[project, default: []] += workspace.packages
        foldersBeside[project, default: []] += workspace.packages
      }
    }
  }

  /// Returns the targets whose declarations a target can use, without duplicates.
  func dependencies(of target: XcodeTarget, _ id: TargetID, in project: XcodeProject) -> [TargetID] {
    var found: [TargetID] = []
    for dependency in target.dependencies {
      for id in resolve(dependency, of: target, in: project) where !found.contains(id) { found.append(id) }
    }
    return found.filter { $0 != id }
  }

  private func resolve(
    _ dependency: XcodeTarget.Dependency, of target: XcodeTarget, in project: XcodeProject
  ) -> [TargetID] {
    switch dependency {
    case .target(let node): return usable(makers[Node(project: project.path, node: node)], by: target)
    case .remote(let path, let name): return usable(byName[path]?[name], by: target)
    case .product(let name):
      guard let candidates = byProduct[name] else { return [] }
      let beside = companions[project.path] ?? []
      // Any target that links a product can use it. If several targets build the product, a target of the same project is preferred, and then a
      // target of a companion project.
      let nearest = candidates.min { rank($0, of: project.path, beside) < rank($1, of: project.path, beside) }
      return usable(nearest, by: target)
    case .package(let name, _):
      return packages.targets(ofProduct: name, preferring: packagesBeside[project.path] ?? [], near: project.folder)
    }
  }

  /// Returns a warning about the first package of this repository that a target uses and that is missing (see `AbsentFolders.diagnostic`); `nil` if
  /// there is no such package. Plugins are not checked.
  func absentPackage(of target: XcodeTarget, in project: XcodeProject, _ folders: AbsentFolders) -> Diagnostic? {
    for case .package(let name, let reference) in target.dependencies where !name.hasPrefix("plugin:") {
      for (folder, declaration) in packages(of: name, reference, in: project) {
        let place = declaration.map { project.objects.note("", at: $0) }
        let diagnostic = folders.diagnostic(
          ofPackage: folder, usedBy: target.name, at: (place?.path ?? folder.text, place?.line, place?.column))
        if let diagnostic { return diagnostic }
      }
    }
    return nil
  }

  /// Returns the folders of the repository's packages that may have a product, with the project's nodes that declare them. If the product states its
  /// package, only this package is returned. Otherwise, the result is empty if a package of the tree has the product.
  private func packages(
    of product: String, _ reference: OldStyleNode?, in project: XcodeProject
  ) -> [(TreePath, OldStyleNode?)] {
    func places(_ packages: [XcodeProject.LocalPackage]) -> [(TreePath, OldStyleNode?)] {
      packages.map { ($0.folder, $0.reference) }
    }
    if let reference { return places(project.localPackages.filter { $0.reference == reference }) }
    let makers = packages.targets(
      ofProduct: product, preferring: packagesBeside[project.path] ?? [], near: project.folder)
    guard makers.isEmpty else { return [] }
    let named =
      places(project.localPackages.filter { $0.folder.name == product })
      + (foldersBeside[project.path] ?? []).filter { $0.name == product }.map { ($0, nil) }
    return named.isEmpty ? places(project.localPackages.filter { !$0.isAnyFolder }) : named
  }

  private func rank(_ maker: Maker, of project: TreePath, _ beside: Set<TreePath>) -> Int {
    maker.project == project ? 0 : beside.contains(maker.project) ? 1 : 2
  }

  /// Returns a target on which another target depends if the other target can use its declarations. An app depends on its extensions but cannot use
  /// their declarations. A test can use the declarations of any target, such as the app that it tests.
  private func usable(_ maker: Maker?, by target: XcodeTarget) -> [TargetID] {
    guard let maker, maker.target.isLibrary || target.isTest else { return [] }
    return [maker.id]
  }
}
