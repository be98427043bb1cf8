import Foundation
import Glibc
import Localization
import Pipeline
import Synchronization
import TestSupport
import Testing

@testable import GitSource

@Suite("Polls over HTTP", .serialized)
struct PollTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let one = String(repeating: "1", count: 40)

  private func mirror(
    _ url: String, credentials: Secret? = nil, stallLimit: Duration = .seconds(60)
  ) throws -> GitMirror {
    try GitMirror(
      url: url, folder: folder.file("mirror.git"), credentials: { credentials },
      networkChild: GitNetworkChild(executable: "/absent", deadline: .seconds(60), stallLimit: stallLimit),
      workers: GitWorkers())
  }

  /// Returns a server's response to `GET info/refs`.
  private func advertisement(_ lines: [String]) -> [UInt8] {
    PacketLines.line("# service=git-upload-pack\n") + Array("0000".utf8) + lines.flatMap { PacketLines.line($0) }
      + Array("0000".utf8)
  }

  private func fault(_ body: [UInt8], status: Int = 200, type: String = "x-git-upload-pack-advertisement") async throws
    -> GitError?
  {
    let server = try LoopbackHTTPServer { _, _ in
      .respond(status: status, headers: [("Content-Type", "application/\(type)")], body: body)
    }
    do { _ = try await mirror(server.url + "/app.git").remoteBranches() } catch { return error as? GitError }
    return nil
  }

  @Test("polling a known server of protocol version 2 takes one small request on one connection")
  func version2() async throws {
    let one = Self.one
    let server = try LoopbackHTTPServer { request, _ in
      if request.method == "GET" {
        return .respond(
          status: 200, headers: [("Content-Type", "application/x-git-upload-pack-advertisement")],
          body: PacketLines.line("version 2\n") + PacketLines.line("ls-refs=unborn\n")
            + PacketLines.line("object-format=sha1\n") + Array("0000".utf8))
      }
      return .respond(
        status: 200, headers: [("Content-Type", "application/x-git-upload-pack-result")],
        body: PacketLines.line("\(one) HEAD symref-target:refs/heads/trunk\n")
          + PacketLines.line("\(one) refs/heads/trunk\n") + PacketLines.line("\(one) refs/heads/a/../b\n")
          + Array("0000".utf8))
    }
    let mirror = try mirror(server.url + "/app.git", credentials: Secret("u:p"))
    for _ in 0..<4 {
      #expect(try await mirror.remoteBranches() == [BranchHead(name: "trunk", commit: CommitID(rawValue: one))])
    }
    #expect(server.requests.map(\.method) == ["GET", "POST", "POST", "POST", "POST"])
    #expect(server.requests.allSatisfy { $0.header("Git-Protocol") == "version=2" })
    #expect(server.requests.allSatisfy { $0.header("Authorization") == "Basic dTpw" })
    #expect(server.requests.first?.target == "/app.git/info/refs?service=git-upload-pack")
    #expect(
      server.requests.last.map { String(decoding: $0.body, as: UTF8.self) }
        == "0014command=ls-refs\n0001000csymrefs\n0014ref-prefix HEAD\n001bref-prefix refs/heads/\n0000")
  }

  @Test("servers of protocol versions 0 and 1 are read from their advertisement")
  func version0() async throws {
    let one = Self.one
    for start in [[], ["version 1\n"]] {
      let body = advertisement(
        start + [
          "\(one) HEAD\0multi_ack symref=HEAD:refs/heads/main agent=x\n", "\(one) refs/heads/main\n",
          "\(one) refs/tags/v1\n", "\(one) refs/tags/v1^{}\n",
        ])
      let server = try LoopbackHTTPServer { _, _ in
        .respond(
          status: 200, headers: [("Content-Type", "application/x-git-upload-pack-advertisement")], body: body)
      }
      #expect(try await mirror(server.url).remoteBranches().map(\.name) == ["main"])
    }
    #expect(try await fault(advertisement(["\(String(repeating: "0", count: 40)) capabilities^{}\0agent=x\n"])) == nil)
    #expect(try await fault(advertisement([])) == nil)
  }

  @Test("wrong, truncated and missing responses fail with a clear error")
  func bad() async throws {
    let good = advertisement(["\(Self.one) refs/heads/main\0agent=x\n"])
    let cases: [([UInt8], GitError.Kind, String)] = [
      (Array(good.dropLast(20)), .unreachable, "cut off"), (Array(good.dropLast(4)), .unreachable, "cut off"),
      ([], .unreachable, "cut off"), (Array("00zz".utf8), .unreachable, "no packet length"),
      (Array("fffftoo long".utf8), .unreachable, "a packet of 65535 bytes"),
      (Array("0003".utf8), .unreachable, "a packet of 3 bytes"), (Array("+004".utf8), .unreachable, "no packet length"),
      (advertisement(["<html>\n"]), .unreachable, "is not a reference"),
      (advertisement(["ERR access denied \u{1b}[31mnow\n"]), .refused, "the server said: \"access denied  [31mnow\""),
      (advertisement(["\(Self.one) HEAD\0object-format=sha256\n"]), .unsupported, "sha256"),
    ]
    for (body, kind, words) in cases {
      let fault = try await fault(body)
      #expect(fault?.kind == kind, "\(words): \(fault?.description ?? "nothing")")
      #expect(fault?.detail.contains(words) == true, "\(fault?.description ?? "nothing")")
    }
    #expect(try await fault(good, type: "octet-stream")?.kind == .noSuchRemote)
    #expect(try await fault([], status: 500)?.kind == .unreachable)
    #expect(try await fault([], status: 401)?.kind == .unauthorized)
  }

  @Test(
    "credentials that a server repeats are removed from messages",
    arguments: ["u:s3cret-token", "s3cret-token"])
  func repeated(_ secret: String) async throws {
    let server = try LoopbackHTTPServer { request, _ in
      let sent = request.header("Authorization") ?? "nothing"
      return .respond(
        status: 403, headers: [("Content-Type", "text/plain")], body: Array("no access for \(sent), s3cret-token".utf8))
    }
    await #expect { try await mirror(server.url + "/app.git", credentials: Secret(secret)).remoteBranches() } throws: {
      guard let words = ($0 as? GitError)?.detail else { return false }
      return words.contains("no access for Basic REDACTED, REDACTED")
    }
  }

  @Test("a sign-in page is reported as refused credentials")
  func signInPage() async throws {
    let server = try LoopbackHTTPServer { _, _ in
      .respond(status: 302, headers: [("Location", "https://spsprodweu1.vssps.visualstudio.com/_signin?realm=x")])
    }
    let mirror = try mirror(server.url + "/app.git", credentials: Secret("u:p"))
    let error = await #expect(throws: GitError.self) { _ = try await mirror.remoteBranches() }
    #expect(error?.kind == .unauthorized)
    #expect(error?.detail == "the server did not accept the credentials")
  }

  @Test("reading an endless response stops at the size limit")
  func endless() async throws {
    let server = try LoopbackHTTPServer { _, _ in
      .raw(
        Array(
          "HTTP/1.1 200 OK\r\nContent-Type: application/x-git-upload-pack-advertisement\r\nContent-Length: 99999999999\r\n\r\n"
            .utf8))
    }
    let mirror = try mirror(server.url)
    await #expect { try await mirror.remoteBranches() } throws: {
      ($0 as? GitError)?.detail.contains("larger than") == true
    }
  }

  @Test("a server may change back to protocol version 0")
  func downgrade() async throws {
    let one = Self.one
    let server = try LoopbackHTTPServer { request, number in
      let type = request.method == "GET" ? "advertisement" : "result"
      let headers = [("Content-Type", "application/x-git-upload-pack-\(type)")]
      switch (number, request.method) {
      case (0, _):
        return .respond(status: 200, headers: headers, body: PacketLines.line("version 2\n") + Array("0000".utf8))
      case (1, _):
        return .respond(
          status: 200, headers: headers, body: PacketLines.line("\(one) refs/heads/a\n") + Array("0000".utf8))
      case (_, "POST"): return .respond(status: 400)
      default:
        return .respond(
          status: 200, headers: headers, body: PacketLines.line("\(one) refs/heads/b\0x\n") + Array("0000".utf8))
      }
    }
    let mirror = try mirror(server.url)
    #expect(try await mirror.remoteBranches().map(\.name) == ["a"])
    #expect(try await mirror.remoteBranches().map(\.name) == ["b"])
  }

  @Test("credentials are never sent unencrypted to another machine, and are read again for each operation")
  func credentials() async throws {
    for url in [
      "http://example.com/a.git", "http://10.0.0.1:80/a.git", "http://127.0.0.1.example.com/a.git",
      "HTTP://example.com/a",
    ] {
      let mirror = try mirror(url, credentials: Secret("u:hunter2"))
      await #expect { try await mirror.refresh() } throws: { error in
        guard let error = error as? GitError else { return false }
        return error.kind == .refused && error.detail.contains("https") && !error.description.contains("hunter2")
      }
    }
    let tokens = TokenSource()
    let server = try LoopbackHTTPServer { _, _ in
      .respond(status: 403, headers: [("Content-Type", "text/plain")], body: Array("Token\nexpired".utf8))
    }
    let mirror = try GitMirror(
      url: server.url, folder: folder.file("m.git"), credentials: { tokens.next() }, workers: GitWorkers())
    for _ in 0..<2 {
      await #expect { try await mirror.refresh() } throws: {
        ($0 as? GitError)?.detail
          == "the server refuses access (status 403); the server said: \"Token expired\". "
          + "Give the account access to the repository, or name one that has it in repository.credentials"
      }
    }
    #expect(Set(server.requests.compactMap { $0.header("Authorization") }).count == 2)
  }

  @Test("a refused push is reported with the next step", .enabled(if: networkReasonToSkip == nil))
  func refusedPush() async throws {
    let server = try LoopbackHTTPServer { _, _ in
      .respond(status: 403, headers: [("Content-Type", "text/plain")], body: Array("Read only".utf8))
    }
    let mirror = try GitMirror(
      url: server.url, folder: folder.file("m.git"), credentials: { nil },
      networkChild: GitNetworkChild(executable: networkProgram), workers: GitWorkers())
    let error = await #expect(throws: GitError.self) { try await mirror.checkPush() }
    #expect(
      error?.detail == "the server refuses access (status 403); the server said: \"Read only\". "
        + "Set deliver.credentials or repository.credentials, with an account that may push")
  }

  @Test("300 silent remotes do not delay healthy ones")
  func silentRemotes() async throws {
    let one = Self.one
    let silent = try SilentServer()
    let healthy = try LoopbackHTTPServer { _, _ in
      .respond(
        status: 200,
        headers: [("Content-Type", "application/x-git-upload-pack-advertisement"), ("Connection", "close")],
        body: PacketLines.line("\(one) refs/heads/main\0agent=x\n") + Array("0000".utf8))
    }
    let workers = GitWorkers()
    let folder = folder
    func mirror(_ url: String) throws -> GitMirror {
      try GitMirror(
        url: url, folder: folder.file("m\(UInt64.random(in: 0 ... .max))"),
        networkChild: GitNetworkChild(deadline: .seconds(3600), stallLimit: .seconds(3600)), workers: workers)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<300 {
        let mirror = try mirror("\(silent.url)/\(number).git")
        group.addTask { _ = try await mirror.refresh() }
      }
      // While the silent operations are still waiting, each healthy remote is polled repeatedly.
      try await withThrowingTaskGroup(of: Void.self) { healthyGroup in
        for number in 0..<50 {
          let mirror = try mirror("\(healthy.url)/\(number).git")
          healthyGroup.addTask {
            for _ in 0..<5 {
              let names = try await mirror.remoteBranches().map(\.name)
              #expect(names == ["main"])
            }
          }
        }
        try await healthyGroup.waitForAll()
      }
      #expect(healthy.requests.count == 250)
      // Other suites run in this process, so only `make bench PARTS=fleet` counts threads and descriptors.
      group.cancelAll()
      while let result = await group.nextResult() {
        guard case .failure(let error) = result else { continue }
        #expect((error as? GitError)?.kind == .cancelled)
      }
    }
  }
}

private final class TokenSource: Sendable {
  private let count = Mutex(0)

  func next() -> Secret {
    Secret(
      count.withLock {
        $0 += 1
        return "u:token \($0)"
      })
  }
}

/// A port on which the kernel accepts connections, but no program responds.
private final class SilentServer: Sendable {
  let url: String
  private let listener: Int32

  init() throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let (handle, length) = (listener, size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(handle, $0, length) == 0 && listen(handle, 1024) == 0 && getsockname(handle, $0, &size) == 0
      }
    }
    guard isBound else { throw GitError(.failed, "listen", "no port is free") }
    url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
  }

  deinit { close(listener) }
}
