internal import Foundation
package import Localization
package import TestSupport
import Testing
internal import TranslationVendors

/// A stateful test double of Smartling's APIs, with only the requests that the adapter sends. An issue is recorded for unknown requests and for
/// uploads that change nothing. Requests are checked against the vendor's OpenAPI document, if the document's file exists.
package final class SmartlingServer: Sendable {
  /// The contents of the server, which the lock protects.
  private final class State {
    /// The strings of the source files, by URI.
    var files: [String: [GettextEntry]] = [:]
    /// The translations by URI, locale and string. The translations of a string are kept when the string is removed from the file. A string whose
    /// source text changes is treated as another string.
    var texts: [String: [String: [String: [String]]]] = [:]
    var issued = 0
    /// The number of the last refused token. All earlier tokens are refused too.
    var revoked = 0
    var refreshes = 0
    var signIns = 0
    var canRefresh = true
    /// The number of times that an uploaded file must be requested before the server returns the uploaded strings.
    var delay = 0
    /// The context of translations that are not imported.
    var refused: String?
    /// The uploads that are not processed yet, with the number of requests that must still be made.
    var waiting: [String: (entries: [GettextEntry], looks: Int)] = [:]
    var glossaries = SmartlingGlossaries()
  }

  private static let forms = ["de": 2, "uk": 3]
  private static let specification = Result { try OpenAPIDocument("smartling/openapi.yaml") }
  private let lock = NSLock()
  nonisolated(unsafe) private let state = State()
  private let document: OpenAPIDocument?

  package init() throws { document = try Self.specification.get() }

  package func respond(to request: RecordedRequest) -> LoopbackReply {
    for fault in document?.faults(of: request) ?? [] { Issue.record("\(fault)") }
    return lock.withLock {
      let path = request.path
      switch (request.method, path) {
      case ("POST", ["auth-api", "v2", "authenticate"]):
        guard request.object as? [String: String] == ["userIdentifier": "me", "userSecret": "se:cret"] else {
          return Self.refusal(401, "AUTHENTICATION_ERROR", "wrong credentials")
        }
        state.signIns += 1
        return tokens()
      case ("POST", ["auth-api", "v2", "authenticate", "refresh"]):
        state.refreshes += 1
        guard state.canRefresh, request.object as? [String: String] == ["refreshToken": "r\(state.issued)"] else {
          return Self.refusal(401, "AUTHENTICATION_ERROR", "the session ended")
        }
        return tokens()
      default: break
      }
      let token = request.header("Authorization")?.split(separator: " ").last.flatMap { Int($0.dropFirst()) } ?? 0
      guard token > state.revoked, request.header("Authorization") == "Bearer a\(token)" else {
        return Self.refusal(401, "AUTHENTICATION_ERROR", "Invalid token")
      }
      if request.method == "GET", path == ["projects-api", "v2", "projects", "p1"] {
        return Self.success([
          "projectId": "p1", "accountUid": "acc", "sourceLocaleId": "en-US",
          "targetLocales": ["de", "uk"].map { ["localeId": $0, "description": $0, "enabled": true] as [String: Any] },
        ])
      }
      if path.starts(with: ["glossary-api", "v3", "accounts", "acc", "glossaries"]) {
        return state.glossaries.respond(to: request, Array(path.dropFirst(5))) ?? unknown(request)
      }
      guard path.starts(with: ["files-api", "v2", "projects", "p1"]) else { return unknown(request) }
      return files(request, Array(path.dropFirst(4)))
    }
  }

  private func files(_ request: RecordedRequest, _ path: [String]) -> LoopbackReply {
    let uri = request.query["fileUri"] ?? ""
    switch (request.method, path.first, path.count) {
    case ("GET", "files", 2) where path[1] == "list":
      let offset = Int(request.query["offset"] ?? "") ?? 0
      // A page has fewer files than the adapter requests, so the adapter must read several pages.
      let page = state.files.keys.sorted().dropFirst(offset).prefix(2)
      return Self.success([
        "totalCount": state.files.count, "items": page.map { ["fileUri": $0, "fileType": "gettext"] },
      ])
    case ("GET", "file", 1):
      if let upload = state.waiting[uri] {
        state.waiting[uri] = upload.looks > 1 ? (upload.entries, upload.looks - 1) : nil
        if upload.looks <= 1 { state.files[uri] = upload.entries }
      }
      guard let entries = state.files[uri] else { return Self.refusal(400, "VALIDATION_ERROR", "no file \(uri)") }
      return Self.file(entries, header: [Self.count(entries)])
    case ("POST", "file", 1):
      guard let (uri, header, entries) = upload(request, ["file", "fileUri", "fileType"]),
        header.contains(Self.count(entries))
      else { return unknown(request) }
      if state.files[uri] == entries { Issue.record("\(uri) was uploaded twice") }
      if state.delay > 0 {
        state.waiting[uri] = (entries, state.delay)
        return Self.success(["message": "Word and string counts are not available right now."], status: 202)
      }
      state.files[uri] = entries
      return Self.success(["overWritten": true, "stringCount": entries.count, "wordCount": 1])
    case ("GET", "locales", 3) where path[2] == "file":
      guard let entries = state.files[uri], let count = Self.forms[path[1]],
        request.query["retrievalType"] == "published",
        request.query["includeOriginalStrings"] == "false"
      else { return unknown(request) }
      return Self.file(
        entries.map { entry in
          var entry = entry
          entry.texts =
            state.texts[uri]?[path[1]]?[Self.name(of: entry)] ?? Array(repeating: "", count: entry.isPlural ? count : 1)
          return entry
        })
    case ("POST", "locales", 4) where path[2...] == ["file", "import"]:
      let names: Set = ["file", "fileUri", "fileType", "translationState", "overwrite"]
      guard let (uri, _, entries) = upload(request, names), let form = MultipartParts(request),
        form.text("translationState") == "PUBLISHED", form.text("overwrite") == "false"
      else { return unknown(request) }
      let faults = entries.compactMap(\.context).filter { $0 == state.refused }
      for entry in entries
      where entry.context != state.refused && state.texts[uri]?[path[1]]?[Self.name(of: entry)] == nil {
        state.texts[uri, default: [:]][path[1], default: [:]][Self.name(of: entry)] = entry.texts
      }
      return Self.success([
        "stringCount": entries.count - faults.count, "wordCount": 1,
        "translationImportErrors": faults.map {
          ["fileUri": uri, "importKey": $0, "stringHashcode": "1", "messages": ["Placeholder is missing"]]
            as [String: Any]
        },
      ])
    default: return unknown(request)
    }
  }

  private func upload(_ request: RecordedRequest, _ names: Set<String>) -> (
    uri: String, header: [GettextFile.Field], entries: [GettextEntry]
  )? {
    guard let form = MultipartParts(request), Set(form.parts.keys) == names, form.text("fileType") == "gettext",
      let uri = form.text("fileUri"),
      let file = try? GettextReader.read(form.parts["file"] ?? [], of: "upload"), file[field: "Plural-Forms"] != nil
    else { return nil }
    return (uri, file.header, file.entries)
  }

  private func tokens() -> LoopbackReply {
    state.issued += 1
    return Self.success([
      "accessToken": "a\(state.issued)", "refreshToken": "r\(state.issued)", "expiresIn": 480, "refreshExpiresIn": 3660,
      "tokenType": "Bearer",
    ])
  }

  /// Refuses all access tokens issued so far.
  /// - Parameter canRefresh: whether a refresh token is still accepted. If not, the adapter must sign in again.
  func revoke(canRefresh: Bool = true) {
    lock.withLock {
      state.revoked = state.issued
      state.canRefresh = canRefresh
    }
  }

  var signs: (ins: Int, refreshes: Int) { lock.withLock { (state.signIns, state.refreshes) } }

  /// Translates all strings into a language.
  package func translate(_ language: LocaleIdentifier) {
    lock.withLock {
      for (uri, entries) in state.files {
        for entry in entries {
          let count = entry.isPlural ? Self.forms[language.rawValue] ?? 1 : 1
          state.texts[uri, default: [:]][language.rawValue, default: [:]][Self.name(of: entry)] = (0..<count).map {
            "\(language) \($0): \($0 == 0 ? entry.id : entry.plural ?? entry.id)"
          }
        }
      }
    }
  }

  /// Keeps only the form with the number `place` of each translated plural text, as if a person had saved only this form.
  package func leaveOnly(place: Int, in language: LocaleIdentifier) {
    lock.withLock {
      for (uri, entries) in state.files {
        for name in entries.filter(\.isPlural).map(Self.name) {
          guard let texts = state.texts[uri]?[language.rawValue]?[name] else { continue }
          let left = texts.enumerated().map { $0.offset == place ? $0.element : "" }
          state.texts[uri]?[language.rawValue]?[name] = left
        }
      }
    }
  }

  /// Delays the processing of each upload until the uploaded file has been requested this many times.
  func delayUploads(looks: Int) { lock.withLock { state.delay = looks } }

  /// Configures the server to skip the translation of a string in imports. The response names the string.
  func refuse(_ context: String) { lock.withLock { state.refused = context } }

  /// Adds a form that the language does not have to every translation with plural forms.
  func addForms(_ language: LocaleIdentifier) {
    lock.withLock {
      for (uri, entries) in state.files {
        for entry in entries where entry.isPlural {
          state.texts[uri]?[language.rawValue]?[Self.name(of: entry)]?.append("more")
        }
      }
    }
  }

  /// Replaces the files that other people have uploaded with this number of new ones. Lists contain them before all other files.
  package func set(foreign count: Int) {
    lock.withLock {
      state.files = state.files.filter { !$0.key.hasPrefix("0 foreign") }
      for number in 0..<count { state.files["0 foreign \(9 - number)"] = [] }
    }
  }

  package var content: String {
    lock.withLock {
      state.files.sorted { $0.key < $1.key }.map { uri, entries in
        let strings = entries.map { "\($0.context ?? "") [\($0.note ?? "")] \($0.id)|\($0.plural ?? "")\n" }.joined()
        let texts = (state.texts[uri] ?? [:]).sorted { $0.key < $1.key }
          .map { locale, texts in
            let sorted = texts.sorted { $0.key < $1.key }
            return "\(locale): \(sorted.map { (key: $0.key.prefix { $0 != "\u{4}" }, value: $0.value) })\n"
          }.joined()
        return "\(uri)\n\(strings)\(texts)"
      }.joined()
    }
  }

  private static func name(of entry: GettextEntry) -> String {
    [entry.context, entry.id, entry.plural].map { $0 ?? "" }.joined(separator: "\u{4}")
  }

  /// Returns the header field with the number of strings, which uploaded source files must have.
  private static func count(_ entries: [GettextEntry]) -> GettextFile.Field {
    GettextFile.Field(name: "X-Dragoman-Strings", value: String(entries.count))
  }

  private static func file(_ entries: [GettextEntry], header: [GettextFile.Field] = []) -> LoopbackReply {
    var file = GettextFile(code: "en", plurals: PluralRules.gettext(of: "en"))
    file.header += header
    file.entries = entries
    return .respond(status: 200, headers: [("Content-Type", "text/plain;charset=UTF-8")], body: file.bytes)
  }

  private func unknown(_ request: RecordedRequest) -> LoopbackReply {
    Issue.record(
      "the API has no \(request.method) \(request.target) with \(String(decoding: request.body, as: UTF8.self))")
    return .respond(status: 599)
  }

  var terms: [String] { lock.withLock { state.glossaries.terms } }
  func editTerm(_ term: String, _ code: String, _ text: String) {
    lock.withLock { state.glossaries.edit(term, code, text) }
  }

  static func success(_ data: [String: Any], status: Int = 200) -> LoopbackReply {
    .json(["response": ["code": "SUCCESS", "data": data]], status: status)
  }

  static func refusal(_ status: Int, _ code: String, _ message: String) -> LoopbackReply {
    .json(["response": ["code": code, "errors": [["key": "general", "message": message]]]], status: status)
  }
}
