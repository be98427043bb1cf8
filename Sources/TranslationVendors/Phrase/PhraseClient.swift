internal import HTTPTransport
internal import Localization

/// Requests to Phrase Strings about one project.
struct PhraseClient: Sendable {
  /// Objects on one page (the API's limit).
  static let pageSize = 100
  /// The maximum number of pages, more than any project has. It stops at a server whose list never ends.
  static let mostPages = 10_000

  /// Lists that the API does not sort.
  private static let unsorted: Set = ["locales", "screenshots", "markers"]

  let http: VendorHTTP
  let project: String
  let branch: String?

  func locales() async throws -> [PhraseMessages.Locale] {
    let branch = branch.map { " with a branch \($0)" } ?? ""
    return try await http.project(
      missing: "Phrase has no project \(project)\(branch) that the token may see. Check project:, branch: and url:"
    ) {
      try await pages(path("locales"), of: PhraseMessages.Locale.self, id: \.id)
    }
  }

  /// All keys of the project: the search by name lags behind changes, and ends at 10,000 results.
  func keys() async throws -> [PhraseMessages.Key] {
    try await pages(path("keys"), of: PhraseMessages.Key.self, id: \.id)
  }

  /// The texts of a locale by the key's ID.
  func texts(_ locale: String) async throws -> [String: PhraseTexts] {
    let all = try await pages(path("locales", locale, "translations"), of: PhraseMessages.Translation.self, id: \.id)
    return Dictionary(grouping: all, by: \.key.id).mapValues(PhraseTexts.init)
  }

  /// Who made a translation; `nil` if Phrase does not return it, or the translation was deleted.
  func translator(of translation: String) async throws -> PhraseMessages.TranslationDetails.User? {
    let request = VendorHTTP.Request(
      "GET", path("translations", translation), query: branch.map { [("branch", $0)] } ?? [])
    let response = try await http.send(request, accepting: [404])
    guard response.head.isSuccess else { return nil }
    return try http.decode(response, request, as: PhraseMessages.TranslationDetails.self).user
  }

  /// The texts of a key in all locales.
  func texts(ofKey key: String) async throws -> [PhraseMessages.Translation] {
    try await pages(path("keys", key, "translations"), of: PhraseMessages.Translation.self, id: \.id)
  }

  /// Adds a key and returns its ID. If another request has added the same key meanwhile, returns the ID of that key.
  func add(_ key: PhraseMessages.NewKey) async throws -> String {
    let request = try VendorHTTP.Request("POST", path("keys"), json: key)
    let response = try await http.send(request, accepting: [422])
    if response.head.isSuccess { return try http.decode(response, request, as: PhraseMessages.Key.self).id }
    guard let there = try await keys().first(where: { $0.name == key.name }) else {
      throw http.refusal(response, of: request)
    }
    return there.id
  }

  func change(_ key: String, _ change: some Encodable) async throws {
    _ = try await http.send(try VendorHTTP.Request("PATCH", path("keys", key), json: change, isRepeatable: true))
  }

  func delete(_ key: String) async throws {
    _ = try await http.send(
      VendorHTTP.Request("DELETE", path("keys", key), query: branch.map { [("branch", $0)] } ?? []), accepting: [404])
  }

  func add(_ translation: PhraseMessages.NewTranslation) async throws {
    _ = try await http.send(try VendorHTTP.Request("POST", path("translations"), json: translation))
  }

  func change(_ translation: String, _ change: PhraseMessages.TranslationChange) async throws {
    _ = try await http.send(
      try VendorHTTP.Request("PATCH", path("translations", translation), json: change, isRepeatable: true))
  }

  /// Marks a translation for another review.
  func unverify(_ translation: String) async throws {
    _ = try await http.send(
      try VendorHTTP.Request(
        "PATCH", path("translations", translation, "unverify"), json: PhraseMessages.Branch(branch: branch),
        isRepeatable: true))
  }

  func screenshots() async throws -> [PhraseMessages.Screenshot] {
    try await pages(path("screenshots"), of: PhraseMessages.Screenshot.self, id: \.id)
  }

  /// Uploads a picture and returns its ID.
  func add(_ screenshot: PlatformScreenshot) async throws -> String {
    var form = MultipartForm()
    if let branch { form.add("branch", branch) }
    form.add("name", screenshot.title)
    form.add("filename", file: screenshot.title, screenshot.bytes, mediaType: screenshot.format.mediaType)
    let (type, body) = form.encoded()
    let request = VendorHTTP.Request(
      "POST", path("screenshots"), headers: [("Content-Type", type)], body: .bytes(body),
      deadlines: Deadlines(stall: .seconds(120)))
    return try await http.json(request, as: PhraseMessages.Screenshot.self).id
  }

  /// The keys that a screenshot shows.
  func keys(ofScreenshot screenshot: String) async throws -> Set<String> {
    let markers = try await pages(
      path("screenshots", screenshot, "markers"), of: PhraseMessages.Marker.self, id: \.id)
    return Set(markers.compactMap(\.translation_key?.id))
  }

  func mark(_ key: String, on screenshot: String) async throws {
    _ = try await http.send(
      try VendorHTTP.Request(
        "POST", path("screenshots", screenshot, "markers"),
        json: PhraseMessages.NewMarker(branch: branch, key_id: key)))
  }

  private func path(_ parts: String...) -> [String] { ["projects", project] + parts }

  /// Reads a list to its end, oldest first where the API can sort. It is read again if it changed meanwhile (``OffsetPages``).
  /// - Parameter isOfProject: whether the list belongs to the project, and so to its branch.
  func pages<Object: Decodable & Sendable>(
    _ path: [String], of type: Object.Type, id: KeyPath<Object, String>, isOfProject: Bool = true
  ) async throws -> [Object] {
    try await OffsetPages.read(
      "phrase: GET /\(path.joined(separator: "/"))", id: { $0[keyPath: id] }, mostPages: Self.mostPages
    ) { offset in
      let place = Self.page(showing: offset)
      var query = [(name: "page", value: "\(place.number)"), (name: "per_page", value: "\(place.size)")]
      if isOfProject, !Self.unsorted.contains(path.last ?? "") { query += [("sort", "created_at"), ("order", "asc")] }
      if isOfProject, let branch { query.append((name: "branch", value: branch)) }
      let request = VendorHTTP.Request("GET", path, query: query)
      let response = try await http.send(request)
      let objects = try http.decode(response, request, as: [Object].self)
      let hasNext = response.head.header("Link").map { $0.contains("rel=\"next\"") || $0.contains("rel=next") }
      return OffsetPages.Page(
        elements: Array(objects.dropFirst(offset % place.size)),
        isLast: objects.isEmpty || !(hasNext ?? (objects.count == place.size)))
    }
  }

  /// The page that shows the most objects from an offset on. The API has numbers of pages only, so their size is chosen to begin near it.
  static func page(showing offset: Int) -> (number: Int, size: Int) {
    var size = pageSize
    for other in 2..<pageSize where other - offset % other > size - offset % size { size = other }
    return (offset / size + 1, size)
  }
}
