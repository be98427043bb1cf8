import Foundation
import HTTPTransport
import Localization
import Synchronization
import TestSupport
import Testing
import TranslationVendors

@Suite(.timeLimit(.minutes(10))) struct WebDAVTests {
  private let transport = HTTPTransport(TransportSettings(usesEnvironmentProxy: false))

  @Test("writing, moving and copying never replace existing files")
  func exclusive() async throws {
    guard let apache = try await ApacheServer.start() else { return }
    let storage = try apache.storage()
    try await storage.create("ä b.txt", with: [1])
    try await storage.create("c.txt", with: [2])
    for attempt in [
      { try await storage.create("ä b.txt", with: [3]) }, { try await storage.move("c.txt", to: "ä b.txt") },
      { try await storage.copy("c.txt", to: "ä b.txt") },
    ] as [@Sendable () async throws -> Void] {
      let error = try await #require(throws: VendorError.self) { try await attempt() }
      #expect(error.kind == .exists)
    }
    #expect(try await storage.read("ä b.txt", limit: 9) == [1])
    try await storage.makeFolder("x/y")
    try await storage.makeFolder("x/y")
    try await storage.move("ä b.txt", to: "x/y/100% & #1.txt")
    try await storage.copy("x", to: "z")
    let listing = try #require(try await storage.list("z/y"))
    #expect(listing.entries.map(\.path) == ["z/y/100% & #1.txt"])
    #expect(listing.now != nil && listing.entries[0].modified != nil && listing.entries[0].kind == .file)
    #expect(try await storage.list("nowhere") == nil)
    await #expect(throws: VendorError.self) { try await storage.create("nowhere/a", with: []) }
    await #expect(throws: VendorError.self) { try await storage.read("z/y/100% & #1.txt", limit: 0) }
    try await storage.remove("z")
    try await storage.remove("z")
    #expect(try await storage.list("")?.entries.map(\.path.name) == ["c.txt", "x"])
  }

  @Test("the age of an upload is measured by the server's clock, not by ours")
  func settles() async throws {
    guard let apache = try await ApacheServer.start() else { return }
    let storage = try apache.storage()
    try await storage.makeFolder("translated")
    try await storage.create("translated/a.txt", with: [1])
    let late = FolderVendor(storage: storage, settle: .seconds(600), now: { Date().addingTimeInterval(100_000) })
    let first = try await late.pull()
    #expect(first.bundles.isEmpty && first.settlesIn != nil)
    #expect(try await FolderVendor(storage: storage, settle: .zero).pull().bundles.count == 1)
  }

  @Test("an unpacked bundle can be read, held and archived on the server")
  func unpacked() async throws {
    guard let apache = try await ApacheServer.start() else { return }
    let storage = try apache.storage()
    let vendor = FolderVendor(storage: storage, settle: .zero)
    _ = try await vendor.pull()
    try await storage.makeFolder("translated/uk.xcloc/Localized Contents")
    try await storage.create("translated/uk.xcloc/Localized Contents/uk.xliff", with: Array("<xliff".utf8))
    let bundle = try #require(try await vendor.pull().bundles.first)
    #expect(bundle.diagnostics.first?.path == "translated/uk.xcloc/Localized Contents/uk.xliff")
    for _ in 0..<2 { try await vendor.acknowledge(bundle, verdict: .held(review: "cut off")) }
    #expect(try await storage.list("held")?.entries.map(\.path.name) == ["uk.xcloc", "uk.xcloc.review.txt"])
    #expect(try await storage.list("done/uk.xcloc/Localized Contents")?.entries.count == 1)
  }

  @Test("wrong credentials are reported to a person; a server that is down is retried")
  func refused() async throws {
    guard let apache = try await ApacheServer.start() else { return }
    let wrong = try WebDAVStorage(
      address: "dav" + apache.url.drop { $0 != ":" }, credentials: .basic(user: "bot", password: Secret("wrong")),
      transport: transport)
    let error = try await #require(throws: TransportError.self) { try await FolderVendor(storage: wrong).pull() }
    #expect(error.disposition == .askPerson)
    #expect(!"\(error)".contains("wrong"))
    let down = try LoopbackHTTPServer { _, _ in .respond(status: 503, headers: [("Retry-After", "30")]) }
    let storage = try WebDAVStorage(address: "dav://127.0.0.1:\(down.port)/", credentials: .none, transport: transport)
    let later = try await #require(throws: TransportError.self) {
      try await FolderVendor(storage: storage).push(VendorConformance.shipment())
    }
    #expect(later.disposition == .retryAfter(.seconds(30)))
  }

  @Test("a push sends PROPFIND, PUT under a temporary name that must be new, and MOVE that must not overwrite")
  func requests() async throws {
    let server = try LoopbackHTTPServer { request, _ in
      request.method == "PROPFIND"
        ? .respond(status: 207, body: Array("<D:multistatus xmlns:D='DAV:'/>".utf8))
        : .respond(status: request.method == "GET" ? 404 : 201)
    }
    let storage = try WebDAVStorage(
      address: "dav://127.0.0.1:\(server.port)/drop/", credentials: .basic(user: "u", password: Secret("p")),
      transport: transport)
    _ = try await FolderVendor(storage: storage).push(VendorConformance.shipment())
    #expect(
      server.requests.map {
        "\($0.line) \($0.header("Depth") ?? "-") \($0.header("If-None-Match") ?? "-") \($0.header("Overwrite") ?? "-") \($0.header("Authorization") ?? "-")"
      } == [
        "PROPFIND /drop/to-translate/ HTTP/1.1 1 - - Basic dTpw",
        // This request checks whether the bundle was sent before.
        "GET /drop/.dragoman/birds-7-uk.json HTTP/1.1 - - - Basic dTpw",
        "PUT /drop/to-translate/.birds-7-uk.xcloc.zip.part HTTP/1.1 - * - Basic dTpw",
        "PUT /drop/.dragoman/birds-7-uk.json HTTP/1.1 - - - Basic dTpw",
        "PROPFIND /drop/to-translate/.birds-7-uk.xcloc.zip.part HTTP/1.1 0 - - Basic dTpw",
        "MOVE /drop/to-translate/.birds-7-uk.xcloc.zip.part HTTP/1.1 - - F Basic dTpw",
        // This request lists the markers, because expired markers are removed.
        "PROPFIND /drop/.dragoman/ HTTP/1.1 1 - - Basic dTpw",
      ])
    let move = server.requests.first { $0.method == "MOVE" }
    #expect(
      move?.header("Destination")
        == "http://127.0.0.1:\(server.port)/drop/to-translate/birds-7-uk.xcloc.zip")
  }

  @Test("a changed secret is used for the next request")
  func rotatedSecret() async throws {
    let server = try LoopbackHTTPServer { _, _ in .respond(status: 404) }
    let secret = Mutex("one")
    let storage = try WebDAVStorage(
      address: "dav://127.0.0.1:\(server.port)/drop", credentials: { .bearer(Secret(secret.withLock { $0 })) },
      transport: transport)
    _ = try await storage.list("translated")
    secret.withLock { $0 = "two" }
    _ = try await storage.list("translated")
    #expect(server.requests.map { $0.header("Authorization") } == ["Bearer one", "Bearer two"])
  }

  @Test(
    "a listing with paths outside the folder is refused",
    arguments: [
      "<D:multistatus xmlns:D='DAV:'><D:response><D:href>/drop/translated/../../etc/passwd</D:href></D:response></D:multistatus>",
      "<D:multistatus xmlns:D='DAV:'><D:response><D:href>/drop/translated/%2e%2e%2fx</D:href></D:response></D:multistatus>",
      "<D:multistatus xmlns:D='DAV:'><D:response><D:href>http://elsewhere.example/other/x</D:href></D:response></D:multistatus>",
    ])
  func lies(_ body: String) async throws {
    let server = try LoopbackHTTPServer { _, _ in .respond(status: 207, body: Array(body.utf8)) }
    let storage = try WebDAVStorage(
      address: "dav://127.0.0.1:\(server.port)/drop", credentials: .none, transport: transport)
    #expect(try await storage.list("translated")?.entries == [])
  }

  @Test(
    "a response that is not a listing is an error",
    arguments: ["", "<html/>", "<a", "<!DOCTYPE a [<!ENTITY b 'c'>]><multistatus>&b;</multistatus>"])
  func noListing(_ body: String) async throws {
    let server = try LoopbackHTTPServer { _, _ in .respond(status: 207, body: Array(body.utf8)) }
    let storage = try WebDAVStorage(
      address: "dav://127.0.0.1:\(server.port)/drop", credentials: .none, transport: transport)
    let error = try await #require(throws: VendorError.self) { try await storage.list("translated") }
    #expect(error.kind == .protocolFault)
  }

  @Test("a response with a status other than 207 is a server error", arguments: [200, 204])
  func noMultistatus(_ status: Int) async throws {
    let server = try LoopbackHTTPServer { _, _ in .respond(status: status) }
    let storage = try WebDAVStorage(
      address: "dav://127.0.0.1:\(server.port)/drop", credentials: .none, transport: transport)
    for look in [
      { _ = try await storage.list("translated") }, { _ = try await storage.entry("translated/a.xliff") },
    ] as [@Sendable () async throws -> Void] {
      let error = try await #require(throws: VendorError.self) { try await look() }
      #expect(error.kind == .protocolFault && error.detail.contains("returned \(status), not 207"))
    }
  }

  @Test("a listing of more than 16 MiB is read, and a listing above the limit is reported as too large")
  func largeListing() async throws {
    let listing =
      "<D:multistatus xmlns:D='DAV:'><D:response><D:href>/drop/translated/a.xliff</D:href></D:response>"
      + "<!--\(String(repeating: " ", count: 17 << 20))--></D:multistatus>"
    let server = try LoopbackHTTPServer { _, number in
      number == 0
        ? .respond(status: 207, body: Array(listing.utf8))
        : .raw(Array("HTTP/1.1 207 OK\r\nContent-Length: \(129 << 20)\r\n\r\n<a>".utf8))
    }
    let storage = try WebDAVStorage(
      address: "dav://127.0.0.1:\(server.port)/drop", credentials: .none, transport: transport)
    #expect(try await storage.list("translated")?.entries.map(\.path.name) == ["a.xliff"])
    let error = try await #require(throws: VendorError.self) { try await storage.list("translated") }
    #expect(error.kind == .tooLarge && error.detail == "the server's listing is larger than 128 MiB")
  }

  @Test("a header of 5 MB is a server error")
  func largeHeader() async throws {
    let server = try LoopbackHTTPServer { _, _ in
      .respond(status: 207, headers: [("X-A", String(repeating: "a", count: 5_000_000))])
    }
    let storage = try WebDAVStorage(
      address: "dav://127.0.0.1:\(server.port)/drop", credentials: .none, transport: transport)
    let error = try await #require(throws: TransportError.self) { try await storage.list("translated") }
    #expect(error.kind == .headersTooLarge && error.detail.contains("headers are too large"), "\(error)")
    #expect(error.isFaultOfServer)
  }

  @Test("names that a bundle cannot have are reported, and files with other names are read")
  func unreadableNames() async throws {
    let hrefs = ["", "a.xliff", "bad%FF", "line%0Abreak", "caf%C3%A9", "%2e%2e%2fx"].map {
      "<D:response><D:href>/drop/translated/\($0)</D:href></D:response>"
    }
    let body = "<D:multistatus xmlns:D='DAV:'>\(hrefs.joined())</D:multistatus>"
    let server = try LoopbackHTTPServer { _, _ in .respond(status: 207, body: Array(body.utf8)) }
    let storage = try WebDAVStorage(
      address: "dav://127.0.0.1:\(server.port)/drop", credentials: .none, transport: transport)
    let listing = try #require(try await storage.list("translated"))
    #expect(listing.entries.map(\.path.name) == ["a.xliff", "café"])
    #expect(listing.unreadableNames == ["%2e%2e%2fx", "bad%FF", "line%0Abreak"])
  }
}
