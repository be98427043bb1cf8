import Localization
import Testing
import TranslationVendors

extension PlatformConformance {
  /// A language that needs only the form `other` brings only this form of the source text. The platform has all of them once another
  /// language was sent, whichever came first, and keeps them when the first is sent again.
  func keepsSourceForms() async throws {
    let whole = Self.shipment(language: "uk")
    var single = Self.shipment(language: "de")
    single.files[0].units.removeAll { $0.path.text.hasSuffix("plural.one") }
    #expect(single.files[0].units.count < Self.shipment(language: "de").files[0].units.count)
    let (first, second) = (try scene(), try scene())
    _ = try await first.make().push(single)
    let part = OutstandingWork.Part(
      shipment: whole, receipt: ShipmentReceipt(reference: "birds-1-uk", units: 5, wasThere: true))
    #expect(try await first.make().stock(of: part)?.changed.map(\.key) == ["%lld birds"])
    _ = try await first.make().push(whole)
    #expect(try await first.make().stock(of: part) == VendorStock())
    _ = try await second.make().push(whole)
    _ = try await second.make().push(single)
    #expect(first.content() == second.content())
    for index in single.files[0].units.indices { single.files[0].units[index].note = "A new comment" }
    _ = try await first.make().push(single)
    #expect(try await first.make().stock(of: part) == VendorStock())
  }

  /// A plural of which one form is translated is still out, and is taken with all its forms when they are there. One that is reviewed as it
  /// is comes back as it is, for the review to hold it.
  func waitsForPluralForms() async throws {
    let scene = try scene()
    let shipment = Self.shipment(language: "uk")
    let receipt = try await scene.make().push(shipment)
    let work = Self.outstanding([(shipment, receipt)])
    func pull() async throws -> (birds: [String], others: Int, partly: Int) {
      let found = try await scene.make().pull(work)
      #expect(found.diagnostics.isEmpty, "\(found.diagnostics)")
      let units = found.bundles.flatMap(\.files).flatMap(\.units)
      let birds = units.filter { $0.key == "%lld birds" }
      return (birds.map(\.path.text), units.count - birds.count, found.partlyTranslated)
    }
    scene.translate("uk")
    let whole = try await pull()
    #expect(whole.birds.count == 4 && whole.others == 3 && whole.partly == 0)
    if scene.hasUnreviewed {
      scene.leaveOnly("one", "uk", false)
      let partly = try await pull()
      #expect(partly.birds.isEmpty && partly.others == 3 && partly.partly == 1)
      scene.translate("uk")
      let complete = try await pull()
      #expect(complete == whole)
    }
    scene.leaveOnly("one", "uk", true)
    let reviewed = try await pull()
    #expect(reviewed.birds == ["plural.one"] && reviewed.others == 3 && reviewed.partly == 0)
  }
}
