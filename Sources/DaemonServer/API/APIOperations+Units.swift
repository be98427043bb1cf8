internal import Daemon
internal import Foundation
internal import HTTPTypes
internal import Localization
internal import Pipeline
internal import ReadModel

/// The operations on strings, the audit log and tokens.
extension APIOperations {
  private struct TokenLine: Encodable, Sendable {
    var name: String
    var role: Role
    var created: Date
  }

  private struct NewToken: Codable, Sendable {
    var name: String
    var role: Role
    var token: String?
  }

  var unitOperations: [APIOperation] {
    [
      APIOperation(
        method: .get, path: "/units", name: "explainUnit",
        summary: "The history of the strings with a key: their commits, vendors, returned texts and deliveries.",
        role: .viewer,
        query: [
          .init(name: "key", schema: .string(length: 1...10_000), description: "The key.", isRequired: true),
          Self.pipelineFilter,
          .init(
            name: "language", schema: .string(length: 1...100), description: "Only this language. May be repeated."),
        ], response: Self.list("units", "UnitHistory"), problems: [.notFound]
      ) { request in
        guard let key = request.text("key"), !key.isEmpty else {
          throw APIProblem(.badRequest, "parameter", "key is missing")
        }
        let languages = Set((request.query["language"] ?? []).map { LocaleIdentifier($0) })
        return ["units": try await model.histories(of: key, in: request.text("pipeline"), languages: languages)]
      },
      APIOperation(
        method: .get, path: "/search", name: "searchUnits",
        summary: "Units whose key or source text contains a text.", role: .viewer,
        query: [
          .init(name: "text", schema: .string(length: 1...1000), description: "The text.", isRequired: true),
          Self.pipelineFilter, Self.limit(200, 50),
        ], response: Self.list("units", "FoundUnit")
      ) { request in
        guard let text = request.text("text"), !text.isEmpty else {
          throw APIProblem(.badRequest, "parameter", "text is missing")
        }
        let limit = try request.number("limit", in: 1...200, default: 50)
        return ["units": try await model.search(text, in: request.text("pipeline"), limit: Int(limit))]
      },
      APIOperation(
        method: .get, path: "/audit", name: "listAudit", summary: "The audit log, newest first.", role: .operator,
        query: [Self.pipelineFilter, Self.limit(1000, 100), Self.before("entries")],
        response: Self.list("entries", "AuditEntry")
      ) { request in
        let limit = try request.number("limit", in: 1...1000, default: 100)
        let before = try request.number("before", in: 1...Int64.max, default: .max)
        return [
          "entries": try await model.audit(
            of: request.text("pipeline"), before: AuditID(rawValue: before), limit: Int(limit))
        ]
      },
    ]
  }

  var tokenOperations: [APIOperation] {
    [
      APIOperation(
        method: .get, path: "/tokens", name: "listTokens",
        summary: "The tokens' names and roles, never the tokens themselves.", role: .admin,
        response: Self.list("tokens", "Token")
      ) { _ in
        [
          "tokens": try await daemon.people.tokens().map {
            TokenLine(name: $0.name, role: $0.role, created: $0.created)
          }
        ]
      },
      APIOperation(
        method: .post, path: "/tokens", name: "addToken", summary: "Add a token.", role: .admin,
        body: .object([
          .init("name", .string(length: 1...64, pattern: "^[!\"$&-.0-9:->@-~]+$")),
          .init("role", .oneOf(Role.allCases.map(\.rawValue))),
        ]), response: .named("NewToken"), status: .created, problems: [.conflict]
      ) { request in
        var new = try request.decode(NewToken.self)
        new.token = try await daemon.decisions(of: request.actor).addToken(named: new.name, role: new.role).reveal()
        return new
      },
      APIOperation(
        method: .delete, path: "/tokens/{name}", name: "removeToken",
        summary: "Remove a token. Requests with it are refused immediately.", role: .admin, response: .named("Done")
      ) { request in
        try await daemon.decisions(of: request.actor).removeToken(named: request.path["name"] ?? "")
        return Done()
      },
    ]
  }
}
