internal import Foundation
internal import Localization
package import TestSupport
import Testing
internal import TranslationVendors
internal import ZipArchive

/// A stateful test double of Weblate with one project, `birds`, and with only the requests that the adapter sends. The responses were observed in
/// version 2026.10.1. An issue is recorded for an unknown request.
package final class WeblateServer: Sendable {
  let lock = NSLock()
  nonisolated(unsafe) let state = WeblateState()
  private let specification: OpenAPIDocument?
  /// The maximum number of elements on a page.
  let pageSize: Int
  /// A function that is called before the server returns a page of strings, with the number of the request.
  let beforeUnits: @Sendable (WeblateState, Int) -> Void

  /// Creates a server that checks requests against the vendor's OpenAPI document, if the document's file exists.
  package convenience init() throws { self.init(specification: try OpenAPIDocument("weblate/openapi.yaml")) }

  init(
    specification: OpenAPIDocument? = nil, pageSize: Int = 4,
    beforeUnits: @escaping @Sendable (WeblateState, Int) -> Void = { _, _ in }
  ) {
    self.specification = specification
    self.pageSize = pageSize
    self.beforeUnits = beforeUnits
  }

  package func respond(to request: RecordedRequest) -> LoopbackReply {
    guard request.header("Authorization") == "Token secret-token" else {
      return Self.error(401, "authentication_failed", "Invalid token.")
    }
    // `q` is documented in Weblate's manual, not in its specification.
    for fault in specification?.faults(of: request, extraQueries: ["q"]) ?? [] { Issue.record("\(fault)") }
    let parts = request.target.split(separator: "?", maxSplits: 1)
    guard let path = parts.first, path.hasPrefix("/api/"), path.hasSuffix("/") else { return unknown(request) }
    var query: [String: String] = [:]
    for pair in parts.dropFirst().first?.split(separator: "&") ?? [] {
      let words = pair.split(separator: "=", maxSplits: 1).map { HTTPText.decode(String($0)) }
      query[words[0]] = words.count > 1 ? words[1] : ""
    }
    let steps = path.split(separator: "/").dropFirst().map { HTTPText.decode(String($0)) }
    return lock.withLock { reply(request, steps, query) ?? unknown(request) }
  }

  private func unknown(_ request: RecordedRequest) -> LoopbackReply {
    Issue.record("Weblate has no \(request.method) \(request.target)")
    return .respond(status: 599)
  }

  private func reply(_ request: RecordedRequest, _ path: [String], _ query: [String: String]) -> LoopbackReply? {
    if let reply = glossary(request, path, query) { return reply }
    return switch (request.method, path.first, path.count) {
    case ("GET", "projects", 2): path[1] == "birds" ? .json(["slug": "birds"]) : Self.missing
    case ("GET", "languages", 1): page(WeblateState.codes.map { ["code": $0] }, query)
    case ("POST", "projects", 3) where path[2] == "components":
      path[1] == "birds" ? create(request) : Self.missing
    case (_, "components", 3...) where path[1] == "birds": component(request, path, query)
    case (_, "translations", 5) where path[1] == "birds": translation(request, path, query)
    case ("GET", "users", 2): state.users[path[1]].map { .json($0) } ?? Self.missing
    case ("DELETE", "units", 2): Int(path[1]).map(state.delete) == true ? .respond(status: 204) : Self.missing
    default: nil
    }
  }

  private func create(_ request: RecordedRequest) -> LoopbackReply? {
    guard let form = MultipartParts(request), let slug = form.text("slug"), let zip = form.parts["zipfile"],
      form.text("file_format") == "po-mono", form.text("filemask") == "*.po", form.text("edit_template") == "true",
      form.text("manage_units") == "true", let code = form.text("source_language"),
      form.text("template") == "\(code).po",
      slug.wholeMatch(of: /[-a-zA-Z0-9_]{1,100}/) != nil, (form.text("name") ?? "").count <= 100
    else { return nil }
    guard state.components[slug] == nil else {
      return Self.error(400, "unique", "Component or category with the same URL slug already exists at this level.")
    }
    guard let files = try? ZipArchive.read(zip), let bytes = files[TreePath(trusted: "\(code).po")] else { return nil }
    let component = WeblateState.Component(name: form.text("name") ?? "", source: code)
    guard component.replaceTemplate(bytes, state) else { return Self.error(400, "invalid", "Could not parse") }
    state.components[slug] = component
    return .json(["slug": slug], status: 201)
  }

  private func component(
    _ request: RecordedRequest, _ path: [String], _ query: [String: String]
  ) -> LoopbackReply? {
    guard let component = state.components[path[2]] else { return Self.missing }
    let body = (try? JSONSerialization.jsonObject(with: Data(request.body))) as? [String: Any] ?? [:]
    switch (request.method, path.dropFirst(3).first) {
    case ("GET", nil):
      return .json([
        "slug": path[2], "file_format": component.format, "template": "\(component.source).po",
        "source_language": ["code": component.source],
      ])
    case ("GET", "monolingual_base"): return Self.file(component.template)
    case ("GET", "translations"):
      let codes = [component.source] + component.languages.keys.sorted()
      return page(codes.map { ["language_code": $0, "language": ["code": $0]] }, query)
    case ("POST", "translations"):
      guard let code = body["language_code"] as? String, WeblateState.codes.contains(code),
        component.languages[code] == nil, code != component.source
      else { return Self.error(400, "invalid", "Could not add '\(body["language_code"] ?? "")'!") }
      component.languages[code] = WeblateState.Language(forms: WeblateState.ownForms[code] ?? 2)
      return .json(["language_code": code], status: 201)
    case ("POST", "repository"):
      guard body["operation"] as? String == "file-scan" else { return nil }
      component.scan()
      return .json(["result": true])
    default: return nil
    }
  }

  private func translation(
    _ request: RecordedRequest, _ path: [String], _ query: [String: String]
  ) -> LoopbackReply? {
    guard let component = state.components[path[2]] else { return Self.missing }
    let isSource = path[3] == component.source
    guard isSource || component.languages[path[3]] != nil else { return Self.missing }
    switch (request.method, path[4]) {
    case ("GET", "units"):
      state.unitRequests += 1
      beforeUnits(state, state.unitRequests)
      guard query["q"] == nil || query["q"] == "has:plural" else { return nil }
      let units = component.units(in: path[3], project: "birds/\(path[2])")
      return page(units.filter { query["q"] == nil || ($0["source"] as? [String] ?? []).count > 1 }, query)
    case ("GET", "changes"): return page(state.changes, query)
    case ("GET", "file"):
      component.commit()
      return Self.file(isSource ? component.template : component.file(path[3]))
    case ("POST", "file"):
      guard let form = MultipartParts(request), let bytes = form.parts["file"] else { return nil }
      switch form.text("method") {
      case "replace":
        component.commit()
        let isRead = isSource ? component.replaceTemplate(bytes, state) : component.replaceFile(path[3], bytes)
        guard isRead else { return Self.error(400, "invalid", "Could not parse uploaded file") }
      case "translate":
        guard !isSource, component.merge(path[3], bytes) else {
          return Self.error(400, "invalid", "Plural forms do not match the language.")
        }
      default: return nil
      }
      return .json(["accepted": 1, "skipped": 0, "not_found": 0, "total": 1, "result": true, "count": 1])
    default: return nil
    }
  }

  func page(_ all: [[String: Any]], _ query: [String: String]) -> LoopbackReply {
    let size = min(Int(query["page_size"] ?? "") ?? 50, pageSize)
    let number = Int(query["page"] ?? "1") ?? 1
    guard number == 1 || (number - 1) * size < all.count else { return Self.error(404, "not_found", "Invalid page.") }
    let end = min(number * size, all.count)
    return .json([
      "count": all.count, "next": end < all.count ? "https://elsewhere.test/?page=\(number + 1)" : NSNull(),
      "previous": NSNull(), "results": Array(all[(number - 1) * size..<end]),
    ])
  }

  static let missing = error(404, "not_found", "Not found.")

  private static func error(_ status: Int, _ code: String, _ detail: String) -> LoopbackReply {
    .json(
      ["type": "client_error", "errors": [["code": code, "detail": detail, "attr": NSNull()]]], status: status)
  }

  private static func file(_ bytes: [UInt8]) -> LoopbackReply {
    .respond(status: 200, headers: [("Content-Type", "text/x-gettext-translation; charset=utf-8")], body: bytes)
  }
}

enum HTTPText {
  static func decode(_ text: String) -> String { text.removingPercentEncoding ?? text }
}
