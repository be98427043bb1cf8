internal import Foundation
internal import Localization
package import TestSupport
import Testing

/// A stateful test double of Crowdin's API v2, with only the requests that the adapter sends. The server has project 2, which is file-based or
/// string-based. An issue is recorded for unknown requests, and for files and terms that are added twice.
package final class CrowdinServer: Sendable {
  struct Text {
    var id: Int
    var text: String
    var created: Int
  }

  struct Entry {
    var identifier: String
    /// The forms by category. The category is "" for a text without plural forms.
    var forms: [String: String]
    var context: String
    var isHidden = false
    var maxLength = 0
    var place: Int
    var updated: Int?
    /// The translations by language and category.
    var texts: [String: [String: Text]] = [:]
  }

  /// The contents of the server, which the lock protects.
  final class State {
    var entries: [Int: Entry] = [:]
    /// The files by ID, each with a name and the IDs of the parent folder and the branch. Folders have the same properties.
    var files: [Int: (name: String, folder: Int?, branch: Int?)] = [:]
    var folders: [Int: (name: String, folder: Int?, branch: Int?)] = [:]
    var storages: [Int: [UInt8]] = [:]
    var approvals: Set<Int> = []
    var branches: [Int: String] = [:]
    var next = 100
    var clock = 0
    /// The number of requests to add or replace a file that will be refused, as if Crowdin were busy with the file.
    var busy = 0
    /// The key of a string that Crowdin skips in uploaded files.
    var leftOut: String?
    /// The person who made all translations: username and full name.
    var user: [String: String]?
    var terms = StoredTerms()
  }

  static let languages = ["de", "uk", "pt-PT", "zh-CN"]
  let lock = NSLock()
  nonisolated(unsafe) let state = State()
  let isStrings: Bool
  /// The number of objects on a page: fewer than the adapter requests, so the adapter must read several pages.
  let page = 3

  package init(isStrings: Bool, branches: [String] = []) {
    self.isStrings = isStrings
    for (number, name) in branches.enumerated() { state.branches[number + 1] = name }
  }

  /// Sets the person who made all translations.
  /// - Parameter user: the person's username and full name.
  package func sign(_ user: [String: String]) { lock.withLock { state.user = user } }

  package func respond(to request: RecordedRequest) -> LoopbackReply {
    guard request.header("Authorization") == "Bearer secret-token" else { return Self.refusal(401, "Unauthorized") }
    return lock.withLock {
      state.clock += 1
      if request.method == "POST", request.path == ["storages"] { return store(request) }
      if request.path.starts(with: ["glossaries"]) { return glossary(request) ?? unknown(request) }
      guard request.path.starts(with: ["projects", "2"]) else { return Self.refusal(404, "Project Not Found") }
      let path = Array(request.path.dropFirst(2))
      switch (request.method, path.first, path.count) {
      case ("GET", nil, 0):
        let details: [String: Any] = [
          "id": 2, "type": isStrings ? 1 : 0, "sourceLanguageId": "en", "targetLanguageIds": Self.languages,
          "defaultGlossaryId": 6, "assignedGlossaries": [6],
        ]
        return .json(["data": details])
      case ("GET", "branches", 1):
        return list(request, [], state.branches.sorted { $0.key < $1.key }.map { ["id": $0.key, "name": $0.value] })
      case ("GET", "directories", 1) where !isStrings:
        return list(request, ["branchId", "recursion"], places(state.folders))
      case ("GET", "files", 1) where !isStrings: return list(request, ["branchId", "recursion"], places(state.files))
      case ("POST", "directories", 1) where !isStrings: return addFolder(request)
      case ("POST", "files", 1) where !isStrings: return addFile(request)
      case ("PUT", "files", 2) where !isStrings: return replaceFile(request, Int(path[1]) ?? 0)
      case ("DELETE", "files", 2) where !isStrings:
        guard let id = Int(path[1]), state.files.removeValue(forKey: id) != nil else {
          return Self.refusal(404, "File")
        }
        state.entries = state.entries.filter { $0.value.place != id }
        return .respond(status: 204)
      case ("GET", "strings", 1): return strings(request)
      case ("PATCH", "strings", 1): return change(request)
      case ("GET", "languages", 3) where path[2] == "translations": return translations(request, path[1])
      case ("PATCH", "translations", 1): return translate(request)
      case ("GET", "approvals", 1): return approvals(request)
      default: return unknown(request)
      }
    }
  }

  private func store(_ request: RecordedRequest) -> LoopbackReply {
    guard request.header("Content-Type") == "application/octet-stream",
      request.header("Crowdin-API-FileName")?.hasSuffix(".xcstrings") == true
    else { return unknown(request) }
    state.next += 1
    state.storages[state.next] = request.body
    return .json(["data": ["id": state.next, "fileName": "x"]], status: 201)
  }

  private func strings(_ request: RecordedRequest) -> LoopbackReply {
    guard let place = place(request) else { return unknown(request) }
    let found = state.entries.filter { $0.value.place == place }.sorted { $0.key < $1.key }
    return list(
      request, ["fileId", "branchId", "denormalizePlaceholders"],
      found.map { id, entry in
        [
          "id": id, "projectId": 2, "identifier": entry.identifier, "context": entry.context,
          "isHidden": entry.isHidden, "maxLength": entry.maxLength,
          "text": entry.forms[""].map { $0 as Any } ?? entry.forms,
          "updatedAt": entry.updated.map(Self.time) ?? NSNull(),
        ]
      })
  }

  private func place(_ request: RecordedRequest) -> Int? {
    guard request.query["denormalizePlaceholders"] == "1" else { return nil }
    return Int(request.query[isStrings ? "branchId" : "fileId"] ?? "")
  }

  private func change(_ request: RecordedRequest) -> LoopbackReply {
    let operations = (try? JSONSerialization.jsonObject(with: Data(request.body))) as? [[String: Any]] ?? []
    guard !operations.isEmpty, operations.count <= 200, Set(request.query.keys).isSubset(of: ["updateOption"]) else {
      return unknown(request)
    }
    let added = operations.compactMap { ($0["value"] as? [String: Any])?["identifier"] as? String }
    guard !state.entries.values.contains(where: { added.contains($0.identifier) }) else {
      return Self.refusal(400, "Invalid identifier given. Identifier must be unique")
    }
    for operation in operations {
      let path = (operation["path"] as? String ?? "").split(separator: "/").map(String.init)
      let id = Int(path.first ?? "") ?? 0
      if path.count == 2, path[1] != "text" { state.entries[id]?.updated = state.clock }
      switch (operation["op"] as? String, path.count, path.last) {
      case ("add", 1, "-") where isStrings:
        let value = operation["value"] as? [String: Any] ?? [:]
        guard Set(value.keys).subtracting(["maxLength"]) == ["text", "identifier", "context", "branchId"],
          let branch = value["branchId"] as? Int, state.branches[branch] != nil
        else { return unknown(request) }
        state.next += 1
        state.entries[state.next] = Entry(
          identifier: value["identifier"] as? String ?? "", forms: Self.forms(value["text"]),
          context: value["context"] as? String ?? "", maxLength: value["maxLength"] as? Int ?? 0, place: branch)
      case ("remove", 1, _) where isStrings:
        guard state.entries.removeValue(forKey: id) != nil else { return Self.refusal(404, "String Not Found") }
      case ("replace", 2, "text") where isStrings:
        setText(id, Self.forms(operation["value"]), keeps: request.query["updateOption"] == "keep_translations")
      case ("replace", 2, "context"): state.entries[id]?.context = operation["value"] as? String ?? ""
      case ("replace", 2, "maxLength"): state.entries[id]?.maxLength = operation["value"] as? Int ?? 0
      case ("replace", 2, "isHidden"): state.entries[id]?.isHidden = operation["value"] as? Bool ?? false
      default: return unknown(request)
      }
    }
    return .json(["data": [] as [Any]])
  }

  func setText(_ id: Int, _ forms: [String: String], keeps: Bool) {
    guard let entry = state.entries[id], entry.forms != forms else { return }
    state.entries[id]?.forms = forms
    state.entries[id]?.updated = state.clock
    for texts in entry.texts.values { for text in texts.values { state.approvals.remove(text.id) } }
    if !keeps { state.entries[id]?.texts = [:] }
  }

  private func translations(_ request: RecordedRequest, _ language: String) -> LoopbackReply {
    guard Self.languages.contains(language), let place = place(request) else { return unknown(request) }
    let found = state.entries.filter { $0.value.place == place && $0.value.texts[language]?.isEmpty == false }
    let objects = found.sorted { $0.key < $1.key }.map { id, entry -> [String: Any] in
      let texts = entry.texts[language] ?? [:]
      if let text = texts[""] {
        return [
          "stringId": id, "contentType": "text/plain", "translationId": text.id, "text": text.text,
          "createdAt": Self.time(text.created), "user": state.user ?? NSNull() as Any,
        ]
      }
      let plurals = texts.sorted { $0.key < $1.key }.map { form, text in
        [
          "translationId": text.id, "text": text.text, "pluralForm": form, "createdAt": Self.time(text.created),
          "user": state.user ?? NSNull() as Any,
        ] as [String: Any]
      }
      return ["stringId": id, "contentType": "application/vnd.crowdin.text+plural", "plurals": plurals]
    }
    return list(request, ["fileId", "branchId", "denormalizePlaceholders"], objects)
  }

  private func translate(_ request: RecordedRequest) -> LoopbackReply {
    let operations = (try? JSONSerialization.jsonObject(with: Data(request.body))) as? [[String: Any]] ?? []
    for operation in operations {
      guard operation["op"] as? String == "add", operation["path"] as? String == "/-",
        let value = operation["value"] as? [String: Any], let id = value["stringId"] as? Int,
        let entry = state.entries[id], let language = value["languageId"] as? String, Self.languages.contains(language)
      else { return unknown(request) }
      let form = value["pluralCategoryName"] as? String ?? ""
      guard (entry.forms[""] == nil) != form.isEmpty else { return unknown(request) }
      guard entry.texts[language]?[form]?.text != value["text"] as? String else {
        return Self.refusal(400, "An identical translation of this source string has been already saved")
      }
      state.next += 1
      state.entries[id]?.texts[language, default: [:]][form] = Text(
        id: state.next, text: value["text"] as? String ?? "", created: state.clock)
    }
    return .json(["data": [] as [Any]])
  }

  private func approvals(_ request: RecordedRequest) -> LoopbackReply {
    guard let language = request.query["languageId"] else { return unknown(request) }
    let file = request.query["fileId"].flatMap { Int($0) }
    let found = state.entries.filter { file == nil || $0.value.place == file }.flatMap { id, entry in
      (entry.texts[language] ?? [:]).values.filter { state.approvals.contains($0.id) }.map { (id, $0.id) }
    }
    return list(
      request, ["languageId", "fileId"],
      found.sorted { $0.1 < $1.1 }.map { string, text in
        ["id": text + 100_000, "translationId": text, "stringId": string, "languageId": language]
      })
  }

  func list(_ request: RecordedRequest, _ names: Set<String>, _ objects: [[String: Any]]) -> LoopbackReply {
    guard let offset = request.query["offset"].flatMap({ Int($0) }), request.query["limit"] == "500",
      Set(request.query.keys).subtracting(["offset", "limit"]).isSubset(of: names)
    else { return unknown(request) }
    return .json([
      "data": objects.dropFirst(offset).prefix(page).map { ["data": $0] },
      "pagination": ["offset": offset, "limit": page],
    ])
  }

  func unknown(_ request: RecordedRequest) -> LoopbackReply {
    Issue.record(
      "the API has no \(request.method) \(request.target) with \(String(decoding: request.body, as: UTF8.self))")
    return .respond(status: 599)
  }

  static func forms(_ text: Any?) -> [String: String] { text as? [String: String] ?? ["": text as? String ?? ""] }
  static func time(_ clock: Int) -> String {
    Date(timeIntervalSince1970: 1_800_000_000 + Double(clock)).formatted(.iso8601).replacing("Z", with: "+00:00")
  }

  static func refusal(_ status: Int, _ message: String) -> LoopbackReply {
    .json(["error": ["code": status, "message": message]], status: status)
  }
}
