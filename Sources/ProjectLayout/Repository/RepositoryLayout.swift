package import Localization
import SwiftParsing

/// A reader of the layout of a tree: Swift packages from their manifests, Xcode projects from their project files, and all other targets from
/// folders.
///
/// Manifests are parsed and never run. A value that cannot be determined from the text is reported. If a target's sources depend on the value, they
/// are marked as not fully known. If a project file cannot be read, its targets are derived from folders (decision 8).
package struct RepositoryLayout: ProjectReader {
  private let memory: LayoutMemory?

  /// - Parameter remembers: whether the last descriptions are cached. A cached description is used for a tree that differs only in files without
  ///   influence on the layout, as after most commits.
  package init(remembers: Bool = false) { memory = remembers ? LayoutMemory() : nil }

  /// - Parameter other: another reader whose cached descriptions are used too but never removed.
  package init(rememberingBeside other: RepositoryLayout) { memory = LayoutMemory(beside: other.memory) }

  package func project(in tree: any SourceTree, excluding excluded: [String]) throws -> ProjectDescription {
    guard let memory, let versioned = tree as? any VersionedTree else {
      return try description(of: tree, excluding: excluded)
    }
    if let known = memory.description(of: versioned, excluding: excluded) { return known }
    let recording = RecordingTree(tree)
    let made = try description(of: recording, excluding: excluded)
    memory.keep(made, of: versioned.id, excluding: excluded, recording)
    return made
  }

  private func description(of tree: any SourceTree, excluding excluded: [String]) throws -> ProjectDescription {
    var diagnostics: [Diagnostic] = []
    let patterns = excluded.compactMap { text -> PathPattern? in
      if let pattern = PathPattern(text) { return pattern }
      diagnostics.append(
        Diagnostic(
          path: text, severity: .warning, message: "this pattern cannot match any path",
          hint: "write it relative to the root of the repository, without a leading `/` and without `..`"))
      return nil
    }
    // The root must be readable, because a tree that cannot be listed must not look like an empty project.
    _ = try tree.list(.root)
    var listing = TreeListing(tree, excluding: patterns)
    var faults: [Diagnostic] = []
    var read = try readFiles(listing, in: tree, &faults)
    let tools = ToolFolders(of: listing, in: read.manifests, read.projects)
    if listing.include(folders: tools.folders, files: tools.files, of: tree) {
      faults = []
      read = try readFiles(listing, in: tree, &faults)
    }
    diagnostics += listing.unreadable.map(\.diagnostic)
    diagnostics += listing.languageLinks.map {
      Diagnostic(
        path: $0.text, severity: .warning, message: "skipped this symbolic link, which is not followed",
        hint: "replace it with the file or folder that it points to")
    }
    diagnostics += faults
    let regions = Regions(
      packages: Set(read.manifests.keys), projects: Set(listing.projects.map { XcodeProject.folder(of: $0.path) }))

    let absent = AbsentFolders(listing, packages: Set(read.manifests.keys))
    let packages = PackageTargets(read.manifests, regions: regions, listing: listing, absent: absent)
    let projects = XcodeTargets(
      read.projects, workspaces: read.workspaces, listing: listing, regions: regions, packages: packages,
      absent: absent, tree: tree)
    let left = UnclaimedFiles(
      packages: packages, projects: projects, read: read.projects, broken: read.brokenProjects, regions: regions,
      listing: listing, tree: tree)
    let folders = FolderTargets(
      swift: left.swift, others: left.others,
      catalogs: left.catalogs + StringTables.standIns(listing.tables, besides: left.catalogs, regions),
      regions: regions, generated: left.generated,
      broken: read.brokenProjects, listing: listing, packages: packages)
    diagnostics += read.manifests.values.sorted { $0.path < $1.path }.flatMap(\.diagnostics)
    diagnostics += packages.diagnostics + projects.diagnostics + left.diagnostics + folders.diagnostics

    let fed = packages.catalogs.merging(projects.catalogs) { $0 + $1 }.merging(folders.catalogs) { $0 + $1 }
    let testFolders = Set(packages.testFolders + projects.testFolders).union(folders.testFolders)
    let languages = readLanguages(
      read, listing: listing, regions: regions, testFolders: testFolders, translated: projects.translated, &diagnostics)
    var catalogs = listing.catalogs.map { entry in
      let header = try? read.headers[entry.path]?.get()
      return ProjectCatalog(
        path: entry.path, table: entry.path.stem, sourceLanguage: header?.sourceLanguage ?? languages.sourceLanguage,
        targets: (fed[entry.path] ?? []).sorted())
    }
    var targets = packages.targets + projects.targets + folders.targets
    AbsentDependencies.mark(&targets, absent: packages.absent.merging(projects.absent) { first, _ in first })
    // Any target may have sources in the part of the tree that was not read.
    for error in listing.unreadable where error.kind == .tooLarge {
      for index in targets.indices { targets[index].unknownSources.append(error.diagnostic) }
    }
    if listing.catalogs.isEmpty {
      targets = StringTables.completed(targets, idle: packages.idle.union(projects.idle).union(folders.idle))
    }
    let classic = ClassicCatalogs(
      packages.localized + projects.localized + folders.claims(of: left.localized), targets: targets, listing: listing,
      sourceLanguage: languages.sourceLanguage)
    catalogs = (catalogs + classic.catalogs.values).sorted { $0.path < $1.path }
    var project = ProjectDescription(
      sourceLanguage: languages.sourceLanguage, languages: languages.languages,
      targets: targets.sorted { $0.id < $1.id }, catalogs: catalogs, unjudged: classic.unjudged.sorted(),
      diagnostics: diagnostics + languages.diagnostics + classic.diagnostics)
    project.strayTables = classic.strays
    project.unbuiltTables = packages.unbuilt
    project.diagnostics += packages.unbuilt
    project.diagnostics += project.misplacedCatalogs.map { path in
      Diagnostic(
        path: path.text, severity: .warning, message: "Xcode refuses to build a String Catalog in \(path.parent.name)",
        hint:
          "move it to \(path.folderOfLanguages == .root ? "the root" : path.folderOfLanguages.text), because it contains all languages"
      )
    }
    project.noteOutside(listing.outside.filter { !$0.isWithinAny(of: testFolders) })
    project.testFolders = testFolders
    project.unread = Set(read.brokenProjects.keys)
      .union(read.manifests.values.filter(\.isUnread).map(\.path))
    return project
  }

  // MARK: Manifests and catalog headers

  private enum Reading: Sendable {
    case manifest(TreePath, [UInt8])
    case catalog(TreePath)
    case project(TreePath)
    case workspace(TreePath)
  }

  private enum Read: Sendable {
    case manifest(PackageManifest)
    case header(TreePath, Result<CatalogHeader, TreeError>)
    case project(XcodeProject)
    case brokenProject(TreePath, [Diagnostic])
    case workspace(Workspace)
    case unreadable(TreeError)
  }

  /// The content of the files that determine targets and languages.
  private struct ReadFiles {
    var manifests: [TreePath: PackageManifest] = [:]
    var headers: [TreePath: Result<CatalogHeader, TreeError>] = [:]
    var projects: [XcodeProject] = []
    /// The project files that cannot be read, and the reasons.
    var brokenProjects: [TreePath: [Diagnostic]] = [:]
    var workspaces: [Workspace] = []
  }

  /// Reads manifests, projects, workspaces and the headers of catalogs. They are parsed on several threads, because they are independent of each
  /// other.
  private func readFiles(
    _ listing: TreeListing, in tree: any SourceTree, _ diagnostics: inout [Diagnostic]
  ) throws -> ReadFiles {
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
        unread.append(.unreadable(chosen.path, because: [error.diagnostic]))
        continue
      }
      for entry in entries where entry.path != chosen.path {
        diagnostics.append(
          Diagnostic(
            path: entry.path.text, severity: .note,
            message:
              "this manifest is ignored; \(chosen.path.name) in \(folder.isRoot ? "the root" : folder.text) is used"
          ))
      }
    }
    let work =
      listing.projects.map { Reading.project($0.path) } + listing.catalogs.map { .catalog($0.path) }
      + found.map { .manifest($0.path, $0.bytes) } + listing.workspaces.map { .workspace($0.path) }
    let read = try ParsingThreads.map(work, threads: Self.threads) { item -> Read in
      switch item {
      case .manifest(let path, let bytes): return .manifest(ManifestReader.read(bytes, at: path))
      case .catalog(let path):
        return .header(
          path, Result { () throws(TreeError) -> CatalogHeader in CatalogHeader(try tree.read(path)) })
      case .project(let path):
        do { return .project(try XcodeProject(try tree.read(path), at: path)) } catch let fault as ProjectFault {
          return .brokenProject(path, fault.diagnostics)
        } catch let error as TreeError {
          return .brokenProject(path, [error.diagnostic])
        }
      case .workspace(let path):
        do throws(TreeError) { return .workspace(Workspace(try tree.read(path), at: path)) } catch {
          return .unreadable(error)
        }
      }
    }
    var files = ReadFiles()
    for result in read {
      switch result {
      case .manifest(let manifest):
        if files.manifests[manifest.folder] == nil { files.manifests[manifest.folder] = manifest }
      case .header(let path, let header): files.headers[path] = header
      case .project(let project): files.projects.append(project)
      case .brokenProject(let path, let faults):
        files.brokenProjects[path] = faults
        diagnostics += faults
      case .workspace(let workspace):
        files.workspaces.append(workspace)
        diagnostics += workspace.diagnostics
      case .unreadable(let error): diagnostics.append(error.diagnostic)
      }
    }
    for manifest in unread where files.manifests[manifest.folder] == nil { files.manifests[manifest.folder] = manifest }
    return files
  }

  /// The number of threads. One catalog is often most of the work, so further threads would only wait for it.
  private static let threads = 2

  // MARK: Languages

  /// Collects the languages of the catalogs, the language folders and the Xcode projects, and the source languages that these and packages state.
  /// - Parameter translated: the Xcode projects with string tables.
  private func readLanguages(
    _ read: ReadFiles, listing: TreeListing, regions: Regions, testFolders: Set<TreePath>, translated: Set<TreePath>,
    _ diagnostics: inout [Diagnostic]
  ) -> ProjectLanguages {
    var found: Set<LocaleIdentifier> = []
    var ofCatalogs: [ProjectLanguages.Claim] = []
    var packagesWithCatalogs: Set<TreePath> = []
    for catalog in listing.catalogs where !catalog.path.isWithinAny(of: testFolders) {
      if let package = regions.package(of: catalog.path.parent) { packagesWithCatalogs.insert(package) }
      switch read.headers[catalog.path] {
      case .success(let header):
        if let language = header.sourceLanguage { ofCatalogs.append((catalog.path, language)) }
        found.formUnion(header.languages)
        if !header.isComplete {
          diagnostics.append(
            Diagnostic(
              path: catalog.path.text, severity: .warning,
              message: "this catalog is not valid JSON; languages that only it has may be missing"))
        }
      case .failure(let error): diagnostics.append(error.diagnostic)
      case nil: break
      }
    }
    let folders = LanguageFolders(listing.languageFolders.keys)
    let links = listing.languageLinks.filter { $0.ending == "lproj" }
    for folder in Array(listing.languageFolders.keys) + links
    where !folder.isWithinAny(of: testFolders) {
      if let language = folders.language(of: folder) { found.insert(language) }
    }
    var ofProjects: [ProjectLanguages.Claim] = []
    for project in read.projects {
      // A project without string tables inside a package is an example or a test host. Its regions are not the package's languages.
      guard regions.package(of: project.folder) == nil || translated.contains(project.path),
        !project.folder.isWithinAny(of: testFolders)
      else { continue }
      found.formUnion(project.knownRegions)
      if let region = project.developmentRegion { ofProjects.append((project.path, region)) }
    }
    let declared = read.manifests.values.sorted { $0.path < $1.path }
      .compactMap { manifest in manifest.defaultLocalization.map { (manifest, $0) } }
    return ProjectLanguages(
      packages: declared.filter { packagesWithCatalogs.contains($0.0.folder) }.map { ($0.0.path, $0.1) },
      catalogs: ofCatalogs, projects: ofProjects,
      otherPackages: declared.filter { !packagesWithCatalogs.contains($0.0.folder) }.map { ($0.0.path, $0.1) },
      found: found)
  }
}
