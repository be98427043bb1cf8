internal import HTTPTransport
internal import Localization

/// A client that sends requests about one project to Crowdin.
struct CrowdinClient: Sendable {
  /// The number of objects on one page: the API's maximum.
  static let pageSize = 500
  /// The maximum number of pages to read: enough for two million objects. Without a limit, a faulty server could return pages forever.
  static let mostPages = 4000
  /// The maximum number of changes in one request. Crowdin documents no limit.
  static let batch = 200
  /// The maximum time to wait for a file that Crowdin is still processing.
  static let busyDeadline = Duration.seconds(600)

  let http: VendorHTTP
  /// The project's number.
  let project: String
  let branch: String?
  let changed: CrowdinKind.Changed
  let sleep: @Sendable (Duration) async throws -> Void

  /// The value of the parameter `updateOption`. It determines whether Crowdin keeps the translations of changed strings.
  var updateOption: String { changed == .keep ? "keep_translations" : "clear_translations_and_approvals" }

  func details() async throws -> CrowdinMessages.Project {
    try await http.project(
      missing: "Crowdin has no project \(project) that the token may see. Check `project` and the token's scopes"
    ) {
      try await http.json(
        VendorHTTP.Request("GET", path()), as: CrowdinMessages.Envelope<CrowdinMessages.Project>.self
      ).data
    }
  }

  func branches() async throws -> [CrowdinMessages.Branch] {
    try await list(path("branches"), of: CrowdinMessages.Branch.self, id: \.id)
  }

  func directories(_ branch: Int?) async throws -> [CrowdinMessages.Directory] {
    try await list(path("directories"), recursive(branch), of: CrowdinMessages.Directory.self, id: \.id)
      .filter { $0.branchId == branch }
  }

  func files(_ branch: Int?) async throws -> [CrowdinMessages.File] {
    try await list(path("files"), recursive(branch), of: CrowdinMessages.File.self, id: \.id)
      .filter { $0.branchId == branch }
  }

  func strings(_ scope: CrowdinScope) async throws -> [CrowdinMessages.SourceString] {
    try await list(
      path("strings"), [scope.query, ("denormalizePlaceholders", "1")], of: CrowdinMessages.SourceString.self, id: \.id)
  }

  func translations(_ scope: CrowdinScope, _ language: String) async throws -> [CrowdinMessages.Translation] {
    try await list(
      path("languages", language, "translations"), [scope.query, ("denormalizePlaceholders", "1")],
      of: CrowdinMessages.Translation.self, id: \.stringId)
  }

  /// Returns the IDs of the approved translations of a scope into a language. For a branch, the approved translations of the whole project are
  /// returned, because Crowdin cannot list the approvals of one branch.
  func approvals(_ scope: CrowdinScope, _ language: String) async throws -> Set<Int> {
    var query = [(name: "languageId", value: language)]
    if case .file = scope { query.append(scope.query) }
    return Set(
      try await list(path("approvals"), query, of: CrowdinMessages.Approval.self, id: \.id).map(\.translationId))
  }

  /// Sends changes to a list, at most ``batch`` of them in one request.
  /// - Parameters:
  ///   - list: the list's name in the API: `strings` or `translations`.
  ///   - isRepeatable: whether a request can be repeated without further effect.
  func patch(
    _ list: String, _ operations: [CrowdinMessages.Operation], query: [(name: String, value: String)] = [],
    isRepeatable: Bool
  ) async throws {
    for part in operations.batches(of: Self.batch) {
      try Task.checkCancellation()
      _ = try await http.send(
        try VendorHTTP.Request("PATCH", path(list), query: query, json: part, isRepeatable: isRepeatable))
    }
  }

  func addDirectory(_ directory: CrowdinMessages.NewDirectory) async throws -> Int {
    try await http.json(
      try VendorHTTP.Request("POST", path("directories"), json: directory),
      as: CrowdinMessages.Envelope<CrowdinMessages.Directory>.self
    ).data.id
  }

  func addFile(_ file: CrowdinMessages.NewFile) async throws {
    try await sendWhenFree(try VendorHTTP.Request("POST", path("files"), json: file))
  }

  func replaceFile(_ file: Int, _ storage: Int) async throws {
    let change = CrowdinMessages.FileChange(storageId: storage, updateOption: updateOption)
    try await sendWhenFree(try VendorHTTP.Request("PUT", path("files", "\(file)"), json: change))
  }

  func deleteFile(_ file: Int) async throws {
    try await sendWhenFree(VendorHTTP.Request("DELETE", path("files", "\(file)")), accepting: [404])
  }

  /// Uploads bytes for a later request and returns the ID of the storage that contains the bytes. Crowdin deletes the bytes after a day.
  func store(_ bytes: [UInt8], name: String) async throws -> Int {
    let headers = [("Crowdin-API-FileName", HTTPURL.encode(name)), ("Content-Type", "application/octet-stream")]
    let request = VendorHTTP.Request(
      "POST", ["storages"], headers: headers.map { (name: $0.0, value: $0.1) }, body: .bytes(bytes), isRepeatable: true,
      deadlines: Deadlines(stall: .seconds(120)))
    return try await http.json(request, as: CrowdinMessages.Envelope<CrowdinMessages.Storage>.self).data.id
  }

  /// Sends a request about a file. While Crowdin is busy with the file (status 409), the request is repeated after increasing pauses, for about
  /// ``busyDeadline``. After that, an error with status 423 is thrown.
  private func sendWhenFree(_ request: VendorHTTP.Request, accepting accepted: Set<Int> = []) async throws {
    var (pause, slept) = (Duration.seconds(2), Duration.zero)
    while slept < Self.busyDeadline {
      let response = try await http.send(request, accepting: accepted.union([409]))
      guard response.status == 409 else { return }
      try await sleep(pause)
      slept += pause
      pause = min(pause * 2, .seconds(30))
    }
    throw TransportError(
      kind: .status(423), operation: "crowdin: \(request.method) /\(request.path.joined(separator: "/"))",
      detail: "Crowdin has been busy with the file for \(Self.busyDeadline.components.seconds) seconds",
      retryAfter: .seconds(60))
  }

  private func path(_ parts: String...) -> [String] { ["projects", project] + parts }

  private func recursive(_ branch: Int?) -> [(name: String, value: String)] {
    branch.map { [("branchId", "\($0)"), ("recursion", "1")] } ?? []
  }

  /// Reads all pages of a list.
  func list<Object: Decodable & Sendable>(
    _ path: [String], _ query: [(name: String, value: String)] = [], of type: Object.Type, id: KeyPath<Object, Int>
  ) async throws -> [Object] {
    try await OffsetPages.read(
      "crowdin: GET /\(path.joined(separator: "/"))", id: { $0[keyPath: id] }, mostPages: Self.mostPages
    ) { offset in
      let place = [(name: "limit", value: "\(Self.pageSize)"), (name: "offset", value: "\(offset)")]
      let page = try await http.json(
        VendorHTTP.Request("GET", path, query: query + place), as: CrowdinMessages.Page<Object>.self)
      return OffsetPages.Page(
        elements: page.data.map(\.data), isLast: page.data.count < max(page.pagination?.limit ?? Self.pageSize, 1))
    }
  }
}

/// The part of a project whose strings are read: a file of a file-based project, or a branch of a string-based project.
enum CrowdinScope: Hashable, Sendable {
  case file(Int)
  /// A branch of a string-based project, which has no files.
  case branch(Int)

  var query: (name: String, value: String) {
    switch self {
    case .file(let id): ("fileId", "\(id)")
    case .branch(let id): ("branchId", "\(id)")
    }
  }
}
