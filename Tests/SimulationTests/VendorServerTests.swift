import Localization
import Pipeline
import Testing

@testable import Simulation

/// The faults of a simulated vendor, and the units that it regards as answered by a bundle for another vendor job.
struct VendorServerTests {
  private static let catalog: TreePath = "Localizable.xcstrings"
  private let time = VirtualTime()
  private let server: VendorServer

  init() { server = VendorServer(name: "v", time: time) { _ in } }

  /// Sends a text.
  /// - Returns: the receipt, which names the vendor's job.
  @discardableResult private func send(
    _ round: Int, _ catalog: TreePath = catalog, source: String = "Text", language: LocaleIdentifier = "de"
  ) -> ShipmentReceipt {
    let unit = ExchangeUnit(key: "Key", source: .text(source), target: nil)
    let file = ExchangeFile(original: catalog.text, sourceLanguage: "en", targetLanguage: language, units: [unit])
    return server.take(
      Shipment(
        pipeline: "p", round: String(round), language: language, sourceLanguage: "en", files: [file],
        sourceContents: [:]))
  }

  /// Withdraws the text of a vendor job.
  private func withdraw(_ receipt: ShipmentReceipt) {
    server.withdraw([UnitID(catalog: Self.catalog, key: "Key")], of: receipt, language: "de")
  }

  /// Makes the vendor return a bundle, and acknowledges the vendor's bundles as the daemon does.
  private func bringBack(_ style: ReturnStyle, seed: UInt64 = 1, foreign: [LocaleIdentifier] = []) throws {
    var random = SeededRandom(seed: seed)
    #expect(server.makeReturn(style, to: "p", foreign: foreign, random: &random) != nil)
    for reference in server.unacknowledged(of: "p") { server.acknowledge(reference) }
  }

  @Test("every second request fails, and the other requests show its effect", arguments: VendorFault.failing)
  func faults(_ fault: VendorFault) throws {
    let time = VirtualTime()
    let server = VendorServer(name: "v", time: time) { _ in }
    server.fault = fault
    let unit = ExchangeUnit(key: "Key", source: .text("Text"), target: nil)
    let shipment = Shipment(
      pipeline: "p", round: "1", language: "de", sourceLanguage: "en",
      files: [ExchangeFile(original: "a.xcstrings", sourceLanguage: "en", targetLanguage: "de", units: [unit])],
      sourceContents: [:])
    let found = try SimulatedThread.run(on: time) {
      let vendor = SimulatedVendor(
        name: "v", server: server, pipeline: "p", life: Life(disk: SimulatedDisk(), time: time))
      let first = try? await vendor.push(shipment)
      let second = try await vendor.find(shipment)
      let third = try? await vendor.find(shipment)
      let fourth = try await vendor.push(shipment)
      return [first, second, third, fourth].map { $0?.wasThere }
    }
    #expect(found == [nil, fault.isExecuted ? true : nil, nil, fault.isExecuted])
    #expect(server.open(of: "p").count == 1)
  }

  @Test("a list that shifts between pages is completed at the next poll")
  func shiftedPages() throws {
    for number in 1...3 {
      send(number, source: "Text \(number)")
      var random = SeededRandom(seed: UInt64(number))
      #expect(server.makeReturn(.all, to: "p", foreign: [], random: &random) != nil)
    }
    // The wait lasts until the files of all bundles are written.
    try SimulatedThread.run(on: time) { await time.sleep(.seconds(86_400)) }
    let all = server.look(for: "p").bundles.map(\.reference)
    server.fault = .shiftsPages
    #expect(all.count >= 3 && server.nextFault() == nil)
    let looks = (0..<4).map { _ in server.look(for: "p").bundles.map(\.reference) }
    #expect(looks[0].count < all.count && looks[2].count < all.count && looks[1] == all && looks[3] == all)
    #expect(Set(looks[0] + looks[2]) == Set(all))
  }

  @Test("a returned text of a withdrawn unit counts for the same text of a later job, but for no other text")
  func late() throws {
    withdraw(send(1))
    send(2)
    send(3, source: "Another text")
    try bringBack(.withdrawn)
    #expect(server.open(of: "p").map(\.source) == ["Another text"])
    #expect(server.doubtful(of: "p").isEmpty)
  }

  @Test("after a catalog is renamed, the later text stays outstanding and may count as answered")
  func renamed() throws {
    withdraw(send(1))
    send(2, "Renamed.xcstrings")
    try bringBack(.withdrawn)
    #expect(server.open(of: "p").map(\.unit.catalog) == ["Renamed.xcstrings"])
    #expect(server.doubtful(of: "p") == server.open(of: "p"))
    try bringBack(.all)
    #expect(server.open(of: "p").isEmpty && server.doubtful(of: "p").isEmpty)
  }

  @Test("a bundle in an unrequested language answers a request that is sent before the bundle is accepted")
  func foreign() throws {
    send(1)
    var random = SeededRandom(seed: 1)
    #expect(server.makeReturn(.foreign, to: "p", foreign: ["fr"], random: &random) != nil)
    send(2, language: "fr")
    for reference in server.unacknowledged(of: "p") { server.acknowledge(reference) }
    #expect(server.open(of: "p").map(\.language) == ["de"])
  }

  @Test("an unfinished text does not count as an answer, but a finished empty text does")
  func unfinished() throws {
    var answers: Set<Bool> = []
    for seed in 1...20 {
      let vendor = VendorServerTests()
      let receipt = vendor.send(1)
      var random = SeededRandom(seed: UInt64(seed))
      #expect(vendor.server.makeReturn(.unfinished, to: "p", foreign: [], random: &random) != nil)
      let isDone = vendor.server.open(of: "p").isEmpty
      vendor.withdraw(receipt)
      vendor.send(2)
      for reference in vendor.server.unacknowledged(of: "p") { vendor.server.acknowledge(reference) }
      #expect(vendor.server.open(of: "p").isEmpty == isDone)
      answers.insert(isDone)
    }
    #expect(answers == [true, false])
  }
}
