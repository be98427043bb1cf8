import Localization
import TestSupport
import Testing
import TranslationVendors

/// Tests of behaviour that most platforms share. Only the resulting content of the server differs.
extension PlatformConformance {
  /// Checks that existing translations are added where the platform has no translation, and never replace a translation.
  /// - Parameters:
  ///   - entered: the parts of the server's content with the text “ours 0” for “Bird”, and “ours 3” and “ours 6” for “%lld birds”.
  ///   - isSilent: whether a push that has nothing to add sends only GET requests.
  static func checkExisting(_ scene: Scene, entered: [String], isSilent: Bool = false) async throws {
    let vendor = try scene.make()
    var shipment = shipment(language: "de")
    _ = try await vendor.push(shipment)
    shipment.translateAll()
    _ = try await vendor.push(shipment)
    for part in entered { #expect(scene.content().contains(part)) }
    scene.translate("de")
    let content = scene.content()
    let requests = scene.server.requests.count
    _ = try await vendor.push(shipment)
    #expect(scene.content() == content)
    if isSilent { #expect(!scene.server.requests[requests...].contains { $0.method != "GET" }) }
  }

  /// Checks that a string that no branch has is marked, loses its mark when it is sent again, and is deleted if the vendor is configured to delete.
  /// - Parameters:
  ///   - keeping: a vendor with default options. For both vendors, no branch has any unit.
  ///   - deleting: a vendor with `removed: delete`.
  ///   - marked: the part of the server's content that shows “Bird” with its mark.
  ///   - mark: the mark.
  ///   - name: the beginning of “Bird” in the server's content.
  static func checkRemoval(
    _ scene: Scene, keeping: any TranslationVendor, deleting: any TranslationVendor, marked: String, mark: String,
    name: String = " Bird ["
  ) async throws {
    let bird = UnitID(catalog: "App/Localizable.xcstrings", key: "Bird")
    let receipt = try await keeping.push(shipment(language: "de"))
    #expect(scene.content().contains(name))
    try await keeping.withdraw([bird], of: receipt, language: "de")
    #expect(scene.content().contains(marked))
    let part = OutstandingWork.Part(shipment: shipment(language: "de"), receipt: receipt)
    #expect(try await keeping.stock(of: part)?.hidden == [bird])
    _ = try await keeping.push(shipment(language: "de"))
    #expect(!scene.content().contains(mark))
    try await deleting.withdraw([bird], of: receipt, language: "de")
    #expect(!scene.content().contains(name))
  }

  /// Translates all strings, then changes the source text of “Bird”, and checks that its translation is not returned while the translations of the
  /// other strings are.
  /// - Returns: the outstanding work with the new source text.
  static func outdateBird(_ scene: Scene) async throws -> OutstandingWork {
    let vendor = try scene.make()
    _ = try await vendor.push(shipment(language: "uk"))
    scene.translate("uk")
    let changed = shipment(language: "uk", birds: "Little bird")
    let receipt = try await vendor.push(changed)
    let work = outstanding([(changed, receipt)])
    let found = try await vendor.pull(work).bundles.flatMap(\.files).flatMap(\.units)
    #expect(!found.contains { $0.key == "Bird" } && found.contains { $0.key == "%lld birds" })
    return work
  }

  /// Checks a vendor that accepts suggestions after the source text of “Bird” changes: the translation that the platform keeps is not returned for
  /// the new text until a person confirms it.
  /// - Parameter make: makes a vendor with `take: suggested`.
  static func checkOlderAnswers(_ scene: Scene, make: () throws -> any TranslationVendor) async throws {
    let first = shipment(language: "uk")
    _ = try await make().push(first)
    scene.translate("uk")
    let changed = shipment(language: "uk", birds: "Little bird")
    let work = outstanding([(changed, try await make().push(changed))])
    #expect(scene.content().contains("Bird"), "the platform keeps the translation")
    func taken() async throws -> [UnitKey] {
      try await make().pull(work).bundles.flatMap(\.files).flatMap(\.units).map(\.key)
    }
    for _ in 1...2 {
      let keys = try await taken()
      #expect(!keys.contains("Bird") && keys.contains("%lld birds"))
    }
    scene.translate("uk")
    #expect(try await taken().contains("Bird"))
  }

  /// Returns the error of a probe if the server returns this body for every request.
  /// - Parameter options: the options of the vendor, without `url`.
  static func probeError<Kind: VendorKind>(
    of kind: Kind.Type, _ options: [String: VendorOptionValue], secret: String = "secret-token", response body: String,
    type: String = "application/json"
  ) async throws -> String {
    let bench = try VendorBench { _ in
      .respond(status: 200, headers: [("Content-Type", type)], body: Array(body.utf8))
    }
    let server = try bench.server()
    let settings = VendorSettings(options: options.merging(["url": .text(server.url)]) { own, _ in own })
    let vendor = try kind.vendor(settings, in: bench.environment(secret: secret))
    let error = await #expect(throws: VendorError.self) { try await vendor.probe(["de"]) }
    return "\(try #require(error))"
  }
}

extension Shipment {
  /// Gives each unit of the first file the translation “ours” and the unit's index.
  mutating func translateAll() {
    for index in files[0].units.indices {
      files[0].units[index].target = ExchangeTarget(.text("ours \(index)"), state: "translated")
    }
  }
}
