import Foundation
import GitHosting
import HTTPTransport
import Localization
import Logging
import Pipeline
import TestSupport
import Testing
import TranslationVendors

/// OAuth applications on GitLab: tokens are renewed, and each new refresh token is stored.
@Suite("GitLab OAuth applications") struct GitLabTokensTests {
  private let double = ForgeServer(.gitlab)
  private let server: LoopbackHTTPServer
  private let folder: TemporaryFolder

  init() throws {
    double.change { $0.application = ForgeServer.Application() }
    server = try double.serve()
    folder = try TemporaryFolder()
  }

  private var environment: VendorEnvironment {
    VendorEnvironment(
      pipeline: "app", stateFolder: "/nonexistent", transport: HTTPTransport(), now: { [double] in double.state.now },
      sleep: { [double] pause in double.change { $0.now += pause.seconds } },
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  private func tokens(
    refresh: String = "refresh-0", secret: String = "hush", folder path: String? = nil
  ) throws -> GitLabTokens {
    GitLabTokens(
      client: "client", secret: { Secret(secret) }, refreshToken: { Secret(refresh) }, server: try HTTPURL(server.url),
      folder: path ?? folder.file("tokens"), environment: environment, paces: RequestPaces())
  }

  private func forge(_ tokens: GitLabTokens) throws -> any Forge {
    try ForgeKind.gitlab.forge(
      of: try #require(ForgeRepository(remote: double.remote)), api: HTTPURL(server.url), tokens: tokens,
      environment: environment, paces: RequestPaces())
  }

  private func pass(_ seconds: TimeInterval) { double.change { $0.now += seconds } }

  /// Returns the refresh token in the file, and checks that only the owner can read the file.
  private func kept() throws -> String {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("tokens")).filter {
      $0.hasSuffix(".json")
    }
    #expect(names.count == 1)
    let path = folder.file("tokens/\(names.first ?? "")")
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    let object = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path))) as? [String: Any]
    return object?["refresh"] as? String ?? ""
  }

  @Test("a token is used for two hours minus five minutes, by all pipelines and across restarts")
  func life() async throws {
    let (one, other) = (try tokens(), try tokens())
    #expect(one.current == nil && one.gitUser == "oauth2")
    let first = try await withThrowingTaskGroup(of: String.self) { group in
      for number in 0..<8 { group.addTask { try await (number < 4 ? one : other).token().reveal() } }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(first == ["access-1"])
    #expect(try kept() == "refresh-1")
    pass(6800)
    #expect(try await tokens().token().reveal() == "access-1")
    pass(101)
    #expect(try await one.token().reveal() == "access-2")
    #expect(try kept() == "refresh-2")
    #expect(try await other.token().reveal() == "access-2")
    #expect(try await tokens().token().reveal() == "access-2")
    #expect(double.state.application?.renewals == 2)
    #expect(double.state.refused == [])
  }

  @Test("API requests use the newest token, and revoked and expired tokens are replaced")
  func forge() async throws {
    let forge = try forge(tokens())
    #expect(try await forge.pullRequest(from: "l10n/main", into: "main") == nil)
    double.change { $0.application?.access = "revoked" }
    #expect(try await forge.pullRequest(from: "l10n/main", into: "main") == nil)
    #expect(double.state.application?.renewals == 2)
    pass(8000)
    #expect(try await forge.pullRequest(from: "l10n/main", into: "main") == nil)
    #expect(double.state.application?.renewals == 3)
    #expect(try kept() == "refresh-3")
  }

  @Test("a request that GitLab did not carry out is repeated with the same refresh token")
  func lostRequest() async throws {
    double.change { $0.application?.losses = [.beforeRenewal] }
    await #expect(throws: TransportError.self) { try await tokens().token() }
    #expect(try kept() == "refresh-0")
    #expect(try await tokens().token().reveal() == "access-1")
    #expect(try kept() == "refresh-1")
  }

  @Test("if the response with the new refresh token is lost, the error says so, and a new first token continues")
  func lostResponse() async throws {
    double.change { $0.application?.losses = [.afterRenewal] }
    let error = await #expect(throws: TransportError.self) { try await tokens().token() }
    #expect(error?.disposition == .retry)
    let again = await #expect(throws: VendorError.self) { try await tokens().token() }
    #expect(again?.disposition == .askPerson)
    let words = again?.description ?? ""
    #expect(words.contains("was not stored; GitLab probably replaced the token then"), "\(words)")
    #expect(words.contains("Authorize the application again"), "\(words)")
    #expect(!words.contains("refresh-0") && !words.contains("hush"), "\(words)")
    // A person authorizes the application again.
    double.change { $0.application?.refresh = "refresh-new" }
    #expect(try await tokens(refresh: "refresh-new").token().reveal() == "access-2")
  }

  @Test("a wrong secret must be corrected by a person, and uses up no token")
  func wrongSecret() async throws {
    let error = await #expect(throws: VendorError.self) { try await tokens(secret: "wrong").token() }
    #expect(error?.disposition == .askPerson)
    #expect(error?.description.contains("Check deliver.oauth_client and deliver.oauth_secret") == true)
    #expect(error?.description.contains("wrong") == false)
    #expect(try await tokens().token().reveal() == "access-1")
  }

  @Test(
    "secrets that a server repeats are removed from the message",
    arguments: [(400, "error"), (422, "message"), (500, "message"), (403, "error_description")])
  func repeated(status: Int, member: String) async throws {
    let parrot = try LoopbackHTTPServer { request, _ in
      let body = #"{"\#(member)":"no: \#(String(decoding: request.body, as: UTF8.self))"}"#
      return .respond(status: status, headers: [("Content-Type", "application/json")], body: Array(body.utf8))
    }
    let tokens = GitLabTokens(
      client: "client", secret: { Secret("hu:sh") }, refreshToken: { Secret("refresh-0") },
      server: try HTTPURL(parrot.url), folder: folder.file("tokens"), environment: environment, paces: RequestPaces())
    let error = await #expect(throws: (any Error).self) { try await tokens.token() }
    let words = String(describing: error)
    #expect(words.contains("refresh_token=REDACTED"), "\(words)")
    for secret in ["refresh-0", "hu:sh", "hu%3Ash"] { #expect(!words.contains(secret), "\(words)") }
  }

  @Test("no token is requested if the folder is not writable, because the new token could not be stored")
  func unwritable() async throws {
    try folder.write("a file", to: "file")
    await #expect(throws: VendorError.self) { try await tokens(folder: folder.file("file")).token() }
    #expect(double.state.requests.isEmpty)
  }

  @Test("a damaged token file is reported and not replaced")
  func damaged() async throws {
    _ = try await tokens().token()
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: folder.file("tokens")).first { $0.hasSuffix(".json") })
    try folder.write("{", to: "tokens/\(name)")
    let error = await #expect(throws: VendorError.self) { try await tokens().token() }
    #expect(error?.description.contains("is damaged. Delete it, authorize the application again") == true)
    #expect(double.state.application?.renewals == 1)
  }

  @Test("a token without a lifetime is used for two hours, and a short-lived token is renewed before it expires")
  func lifetimes() async throws {
    double.change { $0.application?.lifetime = nil }
    let tokens = try tokens()
    _ = try await tokens.token()
    pass(6800)
    #expect(try await tokens.token().reveal() == "access-1")
    pass(101)
    double.change { $0.application?.lifetime = 100 }
    #expect(try await tokens.token().reveal() == "access-2")
    pass(74)
    #expect(try await tokens.token().reveal() == "access-2")
    pass(2)
    #expect(try await tokens.token().reveal() == "access-3")
  }
}
