internal import Localization

/// The facts about a project that must be known before its strings are read.
struct CrowdinProject: Sendable {
  /// Of the source texts.
  var language: LocaleIdentifier
  /// Its target languages, as Crowdin writes them.
  var targets: [String]
  /// The branch of the project, where there is one.
  var branch: Int?
  /// The branch that has the strings of a project without files.
  var stringBranch: Int?
}

/// Our strings in one place.
struct CrowdinPart: Sendable {
  var scope: CrowdinScope
  /// By identifier.
  var names: [String: PlatformID]
}

extension CrowdinPlatform {
  /// Reads the project's kind, and finds the branch.
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
          ? "a project of strings needs a branch, and this one has none. "
          : "a project of strings has its strings in branches; say which with branch: NAME. ")
      throw VendorError(
        kind: .configuration, at: "crowdin: project \(client.project)",
        detail: detail + (all.isEmpty ? "Add one at Crowdin." : "The project has \(names)."))
    }
    if isStrings { project.stringBranch = branch }
    return project
  }

  /// The places of these strings; catalogs whose file the project does not have are left out.
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

  /// The files of those catalogs that the project has.
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

  /// The paths of the project's folders by their number.
  private func folders(_ project: CrowdinProject) async throws -> [Int: String] {
    let all = try await client.directories(project.branch)
    let byID = Dictionary(all.map { ($0.id, $0) }) { a, _ in a }
    var paths: [Int: String] = [:]
    for directory in all {
      var (names, next) = ([directory.name], directory.directoryId)
      // The depth cannot exceed the number of folders.
      while let id = next, id != 0, let parent = byID[id], names.count <= all.count {
        names.append(parent.name)
        next = parent.directoryId
      }
      paths[directory.id] = names.reversed().joined(separator: "/")
    }
    return paths
  }

  /// Uploads the files of catalogs with these strings added or changed. Nobody else in this process does so meanwhile.
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

  /// Builds a catalog's file from the strings that Crowdin has, changes it, and uploads it if that makes a difference.
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
        // Only a top-level folder names its branch.
        folder = try await client.addDirectory(
          .init(name: part, branchId: folder == nil ? project.branch : nil, directoryId: folder))
      }
    }
    try await client.addFile(
      .init(storageId: storage, name: name, branchId: folder == nil ? project.branch : nil, directoryId: folder))
  }
}
