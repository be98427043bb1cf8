internal import Foundation
internal import HTTPTransport
internal import Localization

/// A client that sends requests about one resource to Transifex's API v3.
struct TransifexClient: Sendable {
  /// The number of objects on one page. The API allows 150 to 1000.
  static let pageSize = 1000
  /// The maximum number of pages to read: more than any real resource has. Without a limit, a faulty server could return pages forever.
  static let mostPages = 2000
  static let mediaType = "application/vnd.api+json"
  static let bulkType = "application/vnd.api+json;profile=\"bulk\""

  let http: VendorHTTP
  /// The project's id: `o:ORGANIZATION:p:PROJECT`.
  let project: String
  /// The resource's id: `o:ORGANIZATION:p:PROJECT:r:RESOURCE`.
  let resource: String

  func languages() async throws -> [TransifexMessages.Language] {
    try await http.json(
      VendorHTTP.Request("GET", ["projects", project, "languages"]),
      as: TransifexMessages.Page<TransifexMessages.Language>.self
    ).data
  }

  /// Returns the plural categories of the project's source language.
  func sourceCategories() async throws -> [PluralCategory] {
    let language = try await sourceLanguageID()
    return try await http.json(
      VendorHTTP.Request("GET", ["languages", language]),
      as: TransifexMessages.Document<TransifexMessages.Language>.self
    ).data.categories
  }

  /// Checks that the resource exists. For a missing resource, Transifex may return empty lists instead of an error.
  /// - Throws: an error with the next step if the project does not have the resource.
  func checkResource() async throws {
    let name = resource.split(separator: ":").last ?? ""
    try await http.project(
      missing: "the project has no resource \(name) that the token may see. Check `resource`, or add one at Transifex"
    ) {
      _ = try await http.send(VendorHTTP.Request("GET", ["resources", resource]))
    }
  }

  /// Returns the code of the project's source language.
  func sourceLanguage() async throws -> String {
    let id = try await sourceLanguageID()
    return id.hasPrefix("l:") ? String(id.dropFirst(2)) : id
  }

  /// Returns the id of the project's source language, such as `l:en`.
  private func sourceLanguageID() async throws -> String {
    try await http.json(
      VendorHTTP.Request("GET", ["projects", project]), as: TransifexMessages.Document<TransifexMessages.Project>.self
    ).data.relationships.source_language.data.id
  }

  func strings() async throws -> [TransifexMessages.ResourceString] {
    var found: [TransifexMessages.ResourceString] = []
    try await pages("resource_strings", [], of: TransifexMessages.ResourceString.self) { found += $0.data }
    return unique(found, \.id)
  }

  /// Returns the translations into a language, each with its string.
  func translations(_ code: String) async throws
    -> [(translation: TransifexMessages.ResourceTranslation, string: TransifexMessages.ResourceString)]
  {
    var found: [(translation: TransifexMessages.ResourceTranslation, string: TransifexMessages.ResourceString)] = []
    let query = [(name: "filter[language]", value: "l:\(code)"), (name: "include", value: "resource_string")]
    try await pages("resource_translations", query, of: TransifexMessages.ResourceTranslation.self) { page in
      let strings = Dictionary((page.included ?? []).map { ($0.id, $0) }) { first, _ in first }
      for translation in page.data {
        guard let string = strings[translation.relationships.resource_string.data.id] else {
          throw VendorError(
            kind: .protocolFault, at: "transifex: GET /resource_translations",
            detail: "the string of \(translation.id) is missing in included")
        }
        found.append((translation, string))
      }
    }
    return unique(found, \.translation.id)
  }

  /// Sends objects in requests of the maximum size that the API allows.
  /// - Parameters:
  ///   - isRepeatable: whether a request can be repeated without further effect.
  ///   - accepted: the error statuses that do not throw.
  ///   - failed: a function that is called after each request with a status in `accepted`. The server did not change the objects of such a request.
  func send<Object: Encodable>(
    _ method: String, _ path: String, _ objects: [Object], isRepeatable: Bool = true, accepting accepted: Set<Int> = [],
    failed: (_ part: [Object], _ status: Int) async throws -> Void = { _, _ in }
  ) async throws {
    // The API accepts at most 150 objects.
    for part in objects.batches(of: 150) {
      try Task.checkCancellation()
      let response = try await http.send(
        try VendorHTTP.Request(
          method, [path], json: TransifexMessages.Bulk(data: part), isRepeatable: isRepeatable, mediaType: Self.bulkType
        ),
        accepting: accepted)
      if !response.head.isSuccess { try await failed(part, response.status) }
    }
  }

  /// Reads all pages of a list of the resource's objects.
  private func pages<Object: Decodable & Sendable>(
    _ path: String, _ query: [(name: String, value: String)], of type: Object.Type,
    _ read: (TransifexMessages.Page<Object>) throws -> Void
  ) async throws {
    var cursor: String?
    for _ in 0..<Self.mostPages {
      try Task.checkCancellation()
      let all =
        [(name: "filter[resource]", value: resource)] + query + [(name: "limit", value: "\(Self.pageSize)")]
        + (cursor.map { [(name: "page[cursor]", value: $0)] } ?? [])
      let page = try await http.json(
        VendorHTTP.Request("GET", [path], query: all), as: TransifexMessages.Page<Object>.self)
      try read(page)
      guard let next = page.links?.next else { return }
      guard let found = Self.cursor(in: next), found != cursor else {
        throw VendorError(
          kind: .protocolFault, at: "transifex: GET /\(path)",
          detail: "the link to the next page has no new cursor")
      }
      cursor = found
    }
  }

  /// Returns the cursor in the address of a page. The address itself is not used, because a wrong address could send our token to another server.
  static func cursor(in address: String) -> String? {
    for pair in address.drop(while: { $0 != "?" }).dropFirst().split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1)
      if parts.count == 2, HTTPURL.decode(parts[0]) == "page[cursor]" { return HTTPURL.decode(parts[1]) }
    }
    return nil
  }

  private func unique<Element>(_ elements: [Element], _ id: KeyPath<Element, String>) -> [Element] {
    var seen: Set<String> = []
    return elements.filter { seen.insert($0[keyPath: id]).inserted }
  }
}
