internal import HTTPTransport
internal import Localization

/// A client that sends requests about one project to Smartling's APIs. Each catalog is a gettext file.
struct SmartlingClient: Sendable {
  /// The number of files on one page.
  static let pageSize = 100
  /// The maximum number of pages to read: more than any real project has. Without a limit, a faulty server could return pages forever.
  static let mostPages = 1000
  /// The maximum time to wait until an upload is processed. Smartling responds at once, but then processes a large file for some minutes.
  static let uploadDeadline = Duration.seconds(600)

  let tokens: SmartlingTokens
  /// Returns a client that sends requests with an access token.
  let http: @Sendable (Secret) -> VendorHTTP
  let project: String
  let sleep: @Sendable (Duration) async throws -> Void

  func details() async throws -> SmartlingMessages.Project {
    try await json(
      VendorHTTP.Request("GET", ["projects-api", "v2", "projects", project]), as: SmartlingMessages.Project.self)
  }

  /// Returns the catalogs for which the project has a file.
  func files(_ catalogs: Set<TreePath>) async throws -> Set<TreePath> {
    let place = path("files", "list")
    let all = try await OffsetPages.read(
      "smartling: GET /\(place.joined(separator: "/"))", id: \.fileUri, mostPages: Self.mostPages
    ) { offset in
      let page = try await json(
        VendorHTTP.Request(
          "GET", place, query: [("orderBy", "created"), ("limit", "\(Self.pageSize)"), ("offset", "\(offset)")]),
        as: SmartlingMessages.List<SmartlingMessages.File>.self)
      return OffsetPages.Page(elements: page.items, isLast: page.isLast(from: offset))
    }
    return catalogs.intersection(all.compactMap { TreePath(checking: $0.fileUri) })
  }

  /// The name of a header field that Dragoman adds to uploaded gettext files. Its value is the number of strings in the file. Smartling returns
  /// source files unchanged, so the number shows whether a returned file is complete.
  private static let countField = "X-Dragoman-Strings"

  /// Returns the source file of a catalog. The project must have a file for the catalog.
  /// - Throws: `VendorError` if the response contains only a part of the file, because an upload of this part would remove the other strings.
  func source(_ catalog: TreePath) async throws -> GettextFile {
    let response = try await send(VendorHTTP.Request("GET", path("file"), query: [("fileUri", catalog.text)]))
    var file = try GettextReader.read(response.body, of: "smartling: file \(catalog)")
    if let count = file[field: Self.countField], count != String(file.entries.count) {
      throw VendorError(
        kind: .protocolFault, at: "smartling: file \(catalog)",
        detail:
          "the response has \(file.entries.count) strings, but \(count) were uploaded, so the file is not changed. If "
          + "somebody uploaded this file by hand, remove \(Self.countField) from its header")
    }
    file[field: Self.countField] = nil
    return file
  }

  /// Returns the published translations of a catalog. The project must have a file for the catalog. Texts of strings without a translation are empty.
  func translated(_ catalog: TreePath, _ locale: String) async throws -> GettextFile {
    let query = [("fileUri", catalog.text), ("retrievalType", "published"), ("includeOriginalStrings", "false")]
    let response = try await send(
      VendorHTTP.Request("GET", path("locales", locale, "file"), query: query.map { (name: $0.0, value: $0.1) }))
    return try GettextReader.read(response.body, of: "smartling: file \(catalog) in \(locale)", mayBeEmpty: true)
  }

  /// Replaces the source file of a catalog. If Smartling responds before it has processed the file (status 202), waits until the file is processed.
  /// Smartling keeps the translations of strings that remain in the file, and restores the translations of removed strings that are uploaded again.
  func upload(_ file: GettextFile, _ catalog: TreePath) async throws {
    var counted = file
    counted[field: Self.countField] = String(file.entries.count)
    let response = try await send(form(counted, catalog, path("file"), [], isRepeatable: false))
    guard response.status == 202 else { return }
    let wanted = Set(file.entries.map(\.context))
    var (pause, slept) = (Duration.seconds(1), Duration.zero)
    while slept < Self.uploadDeadline {
      try await sleep(pause)
      slept += pause
      pause = min(pause * 2, .seconds(30))
      let request = VendorHTTP.Request("GET", path("file"), query: [("fileUri", catalog.text)])
      // Smartling may not return a new file immediately.
      let found = try await send(request, accepting: [400, 404])
      guard found.head.isSuccess else { continue }
      let stored = try GettextReader.read(found.body, of: "smartling: file \(catalog)", mayBeEmpty: true)
      if Set(stored.entries.map(\.context)) == wanted { return }
    }
    throw VendorError(
      kind: .protocolFault, at: "smartling: file \(catalog)",
      detail:
        "Smartling has not processed the upload after \(Self.uploadDeadline.components.seconds) seconds. The next "
        + "attempt checks again")
  }

  /// Adds missing translations and marks them as published.
  /// - Returns: the translations that Smartling did not accept, with the reasons.
  func importTranslations(
    _ file: GettextFile, _ catalog: TreePath, _ locale: String
  ) async throws -> [SmartlingMessages.Import.Fault] {
    let request = form(
      file, catalog, path("locales", locale, "file", "import"),
      [("translationState", "PUBLISHED"), ("overwrite", "false")])
    let faults = try await json(request, as: SmartlingMessages.Import.self).translationImportErrors ?? []
    let http = http(try await tokens.token())
    return faults.map { fault in
      SmartlingMessages.Import.Fault(importKey: fault.importKey, messages: fault.messages?.map(http.redacted))
    }
  }

  private func form(
    _ file: GettextFile, _ catalog: TreePath, _ path: [String], _ more: [(String, String)],
    isRepeatable: Bool = true
  ) -> VendorHTTP.Request {
    var form = MultipartForm()
    form.add("file", file: "strings.po", file.bytes, mediaType: "text/plain")
    form.add("fileUri", catalog.text)
    form.add("fileType", "gettext")
    for (name, value) in more { form.add(name, value) }
    let (type, body) = form.encoded()
    return VendorHTTP.Request(
      "POST", path, headers: [("Content-Type", type)], body: .bytes(body), isRepeatable: isRepeatable,
      deadlines: Deadlines(stall: .seconds(120)))
  }

  private func path(_ parts: String...) -> [String] { ["files-api", "v2", "projects", project] + parts }

  func json<Content: Decodable & Sendable>(
    _ request: VendorHTTP.Request, as type: Content.Type
  ) async throws -> Content {
    let token = try await tokens.token()
    let response = try await send(request)
    return try http(token).decode(response, request, as: SmartlingMessages.Envelope<Content>.self).response.data
  }

  /// Sends a request. If the server refuses the access token, the request is sent once more with a new token.
  func send(_ request: VendorHTTP.Request, accepting accepted: Set<Int> = []) async throws -> HTTPResponse {
    let token = try await tokens.token()
    do { return try await http(token).send(request, accepting: accepted) } catch let error as TransportError
      where error.kind == .status(401)
    {
      await tokens.refused(token)
      return try await http(try await tokens.token()).send(request, accepting: accepted)
    }
  }
}
