package import Localization

/// The changes to project files that are needed when catalogs replace tables.
package struct ExchangedTables: Sendable {
  package var edits = TreeEdits()
  /// The catalogs that cannot be added to a project file. Their tables must be kept.
  package var refused: Set<TreePath> = []
  package var diagnostics: [Diagnostic] = []
}

extension RepositoryLayout {
  /// Replaces tables with String Catalogs in Xcode's project files, as Xcode's migration does. A synchronized folder needs no change. A manifest that
  /// references removed files and a generated project are reported and not changed.
  package func exchanging(
    _ tables: [ConvertedTable], of project: ProjectDescription, in tree: any SourceTree
  ) -> ExchangedTables {
    var left = tables
    var refused: Set<TreePath> = []
    var faults: [Diagnostic] = []
    while true {
      // A table that one project file refuses is kept in all project files.
      var attempt = Self.exchange(left, of: project, in: tree)
      guard !attempt.refused.isEmpty else {
        attempt.refused = refused
        attempt.diagnostics = (attempt.diagnostics + faults).sorted {
          ($0.path, $0.line ?? 0) < ($1.path, $1.line ?? 0)
        }
        return attempt
      }
      refused.formUnion(attempt.refused)
      faults += attempt.diagnostics
      left.removeAll { attempt.refused.contains($0.catalog) }
    }
  }

  /// - Returns: the changes; if tables are refused, these tables and only the diagnostics of the refusals.
  private static func exchange(
    _ tables: [ConvertedTable], of project: ProjectDescription, in tree: any SourceTree
  ) -> ExchangedTables {
    var result = ExchangedTables()
    var faults: [Diagnostic] = []
    let removed = tables.reduce(into: Set<TreePath>()) { $0.formUnion($1.removed) }
    let exists = { (path: TreePath) in
      guard !removed.contains(path), let entry = try? tree.entry(at: path) else { return false }
      return entry.isFile
    }
    let files = Set(project.targets.compactMap { if case .xcode(let path) = $0.kind { path } else { nil } })
    let unread = project.unread.filter { $0.ending == "pbxproj" }
    for path in files.union(unread).sorted() {
      do {
        let project = try XcodeProject(try tree.read(path), at: path)
        var splice = ProjectSplice(project)
        for table in tables { splice.exchange(table, exists: exists) }
        result.diagnostics += exceptions(of: project, naming: removed)
        guard !splice.isEmpty || !splice.refused.isEmpty else { continue }
        if let generator = generator(of: project, in: tree) {
          result.diagnostics.append(
            Diagnostic(
              path: path.text, severity: .warning,
              message:
                "the project is generated from \(generator), so it was not changed and still references the "
                + "removed tables", hint: "generate the project again"))
          continue
        }
        faults += splice.diagnostics
        result.refused.formUnion(splice.refused)
        guard splice.refused.isEmpty else { continue }
        splice.removeEmptySections()
        if let bytes = splice.applied(), isKept(project, exchanging: tables, in: bytes) {
          result.edits.write(bytes, to: path)
        } else {
          let some = tables.filter { !isPossible($0, in: project, exists: exists) }
          for table in some.isEmpty ? tables : some {
            result.refused.insert(table.catalog)
            faults.append(
              Diagnostic(
                path: path.text, severity: .error,
                message:
                  "table \(table.catalog.stem) was not converted: reading back the project file with \(table.catalog) "
                  + "gave different content",
                hint: "remove missing files from the project, then convert the table again"))
          }
        }
      } catch {
        // An unreadable project file may reference any file of the tree.
        faults += XcodeProject.diagnostics(of: error, reading: path)
        faults += tables.filter { result.refused.insert($0.catalog).inserted }.map { table in
          Diagnostic(
            path: path.text, severity: .error,
            message: "table \(table.catalog.stem) was not converted: the project file cannot be read, so it cannot "
              + "take \(table.catalog)", hint: "repair the project file, then convert the table again")
        }
      }
    }
    guard result.refused.isEmpty else {
      result.diagnostics = faults
      return result
    }
    for kind in Set(project.targets.map(\.kind)) {
      if case .package(let manifest) = kind {
        result.diagnostics += resources(of: manifest, namingFilesOf: tables, in: tree)
      }
    }
    return result
  }

  /// Returns whether a project file can be read back correctly after only this table is exchanged.
  private static func isPossible(
    _ table: ConvertedTable, in project: XcodeProject, exists: (TreePath) -> Bool
  ) -> Bool {
    var splice = ProjectSplice(project)
    splice.exchange(table, exists: exists)
    guard !splice.isEmpty else { return true }
    splice.removeEmptySections()
    return splice.applied().map { isKept(project, exchanging: [table], in: $0) } ?? false
  }

  /// Returns whether a project file keeps the rest of its content when catalogs replace tables. The project must reference the same other files, the
  /// targets must include them as before, and each catalog must replace its table.
  private static func isKept(_ project: XcodeProject, exchanging tables: [ConvertedTable], in bytes: [UInt8]) -> Bool {
    guard let after = try? XcodeProject(bytes, at: project.path) else { return false }
    let removed = tables.reduce(into: Set<TreePath>()) { $0.formUnion($1.removed) }
    let catalogs = Set(tables.map(\.catalog))
    let exchanged = Set(tables.flatMap { table in table.removed.map { $0.withoutLanguage.text + "." + $0.ending } })
    // Missing files of a variant group are removed together with the group.
    func isExchanged(_ path: TreePath) -> Bool {
      removed.contains(path) || catalogs.contains(path)
        || path.isInLanguageFolder && exchanged.contains(path.withoutLanguage.text + "." + path.ending)
    }
    func files(_ project: XcodeProject) -> Set<TreePath> { Set(project.paths.files.compactMap { project.paths[$0] }) }
    func others(_ files: Set<TreePath>) -> Set<TreePath> { files.filter { !isExchanged($0) } }
    func holdsCatalogs(_ after: Set<TreePath>, _ before: Set<TreePath>) -> Bool {
      tables.allSatisfy { before.isDisjoint(with: $0.removed) || after.contains($0.catalog) }
    }
    func taken(_ target: XcodeTarget) -> [Set<TreePath>] {
      [target.compiled, target.resources].map { Set($0.map(\.path)) }
    }
    return after.isLikewise(project) && after.knownRegions == project.knownRegions
      && others(files(after)) == others(files(project))
      && holdsCatalogs(files(after), files(project)) && files(after).isDisjoint(with: removed)
      && zip(after.targets, project.targets).allSatisfy { after, before in
        after.name == before.name
          && zip(taken(after), taken(before)).allSatisfy { others($0) == others($1) && holdsCatalogs($0, $1) }
      }
  }

  /// Returns those files that are resources of any target in the Xcode projects of these targets, or that are in a synchronized folder of such a
  /// project and not in its exceptions. Returns all files if none of the targets is in an Xcode project.
  package func taken(_ paths: [TreePath], by targets: [ProjectTarget], in tree: any SourceTree) -> Set<TreePath> {
    let projects = Set(targets.compactMap { if case .xcode(let path) = $0.kind { path } else { nil } })
    guard !projects.isEmpty else { return Set(paths) }
    var taken: Set<TreePath> = []
    for path in projects {
      guard let bytes = try? tree.read(path), let project = try? XcodeProject(bytes, at: path) else { continue }
      let listed = Set(project.targets.flatMap { $0.resources.map(\.path) })
      let folders = project.paths.synchronizedGroups.compactMap { SynchronizedFolder($0, of: project) }
      taken.formUnion(
        paths.filter { path in
          listed.contains(path) || folders.contains { $0.holdsUnexcepted(path) }
        })
    }
    return taken
  }

  /// Returns the file next to a project from which the project is generated; `nil` if there is none.
  static func generator(of project: XcodeProject, in tree: any SourceTree) -> TreePath? {
    ["project.yml", "project.yaml", "Project.swift"].map { project.folder.appending($0) }.first { path in
      guard let entry = try? tree.entry(at: path), entry.isFile else { return false }
      return UnclaimedFiles.generator(entry, in: tree) != nil
    }
  }

  /// Returns a warning for each synchronized folder with exceptions that contain a removed file.
  private static func exceptions(of project: XcodeProject, naming removed: Set<TreePath>) -> [Diagnostic] {
    var found: [Diagnostic] = []
    for group in project.paths.synchronizedGroups {
      guard let folder = SynchronizedFolder(group, of: project) else { continue }
      let named = removed.sorted().first { $0.relative(to: folder.path) != nil && !folder.holdsUnexcepted($0) }
      guard let named else { continue }
      found.append(
        project.objects.note(
          "the exceptions of the folder \(folder.path) name \(named), which no longer exists", at: group,
          severity: .warning,
          hint: "check the target membership of \(named.stem).xcstrings in Xcode"))
    }
    return found
  }

  /// Returns a warning for each resource of a manifest that references a removed file or its folder.
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
        message: "a resource of the package refers to \"\(name)\", but \(hit.file) no longer exists there",
        hint: "name \(hit.catalog) instead: .process(…)")
    }
  }
}
