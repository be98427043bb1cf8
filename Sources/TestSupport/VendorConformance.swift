package import Localization
internal import Testing

/// Checks of the behaviour that every vendor must have. A vendor's test only provides these closures.
package struct VendorConformance: Sendable {
  /// Creates the vendor again with the same storage, as after a restart.
  package var make: @Sendable () async throws -> any TranslationVendor
  /// Makes the vendor return translations for the shipment with this receipt, as a translator does.
  package var translate: @Sendable (ShipmentReceipt) async throws -> Void
  /// Returns the review of a held bundle that people can read; `nil` if there is no such review.
  package var review: @Sendable () async throws -> String?

  package init(
    make: @escaping @Sendable () async throws -> any TranslationVendor,
    translate: @escaping @Sendable (ShipmentReceipt) async throws -> Void,
    review: @escaping @Sendable () async throws -> String?
  ) {
    self.make = make
    self.translate = translate
    self.review = review
  }

  /// Returns a shipment of one catalog with a plain text, a plural, a text that must not be translated, and a key with all kinds of special
  /// characters.
  package static func shipment(round: String = "7", language: LocaleIdentifier = "uk") -> Shipment {
    let keys: [(UnitKey, String)] = [
      ("Bird", "Bird"), ("%lld of %@", "%1$lld of %2$@"),
      ("q\"<&>\u{301}\n\t", "Two\nlines & <b>bold</b> “quotes” \"it's\""),
    ]
    var units = keys.map { ExchangeUnit(key: $0.0, source: .text($0.1), note: "a note") }
    for category in [PluralCategory.one, .few, .many, .other] {
      units.append(
        ExchangeUnit(
          key: "%lld birds", path: [.plural(category)], source: .text(category == .one ? "%lld bird" : "%lld birds")))
    }
    units.append(ExchangeUnit(key: "Dragoman", source: .text("Dragoman"), isTranslatable: false))
    let file = ExchangeFile(
      original: "App/Localizable.xcstrings", sourceLanguage: "en", targetLanguage: language, units: units)
    return Shipment(
      pipeline: "birds", round: round, language: language, sourceLanguage: "en", files: [file],
      sourceContents: ["App/Localizable.xcstrings": Array("{\n  \"sourceLanguage\" : \"en\"\n}".utf8)])
  }

  /// Sends shipments to the vendor and receives the translations. Steps are repeated after a restart of the vendor.
  package func check() async throws {
    try await pushesOnce()
    try await returnsAndPutsAway()
    try await keepsReviews()
  }

  private func pushesOnce() async throws {
    let shipment = Self.shipment()
    #expect(try await make().find(shipment) == nil)
    let first = try await make().push(shipment)
    #expect(!first.wasThere)
    #expect(first.units == 5)
    let again = try await make().push(shipment)
    #expect(again == ShipmentReceipt(reference: first.reference, units: 5, wasThere: true))
    let other = try await make().push(Self.shipment(language: "de"))
    #expect(!other.wasThere)
    #expect(other.reference != first.reference)
    try await make().withdraw([UnitID(catalog: "App/Localizable.xcstrings", key: "Bird")], of: first, language: "uk")
    #expect(try await make().name == make().name)
  }

  private func returnsAndPutsAway() async throws {
    let vendor = try await make()
    for language in ["uk", "de"] as [LocaleIdentifier] {
      try await translate(try await vendor.push(Self.shipment(language: language)))
    }
    let found = try await vendor.pull().bundles.sorted { $0.reference < $1.reference }
    #expect(found.count == 2)
    #expect(Set(found.flatMap(\.files).map(\.targetLanguage)) == ["uk", "de"])
    for bundle in found {
      #expect(bundle.digest.utf8.count == 64)
      #expect(bundle.diagnostics.isEmpty)
      let file = try #require(bundle.files.first)
      let targets = file.units.filter { $0.target != nil }
      #expect(Set(targets.map(\.key)) == ["Bird", "%lld of %@", "q\"<&>\u{301}\n\t", "%lld birds"])
      #expect(targets.filter { $0.key == "%lld birds" }.count == 4)
    }
    // After a crash between `pull` and `acknowledge`, the next pull returns the same bundles.
    let again = try await make().pull().bundles.sorted { $0.reference < $1.reference }
    #expect(again.map(\.digest) == found.map(\.digest))
    #expect(again.map(\.files) == found.map(\.files))
    for bundle in found {
      try await vendor.acknowledge(bundle, verdict: .taken)
      try await vendor.acknowledge(bundle, verdict: .taken)
    }
    #expect(try await make().pull().bundles.isEmpty)
    #expect(try await review() == nil)
  }

  private func keepsReviews() async throws {
    try await translate(try await make().push(Self.shipment(round: "8")))
    let vendor = try await make()
    let bundle = try #require(try await vendor.pull().bundles.first)
    for _ in 0..<2 { try await vendor.acknowledge(bundle, verdict: .held(review: "“Bird”: the source has changed\n")) }
    #expect(try await make().pull().bundles.isEmpty)
    #expect(try await review() == "“Bird”: the source has changed\n")
  }
}
