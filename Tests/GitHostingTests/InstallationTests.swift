import Foundation
import HTTPTransport
import Localization
import Logging
import Pipeline
import Synchronization
import TestSupport
import Testing
import TranslationVendors

@testable import GitHosting

/// GitHub Apps: JSON web tokens, whose signatures openssl verifies, and the renewal of installation tokens.
@Suite("GitHub Apps") struct InstallationTests {
  private final class Server: Sendable {
    struct State {
      var now = Date(timeIntervalSince1970: 1_800_000_000)
      var issued = 0
      var revoked: Set<String> = []
      var lines: [String] = []
    }

    let state = Mutex(State())
    let folder: TemporaryFolder
    let key: String

    init() throws {
      folder = try TemporaryFolder()
      try run("openssl", ["genrsa", "-out", folder.file("key.pem"), "2048"], in: folder.path)
      try run(
        "openssl", ["rsa", "-in", folder.file("key.pem"), "-pubout", "-out", folder.file("public.pem")], in: folder.path
      )
      key = try String(contentsOfFile: folder.file("key.pem"), encoding: .utf8)
    }

    func respond(to request: RecordedRequest) -> LoopbackReply {
      let authorization = String(request.header("Authorization")?.drop { $0 != " " }.dropFirst() ?? "")
      return state.withLock { state in
        state.lines.append("\(request.method) \(request.path.joined(separator: "/"))")
        switch (request.method, request.path) {
        case ("GET", ["repos", "acme", "app", "installation"]):
          guard verifies(authorization, now: state.now) else { return .json(["message": "bad JWT"], status: 401) }
          return .json(["id": 77])
        case ("POST", ["app", "installations", "77", "access_tokens"]):
          guard verifies(authorization, now: state.now), request.object["repositories"] as? [String] == ["app"] else {
            return .json(["message": "bad JWT"], status: 401)
          }
          state.issued += 1
          let expiry = state.now.addingTimeInterval(3600).formatted(.iso8601)
          return .json(["token": "ghs_\(state.issued)", "expires_at": expiry], status: 201)
        case ("GET", ["repos", "acme", "app", "branches", "main"]):
          guard authorization == "ghs_\(state.issued)", !state.revoked.contains(authorization) else {
            return .json(["message": "Bad credentials"], status: 401)
          }
          return .json(["protected": true])
        default: return .json(["message": "no"], status: 404)
        }
      }
    }

    /// Returns whether the token is of the app 4711, its times are within GitHub's limits, and openssl verifies its signature.
    private func verifies(_ token: String, now: Date) -> Bool {
      let parts = token.split(separator: ".").map(String.init)
      guard parts.count == 3, let claims = decode(parts[1]), let signature = decode(parts[2]),
        let object = try? JSONSerialization.jsonObject(with: claims) as? [String: Any],
        object["iss"] as? String == "4711",
        let issued = object["iat"] as? Double, let expiry = object["exp"] as? Double, expiry - issued <= 600,
        issued <= now.timeIntervalSince1970, expiry > now.timeIntervalSince1970
      else { return false }
      do {
        try folder.write("\(parts[0]).\(parts[1])", to: "content")
        try signature.write(to: URL(filePath: folder.file("signature")))
        try run(
          "openssl",
          [
            "dgst", "-sha256", "-verify", folder.file("public.pem"), "-signature", folder.file("signature"),
            folder.file("content"),
          ],
          in: folder.path)
        return true
      } catch { return false }
    }

    private func decode(_ text: String) -> Data? {
      let plain = text.replacing("-", with: "+").replacing("_", with: "/")
      return Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.count % 4) % 4))
    }

    func environment(_ secret: String? = nil) -> VendorEnvironment {
      VendorEnvironment(
        pipeline: "app", stateFolder: "/nonexistent", secret: { [key] in Secret(secret ?? key) },
        transport: HTTPTransport(), now: { self.state.withLock { $0.now } },
        sleep: { pause in self.state.withLock { $0.now += pause.seconds } },
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }
  }

  private let server: Server
  private let loopback: LoopbackHTTPServer
  private let place: ForgeRepository

  init() throws {
    let server = try Server()
    self.server = server
    loopback = try LoopbackHTTPServer { request, _ in server.respond(to: request) }
    place = try #require(ForgeRepository(remote: "https://github.com/acme/app.git"))
  }

  private func tokens(_ secret: String? = nil) throws -> InstallationTokens {
    try InstallationTokens(
      app: "4711", of: place, base: HTTPURL(loopback.url), environment: server.environment(secret),
      paces: RequestPaces())
  }

  private func pass(_ seconds: TimeInterval) { server.state.withLock { $0.now += seconds } }

  @Test("a token is kept for an hour minus five minutes, and concurrent callers share one request")
  func life() async throws {
    let tokens = try tokens()
    #expect(tokens.current == nil)
    let first = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<8 { group.addTask { try await tokens.token().reveal() } }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(first == ["ghs_1"])
    pass(3200)
    #expect(try await tokens.token().reveal() == "ghs_1")
    pass(101)
    #expect(try await tokens.token().reveal() == "ghs_2")
    #expect(tokens.current?.reveal() == "ghs_2")
    #expect(
      server.state.withLock { $0.lines } == [
        "GET repos/acme/app/installation", "POST app/installations/77/access_tokens",
        "POST app/installations/77/access_tokens",
      ])
  }

  @Test("expired and revoked tokens are renewed")
  func forge() async throws {
    let forge = try ForgeKind.github.forge(
      of: place, api: HTTPURL(loopback.url), tokens: tokens(), environment: server.environment("unused"),
      paces: RequestPaces())
    #expect(try await forge.obstacle(toPushing: "main") != nil)
    server.state.withLock { _ = $0.revoked.insert("ghs_1") }
    #expect(try await forge.obstacle(toPushing: "main") != nil)
    #expect(server.state.withLock { $0.issued } == 2)
    pass(7200)
    #expect(try await forge.obstacle(toPushing: "main") != nil)
    #expect(server.state.withLock { $0.issued } == 3)
  }

  @Test(
    "a wrong key is reported to a person without being shown", arguments: ["no key", "other", "encrypted", "elliptic"])
  func keys(_ kind: String) async throws {
    let folder = server.folder
    switch kind {
    case "other": try run("openssl", ["genrsa", "-out", folder.file("wrong.pem"), "2048"], in: folder.path)
    case "encrypted":
      try run(
        "openssl", ["genrsa", "-aes256", "-passout", "pass:x", "-out", folder.file("wrong.pem"), "2048"],
        in: folder.path)
    case "elliptic":
      try run(
        "openssl", ["ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", folder.file("wrong.pem")],
        in: folder.path)
    default: try folder.write("hunter2", to: "wrong.pem")
    }
    let key = try String(contentsOfFile: folder.file("wrong.pem"), encoding: .utf8)
    let tokens = try tokens(key)
    let error = await #expect(throws: VendorError.self) { try await tokens.token() }
    #expect(error?.disposition == .askPerson)
    let words = error?.description ?? ""
    #expect(words.contains("deliver.app_key") && !words.contains("hunter2") && !words.contains("BEGIN"), "\(words)")
  }

  @Test("a signed token that the server repeats later is removed from the message")
  func repeated() async throws {
    let parrot = try LoopbackHTTPServer { [server] request, _ in
      let header = request.header("Authorization") ?? ""
      server.state.withLock { state in
        state.lines.append(String(header.dropFirst("Bearer ".count)))
        // A token that is signed now differs from the one in the request.
        state.now += 2
      }
      return .json(["message": "cannot decode \(header)"], status: 401)
    }
    let tokens = try InstallationTokens(
      app: "4711", of: place, base: HTTPURL(parrot.url), environment: server.environment(), paces: RequestPaces())
    let error = await #expect(throws: VendorError.self) { try await tokens.token() }
    let words = error?.description ?? ""
    #expect(words.contains("cannot decode Bearer REDACTED"), "\(words)")
    let token = try #require(server.state.withLock { $0.lines.first })
    #expect(token.count > 100 && !words.contains(token), "\(words)")
  }
}
