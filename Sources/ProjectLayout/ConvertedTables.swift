package import Localization

/// Files of a table that gave way to a String Catalog.
package struct ConvertedTable: Hashable, Sendable {
  package var catalog: TreePath
  package var removed: Set<TreePath>
  /// The storyboard or xib that the files translated; `nil` for a table of code.
  package var interface: TreePath?

  package init(catalog: TreePath, removed: Set<TreePath>, interface: TreePath? = nil) {
    self.catalog = catalog
    self.removed = removed
    self.interface = interface
  }
}

extension RepositoryLayout {
  /// Puts String Catalogs in the place of tables in the project files of Xcode, as its migration does. A folder that a project takes whole
  /// needs nothing; a manifest that names what went, and a project that is generated, are told and left alone.
  package func exchanging(
    _ tables: [ConvertedTable], of project: ProjectDescription, in tree: any SourceTree
  ) -> (edits: TreeEdits, diagnostics: [Diagnostic]) {
    var edits = TreeEdits()
    var diagnostics: [Diagnostic] = []
    for kind in Set(project.targets.map(\.kind)) {
      if case .package(let manifest) = kind {
        diagnostics += Self.resources(of: manifest, namingFilesOf: tables, in: tree)
      }
    }
    let removed = tables.reduce(into: Set<TreePath>()) { $0.formUnion($1.removed) }
    let exists = { (path: TreePath) in
      guard !removed.contains(path), let entry = try? tree.entry(at: path) else { return false }
      return entry.isFile
    }
    let files = Set(project.targets.compactMap { if case .xcode(let path) = $0.kind { path } else { nil } })
    for path in files.sorted() {
      do {
        let project = try XcodeProject(try tree.read(path), at: path)
        var splice = ProjectSplice(project)
        for table in tables { splice.exchange(table, exists: exists) }
        diagnostics += splice.diagnostics + Self.exceptions(of: project, naming: removed)
        guard !splice.isEmpty else { continue }
        if let generator = Self.generator(of: project, in: tree) {
          diagnostics.append(
            Diagnostic(
              path: path.text, severity: .warning,
              message:
                "convert: the project is generated from \(generator), so it is not changed and still names tables "
                + "that are gone", hint: "generate it again"))
          continue
        }
        splice.removeEmptySections()
        if let bytes = splice.applied(), Self.isKept(project, exchanging: tables, in: bytes) {
          edits.write(bytes, to: path)
        } else {
          diagnostics.append(
            Diagnostic(
              path: path.text, severity: .error,
              message: "put the catalogs into the project: the file as it would be written does not read back as it "
                + "should, so it was left as it is", hint: "take the tables out in Xcode, and add the catalogs"))
        }
      } catch let fault as ProjectFault {
        diagnostics += fault.diagnostics
      } catch let error as TreeError {
        diagnostics.append(error.diagnostic)
      } catch {
        diagnostics.append(
          Diagnostic(path: path.text, severity: .error, message: "read the Xcode project: \(error)"))
      }
    }
    return (edits, diagnostics.sorted { ($0.path, $0.line ?? 0) < ($1.path, $1.line ?? 0) })
  }

  /// Whether a project file with catalogs in the place of tables says all else that it said: the same files but for these, in targets
  /// that take the same but for these.
  private static func isKept(_ project: XcodeProject, exchanging tables: [ConvertedTable], in bytes: [UInt8]) -> Bool {
    guard let after = try? XcodeProject(bytes, at: project.path) else { return false }
    let removed = tables.reduce(into: Set<TreePath>()) { $0.formUnion($1.removed) }
    let catalogs = Set(tables.map(\.catalog))
    let exchanged = Set(tables.flatMap { table in table.removed.map { $0.withoutLanguage.text + "." + $0.ending } })
    // Files of a variant group that are not there go with it.
    func isExchanged(_ path: TreePath) -> Bool {
      removed.contains(path) || catalogs.contains(path)
        || path.isInLanguageFolder && exchanged.contains(path.withoutLanguage.text + "." + path.ending)
    }
    func files(_ project: XcodeProject) -> Set<TreePath> {
      Set(project.paths.files.compactMap { project.paths[$0] }.filter { !isExchanged($0) })
    }
    func taken(_ target: XcodeTarget) -> [Set<TreePath>] {
      [target.compiled, target.resources].map { Set($0.map(\.path).filter { !isExchanged($0) }) }
    }
    return after.targets.count == project.targets.count && after.knownRegions == project.knownRegions
      && after.developmentRegion == project.developmentRegion && after.localPackages == project.localPackages
      && after.subprojects == project.subprojects && files(after) == files(project)
      && zip(after.targets, project.targets).allSatisfy { $0.name == $1.name && taken($0) == taken($1) }
      && Set(after.paths.files.compactMap { after.paths[$0] }).isDisjoint(with: removed)
  }

  /// What stands beside the project and makes it.
  private static func generator(of project: XcodeProject, in tree: any SourceTree) -> TreePath? {
    ["project.yml", "project.yaml", "Project.swift"].map { project.folder.appending($0) }.first { path in
      guard let entry = try? tree.entry(at: path), entry.isFile else { return false }
      return UnclaimedFiles.makesProject(entry, in: tree)
    }
  }

  /// The exceptions of folders that a project takes whole, where they name a file that went.
  private static func exceptions(of project: XcodeProject, naming removed: Set<TreePath>) -> [Diagnostic] {
    var found: [Diagnostic] = []
    for group in project.paths.synchronizedGroups {
      guard let folder = SynchronizedFolder(group, of: project) else { continue }
      let named = removed.sorted().first { path in
        guard let relative = path.relative(to: folder.path) else { return false }
        return folder.exceptions.values.contains { exceptions in
          exceptions.membership.contains(relative) || exceptions.phases.contains { $0.files.contains(relative) }
        }
      }
      guard let named else { continue }
      found.append(
        project.objects.note(
          "the exceptions of the folder \(folder.path) name \(named), which is gone", at: group, severity: .warning,
          hint: "see to the target membership of \(named.stem).xcstrings in Xcode"))
    }
    return found
  }

  /// The resources of a manifest that name files which went, or their folders.
  private static func resources(
    of manifest: TreePath, namingFilesOf tables: [ConvertedTable], in tree: any SourceTree
  ) -> [Diagnostic] {
    guard let bytes = try? tree.read(manifest) else { return [] }
    let names = Set(
      ManifestReader.read(bytes, at: manifest).targets.flatMap { target in target.resources.map(\.path) })
    let removed = tables.flatMap { table in table.removed.map { (file: $0, catalog: table.catalog) } }
      .filter { $0.file.isWithin(manifest.parent) }.sorted { $0.file < $1.file }
    return names.sorted().compactMap { name in
      guard let path = TreePath(checking: name),
        path.ending == "lproj" || ["strings", "stringsdict"].contains(path.ending)
      else { return nil }
      let hit = removed.first { file, _ in
        file.text.hasSuffix("/" + path.text) || file.parent.text.hasSuffix("/" + path.text)
      }
      guard let hit else { return nil }
      return Diagnostic(
        path: manifest.text, severity: .warning,
        message: "convert: a resource of the package names \"\(name)\", and \(hit.file) is gone from there",
        hint: "name \(hit.catalog) instead: .process(…)")
    }
  }
}
