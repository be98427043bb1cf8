import Foundation
import Localization
import TestSupport
import Testing
import TranslationVendors

/// Pushes that are interrupted at each step, while a translator removes every bundle as soon as it appears.
@Suite struct InterruptedPushTests {
  private let bundle = "birds-7-uk.xcloc.zip"

  /// Removes the bundle, as a translator does.
  /// - Returns: the number of removed bundles.
  private func takeAway(_ folder: TemporaryFolder) throws -> Int {
    let names = folder.names(in: "to-translate").filter { !$0.hasPrefix(".") }
    for name in names { try FileManager.default.removeItem(atPath: folder.file("to-translate/\(name)")) }
    return names.count
  }

  @Test("the bundle is visible exactly once, whenever the process is killed", arguments: CountingStorage.End.allCases)
  func once(_ end: CountingStorage.End) async throws {
    var deaths = 0
    for change in 1...20 {
      let folder = try TemporaryFolder()
      let dying = CountingStorage(DirectoryStorage(root: folder.path), death: (change, end))
      let shipment = VendorConformance.shipment()
      do { _ = try await FolderVendor(storage: dying).push(shipment) } catch is Death { deaths += 1 }
      var seen = try takeAway(folder)
      let vendor = FolderVendor(storage: DirectoryStorage(root: folder.path))
      let receipt = try await vendor.push(shipment)
      #expect(receipt.reference == bundle && receipt.units == 5, "change \(change)")
      seen += try takeAway(folder)
      let again = try await vendor.push(shipment)
      #expect(again == ShipmentReceipt(reference: bundle, units: 5, wasThere: true), "change \(change)")
      seen += try takeAway(folder)
      #expect(seen == 1, "change \(change)")
      #expect(folder.names(in: "to-translate").isEmpty, "change \(change)")
    }
    #expect(deaths >= 5)
  }

  @Test("a shipment of another ledger with the same round number is sent")
  func otherLedger() async throws {
    let folder = try TemporaryFolder()
    let vendor = FolderVendor(storage: DirectoryStorage(root: folder.path))
    _ = try await vendor.push(VendorConformance.shipment())
    #expect(try takeAway(folder) == 1)
    var other = VendorConformance.shipment()
    other.files[0].units.removeLast(2)
    let receipt = try await vendor.push(other)
    #expect(!receipt.wasThere)
    #expect(try takeAway(folder) == 1)
  }
}

/// Interrupted pushes on real servers. Each push ends before, after or within one of its changes.
@Suite(.timeLimit(.minutes(10))) struct InterruptedPushOnServersTests {
  @Test(
    "on servers too, the bundle is visible exactly once, whenever the process is killed", arguments: DropServer.allCases
  )
  func once(_ server: DropServer) async throws {
    guard let running = try await server.start() else { return }
    let shipment = VendorConformance.shipment()
    var deaths = 0
    for end in CountingStorage.End.allCases {
      for change in 1...6 {
        let storage = try running.storage()
        let dying = CountingStorage(storage, death: (change, end))
        do { _ = try await FolderVendor(storage: dying).push(shipment) } catch is Death { deaths += 1 }
        let early = try await takeAway(storage)
        let receipt = try await FolderVendor(storage: try running.storage()).push(shipment)
        #expect(receipt.reference == "birds-7-uk.xcloc.zip" && receipt.units == 5, "\(end) \(change)")
        #expect(try await takeAway(storage) + early == 1, "\(end) \(change)")
        #expect(try await storage.list("to-translate")?.entries == [], "\(end) \(change)")
        try await storage.remove(".dragoman")
        try await storage.remove("to-translate")
      }
    }
    #expect(deaths >= 12)
  }

  /// Removes the bundle, as a translator does.
  /// - Returns: the number of removed bundles.
  private func takeAway(_ storage: any DropStorage) async throws -> Int {
    let names = try await storage.list("to-translate")?.entries.map(\.path).filter { !$0.name.hasPrefix(".") } ?? []
    for name in names { try await storage.remove(name) }
    return names.count
  }
}
