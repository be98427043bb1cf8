package import Localization
import SwiftParsing

extension RepositoryLayout {
  /// Changes what packages need so that new catalogs are built: a `defaultLocalization`, and a resource rule for the catalog's folder.
  /// - Parameter catalogs: new catalogs of targets of packages.
  /// - Returns: the changed manifests, and what a person has to change because a manifest computes it.
  package func preparing(
    _ catalogs: [NewCatalog], sourceLanguage: LocaleIdentifier, of project: ProjectDescription, in tree: any SourceTree
  ) -> (edits: TreeEdits, diagnostics: [Diagnostic]) {
    var edits = TreeEdits()
    var diagnostics: [Diagnostic] = []
    var byManifest: [TreePath: [(target: ProjectTarget, catalog: NewCatalog)]] = [:]
    for catalog in catalogs {
      guard let target = project.targets.first(where: { $0.id == catalog.target }),
        case .package(let manifest) = target.kind
      else { continue }
      byManifest[manifest, default: []].append((target, catalog))
    }
    for (path, wanted) in byManifest.sorted(by: { $0.key < $1.key }) {
      guard let bytes = try? tree.read(path), var splice = ManifestSplice(bytes, at: path) else { continue }
      let manifest = ManifestReader.read(bytes, at: path)
      var isTold: Set<String> = []
      func tell(_ text: String) {
        guard isTold.insert(text).inserted else { return }
        diagnostics.append(
          Diagnostic(
            path: path.text, severity: .warning, message: "the manifest cannot be changed automatically",
            hint: "add \(text) by hand"))
      }
      let language = "defaultLocalization: \"\(sourceLanguage)\""
      if manifest.defaultLocalization == nil, !splice.setDefaultLocalization(sourceLanguage) { tell(language) }
      var added: Set<String> = []
      for (target, catalog) in wanted {
        guard let place = catalog.path.parent.relative(to: target.folder) else { continue }
        let declared = manifest.targets.first { $0.name == target.name }
        // A rule for a folder holds for what is below it, too.
        let isCovered = declared?.resources.contains { rule in
          rule.rule == .process && catalog.path.isWithin(target.folder.appending(rule.path))
        }
        guard isCovered != true, added.insert("\(target.name)\n\(place)").inserted else { continue }
        if !splice.addResources(place.text, to: target.name) {
          tell("resources: [.process(\"\(place)\")] to the target \(target.name)")
        }
      }
      guard !splice.isEmpty else { continue }
      let changed = splice.applied()
      let after = ManifestReader.read(changed, at: path)
      // The rest of the manifest must say what it said before.
      guard after.targets.map(\.name) == manifest.targets.map(\.name), after.diagnostics == manifest.diagnostics else {
        tell(language)
        for (target, catalog) in wanted {
          tell("resources: [.process(\"\(catalog.path.parent.name)\")] to the target \(target.name)")
        }
        continue
      }
      edits.write(changed, to: path)
    }
    return (edits, diagnostics)
  }
}
