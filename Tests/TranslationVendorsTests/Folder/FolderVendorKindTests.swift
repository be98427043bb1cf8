import Foundation
import HTTPTransport
import Localization
import TestSupport
import Testing
import TranslationVendors

/// Tests of vendors `folder` that are created from the settings of a pipeline file.
@Suite(.timeLimit(.minutes(10))) struct FolderVendorKindTests {
  private func vendor(
    _ options: [String: String], secret: String? = nil, flags: [String: Bool] = [:]
  ) throws -> any TranslationVendor {
    var values = options.mapValues { VendorOptionValue.text($0) }
    for (name, value) in flags { values[name] = .flag(value) }
    var environment = try VendorBench({ _ in .close }).environment(secret: secret)
    // S3 requires the real time in signatures.
    environment.now = { Date() }
    return try FolderVendorKind.vendor(VendorSettings(options: values), in: environment)
  }

  @Test("an SFTP folder is created from an address, a key and known_hosts")
  func sftp() async throws {
    guard let server = try await SSHServer.start() else { return }
    let vendor = try vendor(["path": server.url, "known_hosts": server.knownHosts], secret: server.key)
    #expect(vendor.name == "folder:" + server.url)
    #expect(try await vendor.probe(["uk"]).faults.isEmpty)
    #expect(try await vendor.push(VendorConformance.shipment()).wasThere == false)
    #expect(server.folder.names(in: "to-translate") == ["birds-7-uk.xcloc.zip"])
  }

  @Test("the secret of an SFTP folder can be a password")
  func password() async throws {
    guard let server = try await PasswordSFTPServer.start() else { return }
    let vendor = try vendor(
      ["path": server.url, "known_hosts": server.knownHosts], secret: PasswordSFTPServer.password)
    #expect(try await vendor.probe(["uk"]).faults.isEmpty)
  }

  @Test("an S3 folder is created from an address, an endpoint, a region and keys")
  func s3() async throws {
    guard let server = try await S3Server.start() else { return }
    let options = ["path": "s3://drop/birds/", "endpoint": server.url, "region": S3Server.region]
    let vendor = try vendor(options, secret: server.credentials)
    #expect(vendor.name == "folder:s3://drop/birds?endpoint=\(server.url)")
    #expect(try await vendor.push(VendorConformance.shipment()).wasThere == false)
    #expect(
      try await server.storage(path: "birds").list("to-translate")?.entries.map(\.path.name) == ["birds-7-uk.xcloc.zip"]
    )
    let without = try self.vendor(options)
    let error = try await #require(throws: VendorError.self) { try await without.probe(["uk"]) }
    #expect(error.kind == .configuration && "\(error)".contains("S3 needs `credentials`"))
  }

  @Test("buckets with one name on two servers are distinct, and account names are case-sensitive")
  func places() throws {
    func place(_ options: [String: String]) -> String? {
      FolderVendorKind.place(of: VendorSettings(options: options.mapValues { .text($0) }))
    }
    #expect(place(["path": "s3://drop/a"]) != place(["path": "s3://drop/a", "endpoint": "https://s3.example.com"]))
    #expect(place(["path": "sftp://Bot@Host.example:22//a/"]) == "sftp://Bot@host.example/a")
  }

  @Test("options of another kind of folder are refused", arguments: ["known_hosts", "endpoint", "region"])
  func misplaced(_ option: String) throws {
    let error = try #require(throws: VendorError.self) { try vendor(["path": "davs://host/a", option: "x"]) }
    #expect(error.kind == .configuration && "\(error)".contains("`\(option)` is only for"))
  }
}
