internal import HTTPTransport
internal import Localization

/// A client that sends requests about one project to Phrase Strings.
struct PhraseClient: Sendable {
  /// The number of objects on one page: the API's maximum.
  static let pageSize = 100
  /// The maximum number of pages to read: more than any real project has. Without a limit, a faulty server could return pages forever.
  static let mostPages = 10_000

  /// The lists that the API cannot sort.
  private static let unsorted: Set = ["locales", "screenshots", "markers"]

  let http: VendorHTTP
  let project: String
  let branch: String?

  func locales() async throws -> [PhraseMessages.Locale] {
    let branch = branch.map { " with a branch \($0)" } ?? ""
    return try await http.project(
      missing: "Phrase has no project \(project)\(branch) that the token may see. Check `project`, `branch` and `url`"
    ) {
      try await pages(path("locales"), of: PhraseMessages.Locale.self, id: \.id)
    }
  }

  /// Returns all keys of the project. The API's search by name is not used, because the search lags behind changes and returns at most 10,000 keys.
  func keys() async throws -> [PhraseMessages.Key] {
    try await pages(path("keys"), of: PhraseMessages.Key.self, id: \.id)
  }

  /// Returns the texts of a locale by the keys' IDs.
  func texts(_ locale: String) async throws -> [String: PhraseTexts] {
    let all = try await pages(path("locales", locale, "translations"), of: PhraseMessages.Translation.self, id: \.id)
    return Dictionary(grouping: all, by: \.key.id).mapValues(PhraseTexts.init)
  }

  /// Returns the person who made a translation; `nil` if Phrase does not return this person, or if the translation was deleted.
  func translator(of translation: String) async throws -> PhraseMessages.TranslationDetails.User? {
    let request = VendorHTTP.Request(
      "GET", path("translations", translation), query: branch.map { [("branch", $0)] } ?? [])
    let response = try await http.send(request, accepting: [404])
    guard response.head.isSuccess else { return nil }
    return try http.decode(response, request, as: PhraseMessages.TranslationDetails.self).user
  }

  /// Returns the texts of a key in all locales.
  func texts(ofKey key: String) async throws -> [PhraseMessages.Translation] {
    try await pages(path("keys", key, "translations"), of: PhraseMessages.Translation.self, id: \.id)
  }

  /// Adds a key and returns its ID. If another request has added the same key in the meantime, returns the ID of the existing key.
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

  /// Marks a translation as unverified.
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

  /// Returns the IDs of the keys that a screenshot shows.
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

  /// Reads all pages of a list, oldest objects first if the API can sort the list. If the list changes during the reading, the list is read again
  /// (``OffsetPages``).
  /// - Parameter isOfProject: whether the list belongs to the project, and therefore to the branch.
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

  /// Returns the number and the size of the page that shows the most objects from an offset on. The API has page numbers instead of offsets, so a
  /// size is chosen for which a page begins near the offset.
  static func page(showing offset: Int) -> (number: Int, size: Int) {
    var size = pageSize
    for other in 2..<pageSize where other - offset % other > size - offset % size { size = other }
    return (offset / size + 1, size)
  }
}
