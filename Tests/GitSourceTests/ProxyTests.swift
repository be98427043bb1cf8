import Foundation
import HTTPTransport
import Localization
import Pipeline
import TestSupport
import Testing

@testable import GitSource

/// Repositories behind a proxy, and servers that require a client certificate.
@Suite(.enabled(if: networkReasonToSkip == nil))
struct ProxyTests {
  private let repository: TemporaryRepository

  init() throws {
    repository = try TemporaryRepository()
    try repository.commit(["a": "1"])
  }

  private func mirror(_ url: String, _ connection: HTTPConnection, credentials: String? = nil) throws -> GitMirror {
    try GitMirror(
      url: url, folder: repository.folder.file("mirror.git"), credentials: { credentials.map { Secret($0) } },
      connection: { connection }, networkChild: GitNetworkChild(executable: networkProgram))
  }

  /// Polls and fetches the mirror's repository, and pushes a commit to it.
  private func use(_ mirror: GitMirror) async throws {
    #expect(try await mirror.remoteBranches().map(\.name) == ["main"])
    let head = try #require(try await mirror.refresh().first).commit
    // The pushed content is too long for one part of the body.
    let content = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 2_654_435_761 >> 13) }
    let made = try await mirror.makeCommit(
      TreeEdits(["t": .write(content)]), on: head, message: "m", author: signature, committer: signature)
    #expect(try await mirror.push(made, to: "l10n/main", expecting: nil) == .pushed)
    #expect(try await mirror.remoteBranches().map(\.name) == ["l10n/main", "main"])
  }

  @Test("polls, fetches and pushes use the proxy with its credentials, which are not sent to the server")
  func proxied() async throws {
    guard let server = try await TLSGitServer.start(),
      let proxy = try await ProxyServer.start(credentials: "ada:secret")
    else { return }
    let url = try server.serve(repository, as: "app")
    var connection = HTTPConnection(certificates: server.certificate)
    connection.proxy = HTTPProxy(address: Secret(proxy.url), user: "ada", password: Secret("secret"))
    try await use(try mirror(url, connection))
    let log = try proxy.log()
    #expect(!log.isEmpty && Set(log) == ["CONNECT 127.0.0.1:\(server.port) allowed"], "\(log)")
  }

  @Test("if a proxy refuses the credentials, the errors of polls and transfers name the proxy")
  func refusedByProxy() async throws {
    guard let server = try await TLSGitServer.start(),
      let proxy = try await ProxyServer.start(credentials: "ada:secret")
    else { return }
    var connection = HTTPConnection(certificates: server.certificate)
    connection.proxy = HTTPProxy(address: Secret(proxy.url), user: "ada", password: Secret("wrong"))
    let mirror = try mirror(try server.serve(repository, as: "app"), connection)
    for isLook in [true, false] {
      let error = await #expect(throws: GitError.self) {
        if isLook { _ = try await mirror.remoteBranches() } else { try await mirror.checkPush() }
      }
      #expect(error?.kind == .unauthorized && error?.detail.contains("proxy_credentials") == true, "\(error as Any)")
      #expect(error?.description.contains("wrong") == false)
      #expect(error?.detail.hasSuffix("(proxy \(proxy.url.dropFirst("http://".count)))") == true, "\(error as Any)")
    }
  }

  @Test("an unreachable proxy is named in the error, without its credentials")
  func deadProxy() async throws {
    var connection = HTTPConnection()
    let port = try LoopbackPort.free()
    connection.proxy = HTTPProxy(address: Secret("http://ada:hunter2@127.0.0.1:\(port)/"))
    let mirror = try mirror("https://git.example.com/app.git", connection)
    let error = await #expect(throws: GitError.self) { _ = try await mirror.remoteBranches() }
    let text = error?.description ?? ""
    #expect(text.contains("The proxy is 127.0.0.1:\(port): if that is wrong, correct repository.proxy"), "\(text)")
    #expect(!text.contains("hunter2"), "\(text)")
  }

  @Test("HTTP uses the proxy too, except for hosts in no_proxy; an invalid no_proxy does not bypass the proxy")
  func exceptions() async throws {
    guard let proxy = try await ProxyServer.start() else { return }
    let git = try GitHTTPServer()
    let url = "\(git.url)/git/app.git"
    let served = try git.serve(repository, as: "app")
    var connection = HTTPConnection()
    connection.proxy = HTTPProxy(address: Secret(proxy.url), exceptions: "example.com,.internal")
    let password = "bot:\(GitHTTPServer.password)"
    try await use(try mirror(url, connection, credentials: password))
    let log = try proxy.log()
    #expect(!log.isEmpty && log.allSatisfy { $0.hasPrefix("GET ") || $0.hasPrefix("POST ") }, "\(log)")
    connection.proxy?.exceptions = "example.com,127.0.0.1"
    #expect(try await mirror(url, connection, credentials: password).remoteBranches().count == 2)
    #expect(try proxy.log().count == log.count)
    withExtendedLifetime(served) {}
  }

  @Test("the proxy is read from the usual environment variables")
  func environment() {
    func proxy(_ environment: [String: String], _ scheme: String = "https") -> String? {
      HTTPProxy.named(by: environment, for: scheme)?.address.reveal()
    }
    #expect(proxy(["https_proxy": "a", "HTTPS_PROXY": "b", "all_proxy": "c"]) == "a")
    #expect(proxy(["HTTPS_PROXY": "b", "all_proxy": "c"]) == "b" && proxy(["ALL_PROXY": "c"]) == "c")
    #expect(proxy(["https_proxy": "", "http_proxy": "h"]) == nil && proxy(["http_proxy": "h"], "http") == "h")
    #expect(proxy(["HTTP_PROXY": "h"], "http") == nil, "a request to a CGI program can set HTTP_PROXY")
    #expect(HTTPProxy.named(by: ["https_proxy": "a", "NO_PROXY": "x"], for: "https")?.exceptions == "x")
  }

  @Test("our client certificate is sent to a server that requests it during polls, fetches and pushes")
  func clientCertificate() async throws {
    guard let server = try await TLSGitServer.start(asksClients: true) else { return }
    let url = try server.serve(repository, as: "app")
    var connection = HTTPConnection(certificates: server.certificate)
    let (certificate, key) = try server.client()
    connection.clientCertificate = try ClientCertificate(certificate: Secret(certificate), key: Secret(key))
    try await use(try mirror(url, connection))
    // The certificate and the key may also be in a single secret.
    connection.clientCertificate = try ClientCertificate(certificate: Secret(key + "\n" + certificate), key: nil)
    #expect(try await mirror(url, connection).remoteBranches().count == 2)
    // A connection that was opened with the certificate is not reused without the certificate.
    connection.clientCertificate = nil
    let without = try mirror(url, connection)
    // With TLS 1.3 the server refuses after the handshake, and the connection may end before the reason arrives.
    await #expect(throws: GitError.self) { _ = try await without.remoteBranches() }
    await #expect(throws: GitError.self) { try await without.checkPush() }
    let refusal = TransportError(
      kind: .connectionLost, operation: "GET x",
      detail: "OpenSSL SSL_read: error:0A00045C:SSL routines::tlsv13 alert certificate required")
    let fault = GitError(refusal, "fetch x", over: connection)
    #expect(fault.kind == .refused && fault.detail.hasSuffix("set repository.client_certificate"), "\(fault)")
  }

  @Test("a certificate of another authority is refused, and an invalid certificate file is not sent")
  func wrongCertificate() async throws {
    guard let server = try await TLSGitServer.start(asksClients: true),
      let other = try await TLSGitServer.start(asksClients: true)
    else { return }
    var connection = HTTPConnection(certificates: server.certificate)
    let (certificate, key) = try other.client()
    connection.clientCertificate = try ClientCertificate(certificate: Secret(certificate), key: Secret(key))
    let mirror = try mirror(try server.serve(repository, as: "app"), connection)
    await #expect(throws: GitError.self) { _ = try await mirror.remoteBranches() }
    await #expect(throws: GitError.self) { try await mirror.checkPush() }
    func fault(_ certificate: String, _ key: String?) -> String {
      do throws(TransportError) {
        _ = try ClientCertificate(certificate: Secret(certificate), key: key.map { Secret($0) })
        return ""
      } catch { return error.detail }
    }
    #expect(fault("hunter2", nil).contains("not in PEM form") && !fault("hunter2", nil).contains("hunter2"))
    #expect(fault(certificate, nil).contains("no private key"))
    let guarded = "-----BEGIN ENCRYPTED PRIVATE KEY-----\n-----END ENCRYPTED PRIVATE KEY-----"
    #expect(fault(certificate, guarded).contains("protected by a passphrase"))
  }
}
