package import Localization
import SwiftParsing

/// What a tree is: its Swift packages by their manifests, everything else by folders.
///
/// Manifests are parsed and never run; what they do not say in so many words is a diagnostic and marks the target's sources as not all
/// known. Xcode projects are not read yet, but for the languages that they name.
package struct RepositoryLayout: ProjectReader {
  package init() {}

  package func project(in tree: any SourceTree, excluding excluded: [String]) throws -> ProjectDescription {
    var diagnostics: [Diagnostic] = []
    let patterns = excluded.compactMap { text -> PathPattern? in
      if let pattern = PathPattern(text) { return pattern }
      diagnostics.append(
        Diagnostic(
          path: text, severity: .warning, message: "leave out paths: this pattern can match nothing",
          hint: "write it from the root of the repository, without a leading `/` and without `..`"))
      return nil
    }
    // The root must be there: a tree of which nothing can be listed is no empty project.
    _ = try tree.list(.root)
    let listing = TreeListing(tree, excluding: patterns)
    diagnostics += listing.unreadable.map(\.diagnostic)
    let (manifests, headers) = try readFiles(listing, in: tree, &diagnostics)
    let regions = Regions(
      packages: Set(manifests.keys), projects: Set(listing.projects.map { $0.path.parent.parent }))

    let packages = PackageTargets(manifests, regions: regions, listing: listing)
    let folders = FolderTargets(
      swift: packages.leftSwift, others: packages.leftOthers, catalogs: packages.leftCatalogs, regions: regions,
      listing: listing, packages: packages)
    diagnostics += manifests.values.sorted { $0.path < $1.path }.flatMap(\.diagnostics)
    diagnostics += packages.diagnostics + folders.diagnostics

    let fed = packages.catalogs.merging(folders.catalogs) { $0 + $1 }
    let catalogs = listing.catalogs.map {
      ProjectCatalog(path: $0.path, table: $0.path.stem, targets: (fed[$0.path] ?? []).sorted())
    }
    let testFolders = packages.testFolders + folders.testFolders
    let languages = readLanguages(
      of: catalogs, headers: headers, manifests: manifests, listing: listing, regions: regions,
      testFolders: testFolders, tree: tree, &diagnostics)
    return ProjectDescription(
      sourceLanguage: languages.sourceLanguage, languages: languages.languages,
      targets: (packages.targets + folders.targets).sorted { $0.id < $1.id }, catalogs: catalogs,
      diagnostics: diagnostics + languages.diagnostics)
  }

  // MARK: Manifests and the heads of catalogs

  private enum Reading: Sendable {
    case manifest(TreePath, [UInt8])
    case catalog(TreePath)
  }

  private enum Read: Sendable {
    case manifest(PackageManifest)
    case header(TreePath, Result<CatalogHeader, TreeError>)
  }

  /// Manifests and catalogs, on threads of their own: both take time, and neither waits for the other.
  private func readFiles(
    _ listing: TreeListing, in tree: any SourceTree, _ diagnostics: inout [Diagnostic]
  ) throws -> (manifests: [TreePath: PackageManifest], headers: [TreePath: Result<CatalogHeader, TreeError>]) {
    var found: [(path: TreePath, bytes: [UInt8])] = []
    var unread: [PackageManifest] = []
    for (folder, entries) in Dictionary(grouping: listing.manifests, by: \.path.parent).sorted(by: { $0.key < $1.key })
    {
      let plain = entries.first { $0.path.name == "Package.swift" }
      guard let chosen = plain ?? entries.last else { continue }
      do {
        let bytes = try tree.read(chosen.path)
        guard ManifestReader.isManifest(bytes) else { continue }
        found.append((chosen.path, bytes))
      } catch {
        diagnostics.append(error.diagnostic)
        unread.append(
          PackageManifest(path: chosen.path, openTargets: [error.diagnostic], mayUseOtherPackages: true))
        continue
      }
      for entry in entries where entry.path != chosen.path {
        diagnostics.append(
          Diagnostic(
            path: entry.path.text, severity: .note,
            message:
              "read the manifest: \(chosen.path.name) in \(folder.isRoot ? "the root" : folder.text) is read, not this one"
          ))
      }
    }
    let work = listing.catalogs.map { Reading.catalog($0.path) } + found.map { Reading.manifest($0.path, $0.bytes) }
    let read = try ParsingThreads.map(work, threads: Self.threads) { item -> Read in
      switch item {
      case .manifest(let path, let bytes): return .manifest(ManifestReader.read(bytes, at: path))
      case .catalog(let path):
        return .header(
          path, Result { () throws(TreeError) -> CatalogHeader in CatalogHeader(try tree.read(path)) })
      }
    }
    var manifests: [TreePath: PackageManifest] = [:]
    var headers: [TreePath: Result<CatalogHeader, TreeError>] = [:]
    for result in read {
      switch result {
      case .manifest(let manifest): if manifests[manifest.folder] == nil { manifests[manifest.folder] = manifest }
      case .header(let path, let header): headers[path] = header
      }
    }
    for manifest in unread where manifests[manifest.folder] == nil { manifests[manifest.folder] = manifest }
    return (manifests, headers)
  }

  /// One catalog is often most of the work; more threads would wait for it.
  private static let threads = 2

  // MARK: Languages

  private func readLanguages(
    of catalogs: [ProjectCatalog], headers: [TreePath: Result<CatalogHeader, TreeError>],
    manifests: [TreePath: PackageManifest], listing: TreeListing, regions: Regions, testFolders: [TreePath],
    tree: any SourceTree, _ diagnostics: inout [Diagnostic]
  ) -> ProjectLanguages {
    var found: Set<LocaleIdentifier> = []
    var ofCatalogs: [ProjectLanguages.Claim] = []
    var packagesWithCatalogs: Set<TreePath> = []
    for catalog in catalogs where !testFolders.contains(where: { catalog.path.isWithin($0) }) {
      if let package = regions.package(of: catalog.path.parent) { packagesWithCatalogs.insert(package) }
      switch headers[catalog.path] {
      case .success(let header):
        if let language = header.sourceLanguage { ofCatalogs.append((catalog.path, language)) }
        found.formUnion(header.languages)
        if !header.isComplete {
          diagnostics.append(
            Diagnostic(
              path: catalog.path.text, severity: .warning,
              message: "find the languages: this catalog is not whole JSON; languages that only it has may be missing"))
        }
      case .failure(let error): diagnostics.append(error.diagnostic)
      case nil: break
      }
    }
    for folder in listing.languageFolders.keys where !testFolders.contains(where: { folder.isWithin($0) }) {
      if let language = LocaleIdentifier(regionName: folder.stem) { found.insert(language) }
    }
    var ofProjects: [ProjectLanguages.Claim] = []
    for project in listing.projects {
      let folder = project.path.parent.parent
      // A project within a package is an example or a test host; its regions are not the package's languages.
      guard regions.package(of: folder) == nil, !testFolders.contains(where: { folder.isWithin($0) }) else { continue }
      do {
        let declared = ProjectFileRegions(try tree.read(project.path))
        found.formUnion(declared.knownRegions)
        if let region = declared.developmentRegion { ofProjects.append((project.path, region)) }
      } catch {
        diagnostics.append(error.diagnostic)
      }
    }
    let declared = manifests.values.sorted { $0.path < $1.path }
      .compactMap { manifest in manifest.defaultLocalization.map { (manifest, $0) } }
    return ProjectLanguages(
      packages: declared.filter { packagesWithCatalogs.contains($0.0.folder) }.map { ($0.0.path, $0.1) },
      catalogs: ofCatalogs, projects: ofProjects,
      otherPackages: declared.filter { !packagesWithCatalogs.contains($0.0.folder) }.map { ($0.0.path, $0.1) },
      found: found)
  }
}
