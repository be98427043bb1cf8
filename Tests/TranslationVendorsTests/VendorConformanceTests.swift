import CatalogFormats
import Foundation
import HTTPTransport
import Localization
import TestSupport
import Testing
import TranslationVendors
import ZipArchive

@Suite struct VendorConformanceTests {
  @Test("the vendor pseudo passes the conformance tests")
  func pseudo() async throws {
    let folder = try TemporaryFolder()
    try await VendorConformance(
      make: { PseudoVendor(stateFolder: folder.path) },
      translate: { _ in },
      review: {
        try folder.names(in: "pseudo/held").first { $0.hasSuffix(".review.txt") }
          .map { String(decoding: try folder.read("pseudo/held/\($0)"), as: UTF8.self) }
      }
    ).check()
  }

  @Test("the vendor folder passes the conformance tests on every storage", arguments: DropServer.allCases)
  func storages(_ server: DropServer) async throws {
    guard let running = try await server.start() else { return }
    let storage = try running.storage()
    try await conformance(storage).check()
    func names(_ folder: TreePath) async throws -> [String] {
      try await storage.list(folder)?.entries.map(\.path.name) ?? []
    }
    #expect(try await names("translated").isEmpty)
    #expect(try await names("done") == ["birds-7-de.xcloc.zip", "birds-7-uk.xcloc.zip", "birds-8-uk.xcloc.zip"])
    #expect(try await names("held") == ["birds-8-uk.xcloc.zip", "birds-8-uk.xcloc.zip.review.txt"])
    #expect(
      try await names("to-translate") == [
        "birds-7-de.xcloc.zip", "birds-7-uk.xcloc.zip", "birds-7-uk.xcloc.zip.withdrawn.txt", "birds-8-uk.xcloc.zip",
      ])
  }

  private func conformance(_ storage: any DropStorage) -> VendorConformance {
    VendorConformance(
      make: { FolderVendor(storage: storage, settle: .zero) },
      translate: { receipt in
        let sent = try await storage.read(TreePath(trusted: "to-translate/\(receipt.reference)"), limit: 1 << 20)
        try await storage.makeFolder("translated")
        let path = TreePath(trusted: "translated/\(receipt.reference)")
        try await storage.replace(path, with: try Translator.answer(sent))
      },
      review: {
        guard let entries = try await storage.list("held")?.entries else { return nil }
        guard let found = entries.first(where: { $0.path.name.hasSuffix(".review.txt") }) else { return nil }
        return String(decoding: try await storage.read(found.path, limit: 1 << 20), as: UTF8.self)
      })
  }
}

/// A simulated translator who fills every target of a zipped bundle.
enum Translator {
  static func answer(_ zip: [UInt8]) throws -> [UInt8] {
    let files = try ZipArchive.read(zip)
    let translated = try files.map { path, bytes in
      path.ending == "xliff" ? (path, try answerXLIFF(bytes, at: path)) : (path, bytes)
    }
    return try ZipArchive.write(translated, modified: Date(timeIntervalSince1970: 1_770_091_506))
  }

  static func answerXLIFF(_ bytes: [UInt8], at path: TreePath = "a.xliff") throws -> [UInt8] {
    var document = try XLIFF.read(bytes, at: path.text)
    for file in document.files.indices {
      for unit in document.files[file].units.indices where document.files[file].units[unit].isTranslatable {
        document.files[file].units[unit].target = document.files[file].units[unit].source.map {
          ExchangeTarget($0, state: "translated")
        }
      }
    }
    return XLIFF.write(document)
  }
}

extension ApacheServer {
  func storage(transport: HTTPTransport = HTTPTransport(TransportSettings(usesEnvironmentProxy: false))) throws
    -> WebDAVStorage
  {
    try WebDAVStorage(
      address: "dav" + url.drop { $0 != ":" }, credentials: credentials, transport: transport,
      deadlines: patience)
  }
}
