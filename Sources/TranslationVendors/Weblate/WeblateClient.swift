internal import Foundation
internal import HTTPTransport
internal import Localization
internal import ZipArchive

/// A client that sends requests to Weblate's REST API. All addresses end with a slash. Weblate redirects requests without the slash, and a redirected
/// POST is lost.
struct WeblateClient: Sendable {
  /// The number of elements on one page. Weblate allows 1000 for most lists.
  static let pageSize = 1000
  /// The maximum number of times that a list is read if it changes during reading.
  static let passes = 5

  let http: VendorHTTP
  let project: String

  private func request(
    _ method: String, _ path: [String], query: [(name: String, value: String)] = [], body: HTTPRequestBody = .none,
    headers: [(name: String, value: String)] = [], isRepeatable: Bool? = nil
  ) -> VendorHTTP.Request {
    // The deadlines are long, because Weblate parses a whole file in one request: 2000 strings took 32 s on two processors.
    VendorHTTP.Request(
      method, ["api"] + path + [""], query: query, headers: headers, body: body, isRepeatable: isRepeatable,
      deadlines: Deadlines(stall: .seconds(300), whole: .seconds(600)))
  }

  func json(_ method: String, _ path: [String], _ body: some Encodable, isRepeatable: Bool = false) throws
    -> VendorHTTP.Request
  {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return request(
      method, path, body: .bytes(Array(try encoder.encode(body))), headers: [("Content-Type", "application/json")],
      isRepeatable: isRepeatable)
  }

  /// Reads all pages of a list. If the list changes during reading, the list is read again, at most ``passes`` times. If the list still changes then,
  /// all elements that were found in any pass are returned. Each element is returned once.
  func list<Element: Decodable & Sendable, ID: Hashable>(
    _ path: [String], id: (Element) -> ID
  ) async throws -> [Element] {
    var found: [ID: Element] = [:]
    var order: [ID] = []
    for _ in 0..<Self.passes {
      var seen: Set<ID> = []
      var counts: Set<Int> = []
      var number = 1
      while true {
        try Task.checkCancellation()
        let asked = request(
          "GET", path, query: [("page", "\(number)"), ("page_size", "\(Self.pageSize)")])
        // A page can be missing if the list became shorter during reading.
        let response = try await http.send(asked, accepting: number > 1 ? [404] : [])
        guard response.head.isSuccess else { break }
        let page = try http.decode(response, asked, as: WeblateMessages.Page<Element>.self)
        counts.insert(page.count)
        for element in page.results {
          if found.updateValue(element, forKey: id(element)) == nil { order.append(id(element)) }
          seen.insert(id(element))
        }
        guard page.next != nil, !page.results.isEmpty else { break }
        number += 1
      }
      if counts.count == 1, counts.first == seen.count { return order.filter(seen.contains).compactMap { found[$0] } }
    }
    return order.compactMap { found[$0] }
  }

  /// Checks that the project exists.
  /// - Throws: an error with the next step if the project does not exist.
  func checkProject() async throws {
    let asked = request("GET", ["projects", project])
    let response = try await http.send(asked, accepting: [404])
    guard response.head.isSuccess else { throw missingProject }
    _ = try http.decode(response, asked, as: WeblateMessages.Project.self)
  }

  var missingProject: VendorError {
    VendorError(
      kind: .configuration, at: "weblate: project \(project)",
      detail: "Weblate has no such project, or the token may not see it. Create the project, and add the token's "
        + "user to its team Administration")
  }

  func languages() async throws -> [WeblateMessages.Language] { try await list(["languages"]) { $0.code } }

  func component(_ slug: String) async throws -> WeblateMessages.Component? {
    let asked = request("GET", ["components", project, slug])
    let response = try await http.send(asked, accepting: [404])
    return response.head.isSuccess ? try http.decode(response, asked, as: WeblateMessages.Component.self) : nil
  }

  /// Returns the file with the source texts; `nil` if the component does not exist. Weblate commits pending edits before it responds to this
  /// request. The file at the component's `monolingual_base` may lack these edits.
  /// - Parameter code: the code of the source language.
  func template(_ slug: String, _ code: String) async throws -> GettextFile? {
    let asked = request("GET", ["translations", project, slug, code, "file"])
    let response = try await http.send(asked, accepting: [404])
    guard response.head.isSuccess else { return nil }
    return try GettextReader.read(response.body, of: "weblate: template of \(project)/\(slug)")
  }

  func file(_ slug: String, _ code: String) async throws -> GettextFile {
    let response = try await http.send(request("GET", ["translations", project, slug, code, "file"]))
    return try GettextReader.read(response.body, of: "weblate: file \(project)/\(slug)/\(code)", mayBeEmpty: true)
  }

  /// The effect of an upload on existing strings.
  enum UploadMethod: String {
    /// The uploaded file replaces the existing file.
    case replace
    /// The uploaded texts are entered for strings that have no finished translation.
    case translate
  }

  @discardableResult
  func upload(
    _ file: GettextFile, _ slug: String, _ code: String, _ method: UploadMethod
  ) async throws -> WeblateMessages.UploadResult {
    var form = MultipartForm()
    form.add("method", method.rawValue)
    form.add("file", file: "\(code).po", file.bytes, mediaType: "text/x-gettext-translation")
    let (contentType, body) = form.encoded()
    // Uploading the same file twice has no further effect.
    let asked = request(
      "POST", ["translations", project, slug, code, "file"], body: .bytes(body),
      headers: [("Content-Type", contentType)], isRepeatable: true)
    return try await http.json(asked, as: WeblateMessages.UploadResult.self)
  }

  /// Creates the component of a catalog. The component's git repository is local to Weblate.
  func create(_ component: WeblateComponent, template: GettextFile, code: String, flags: String) async throws {
    let archive = try ZipArchive.write(
      [(TreePath(trusted: "\(code).po"), template.bytes)], modified: Date(timeIntervalSince1970: 1_577_836_800))
    var form = MultipartForm()
    for (name, value) in [
      ("name", component.name), ("slug", component.slug), ("file_format", "po-mono"), ("filemask", "*.po"),
      ("template", "\(code).po"), ("source_language", code), ("vcs", "local"), ("repo", "local:"), ("new_lang", "add"),
      // Weblate needs both settings to allow the deletion of strings.
      ("edit_template", "true"), ("manage_units", "true"), ("check_flags", flags),
    ] {
      form.add(name, value)
    }
    form.add("zipfile", file: "catalog.zip", archive, mediaType: "application/zip")
    let (contentType, body) = form.encoded()
    _ = try await http.send(
      request(
        "POST", ["projects", project, "components"], body: .bytes(body), headers: [("Content-Type", contentType)]))
  }

  func translations(_ slug: String) async throws -> [WeblateMessages.Translation] {
    try await list(["components", project, slug, "translations"]) { $0.language.code }
  }

  func addLanguage(_ code: String, _ slug: String) async throws {
    _ = try await http.send(
      try json("POST", ["components", project, slug, "translations"], ["language_code": code]))
  }

  func units(_ slug: String, _ code: String) async throws -> [WeblateMessages.Unit] {
    try await list(["translations", project, slug, code, "units"]) { $0.id }
  }

  /// Returns one page of the changes of a component in a language, newest first.
  /// - Parameter number: the number of the page, starting with 1.
  /// - Returns: `nil` after the last page.
  func changes(_ slug: String, _ code: String, page number: Int) async throws -> [WeblateMessages.Change]? {
    let asked = request(
      "GET", ["translations", project, slug, code, "changes"],
      query: [("page", "\(number)"), ("page_size", "\(Self.pageSize)")])
    let response = try await http.send(asked, accepting: number > 1 ? [404] : [])
    guard response.head.isSuccess else { return nil }
    let page = try http.decode(response, asked, as: WeblateMessages.Page<WeblateMessages.Change>.self)
    return page.results.isEmpty ? nil : page.results
  }

  /// Returns a user; `nil` if the user does not exist, or the token may not see the user.
  func user(_ name: String) async throws -> WeblateMessages.User? {
    let asked = request("GET", ["users", name])
    let response = try await http.send(asked, accepting: [403, 404])
    return response.head.isSuccess ? try http.decode(response, asked, as: WeblateMessages.User.self) : nil
  }

  /// Returns the number of forms of a string with plural forms in a language; `nil` if the component has no such string.
  func formCount(_ slug: String, _ code: String) async throws -> Int? {
    let asked = request(
      "GET", ["translations", project, slug, code, "units"], query: [("q", "has:plural"), ("page_size", "1")])
    return try await http.json(asked, as: WeblateMessages.Page<WeblateMessages.Unit>.self).results.first?.target.texts
      .count
  }

  /// Makes Weblate read a component's files again.
  func scan(_ slug: String) async throws {
    let asked = try json(
      "POST", ["components", project, slug, "repository"], ["operation": "file-scan"], isRepeatable: true)
    _ = try await http.json(asked, as: WeblateMessages.OperationResult.self)
  }

  /// Deletes a string of the source language and its translations. A missing string is not an error.
  func delete(unit: Int) async throws {
    _ = try await http.send(request("DELETE", ["units", "\(unit)"]), accepting: [404])
  }
}
