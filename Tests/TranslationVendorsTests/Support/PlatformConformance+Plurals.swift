import Localization
import Testing
import TranslationVendors

extension PlatformConformance {
  /// Checks that the platform gets all forms of the source text, whatever the order of the languages. A language that needs only the form `other`
  /// is sent with only this form; the forms that other languages add are kept when that language is sent again.
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

  /// Checks that a form `zero` that is added to an English source text is sent as a separate string and must be translated. When the form is removed,
  /// the separate string is hidden, and the other forms are still returned.
  func sendsSeparateForms() async throws {
    let scene = try scene()
    let plain = Self.shipment(language: "uk")
    var whole = plain
    let place = try #require(whole.files[0].units.firstIndex { $0.key == "%lld birds" })
    whole.files[0].units.insert(
      ExchangeUnit(key: "%lld birds", path: [.plural(.zero)], source: .text("No birds")), at: place)
    func part(_ shipment: Shipment, _ receipt: ShipmentReceipt) -> OutstandingWork.Part {
      OutstandingWork.Part(shipment: shipment, receipt: receipt)
    }
    func birds(_ part: OutstandingWork.Part) async throws -> [ExchangeUnit] {
      try await scene.make().pull(OutstandingWork { [part] }).bundles.flatMap(\.files).flatMap(\.units)
        .filter { $0.key == "%lld birds" }
    }
    let first = try await scene.make().push(plain)
    scene.translate("uk")
    let added = part(whole, first)
    #expect(try await scene.make().stock(of: added)?.missing.map(\.key) == ["%lld birds"])
    #expect(try await !scene.make().push(whole).wasThere)
    #expect(scene.content().contains("No birds"))
    #expect(try await scene.make().push(whole).wasThere)
    #expect(try await birds(added).isEmpty, "the form is not translated yet")
    scene.translate("uk")
    let answer = try await birds(added)
    #expect(answer.map(\.path) == whole.files[0].units.filter { $0.key == "%lld birds" }.map(\.path))
    #expect(answer.first?.source == .text("No birds") && answer.allSatisfy { $0.target != nil })

    let rivals = TextRivals(text: "none", others: [whole.files[0].units.filter { $0.key == "%lld birds" }])
    var beside = plain
    beside.rivals = [UnitID(catalog: "App/Localizable.xcstrings", key: "%lld birds"): rivals]
    _ = try await scene.make().push(beside)
    #expect(try await scene.make().stock(of: added) == VendorStock(), "another branch has the form")
    _ = try await scene.make().push(plain)
    #expect(try await scene.make().stock(of: added)?.missing.map(\.key) == ["%lld birds"])
    #expect(try await birds(part(plain, first)).count == 4)

    _ = try await scene.make().push(whole)
    #expect(try await scene.make().stock(of: added) == VendorStock())
    var settled = plain.files[0]
    settled.units.removeAll { $0.key != "%lld birds" }
    let unit = UnitID(catalog: "App/Localizable.xcstrings", key: "%lld birds")
    try await scene.make().settle(StandingTexts(sources: [settled], formerPaths: [unit: [.root]]))
    #expect(try await scene.make().stock(of: added)?.missing.map(\.key) == ["%lld birds"])
  }

  /// Checks that a plural with only one translated form stays outstanding, and is returned once all its forms are translated. A plural that was
  /// reviewed without the other forms is returned as it is, and the review holds it.
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

  /// Checks that a text that loses its plural forms is sent as one text, and that the translations of the forms are not returned for it. A text that
  /// gets plural forms is sent with these forms.
  func changesForms() async throws {
    let scene = try scene()
    let plural = Self.shipment(language: "uk")
    var plain = plural
    plain.files[0].units.removeAll { $0.key == "%lld birds" }
    plain.files[0].units.append(ExchangeUnit(key: "%lld birds", path: .root, source: .text("Many birds")))
    for (place, shipment) in [plural, plain, plural].enumerated() {
      let receipt = try await scene.make().push(shipment)
      func answers() async throws -> [ExchangeUnit] {
        try await scene.make().pull(Self.outstanding([(shipment, receipt)])).bundles.flatMap(\.files).flatMap(\.units)
          .filter { $0.key == "%lld birds" }
      }
      let wanted = shipment.files[0].units.filter { $0.key == "%lld birds" }
      let part = OutstandingWork.Part(shipment: shipment, receipt: receipt)
      #expect(try await scene.make().stock(of: part) == VendorStock())
      if place == 1, try scene.make().kind != "localazy" {
        #expect(try await answers().isEmpty, "translations of the former forms are not returned")
      }
      scene.translate("uk")
      let found = try await answers()
      #expect(found.map(\.path) == wanted.map(\.path) && found.allSatisfy { $0.target != nil })
    }
  }
}
