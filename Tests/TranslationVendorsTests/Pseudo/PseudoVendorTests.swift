import Localization
import TestSupport
import Testing
import TranslationVendors

@Suite struct PseudoVendorTests {
  @Test("a round's translations in every plural category survive a restart, and are removed once accepted")
  func restart() async throws {
    let folder = try TemporaryFolder()
    _ = try await PseudoVendor(stateFolder: folder.path).push(VendorConformance.shipment())
    #expect(folder.names(in: "pseudo") == ["birds-7-uk.xliff"])
    let vendor = PseudoVendor(stateFolder: folder.path)
    let bundle = try #require(try await vendor.pull().bundles.first)
    let forms = try #require(bundle.files.first).units.filter { $0.key == "%lld birds" }
    #expect(forms.count == 4)
    #expect(
      forms.first { $0.path == [.plural(.few)] }?.target == ExchangeTarget(.text("%lld ƀííŕðš"), state: "translated"))
    try await vendor.acknowledge(bundle, verdict: .taken)
    #expect(folder.names(in: "pseudo").isEmpty)
    // After the ledger is lost, the round is sent and returned again.
    #expect(try await vendor.push(VendorConformance.shipment()).wasThere == false)
    #expect(try await vendor.pull().bundles.map(\.digest) == [bundle.digest])
  }

  @Test("a worker with another folder returns the outstanding part of a shipment that it did not send")
  func otherWorker() async throws {
    let folders = (first: try TemporaryFolder(), second: try TemporaryFolder())
    var shipment = VendorConformance.shipment()
    shipment.files[0].units.removeAll { !$0.isTranslatable }
    let receipt = try await PseudoVendor(stateFolder: folders.first.path).push(shipment)
    var rest = shipment
    rest.files[0].units.removeFirst()
    let outstanding = OutstandingWork { [rest] in [OutstandingWork.Part(shipment: rest, receipt: receipt)] }

    let other = PseudoVendor(stateFolder: folders.second.path)
    let bundle = try #require(try await other.pull(outstanding).bundles.first)
    #expect(bundle.reference == receipt.reference)
    #expect(bundle.files.unitIDs == rest.files.unitIDs && rest.files.unitIDs != shipment.files.unitIDs)
    // The worker that has the file returns all of it, and the file is not written again.
    let whole = try await PseudoVendor(stateFolder: folders.first.path).pull(outstanding).bundles
    #expect(whole.map { $0.files.unitIDs } == [shipment.unitIDs])
  }

  @Test("an answer that was replaced after the pull is not archived")
  func replaced() async throws {
    let folder = try TemporaryFolder()
    let vendor = PseudoVendor(stateFolder: folder.path)
    _ = try await vendor.push(VendorConformance.shipment())
    let bundle = try #require(try await vendor.pull().bundles.first)
    var changed = VendorConformance.shipment()
    changed.files[0].units.removeFirst()
    #expect(try await vendor.push(changed).wasThere == false)
    try await vendor.acknowledge(bundle, verdict: .taken)
    #expect(try await vendor.pull().bundles.count == 1)
  }

  @Test("a damaged file is reported as unreadable, and the answers of two vendors are stored separately")
  func damaged() async throws {
    let folder = try TemporaryFolder()
    try folder.write("<xliff", to: "pseudo/x.xliff")
    let bundle = try #require(try await PseudoVendor(stateFolder: folder.path).pull().bundles.first)
    #expect(bundle.files.isEmpty && !bundle.diagnostics.isEmpty)
    let other = PseudoVendor(name: "rtl", styles: [.rightToLeft], stateFolder: folder.path)
    _ = try await other.push(VendorConformance.shipment())
    #expect(try await other.pull().bundles.map(\.reference) == ["rtl.birds-7-uk.xliff"])
  }

  @Test("a vendor name that cannot be part of a file name is refused", arguments: ["../x", "a/b", "", ".hidden", "ü"])
  func names(_ pipeline: String) async throws {
    let folder = try TemporaryFolder()
    var shipment = VendorConformance.shipment()
    shipment.pipeline = pipeline
    await #expect(throws: VendorError.self) { try await PseudoVendor(stateFolder: folder.path).push(shipment) }
  }
}
