import Foundation
import Glibc
import HTTPTransport
import Localization
import Synchronization
import TestSupport
import Testing
import TranslationVendors

/// Tests of folders with many or invalid files, of watched folders, and of clocks that are set back.
@Suite struct ManyFilesTests {
  private let folder: TemporaryFolder
  private let good: [UInt8]

  init() async throws {
    folder = try TemporaryFolder()
    _ = try await FolderVendor(storage: DirectoryStorage(root: folder.path)).push(VendorConformance.shipment())
    good = try Translator.answer(try folder.read("to-translate/birds-7-uk.xcloc.zip"))
  }

  @Test("a good bundle is read before unusable files, and the folders are not listed again for each file")
  func junk() async throws {
    for number in 0..<150 { try folder.write("junk \(number)", to: "translated/\(number).txt") }
    try folder.write(good, to: "translated/zz.zip")
    let storage = CountingStorage(DirectoryStorage(root: folder.path))
    let vendor = FolderVendor(storage: storage, settle: .zero, bundleLimit: 60)
    var taken = 0
    var looks = 0
    while true {
      let found = try await vendor.pull()
      if looks == 0 {
        #expect(found.bundles.first?.reference == "translated/zz.zip")
        #expect(found.hasMore && found.bundles.count == 60)
      }
      guard !found.bundles.isEmpty else { break }
      looks += 1
      for bundle in found.bundles {
        try await vendor.acknowledge(bundle, verdict: bundle.files.isEmpty ? .held(review: "junk") : .taken)
      }
      taken += found.bundles.count
    }
    #expect(taken == 151)
    #expect(folder.names(in: "translated").isEmpty)
    #expect(storage.lists.withLock { $0 } < 20)
  }

  @Test(
    "requests to a server with an endless listing are limited, and the bundle is archived",
    .timeLimit(.minutes(10)))
  func endless() async throws {
    let server = try LoopbackHTTPServer { request, _ in
      guard request.method == "PROPFIND" else { return .respond(status: 201) }
      let depth = request.header("Depth")
      let target = request.target.hasSuffix("/") ? request.target : request.target + "/"
      let href = depth == "0" ? target : target + "more/"
      let body = """
        <D:multistatus xmlns:D='DAV:'><D:response><D:href>\(href)</D:href><D:propstat><D:prop><D:resourcetype>\
        <D:collection/></D:resourcetype></D:prop></D:propstat></D:response></D:multistatus>
        """
      return .respond(status: 207, body: Array(body.utf8))
    }
    let storage = try WebDAVStorage(
      address: "dav://127.0.0.1:\(server.port)/drop", credentials: .none,
      transport: HTTPTransport(TransportSettings(usesEnvironmentProxy: false)))
    let found = try await FolderVendor(storage: storage, settle: .zero).pull()
    #expect(found.bundles.map(\.reference) == ["translated/more"])
    #expect("\(found.bundles[0].diagnostics)".contains("more than 32 folders deep"))
    #expect(server.requests.count < 200)
  }

  @Test("a file whose name is not UTF-8 is reported once and does not block others")
  func name() async throws {
    try folder.write(good, to: "translated/good.zip")
    var path = Array(folder.file("translated/caf").utf8CString.dropLast()) + [CChar(bitPattern: 0xE9), 0]
    let file = open(&path, O_CREAT | O_WRONLY, 0o644)
    try #require(file >= 0)
    close(file)
    let vendor = FolderVendor(storage: DirectoryStorage(root: folder.path), settle: .zero)
    let found = try await vendor.pull()
    #expect(found.bundles.map(\.reference) == ["translated/good.zip"])
    #expect(found.diagnostics.map(\.path) == [#"translated/caf\xE9"#])
    #expect(found.diagnostics[0].message.contains("not UTF-8"))
    #expect(try await vendor.pull().diagnostics.isEmpty)
  }

  @Test(
    "a file that is moved into the folder or is a complete archive is accepted immediately", .timeLimit(.minutes(10)))
  func watched() async throws {
    let vendor = FolderVendor(storage: DirectoryStorage(root: folder.path), settle: .seconds(3600))
    let changes = try #require(vendor.changes())
    try folder.write(good, to: "translated/written.zip")
    try folder.write(Array(good.prefix(good.count / 2)), to: "translated/half.zip")
    try folder.write(good, to: "elsewhere.zip")
    try FileManager.default.moveItem(atPath: folder.file("elsewhere.zip"), toPath: folder.file("translated/moved.zip"))
    var taken: [String] = []
    for await _ in changes {
      let found = try await vendor.pull()
      taken = found.bundles.map(\.reference)
      guard taken.contains("translated/moved.zip") else { continue }
      #expect(found.settlesIn != nil)
      break
    }
    #expect(taken == ["translated/moved.zip", "translated/written.zip"])
  }

  @Test("the event stream ends when the watched folder is removed", .timeLimit(.minutes(10)))
  func removed() async throws {
    let changes = try #require(FolderVendor(storage: DirectoryStorage(root: folder.path)).changes())
    try FileManager.default.removeItem(atPath: folder.file("translated"))
    for await _ in changes {}
    #expect(FolderVendor(storage: DirectoryStorage(root: folder.path)).changes() != nil)
  }

  @Test("setting the clock back by a day does not delay a bundle")
  func clock() async throws {
    let offset = Mutex(-100_000.0)
    let vendor = FolderVendor(
      storage: DirectoryStorage(root: folder.path), settle: .seconds(60),
      now: { Date().addingTimeInterval(offset.withLock { $0 }) })
    try folder.write(good, to: "translated/a.zip")
    #expect(try await vendor.pull().settlesIn == .seconds(60))
    offset.withLock { $0 -= 86_400 }
    #expect(try await vendor.pull().settlesIn == .seconds(60))
    offset.withLock { $0 += 61 }
    #expect(try await vendor.pull().bundles.count == 1)
  }
}
