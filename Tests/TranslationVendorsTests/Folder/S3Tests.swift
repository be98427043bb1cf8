import Foundation
import HTTPTransport
import Localization
import Synchronization
import TestSupport
import Testing
import TranslationVendors

@Suite(.timeLimit(.minutes(10))) struct S3Tests {
  private static let day = Date(timeIntervalSince1970: 1_369_353_600)

  /// The examples are from AWS's documentation, “Signature Calculations for the Authorization Header: Transferring Payload in a Single Chunk”.
  @Test(
    "signatures equal those in AWS's examples",
    arguments: [
      (
        "GET", "/test.txt", [("Range", "bytes=0-9")], "",
        "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
      ),
      (
        "PUT", "/test%24file.text",
        [("Date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY")],
        "Welcome to Amazon S3.", "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"
      ),
      ("GET", "/?lifecycle", [], "", "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
      ("GET", "/?max-keys=2&prefix=J", [], "", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
    ])
  func signatures(
    _ method: String, _ target: String, _ headers: [(String, String)], _ body: String, _ wanted: String
  ) throws {
    let secret = Secret("AKIAIOSFODNN7EXAMPLE:wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
    let signer = S3Signer(try S3Credentials(secret), region: "us-east-1")
    let signed = signer.headers(
      method, try HTTPURL("https://examplebucket.s3.amazonaws.com" + target),
      headers.map { (name: $0.0, value: $0.1) }, digest: ContentDigest.hexadecimal(of: body.utf8), date: Self.day)
    let authorization = try #require(signed.secret.first { $0.name == "Authorization" }).value.reveal()
    #expect(authorization.hasSuffix("Signature=\(wanted)"))
    #expect(
      authorization.hasPrefix("AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"))
  }

  private func refusal(_ storage: S3Storage, _ kind: VendorError.Kind = .refused) async throws -> String {
    let error = try await #require(throws: VendorError.self) { try await storage.list(.root) }
    #expect(error.kind == kind && error.disposition == .askPerson)
    return "\(error)"
  }

  @Test("wrong keys, regions, buckets and tokens give different errors, each with its next step")
  func refusals() async throws {
    guard let server = try await S3Server.start(credentials: "AKID:se/cr+et:to/ken==") else { return }
    #expect(try await server.storage().list(.root)?.entries == [])
    #expect(
      try await refusal(try server.storage(credentials: "AKID:other:to/ken==")).contains("secret does not match"))
    #expect(try await refusal(try server.storage(credentials: "OTHER:se/cr+et:to/ken==")).contains("access key"))
    #expect(try await refusal(try server.storage(credentials: "AKID:se/cr+et")).contains("session token is not valid"))
    let region = try await refusal(try server.storage(region: "us-east-1"), .configuration)
    #expect(region.contains("Set `region: eu-central-1`"))
    let keys = try S3Credentials(Secret(server.credentials))
    let other = try S3Storage(
      address: "s3://nowhere/x", endpoint: server.url, region: S3Server.region, credentials: { keys },
      transport: HTTPTransport(TransportSettings(usesEnvironmentProxy: false)))
    #expect(try await refusal(other, .configuration).contains("bucket nowhere does not exist"))
    for text in ["AKID", "AKID:", ":secret", "A KID:secret", "AKID:sec\nret"] {
      let error = try #require(throws: VendorError.self) { try S3Credentials(Secret(text)) }
      #expect(error.kind == .configuration && !"\(error)".contains("ret"))
    }
  }

  @Test("an error message names the file's object first, and then the server")
  func places() throws {
    let keys = try S3Credentials(Secret("AKID:secret"))
    func place(_ endpoint: String?) throws -> String {
      try S3Storage(
        address: "s3://bucket/birds/", endpoint: endpoint, credentials: { keys },
        transport: HTTPTransport(TransportSettings(usesEnvironmentProxy: false))
      ).place(of: TreePath(trusted: ".dragoman-claim.json"))
    }
    #expect(try place("http://host:9000") == "s3://bucket/birds/.dragoman-claim.json at http://host:9000/")
    #expect(try place(nil) == "s3://bucket/birds/.dragoman-claim.json")
  }

  @Test("a secret that the server repeats is removed from the message", arguments: [5, 195])
  func repeatedSecret(filler: Int) async throws {
    let keys = try S3Credentials(Secret("AKID:se-cr-et-of-some-length:to-ken-of-some-length"))
    let text = String(repeating: "x", count: filler)
    for (status, element) in [(409, "Message"), (400, "Region"), (409, "Code")] {
      let server = try LoopbackHTTPServer { _, _ in
        let body = "<Error><\(element)>\(text) se-cr-et-of-some-length to-ken-of-some-length</\(element)></Error>"
        return .respond(status: status, body: Array(body.utf8))
      }
      let storage = try S3Storage(
        address: "s3://bucket/x", endpoint: server.url, region: "eu-central-1", credentials: { keys },
        transport: HTTPTransport(TransportSettings(usesEnvironmentProxy: false)))
      let error = await #expect(throws: (any Error).self) { try await storage.list(.root) }
      let words = String(describing: error)
      #expect(words.contains(text) && words.contains("RE"), "\(words)")
      #expect(!words.contains("se-cr") && !words.contains("to-ke"), "\(words)")
    }
  }

  @Test("a wrong clock is reported even if the response has no body", arguments: [-7200.0, 7200.0])
  func clock(_ skew: TimeInterval) async throws {
    guard let server = try await S3Server.start() else { return }
    let storage = try server.storage(now: { Date().addingTimeInterval(skew) })
    let words = "minutes \(skew > 0 ? "ahead of" : "behind") the server's. Set the clock"
    #expect(try await refusal(storage).contains(words))
    let error = try await #require(throws: VendorError.self) { try await storage.entry("a") }
    #expect("\(error)".contains(words))
  }

  @Test("the certificate of the server is checked")
  func certificate() async throws {
    guard let server = try await S3Server.start(tls: true) else { return }
    let error = try await #require(throws: TransportError.self) { try await server.storage().list(.root) }
    #expect(error.kind == .tls && error.disposition == .askPerson)
    let storage = try server.storage(certificateAuthorities: server.certificate)
    try await storage.create("a", with: [1])
    #expect(try await storage.read("a", limit: 9) == [1])
  }

  @Test(
    "a server without conditional writes is refused, unless the pipeline file says that there are no other writers",
    arguments: [S3Server.Mode.unconditional, .refusing])
  func unconditional(_ mode: S3Server.Mode) async throws {
    guard let server = try await S3Server.start(mode) else { return }
    let error = try await #require(throws: VendorError.self) { try await server.storage().create("a", with: [1]) }
    #expect(error.kind == .configuration && "\(error)".contains("single_writer: true"))
    let storage = try server.storage(isSingleWriter: true)
    #expect(try await storage.list(.root)?.entries == [])
    try await storage.create("a", with: [1])
    let taken = try await #require(throws: VendorError.self) { try await storage.create("a", with: [2]) }
    #expect(taken.kind == .exists)
    try await storage.move("a", to: "b")
    #expect(try await storage.list(.root)?.entries.map(\.path.name) == ["b"])
  }

  /// An error that simulates the death of the process before a request.
  private struct Death: Error {}

  @Test(
    "a move that was interrupted between any two requests is completed by the next process, without a duplicate",
    arguments: [false, true])
  func interrupted(_ isFolder: Bool) async throws {
    guard let server = try await S3Server.start() else { return }
    let keys = try S3Credentials(Secret(server.credentials))
    var deaths = 0
    for last in 0..<20 {
      let path = "run\(last)"
      let whole = try server.storage(path: path)
      let names: [TreePath] = isFolder ? ["a/x", "a/y/z"] : ["a"]
      for name in names { try await whole.create(TreePath("translated").appending(name), with: Array(name.text.utf8)) }
      // The credentials are read before each request.
      let requests = Counter()
      let dying = try S3Storage(
        address: "s3://\(S3Server.bucket)/\(path)", endpoint: server.url, region: S3Server.region,
        credentials: {
          guard requests.next() < last else { throw Death() }
          return keys
        }, transport: HTTPTransport(TransportSettings(usesEnvironmentProxy: false)))
      do { try await dying.move("translated/a", to: "done/a") } catch is Death { deaths += 1 }
      // Another process treats the move as interrupted immediately.
      let late = try server.storage(path: path, takeover: .seconds(-1))
      do { try await late.move("translated/a", to: "done/a") } catch let error as VendorError {
        #expect(error.kind == .missing, "\(last): \(error)")
      }
      #expect(try await whole.entry("translated/a") == nil, "\(last)")
      #expect(try await whole.list("done")?.entries.map(\.path) == ["done/a"], "\(last)")
      for name in names {
        #expect(try await whole.read(TreePath("done").appending(name), limit: 99) == Array(name.text.utf8), "\(last)")
      }
      #expect(try await whole.list(".dragoman-moves") == nil, "\(last)")
    }
    #expect((8...18).contains(deaths))
  }

  @Test("a move that another process has just begun is left to that process")
  func underWay() async throws {
    guard let server = try await S3Server.start() else { return }
    let keys = try S3Credentials(Secret(server.credentials))
    let requests = Counter()
    let first = try S3Storage(
      address: "s3://\(S3Server.bucket)/x", endpoint: server.url, region: S3Server.region,
      credentials: {
        // The process is killed after it has written the record of the move.
        guard requests.next() != 5 else { throw Death() }
        return keys
      }, transport: HTTPTransport(TransportSettings(usesEnvironmentProxy: false)))
    try await server.storage(path: "x").create("a", with: [1])
    await #expect(throws: Death.self) { try await first.move("a", to: "b") }
    let other = try await #require(throws: VendorError.self) { try await server.storage(path: "x").move("a", to: "c") }
    #expect(other.kind == .missing && other.detail.contains("another process is moving it"))
    // The first process continues immediately.
    try await first.move("a", to: "b")
    #expect(try await first.read("b", limit: 9) == [1])
    #expect(try await first.entry("c") == nil)
  }

  @Test("all pages of a listing are read, and a listing that repeats a page is an error")
  func pages() async throws {
    func page(_ keys: [String], next: String?) -> [UInt8] {
      let objects = keys.map { "<Contents><Key>f/\($0)</Key><ETag>\"1\"</ETag><Size>1</Size></Contents>" }.joined()
      let more = next.map { "<NextContinuationToken>\($0)</NextContinuationToken>" } ?? ""
      return Array(
        "<ListBucketResult><IsTruncated>\(next != nil)</IsTruncated>\(more)\(objects)</ListBucketResult>".utf8)
    }
    func storage(_ pages: [[UInt8]]) throws -> (LoopbackHTTPServer, S3Storage) {
      let server = try LoopbackHTTPServer { _, number in
        .respond(status: 200, body: pages[min(number, pages.count - 1)])
      }
      let storage = try S3Storage(
        address: "s3://drop", endpoint: "http://127.0.0.1:\(server.port)",
        credentials: { try S3Credentials(Secret("a:b")) },
        transport: HTTPTransport(TransportSettings(usesEnvironmentProxy: false)))
      return (server, storage)
    }
    let (server, whole) = try storage([
      page(["a", "b"], next: "t1/+="), page(["b", "c"], next: "t2"), page(["d", "../../x", "", "e/f"], next: nil),
    ])
    #expect(try await whole.list("f")?.entries.map(\.path.name) == ["a", "b", "c", "d"])
    #expect(server.requests.count == 3 && server.requests[1].target.contains("continuation-token=t1%2F%2B%3D"))
    for body in [
      [page(["a"], next: "t"), page(["b"], next: "t")], [Array("<html/>".utf8)], [Array("{".utf8)],
      [Array("<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>".utf8)],
    ] {
      let (server, storage) = try storage(body)
      let error = try await #require(throws: VendorError.self) { try await storage.list("f") }
      #expect(!server.requests.isEmpty)
      #expect(error.kind == .protocolFault)
    }
  }

  @Test("content that does not match the server's checksum is rejected")
  func checksum() async throws {
    let server = try LoopbackHTTPServer { _, _ in
      .respond(
        status: 200, headers: [("x-amz-checksum-sha256", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")], body: [1])
    }
    let storage = try S3Storage(
      address: "s3://drop", endpoint: "http://127.0.0.1:\(server.port)",
      credentials: { try S3Credentials(Secret("a:b")) },
      transport: HTTPTransport(TransportSettings(usesEnvironmentProxy: false)))
    let error = try await #require(throws: VendorError.self) { try await storage.read("a", limit: 9) }
    #expect(error.kind == .protocolFault && error.detail.contains("checksum"))
  }

  @Test(
    "an invalid address is refused",
    arguments: [
      "s3://", "s3://Bucket/a", "s3://b/a", "s3://bu_cket", "s3://bucket/../a", "https://bucket/a", "s3://u:p@bucket",
    ])
  func badAddresses(_ text: String) {
    #expect(throws: VendorError.self) {
      try S3Storage(address: text, credentials: { try S3Credentials(Secret("a:b")) }, transport: HTTPTransport())
    }
  }
}

private final class Counter: Sendable {
  private let count = Mutex(0)
  /// Returns the number of earlier calls.
  func next() -> Int {
    count.withLock { count in
      defer { count += 1 }
      return count
    }
  }
}
