internal import HTTPTransport
internal import Localization

/// A client that sends requests about one project to Localazy's API.
struct LocalazyClient: Sendable {
  /// The number of keys on one page: the API's maximum.
  static let pageSize = 1000
  /// The maximum number of pages to read: more than any real file has. Without a limit, a faulty server could return pages forever.
  static let mostPages = 2000
  /// The maximum number of texts in one import. Localazy documents no limit, but allows a free project only 100 imports a day.
  static let importSize = 5000
  /// The maximum time to wait for an import. An import of a few thousand keys takes seconds.
  static let importDeadline = Duration.seconds(600)

  let http: VendorHTTP
  /// The project's ID or slug.
  let project: String
  let sleep: @Sendable (Duration) async throws -> Void

  /// Returns the codes of the project's source language and target languages.
  func languages() async throws -> (source: String, targets: [String]) {
    let projects = try await http.json(
      VendorHTTP.Request("GET", ["projects"], query: [("languages", "true")]), as: [LocalazyMessages.Project].self)
    guard let found = projects.first(where: { $0.id == project || $0.slug == project }) else {
      throw VendorError(
        kind: .configuration, at: "localazy: project \(project)",
        detail: "the token has no access to a project with this ID or slug; its projects are "
          + projects.map(\.slug).sorted().prefix(20).joined(separator: ", "))
    }
    guard let source = found.languages.first(where: { $0.id == found.sourceLanguage })?.code else {
      throw VendorError(
        kind: .protocolFault, at: "localazy: GET /projects",
        detail: "sourceLanguage \(found.sourceLanguage) is missing in languages")
    }
    return (source, found.languages.map(\.code).filter { $0 != source })
  }

  /// Returns the IDs of the catalogs' files. Catalogs without a file are left out.
  func files(_ catalogs: Set<TreePath>) async throws -> [TreePath: String] {
    let files = try await http.json(
      VendorHTTP.Request("GET", ["projects", project, "files"]), as: [LocalazyMessages.File].self)
    return Dictionary(files.filter { catalogs.contains($0.catalog) }.map { ($0.catalog, $0.id) }) { first, _ in first }
  }

  /// Returns the keys of a file with their approved texts in a language. Deprecated keys are included.
  func keys(_ file: String, _ language: String) async throws -> [LocalazyMessages.Key] {
    var found: [LocalazyMessages.Key] = []
    var seen: Set<String> = []
    var next: String?
    for _ in 0..<Self.mostPages {
      try Task.checkCancellation()
      let query = [
        (name: "limit", value: "\(Self.pageSize)"), (name: "extra_info", value: "true"),
        (name: "deprecated", value: "true"),
      ]
      let page = try await http.json(
        VendorHTTP.Request(
          "GET", ["projects", project, "files", file, "keys", language],
          query: query + (next.map { [(name: "next", value: $0)] } ?? [])), as: LocalazyMessages.Keys.self)
      found += page.keys.filter { seen.insert($0.id).inserted }
      guard let following = page.next, !following.isEmpty, following != next else { break }
      next = following
    }
    return found
  }

  /// Imports texts in a language, and waits until Localazy has processed the imports.
  func send(
    _ texts: [(id: PlatformID, text: PlatformText)], language: String, forceSource: Bool, filterSource: Bool
  ) async throws {
    for part in texts.batches(of: Self.importSize) {
      try Task.checkCancellation()
      let files = Dictionary(grouping: part, by: \.id.catalog).sorted { $0.key < $1.key }.map { catalog, texts in
        LocalazyMessages.ImportFile(
          catalog, .init(language: language, texts: texts.map { (Self.key($0.id.name), $0.text) }))
      }
      let body = LocalazyMessages.Import(forceSource: forceSource, filterSource: filterSource, files: files)
      let request = try VendorHTTP.Request("POST", ["projects", project, "import"], json: body)
      try await wait(for: try await http.json(request, as: LocalazyMessages.ImportStarted.self).result)
    }
  }

  private func wait(for batch: String) async throws {
    let request = VendorHTTP.Request("GET", ["projects", project, "import", batch])
    var (pause, slept) = (Duration.seconds(1), Duration.zero)
    while slept < Self.importDeadline {
      let status = try await http.json(request, as: LocalazyMessages.ImportProgress.self).status
      switch status {
      case "done": return
      // Localazy may return `not_found` for an import that it has just accepted.
      case "scheduled", "in_progress", "not_found":
        try await sleep(pause)
        slept += pause
        pause = min(pause * 2, .seconds(30))
      default:
        // One of the texts may be the cause, but Localazy does not report which.
        throw VendorError(
          kind: status == "error" ? .refused : .protocolFault, at: "localazy: import \(batch)",
          detail: "the import ended with status “\(status)”")
      }
    }
    throw VendorError(
      kind: .protocolFault, at: "localazy: import \(batch)",
      detail: "the import has not ended after \(Self.importDeadline.components.seconds) seconds")
  }

  /// Returns the key of a string in a file. The importer treats keys that begin with `@` as plural forms or instructions, so `~` is put before such
  /// names. To keep keys unique, `~` is also put before names in which an `@` follows leading `~` characters.
  static func key(_ name: String) -> String {
    name.drop { $0 == "~" }.hasPrefix("@") ? "~" + name : name
  }
}
