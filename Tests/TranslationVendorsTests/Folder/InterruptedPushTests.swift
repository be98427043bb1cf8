import Foundation
import Localization
import TestSupport
import Testing
import TranslationVendors

/// A push that is cut off at each of its steps, with a translator who takes every bundle out of the folder as soon as it is there.
@Suite struct InterruptedPushTests {
  private let bundle = "birds-7-uk.xcloc.zip"

  /// Takes the bundle away, as translators do.
  /// - Returns: how many there were.
  private func takeAway(_ folder: TemporaryFolder) throws -> Int {
    let names = folder.names(in: "to-translate").filter { !$0.hasPrefix(".") }
    for name in names { try FileManager.default.removeItem(atPath: folder.file("to-translate/\(name)")) }
    return names.count
  }

  @Test("the bundle is visible exactly once, wherever the process dies", arguments: CountingStorage.End.allCases)
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

  @Test("a shipment of another ledger, whose round has the same number, is sent")
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
