import GitSource
import Localization
import Pipeline
import TestSupport
import Testing

/// Repositories over HTTPS with certificates that the system does not trust.
@Suite("A mirror of a repository over HTTPS", .enabled(if: networkReasonToSkip == nil))
struct TLSTests {
  private let repository: TemporaryRepository

  init() throws {
    repository = try TemporaryRepository()
    try repository.commit(["a": "1"])
  }

  private func mirror(_ url: String, certificates: String?) throws -> GitMirror {
    try GitMirror(
      url: url.replacing("127.0.0.1", with: "localhost"), folder: repository.folder.file("mirror.git"),
      connection: { HTTPConnection(certificates: certificates) },
      networkChild: GitNetworkChild(executable: networkProgram))
  }

  @Test("a configured custom certificate authority is trusted: polls, fetches and pushes work")
  func trusted() async throws {
    guard let server = try await TLSGitServer.start() else { return }
    let mirror = try mirror(try server.serve(repository, as: "app"), certificates: server.certificate)
    #expect(try await mirror.remoteBranches().map(\.name) == ["main"])
    let head = try #require(try await mirror.refresh().first).commit
    let made = try await mirror.makeCommit(
      TreeEdits(["t": .write([1])]), on: head, message: "m", author: signature, committer: signature)
    #expect(try await mirror.push(made, to: "l10n/main", expecting: nil) == .pushed)
    #expect(try await mirror.remoteBranches().map(\.name) == ["l10n/main", "main"])
  }

  @Test("an untrusted certificate and a certificate for another name are refused", arguments: [false, true])
  func refused(isKnown: Bool) async throws {
    guard let server = try await TLSGitServer.start(names: isKnown ? "DNS:other.example.com" : "DNS:localhost") else {
      return
    }
    let mirror = try mirror(
      try server.serve(repository, as: "app"), certificates: isKnown ? server.certificate : nil)
    for isLook in [true, false] {
      let error = await #expect(throws: GitError.self) {
        if isLook { _ = try await mirror.remoteBranches() } else { _ = try await mirror.refresh() }
      }
      let text = error?.description ?? ""
      #expect(text.contains("certificate"), "\(text)")
      #expect(text.contains(isKnown ? "Use a host name from" : "set repository.certificates to a file"), "\(text)")
    }
  }

  @Test("an https URL with the port of an HTTP server is reported as such")
  func plain() async throws {
    let git = try GitHTTPServer()
    let mirror = try mirror(git.url.replacing("http://", with: "https://") + "/git/app.git", certificates: nil)
    let error = await #expect(throws: GitError.self) { _ = try await mirror.remoteBranches() }
    #expect(
      error?.detail.contains("does not support TLS at this port: set http://") == true, "\(error?.detail ?? "nothing")")
  }
}
