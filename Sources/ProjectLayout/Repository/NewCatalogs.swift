package import Localization
import SwiftParsing

extension RepositoryLayout {
  /// Finds the paths of new catalogs and changes the project so that a build includes them. A package gets a `defaultLocalization` and a resource
  /// rule for the catalog's folder. An Xcode project that does not yet include the catalog, for example through a synchronized folder, gets a
  /// reference in the target's resources. Either all manifests of a package are changed, or none.
  /// - Parameter catalogs: the new catalogs, at the paths where extraction expects them.
  /// - Returns: the catalogs that a build will include, at their final paths; the changed files; and, for packages that cannot be changed,
  ///   diagnostics with the steps that a person must do first.
  package func preparing(
    _ catalogs: [NewCatalog], sourceLanguage: LocaleIdentifier, of project: ProjectDescription, in tree: any SourceTree
  ) -> (catalogs: [NewCatalog], edits: TreeEdits, diagnostics: [Diagnostic]) {
    var placed: [NewCatalog] = []
    var edits = TreeEdits()
    var diagnostics: [Diagnostic] = []
    var byManifest: [TreePath: [(target: ProjectTarget, catalog: NewCatalog)]] = [:]
    var byProject: [TreePath: [(target: ProjectTarget, catalog: NewCatalog)]] = [:]
    let targets = Dictionary(project.targets.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for catalog in catalogs {
      guard let target = targets[catalog.target] else { continue }
      switch target.kind {
      case .package(let manifest): byManifest[manifest, default: []].append((target, catalog))
      case .xcode(let path) where taken([catalog.path], by: [target], in: tree).isEmpty:
        byProject[path, default: []].append((target, catalog))
      case .xcode, .folder: placed.append(catalog)
      }
    }
    for (path, wanted) in byProject.sorted(by: { $0.key < $1.key }) {
      guard let change = Self.listing(wanted, in: path, tree) else { continue }
      placed += change.catalogs
      edits.write(change.bytes, to: path)
    }
    for (path, wanted) in byManifest.sorted(by: { $0.key < $1.key }) {
      do {
        let change = try ManifestChange(wanted, at: path, sourceLanguage: sourceLanguage, in: tree)
        placed += change.catalogs
        edits = edits.merging(change.edits)
      } catch {
        diagnostics += error.diagnostics
      }
    }
    return (placed, edits, diagnostics)
  }

  /// Adds references to new catalogs to an Xcode project.
  /// - Returns: the catalogs that were added, and the changed project; `nil` if none could be added, if the project is generated or cannot be read,
  ///   or if the rest of the project would change.
  private static func listing(
    _ wanted: [(target: ProjectTarget, catalog: NewCatalog)], in path: TreePath, _ tree: any SourceTree
  ) -> (catalogs: [NewCatalog], bytes: [UInt8])? {
    guard let project = try? XcodeProject(tree.read(path), at: path), generator(of: project, in: tree) == nil else {
      return nil
    }
    let ids = project.targets.map { XcodeTargets.plainID($0.name, in: project) }
    var splice = ProjectSplice(project)
    var added: [NewCatalog] = []
    for (path, wanted) in Dictionary(grouping: wanted, by: \.catalog.path).sorted(by: { $0.key < $1.key }) {
      // If several targets have the same name, only the first has this id.
      let targets = wanted.compactMap { wanted in
        ids.firstIndex(of: wanted.target.id).map { (target: project.targets[$0], catalog: wanted.catalog) }
      }
      let taking = splice.add(path, to: targets.map(\.target))
      added += zip(targets, taking).filter(\.1).map(\.0.catalog)
    }
    guard !added.isEmpty, let bytes = splice.applied(), let after = try? XcodeProject(bytes, at: path),
      after.isLikewise(project), after.knownRegions == project.knownRegions
    else { return nil }
    // Everything else must have the same meaning as before.
    func files(_ project: XcodeProject, of target: Int, without others: Set<TreePath> = []) -> [TreePath] {
      project.targets[target].resources.map(\.path).filter { !others.contains($0) }.sorted()
    }
    for index in project.targets.indices {
      let own = Set(added.filter { $0.target == ids[index] }.map(\.path))
      guard files(after, of: index, without: own) == files(project, of: index),
        own.isSubset(of: files(after, of: index)),
        after.targets[index].compiled.map(\.path) == project.targets[index].compiled.map(\.path)
      else { return nil }
    }
    return (added, bytes)
  }
}

/// The changes that the manifests of one package need for new catalogs. A package can have several manifests, because `Package@swift-6.0.swift`
/// replaces `Package.swift` for compilers from that version on.
private struct ManifestChange {
  private(set) var catalogs: [NewCatalog] = []
  private(set) var edits = TreeEdits()

  /// The possible folders for catalogs in a target's folder, the best first.
  private static let folders = ["Resources", "Localization", "Texts"]
  /// The first tools version with `resources:` and `defaultLocalization:`.
  private static let leastVersion = ToolsVersion(major: 5, minor: 3)

  /// - Throws: `InputFault` with the steps that a person must do if a manifest cannot be changed.
  init(
    _ wanted: [(target: ProjectTarget, catalog: NewCatalog)], at path: TreePath, sourceLanguage: LocaleIdentifier,
    in tree: any SourceTree
  ) throws(InputFault) {
    let siblings = ((try? tree.list(path.parent)) ?? []).map(\.path).filter {
      $0 != path && $0.name.hasPrefix("Package@swift-") && $0.ending == "swift"
    }
    var chosen: [TargetID: TreePath] = [:]
    var hints: [(path: TreePath, message: String, hint: String)] = []
    for path in [path] + siblings.sorted() {
      guard let bytes = try? tree.read(path), var splice = ManifestSplice(bytes, at: path) else { continue }
      let manifest = ManifestReader.read(bytes, at: path)
      func tell(_ hint: String, _ message: String = "the manifest cannot be changed automatically") {
        if !hints.contains(where: { $0.path == path && $0.hint == hint }) { hints.append((path, message, hint)) }
      }
      if let version = manifest.toolsVersion, version < Self.leastVersion {
        tell(
          "raise swift-tools-version to 5.3 or later, then run this again",
          "this tools version does not support resources")
        continue
      }
      // A manifest is changed completely or not at all. Therefore a hint about a resource rule also mentions a missing `defaultLocalization`.
      var language = ""
      if manifest.defaultLocalization == nil {
        if splice.setDefaultLocalization(sourceLanguage) {
          language = "defaultLocalization: \"\(sourceLanguage)\" to the package and "
        } else {
          tell("add defaultLocalization: \"\(sourceLanguage)\" by hand, then run this again")
        }
      }
      var added: Set<TargetID> = []
      for (target, _) in wanted {
        let declared = manifest.targets.first { $0.name == target.name }
        let folder = chosen[target.id] ?? Self.folder(for: target, declared: declared)
        guard let folder, declared.map({ Self.isFree(folder, of: target, $0) }) ?? true else {
          tell(
            "add \(language)a resource rule for a folder of its own to the target \(target.name) by hand, then run this again"
          )
          continue
        }
        chosen[target.id] = folder
        guard added.insert(target.id).inserted, !Self.isCovered(folder, of: target, declared),
          let place = folder.relative(to: target.folder)
        else { continue }
        if !splice.addResources(place.text, to: target.name) {
          tell(
            "add \(language)resources: [.process(\"\(place)\")] to the target \(target.name) by hand, then run this again"
          )
        }
      }
      guard !splice.isEmpty else { continue }
      let changed = splice.applied()
      let after = ManifestReader.read(changed, at: path)
      // The rest of the manifest must have the same meaning as before. Its lines may have moved.
      guard after.targets.map(\.name) == manifest.targets.map(\.name),
        after.diagnostics.map(\.message) == manifest.diagnostics.map(\.message)
      else {
        tell("add defaultLocalization: \"\(sourceLanguage)\" and a resource rule by hand, then run this again")
        continue
      }
      edits.write(changed, to: path)
    }
    guard hints.isEmpty else {
      throw InputFault(
        hints.map { Diagnostic(path: $0.path.text, severity: .warning, message: $0.message, hint: $0.hint) })
    }
    for (target, catalog) in wanted {
      guard let folder = chosen[target.id] else { continue }
      catalogs.append(NewCatalog(path: folder.appending(catalog.path.name), target: target.id))
    }
  }

  /// Returns the folder for a target's catalogs: the folder of its resources, or a folder that no other rule and no exclusion affects; `nil` if there
  /// is no such folder.
  private static func folder(for target: ProjectTarget, declared: ManifestTarget?) -> TreePath? {
    let own = target.resourceFolder != target.folder ? target.resourceFolder : nil
    guard let declared else { return own ?? target.folder.appending(folders[0]) }
    if let own, isFree(own, of: target, declared) { return own }
    let excluded = declared.excluded.compactMap { ManifestTarget.path($0, in: target.folder) }
    return folders.map { target.folder.appending($0) }.first { folder in
      isCovered(folder, of: target, declared)
        || isFree(folder, of: target, declared) && !excluded.contains { $0.isWithin(folder) || folder.isWithin($0) }
    }
  }

  /// Returns whether a rule of the target processes the folder. A rule for a folder also applies to everything below it.
  private static func isCovered(_ folder: TreePath, of target: ProjectTarget, _ declared: ManifestTarget?) -> Bool {
    declared?.resourcePaths(in: target.folder, [.process]).contains { folder.isWithin($0) } ?? false
  }

  /// Returns whether a rule can process the folder: a rule already processes it, or no rule applies to it or to a part of it. SwiftPM refuses two
  /// rules for one file.
  private static func isFree(_ folder: TreePath, of target: ProjectTarget, _ declared: ManifestTarget) -> Bool {
    isCovered(folder, of: target, declared)
      || !declared.resourcePaths(in: target.folder).contains { $0.isWithin(folder) || folder.isWithin($0) }
  }
}
