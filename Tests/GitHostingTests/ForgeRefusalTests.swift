import Foundation
import GitHosting
import HTTPTransport
import Localization
import Logging
import Pipeline
import TestSupport
import Testing
import TranslationVendors

/// Messages about a forge's refusals.
@Suite("Refusals by every kind of forge")
struct ForgeRefusalTests {
  private let wanted = ForgeConformanceTests.german

  @Test(
    "opening a pull request fails with an error if the forge refuses and no pull request exists",
    arguments: ForgeKind.allCases)
  func branchDeleted(_ kind: ForgeKind) async throws {
    let double = ForgeServer(kind)
    double.change { $0.branches["l10n/main"] = nil }
    let server = try double.serve()
    let error = await #expect(throws: VendorError.self) { try await double.forge(server).ensure(wanted) }
    #expect(error?.disposition == .askPerson)
    let text = error?.description ?? ""
    #expect(text.contains("the server returned 422, “not a pull request"), "\(text)")
    #expect(text.contains(". The server does not accept this request. Correct what its message names"), "\(text)")
    #expect(double.state.pulls.isEmpty)
  }

  @Test(
    "a rate limit is reported with the time until the next request", arguments: ForgeKind.allCases)
  func tooMany(_ kind: ForgeKind) async throws {
    let server = try LoopbackHTTPServer { _, _ in .respond(status: 429, headers: [("Retry-After", "3600")]) }
    let error = await #expect(throws: TransportError.self) {
      try await ForgeServer(kind).forge(server).ensure(wanted)
    }
    #expect(error?.disposition == .retryAfter(.seconds(900)))
    #expect(error?.detail.hasSuffix(". The next request is sent after 900 s") == true, "\(error as Any)")
  }

  @Test(
    "a redirect to a sign-in page is reported as a wrong token and never followed",
    arguments: ForgeKind.allCases,
    [
      nil, "https://spsprodweu1.vssps.visualstudio.com/_signin?realm=dev.azure.com&reply_to=x",
      "/users/sign_in", "/git/user/login", "/login?next=/rest/api", "https://git.example.com/bitbucket/login",
    ])
  func signIn(_ kind: ForgeKind, _ address: String?) async throws {
    let server = try LoopbackHTTPServer { _, _ in
      if let address { return .respond(status: 302, headers: [("Location", address)]) }
      return .respond(
        status: 203, headers: [("Content-Type", "text/html; charset=utf-8")], body: Array("<html>Sign In</html>".utf8))
    }
    let forge = try ForgeServer(kind).forge(server)
    let error = await #expect(throws: VendorError.self) { try await forge.ensure(wanted) }
    #expect(error?.kind == .refused && error?.disposition == .askPerson)
    let text = error?.description ?? ""
    #expect(text.contains("the server returned \(address == nil ? 203 : 302) with "), "\(text)")
    #expect(text.contains(" sign-in page") && !text.contains("realm"), "\(text)")
    #expect(text.contains(". Check the token that deliver.token names"), "\(text)")
    #expect(!text.contains("Configure that URL"), "\(text)")
    #expect(server.requests.count == 1, "\(server.requests.map(\.line))")
  }

  /// Tokens that every server refuses.
  private struct RefusedTokens: ForgeTokens {
    let current: Secret? = Secret("token-1")
    let gitUser = "x-access-token"
    func token() async throws -> Secret { Secret("token-1") }
    func forget(_ token: Secret) async {}
  }

  @Test(
    "a refused token of a GitHub app or an OAuth application is reported with the keys of the app or application",
    arguments: [
      (ForgeKind.github, "a new token of the app in deliver.app."),
      (.gitlab, "a new token of the application in deliver.oauth_client."),
    ])
  func renewedToken(_ kind: ForgeKind, _ wanted: String) async throws {
    let server = try LoopbackHTTPServer { _, _ in .json(["message": "Bad credentials"], status: 401) }
    let environment = VendorEnvironment(
      pipeline: "app", stateFolder: "/nonexistent", transport: HTTPTransport(), now: { Date() }, sleep: { _ in },
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    let forge = try kind.forge(
      of: try #require(ForgeRepository(remote: ForgeServer(kind).remote)), api: HTTPURL(server.url),
      tokens: RefusedTokens(), environment: environment, paces: RequestPaces())
    let error = await #expect(throws: VendorError.self) { try await forge.addComment("x", to: 1) }
    let text = error?.description ?? ""
    #expect(text.contains(wanted), "\(text)")
    #expect(!text.contains("deliver.token "), "\(text)")
    #expect(server.requests.count == 2, "\(server.requests.map(\.line))")
  }

  @Test("a GitLab token that lacks a scope is reported with the required scope")
  func scope() async throws {
    let server = try LoopbackHTTPServer { _, _ in
      .json(
        [
          "error": "insufficient_scope", "scope": "api",
          "error_description": "The request requires higher privileges than provided by the access token.",
        ], status: 403)
    }
    let error = await #expect(throws: VendorError.self) {
      try await ForgeServer(.gitlab).forge(server).addComment("x", to: 1)
    }
    #expect(error?.disposition == .askPerson)
    #expect(
      error?.description.contains(". The token lacks a scope. It needs the scope api: ") == true, "\(error as Any)")
  }

  @Test(
    "a repository that the token cannot access is reported with both possible causes", arguments: ForgeKind.allCases)
  func unseen(_ kind: ForgeKind) async throws {
    let server = try LoopbackHTTPServer { _, _ in .json(["message": "404 Project Not Found"], status: 404) }
    let error = await #expect(throws: VendorError.self) {
      try await ForgeServer(kind).forge(server).addComment("x", to: 1)
    }
    let words = error?.description ?? ""
    #expect(words.contains("The token has no access to the repository, or repository.url is wrong"), "\(words)")
  }

  @Test("a refusal is reported with only the server's message", arguments: ForgeKind.allCases)
  func locked(_ kind: ForgeKind) async throws {
    let server = try LoopbackHTTPServer { request, _ in
      request.method == "GET" ? .json([]) : .json(["message": "issue is locked"], status: 403)
    }
    let error = await #expect(throws: VendorError.self) {
      try await ForgeServer(kind).forge(server).addComment("x", to: 1)
    }
    let text = error?.description ?? ""
    #expect(text.contains("the server returned 403 (forbidden), “issue is locked”. If the server gives no"), "\(text)")
  }

  @Test(
    "credentials that the server repeats, encoded or decoded, are removed from its message",
    arguments: ForgeKind.allCases, ["glpat-s3cret", "robot:glpat-s3cret", "Bearer glpat-s3cret"])
  func repeated(_ kind: ForgeKind, _ secret: String) async throws {
    let server = try LoopbackHTTPServer { request, _ in
      let sent = request.header("Authorization") ?? request.header("PRIVATE-TOKEN") ?? ""
      let encoded = String(sent.split(separator: " ").last ?? "")
      let decoded = String(decoding: Data(base64Encoded: encoded) ?? Data(), as: UTF8.self)
      let words = "header [\(sent)] decoded [\(decoded)] token glpat-s3cret"
      return .json(["message": words], status: 403)
    }
    let error = await #expect(throws: VendorError.self) {
      try await ForgeServer(kind).forge(server, secret: secret).addComment("x", to: 1)
    }
    let text = error?.description ?? ""
    #expect(text.contains("token REDACTED"), "\(text)")
    let token = "glpat-s3cret"
    let hidden = [token, ":" + token, "robot:" + token].flatMap { [$0, Data($0.utf8).base64EncodedString()] }
    for word in hidden { #expect(!text.contains(word), "\(text)") }
  }
}
