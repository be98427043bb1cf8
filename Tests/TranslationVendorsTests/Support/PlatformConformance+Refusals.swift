import Localization
import Testing
import TranslationVendors

/// Strings that a platform refuses: one of several strings, or all of them.
extension PlatformConformance {
  private static let word = "Unsayable"
  private static let unit = UnitID(catalog: "App/Localizable.xcstrings", key: "text.5")

  private static func shipment(_ text: String, _ comment: String? = nil) -> Shipment {
    var shipment = shipment(language: "uk")
    shipment.files[0].units += (0..<12).map { number in
      ExchangeUnit(
        key: UnitKey("text.\(number)"), source: .text(number == 5 ? text : "Text \(number)."),
        note: number == 5 ? comment : nil)
    }
    return shipment
  }

  /// Checks that the other strings are sent once, and that the refused string is reported with the platform's message and sent again after a change
  /// or a day.
  func sendsWhatIsTaken() async throws {
    for status in [400, 422] {
      let scene = try scene()
      let vendor = try scene.make()
      _ = try await vendor.push(Self.shipment(language: "uk"))
      scene.bench.refuse(Self.word, status: status)
      let shipment = Self.shipment("\(Self.word) text")
      let receipt = try await vendor.push(shipment)
      let taken = shipment.unitIDs.count - 1
      #expect(receipt.units == taken && receipt.refused == 1 && !receipt.wasThere)
      for number in 0..<12 where number != 5 { #expect(scene.content().contains("Text \(number).")) }
      #expect(!scene.content().contains(Self.word))

      var (content, refused) = (scene.content(), scene.bench.refused)
      let work = Self.outstanding([(shipment, receipt)])
      for again in [vendor, try scene.make()] {
        #expect(try await again.push(shipment).units == taken)
        let found = try await again.pull(work)
        #expect(found.refusals.map(\.reference) == [receipt.reference])
        #expect(found.refusals.first?.units.keys.map(\.self) == [Self.unit])
        #expect(found.refusals.first?.units[Self.unit]?.contains("the word Unsayable is not allowed") == true)
        #expect(found.diagnostics.map(\.message).filter { $0.contains("the word Unsayable is not allowed") }.count == 1)
        #expect(try await again.pull(work).diagnostics == [])
      }
      #expect(scene.content() == content && scene.bench.refused == refused)

      // An error in the new attempt does not delay translations of the other strings.
      try await scene.bench.environment().sleep(.seconds(25 * 3600))
      scene.bench.refuse(Self.word, status: 403)
      scene.translate("uk")
      let faulty = try await vendor.pull(work)
      #expect(faulty.refusals.count == 1 && faulty.bundles.count == 1)
      #expect(
        faulty.diagnostics.map(\.message).contains { $0.hasPrefix("refused strings could not be sent") })
      (content, refused) = (scene.content(), scene.bench.refused)
      scene.bench.refuse(Self.word, status: status)
      #expect(try await vendor.pull(work).refusals.count == 1)
      #expect(scene.content() == content && scene.bench.refused == refused + 1)
      refused = scene.bench.refused
      // With a new comment, the platform may accept the string.
      try await vendor.update([Self.unit: UnitComment(text: "explained", sourceLanguage: "en")])
      #expect(try await vendor.pull(work).refusals.count == 1)
      #expect(scene.bench.refused == refused + 1)
      refused = scene.bench.refused
      let mended = Self.shipment("A better text")
      #expect(try await vendor.push(mended).units == taken + 1)
      #expect(scene.content().contains("A better text") && scene.bench.refused == refused)
      content = scene.content()
      #expect(try await scene.make().push(mended).wasThere)
      #expect(try await scene.make().pull(Self.outstanding([(mended, receipt)])).refusals.isEmpty)
      #expect(scene.content() == content)

      // Finally, an existing string gets a text that the platform refuses. Later, the platform accepts this text.
      _ = try await vendor.push(shipment)
      #expect(try await vendor.pull(work).refusals.count == 1 && scene.content() == content)
      scene.bench.refuse(nil)
      try await scene.bench.environment().sleep(.seconds(25 * 3600))
      #expect(try await vendor.pull(work).refusals.isEmpty)
      #expect(scene.content().contains(Self.word))
    }
  }

  /// Checks that if all strings are refused, the request counts as the cause: no refusal is stored, and the push fails with the platform's message.
  func failsWhenNothingIsTaken() async throws {
    let scene = try scene()
    let vendor = try scene.make()
    var shipment = Self.shipment("A text")
    _ = try await vendor.push(shipment)
    for index in shipment.files[0].units.indices {
      guard case .text(let text)? = shipment.files[0].units[index].source else { continue }
      shipment.files[0].units[index].source = .text("\(text) \(Self.word)")
    }
    let all = shipment
    scene.bench.refuse(Self.word)
    await #expect(throws: (any Error).self) { try await vendor.push(all) }
    #expect(scene.bench.refused < 30)
    scene.bench.refuse(nil)
    #expect(try await vendor.push(all).units == all.unitIDs.count)
  }
}
