internal import Localization

/// The properties of a project that are needed to read its strings.
struct CrowdinProject: Sendable {
  /// The language of the source texts.
  var language: LocaleIdentifier
  /// Crowdin's codes of the target languages.
  var targets: [String]
  /// The ID of the branch that the pipeline uses; `nil` if the pipeline uses no branch.
  var branch: Int?
  /// The ID of the branch that contains the strings of a string-based project; `nil` for a file-based project.
  var stringBranch: Int?
}

/// One file or branch of the project, and those of our strings that belong to it.
struct CrowdinPart: Sendable {
  var scope: CrowdinScope
  /// The IDs of the strings, by their identifiers at Crowdin.
  var names: [String: PlatformID]
}

extension CrowdinPlatform {
  /// Reads the project's type and languages, and finds the branch.
  func open() async throws -> CrowdinProject {
    let details = try await client.details()
    let isStrings = details.type == 1
    let source = details.sourceLanguageId
    var project = CrowdinProject(
      language: locales.language(of: source) ?? LocaleIdentifier(source), targets: details.targetLanguageIds)
    guard client.branch != nil || isStrings else { return project }
    let all = try await client.branches()
    if let name = client.branch {
      project.branch = all.first { $0.name == name }?.id
    } else if all.count == 1 {
      project.branch = all[0].id
    }
    guard let branch = project.branch else {
      let names = all.map(\.name).sorted().prefix(20).joined(separator: ", ")
      let detail =
        client.branch.map { "there is no branch \($0). " }
        ?? (all.isEmpty
          ? "a string-based project needs a branch, but this project has none. "
          : "this project has several branches. Choose the branch of the strings with `branch`. ")
      throw VendorError(
        kind: .configuration, at: "crowdin: project \(client.project)",
        detail: detail + (all.isEmpty ? "Add one at Crowdin." : "The project has \(names)."))
    }
    if isStrings { project.stringBranch = branch }
    return project
  }

  /// Returns the files or the branch to which the given strings belong. Catalogs that have no file in the project are left out.
  func parts(_ ids: Set<PlatformID>, _ project: CrowdinProject) async throws -> [CrowdinPart] {
    if let branch = project.stringBranch {
      return [CrowdinPart(scope: .branch(branch), names: Dictionary(ids.map { ($0.text(), $0) }) { a, _ in a })]
    }
    let catalogs = Dictionary(grouping: ids, by: \.catalog)
    return try await files(Set(catalogs.keys), project).sorted { $0.key < $1.key }.map { catalog, file in
      CrowdinPart(
        scope: .file(file), names: Dictionary((catalogs[catalog] ?? []).map { ($0.name, $0) }) { a, _ in a })
    }
  }

  func stored(_ ids: Set<PlatformID>, _ project: CrowdinProject) async throws -> [PlatformID: CrowdinMessages
    .SourceString]
  {
    var found: [PlatformID: CrowdinMessages.SourceString] = [:]
    for part in try await parts(ids, project) {
      try Task.checkCancellation()
      found.merge(try await stored(part)) { first, _ in first }
    }
    return found
  }

  func stored(_ part: CrowdinPart) async throws -> [PlatformID: CrowdinMessages.SourceString] {
    var found: [PlatformID: CrowdinMessages.SourceString] = [:]
    var strings = try await client.strings(part.scope)
    if let times { strings = try times.dated(strings, in: part.scope) }
    for string in strings {
      if let id = string.identifier.flatMap({ part.names[$0] }) { found[id] = string }
    }
    return found
  }

  /// Returns the IDs of the catalogs' files. Catalogs that have no file in the project are left out.
  private func files(_ catalogs: Set<TreePath>, _ project: CrowdinProject) async throws -> [TreePath: Int] {
    let folders = try await folders(project)
    let files = try await client.files(project.branch)
    var paths: [String: Int] = [:]
    for file in files {
      let folder = file.directoryId.flatMap { $0 == 0 ? nil : folders[$0] }
      paths[(folder.map { "\($0)/" } ?? "") + file.name] = file.id
    }
    return Dictionary(catalogs.compactMap { catalog in paths[CrowdinFile.path(of: catalog)].map { (catalog, $0) } }) {
      a, _ in a
    }
  }

  /// Returns the paths of the project's folders by the folders' IDs.
  private func folders(_ project: CrowdinProject) async throws -> [Int: String] {
    let all = try await client.directories(project.branch)
    let byID = Dictionary(all.map { ($0.id, $0) }) { a, _ in a }
    var paths: [Int: String] = [:]
    for directory in all {
      var (names, next) = ([directory.name], directory.directoryId)
      // The depth cannot exceed the number of folders. The check ends the loop if the server's data contain a cycle.
      while let id = next, id != 0, let parent = byID[id], names.count <= all.count {
        names.append(parent.name)
        next = parent.directoryId
      }
      paths[directory.id] = names.reversed().joined(separator: "/")
    }
    return paths
  }

  /// Adds or changes these strings in the files of their catalogs, and uploads the changed files. Then updates comments, length limits and
  /// visibility. Within this process, only one task at a time changes a file.
  /// - Throws: `StringsRefused` for strings that Crowdin skipped when it read their files. The other files are uploaded nevertheless.
  func putFiles(_ strings: [PlatformString], _ project: CrowdinProject) async throws {
    var refused: [PlatformID: String] = [:]
    for (catalog, strings) in Dictionary(grouping: strings, by: \.catalog).sorted(by: { $0.key < $1.key }) {
      try await edit(catalog, project) { file in
        for string in strings {
          file.strings[string.name] = (string.source.limited(to: project.language), string.comment)
        }
      }
      do { try await describe(strings, project) } catch let error as StringsRefused {
        refused.merge(error.reasons) { $1 }
      }
    }
    if !refused.isEmpty { throw StringsRefused(reasons: refused) }
  }

  func deleteFromFiles(_ ids: Set<PlatformID>, _ project: CrowdinProject) async throws {
    for (catalog, ids) in Dictionary(grouping: ids, by: \.catalog).sorted(by: { $0.key < $1.key }) {
      try await edit(catalog, project) { file in
        for id in ids { file.strings[id.name] = nil }
      }
    }
  }

  /// Builds a catalog's file from Crowdin's strings, changes the file, and uploads the file if the change affects a text. A file without strings is
  /// deleted.
  private func edit(
    _ catalog: TreePath, _ project: CrowdinProject, _ change: @escaping @Sendable (inout CrowdinFile) -> Void
  ) async throws {
    try await KeyedTurns.shared.run("\(place) \(catalog)") {
      let id = try await files([catalog], project)[catalog]
      var file = CrowdinFile()
      if let id {
        for string in try await client.strings(.file(id)) {
          if let name = string.identifier { file.strings[name] = (string.content, string.context) }
        }
      }
      let old = file
      change(&file)
      guard file.strings.mapValues(\.text) != old.strings.mapValues(\.text) else { return }
      guard !file.strings.isEmpty else {
        // Crowdin refuses a file without strings.
        if let id { try await client.deleteFile(id) }
        return
      }
      let storage = try await client.store(
        try file.bytes(project.language), name: TreePath(trusted: CrowdinFile.path(of: catalog)).name)
      if let id {
        try await client.replaceFile(id, storage)
      } else {
        try await addFile(catalog, storage, project)
      }
    }
  }

  private func addFile(_ catalog: TreePath, _ storage: Int, _ project: CrowdinProject) async throws {
    let paths = Dictionary(try await folders(project).map { ($0.value, $0.key) }) { a, _ in a }
    var names = CrowdinFile.path(of: catalog).split(separator: "/").map(String.init)
    let name = names.removeLast()
    var (folder, path) = (Int?.none, "")
    for part in names {
      path += (path.isEmpty ? "" : "/") + part
      if let there = paths[path] {
        folder = there
      } else {
        // Only the request for a top-level folder contains a branch.
        folder = try await client.addDirectory(
          .init(name: part, branchId: folder == nil ? project.branch : nil, directoryId: folder))
      }
    }
    try await client.addFile(
      .init(storageId: storage, name: name, branchId: folder == nil ? project.branch : nil, directoryId: folder))
  }
}
