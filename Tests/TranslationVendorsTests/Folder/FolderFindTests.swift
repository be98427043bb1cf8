import Foundation
import Localization
import TestSupport
import Testing
import TranslationVendors

/// Tests of `find`, which looks up a shipment that may have arrived although its push got no response.
struct FolderFindTests {
  private let folder: TemporaryFolder
  private let bundle = "birds-7-uk.xcloc.zip"

  init() throws { folder = try TemporaryFolder() }

  private var vendor: FolderVendor { FolderVendor(storage: DirectoryStorage(root: folder.path)) }

  @Test("a completed upload is found even after a translator removed it, and is not sent again")
  func arrived() async throws {
    let shipment = VendorConformance.shipment()
    _ = try await vendor.push(shipment)
    let found = ShipmentReceipt(reference: bundle, units: 5, wasThere: true)
    #expect(try await vendor.find(shipment) == found)
    try FileManager.default.removeItem(atPath: folder.file("to-translate/\(bundle)"))
    #expect(try await vendor.find(shipment) == found)
    #expect(folder.names(in: "to-translate").isEmpty)
  }

  @Test("an upload that never began is not found, and the search creates no bundle")
  func neverSent() async throws {
    #expect(try await vendor.find(VendorConformance.shipment()) == nil)
    #expect(folder.names(in: "to-translate").isEmpty)
  }

  @Test("a truncated upload is found only if its bundle is visible", arguments: CountingStorage.End.allCases)
  func cutOff(_ end: CountingStorage.End) async throws {
    let shipment = VendorConformance.shipment()
    for change in 1...12 {
      let folder = try TemporaryFolder()
      let dying = CountingStorage(DirectoryStorage(root: folder.path), death: (change, end))
      do { _ = try await FolderVendor(storage: dying).push(shipment) } catch is Death {}
      let isVisible = folder.names(in: "to-translate").contains(bundle)
      let found = try await FolderVendor(storage: DirectoryStorage(root: folder.path)).find(shipment)
      #expect((found != nil) == isVisible, "change \(change)")
      if isVisible { #expect(found?.reference == bundle, "change \(change)") }
    }
  }

  @Test("another ledger's bundle with the same name is not treated as ours, which is found under the next number")
  func otherLedger() async throws {
    var other = VendorConformance.shipment()
    other.files[0].units.removeLast(2)
    _ = try await vendor.push(other)
    let shipment = VendorConformance.shipment()
    #expect(try await vendor.find(shipment) == nil)
    let receipt = try await vendor.push(shipment)
    #expect(receipt.reference == "birds-7-uk-2.xcloc.zip")
    #expect(try await vendor.find(shipment)?.reference == receipt.reference)
  }

  @Test("a bundle in a copied folder without a marker is found by its content")
  func withoutMarker() async throws {
    let shipment = VendorConformance.shipment()
    _ = try await vendor.push(shipment)
    try FileManager.default.removeItem(atPath: folder.file(".dragoman"))
    #expect(try await vendor.find(shipment) == ShipmentReceipt(reference: bundle, units: 5, wasThere: true))
  }
}
