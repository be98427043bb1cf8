internal import Foundation
internal import HTTPTransport
internal import Localization

/// A client that sends requests about one project to a Tolgee server.
struct TolgeeClient: Sendable {
  /// The number of keys on one page.
  static let pageSize = 250
  /// The maximum number of pages to read: more than any real project has. Without a limit, a faulty server could return pages forever.
  static let mostPages = 4000
  /// The maximum number of keys in one request that adds or deletes keys. The server documents no limit.
  static let batch = 500

  let http: VendorHTTP
  /// The project's number.
  let project: String
  let branch: String?

  func details() async throws -> TolgeeMessages.Project {
    try await http.project(
      missing: "Tolgee has no project \(project) that the key may see. Check `project` and `url`"
    ) {
      try await http.json(VendorHTTP.Request("GET", path()), as: TolgeeMessages.Project.self)
    }
  }

  func languages() async throws -> [TolgeeMessages.Language] {
    var found: [TolgeeMessages.Language] = []
    for number in 0..<Self.mostPages {
      let page = try await http.json(
        VendorHTTP.Request("GET", path("languages"), query: [("page", "\(number)"), ("size", "100")]),
        as: TolgeeMessages.Languages.self)
      found += page.embedded?.languages ?? []
      guard let place = page.page, place.number + 1 < place.totalPages else { break }
    }
    return found
  }

  /// Returns the keys of a namespace with their texts in these languages. A key that moves to another page during the requests is returned
  /// once.
  func keys(_ namespace: String, _ tags: [String]) async throws -> [TolgeeMessages.Key] {
    var found: [Int: TolgeeMessages.Key] = [:]
    var cursor: String?
    for _ in 0..<Self.mostPages {
      try Task.checkCancellation()
      var query = tags.map { (name: "languages", value: $0) }
      query += [(name: "filterNamespace", value: namespace), (name: "size", value: "\(Self.pageSize)")]
      if let branch { query.append((name: "branch", value: branch)) }
      if let cursor { query.append((name: "cursor", value: cursor)) }
      let page = try await http.json(
        VendorHTTP.Request("GET", path("translations"), query: query), as: TolgeeMessages.Keys.self)
      let keys = page.embedded?.keys ?? []
      for key in keys { found[key.keyId] = key }
      guard !keys.isEmpty, let next = page.nextCursor, !next.isEmpty, next != cursor else { break }
      cursor = next
    }
    return found.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Adds keys without plural forms. The server does not change existing keys.
  func add(_ keys: [TolgeeMessages.Import.Key]) async throws {
    for part in keys.batches(of: Self.batch) {
      try Task.checkCancellation()
      _ = try await http.send(
        try VendorHTTP.Request(
          "POST", path("keys", "import"), query: branch.map { [("branch", $0)] } ?? [],
          json: TolgeeMessages.Import(keys: part), isRepeatable: true))
    }
  }

  /// Adds a key. An existing key is not changed.
  func create(_ key: TolgeeMessages.NewKey) async throws {
    let request = try VendorHTTP.Request("POST", path("keys", "create"), json: key)
    let response = try await http.send(request, accepting: [400])
    guard !response.head.isSuccess else { return }
    let refusal = try? JSONDecoder().decode(TolgeeMessages.Refusal.self, from: Data(response.body))
    guard refusal?.code == "key_exists" else {
      throw http.refusal(response, of: request)
    }
  }

  func change(_ key: Int, _ change: TolgeeMessages.Change) async throws {
    _ = try await http.send(try VendorHTTP.Request("PUT", path("keys", "\(key)", "complex-update"), json: change))
  }

  func seed(_ keys: [TolgeeMessages.Seeds.Key]) async throws {
    for part in keys.batches(of: Self.batch) {
      try Task.checkCancellation()
      _ = try await http.send(
        try VendorHTTP.Request(
          "POST", path("single-step-import-resolvable"), json: TolgeeMessages.Seeds(keys: part, branch: branch),
          isRepeatable: true))
    }
  }

  func tag(_ key: Int, _ tag: String) async throws {
    _ = try await http.send(
      try VendorHTTP.Request("PUT", path("keys", "\(key)", "tags"), json: TolgeeMessages.NewTag(name: tag)))
  }

  func delete(_ keys: [Int]) async throws {
    for part in keys.batches(of: Self.batch) {
      try Task.checkCancellation()
      _ = try await http.send(
        try VendorHTTP.Request("DELETE", path("keys"), json: TolgeeMessages.KeyIDs(ids: part)), accepting: [404])
    }
  }

  private func path(_ parts: String...) -> [String] { ["v2", "projects", project] + parts }
}
