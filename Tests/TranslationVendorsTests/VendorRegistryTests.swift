import Foundation
import HTTPTransport
import Localization
import Logging
import TestSupport
import Testing
import TranslationVendors

@Suite struct VendorRegistryTests {
  private func configuration(
    _ kind: String, place: String? = nil, credentials: String? = nil, options: [String: VendorOption] = [:],
    settle: Duration? = nil
  ) -> VendorConfiguration {
    VendorConfiguration(
      kind: kind, place: place, credentials: credentials.map { Secret($0) }, settle: settle, options: options,
      stateFolder: "/nonexistent",
      transport: HTTPTransport())
  }

  @Test(
    "a kind and its place make a vendor with a stable name",
    arguments: [
      ("folder", "/tmp/drop", "folder:/tmp/drop"), ("folder", "/tmp/drop/", "folder:/tmp/drop"),
      ("folder", "davs://drop.example.com/birds", "folder:davs://drop.example.com/birds"),
      ("folder", "dav://127.0.0.1:8080/", "folder:dav://127.0.0.1:8080/"), ("pseudo", nil, "pseudo"),
    ] as [(String, String?, String)])
  func make(_ kind: String, _ place: String?, _ name: String) throws {
    let vendor = try VendorRegistry.standard.make(configuration(kind, place: place, credentials: "u:p"))
    #expect(vendor.kind == kind && vendor.name == name)
  }

  @Test("what cannot be is said at once, and says what would be right")
  func faults() {
    let cases: [(VendorConfiguration, String)] = [
      (configuration("wblate"), "there is no such vendor; there are folder, pseudo"),
      (configuration("folder"), "path is missing"),
      (configuration("folder", place: "sftp://drop.example.com/x"), "sftp:// is not built yet"),
      (configuration("folder", place: "s3://bucket/x"), "s3:// is not built yet"),
      (configuration("folder", place: "ftp://a/b"), "ftp:// is no place for a folder"),
      (configuration("folder", place: "file:///tmp"), "plain path"),
      (configuration("folder", place: "davs://u:hush@host/x"), "user or a password"),
      (configuration("folder", place: "/tmp", options: ["projct": .text("x")]), "unknown option “projct”"),
      (configuration("folder", place: "/tmp", settle: .seconds(-1)), "settle is negative"),
      (configuration("pseudo", options: ["styles": .list([.text("klingon")])]), "accented"),
      (configuration("pseudo", options: ["name": .text("a/b")]), "letters"),
    ]
    for (configuration, words) in cases {
      do {
        _ = try VendorRegistry.standard.make(configuration)
        Issue.record("\(words): no error")
      } catch {
        #expect("\(error)".contains(words), "\(error)")
        #expect(!"\(error)".contains("hush"))
      }
    }
  }

  @Test("every folder of a vendor has its line in the registry")
  func complete() throws {
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "../../Sources/TranslationVendors")
    let folders = try FileManager.default.contentsOfDirectory(
      at: sources.standardizedFileURL, includingPropertiesForKeys: [.isDirectoryKey]
    )
    .filter { (try? $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) == true }.map {
      $0.lastPathComponent.lowercased()
    }
    #expect(
      Set(folders).subtracting(["decorators"]) == Set(VendorRegistry.standard.kinds),
      "add one line for the vendor to VendorRegistry.standard")
  }

  @Test("a dry run sends nothing and puts nothing away")
  func dryRun() async throws {
    let folder = try TemporaryFolder()
    let real = PseudoVendor(stateFolder: folder.path)
    let dry = DryRunVendor(real)
    #expect(try await dry.push(VendorConformance.shipment()).units == 5)
    #expect(folder.names().isEmpty)
    let receipt = try await real.push(VendorConformance.shipment())
    let bundle = try #require(try await dry.pull().bundles.first)
    try await dry.withdraw([], of: receipt, language: "uk")
    try await dry.acknowledge(bundle, verdict: .taken)
    #expect(try await dry.pull().bundles.count == 1)
  }

  @Test("logging changes nothing and meets the port")
  func logging() async throws {
    let folder = try TemporaryFolder()
    let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
    try await VendorConformance(
      make: { LoggingVendor(PseudoVendor(stateFolder: folder.path), logger: logger) },
      translate: { _ in },
      review: {
        try folder.names(in: "pseudo/held").first { $0.hasSuffix(".review.txt") }
          .map { String(decoding: try folder.read("pseudo/held/\($0)"), as: UTF8.self) }
      }
    ).check()
  }
}
