import Localization
import TestSupport
import Testing
import TranslationVendors

/// Tests of every vendor that keeps strings by key: whole rounds with a stateful server on loopback.
///
/// The server is the adapter's own test double. It carries out requests as the vendor's specification describes, and records an issue for requests
/// that the vendor does not support and, for most vendors, for strings that are added twice.
struct PlatformConformance: Sendable {
  /// An empty server with its own state, and the actions of people there.
  struct Scene: Sendable {
    var bench: VendorBench
    var server: LoopbackHTTPServer
    /// A function that makes a new vendor on the same server, as after a restart.
    var make: @Sendable () throws -> any TranslationVendor
    /// A function that adds reviewed translations of all strings in a language of the server's project, given by our language code.
    var translate: @Sendable (LocaleIdentifier) -> Void
    /// A function that returns the server's whole content as text, to compare final states.
    var content: @Sendable () -> String
    /// A function that returns the length limits of strings by the strings' names at the server, 0 for none; `nil` if the platform has no limits.
    var limits: (@Sendable () -> [String: Int])?
    /// A function that returns the names of the strings in each screenshot, by screenshot title; `nil` if the platform accepts no screenshots.
    var screenshots: (@Sendable () -> [String: [String]])?
    /// Access to the platform's glossary; `nil` if the platform accepts no glossary.
    var glossary: GlossaryConformance.Access?
    /// A function that removes all plural forms except one from every translation. The remaining form is either reviewed or only saved. On a server
    /// that numbers forms, it is always `one`.
    var leaveOnly: (@Sendable (_ form: String, _ language: LocaleIdentifier, _ isReviewed: Bool) -> Void)
    /// Whether the platform returns translations that nobody has reviewed.
    var hasUnreviewed = true
    /// A function that sets the number of strings or files that other people have added. Lists contain them before ours. `nil` if no list is read by
    /// offset or page number, or if the adapter has a separate test.
    var foreign: (@Sendable (Int) -> Void)?
  }

  /// A function that makes a new scene whose project has German and Ukrainian.
  var scene: @Sendable () throws -> Scene

  static func shipment(language: LocaleIdentifier, birds: String = "Bird") -> Shipment {
    var shipment = VendorConformance.shipment(language: language)
    for index in shipment.files[0].units.indices where shipment.files[0].units[index].key == "Bird" {
      shipment.files[0].units[index].source = .text(birds)
    }
    return shipment
  }

  static func outstanding(_ shipments: [(Shipment, ShipmentReceipt)]) -> OutstandingWork {
    OutstandingWork { shipments.map { OutstandingWork.Part(shipment: $0.0, receipt: $0.1) } }
  }

  func check() async throws {
    try await returnsWholeRounds()
    try await repeatsNothing()
    try await sendsChanges()
    try await setsSourcesBack()
    try await setsTranslationsBack()
    try await hidesFormerForms()
    try await updatesComments()
    try await sendsLimits()
    try await ScreenshotConformance(scene: scene).check()
    try await GlossaryConformance(scene: scene).check()
    try await waitsForPluralForms()
    try await keepsSourceForms()
    try await sendsSeparateForms()
    try await changesForms()
    try await returnsCorrections()
    try await knowsItsStock()
    try await keepsVariants()
    try await keepsNames()
    try await refusesOtherSourceLanguages()
    try await sendsWhatIsTaken()
    try await failsWhenNothingIsTaken()
    try await survivesFaults()
    try await survivesShiftingLists()
  }

  /// Checks that no string of ours is lost or added twice if people add or delete strings while the pages of a list are read.
  private func survivesShiftingLists() async throws {
    func begin() async throws -> (Scene, (Int) -> Void)? {
      let scene = try scene()
      guard let foreign = scene.foreign else { return nil }
      _ = try await scene.make().push(Self.shipment(language: "uk"))
      scene.translate("uk")
      foreign(2)
      return (scene, foreign)
    }
    func play(_ scene: Scene) async throws -> Int {
      _ = try await insist { try await scene.make().push(Self.shipment(language: "de")) }
      let shipment = Self.shipment(language: "uk", birds: "Little bird")
      let receipt = try await insist { try await scene.make().push(shipment) }
      scene.translate("uk")
      var count = 0
      for _ in 0..<3 where count < 7 {
        let found = try await insist { try await scene.make().pull(Self.outstanding([(shipment, receipt)])) }
        count = found.bundles.flatMap(\.files).flatMap(\.units).count
      }
      return count
    }
    guard let (reference, restore) = try await begin() else { return }
    let first = reference.bench.requests
    #expect(try await play(reference) == 7)
    let requests = reference.bench.requests
    restore(0)
    let content = reference.content()
    for request in first..<requests {
      for count in [1, 3] {
        guard let (scene, foreign) = try await begin(), let set = scene.foreign else { continue }
        scene.bench.before(request) { set(count) }
        #expect(try await play(scene) == 7, "\(count) at request \(request)")
        foreign(0)
        #expect(scene.content() == content, "\(count) at request \(request)")
      }
    }
  }

  /// Checks that texts in a language other than the project's source language are not sent, but those in a regional variant are. `http` has no
  /// setting for the source language. Weblate's components are made for the language of their first texts.
  private func refusesOtherSourceLanguages() async throws {
    let scene = try scene()
    let vendor = try scene.make()
    guard vendor.kind != "http" else { return }
    if vendor.kind == "weblate" { _ = try await vendor.push(Self.shipment(language: "de", birds: "A bird")) }
    let before = scene.content()
    var shipment = Self.shipment(language: "de")
    shipment.sourceLanguage = "ja"
    let foreign = shipment
    let error = await #expect(throws: VendorError.self) { try await vendor.push(foreign) }
    #expect(error?.kind == .configuration && error?.detail.contains("and those of the repository in ja") == true)
    #expect(scene.content() == before)
    shipment.sourceLanguage = "en-GB"
    _ = try await vendor.push(shipment)
    #expect(try await vendor.probe(["de"]).facts.contains { $0.hasPrefix("Source texts are in en") })
    let faults = try await vendor.probe(["en", "en-US"]).faults.joined()
    #expect(vendor.kind == "weblate" || faults.contains("but the pipeline translates into en"))
  }

  /// Checks that the stock names the units that the vendor lacks, and the units that the vendor has with another source text.
  private func knowsItsStock() async throws {
    let scene = try scene()
    let shipment = Self.shipment(language: "de")
    let units = shipment.unitIDs.filter { unit in
      shipment.files[0].units.contains { $0.key == unit.key && $0.isTranslatable }
    }
    let receipt = ShipmentReceipt(reference: "birds-1-de", units: 5, wasThere: false)
    let part = OutstandingWork.Part(shipment: shipment, receipt: receipt)
    let before = scene.content()
    #expect(try await scene.make().stock(of: part)?.missing == units)
    #expect(scene.content() == before)
    _ = try await scene.make().push(shipment)
    #expect(try await scene.make().stock(of: part) == VendorStock())
    let other = OutstandingWork.Part(shipment: Self.shipment(language: "de", birds: "Other birds"), receipt: receipt)
    let bird = UnitID(catalog: "App/Localizable.xcstrings", key: "Bird")
    #expect(try await scene.make().stock(of: other) == VendorStock(changed: [bird]))
  }

  /// Checks that after two languages are pushed and one is translated, this language is returned completely and the other stays outstanding.
  private func returnsWholeRounds() async throws {
    let scene = try scene()
    let (german, ukrainian) = (Self.shipment(language: "de"), Self.shipment(language: "uk"))
    let first = try await scene.make().push(german)
    let second = try await scene.make().push(ukrainian)
    #expect(first.units == 5 && second.units == 5)
    let work = Self.outstanding([(german, first), (ukrainian, second)])
    #expect(try await scene.make().pull(work).bundles.isEmpty)
    scene.translate("uk")
    let found = try await scene.make().pull(work)
    let bundle = try #require(found.bundles.first)
    #expect(found.bundles.count == 1)
    let file = try #require(bundle.files.first)
    #expect(file.targetLanguage == "uk" && file.original == "App/Localizable.xcstrings")
    let wanted = ukrainian.files[0].units.filter(\.isTranslatable)
    #expect(file.units.map(\.key) == wanted.map(\.key))
    #expect(file.units.map(\.path) == wanted.map(\.path))
    #expect(file.units.allSatisfy { $0.target != nil && $0.target?.state == "translated" })
    #expect(file.units.map(\.source) == wanted.map(\.source))
  }

  private func repeatsNothing() async throws {
    let scene = try scene()
    let shipment = Self.shipment(language: "de")
    #expect(try await !scene.make().push(shipment).wasThere)
    let content = scene.content()
    #expect(try await scene.make().push(shipment).wasThere)
    #expect(scene.content() == content)
    #expect(try await scene.make().find(shipment)?.units == 5)
  }

  /// Checks that a changed source text is sent, and that a translation of the former text is not used for the changed text.
  private func sendsChanges() async throws {
    let scene = try scene()
    _ = try await scene.make().push(Self.shipment(language: "uk"))
    scene.translate("uk")
    let changed = Self.shipment(language: "uk", birds: "Little bird")
    let receipt = try await scene.make().push(changed)
    #expect(scene.content().contains("Little bird"))
    func answers() async throws -> [ExchangeUnit] {
      try await scene.make().pull(Self.outstanding([(changed, receipt)])).bundles.flatMap(\.files).flatMap(\.units)
        .filter { $0.key == "Bird" && $0.source == .text("Little bird") }
    }
    // It is unknown whether Localazy's list contains translations of a former text (docs/vendors/localazy.md).
    if try scene.make().kind != "localazy" {
      #expect(try await answers().isEmpty, "a translation of the former text is not returned")
    }
    scene.translate("uk")
    #expect(try await answers().count == 1)
  }

  /// Checks that only the comments of existing strings change, and that missing strings are not added.
  private func updatesComments() async throws {
    let scene = try scene()
    let shipment = Self.shipment(language: "uk")
    let receipt = try await scene.make().push(shipment)
    scene.translate("uk")
    let content = scene.content()
    func comments(_ bird: String) -> [UnitID: UnitComment] {
      Dictionary(
        uniqueKeysWithValues: [("Bird", bird), ("%lld birds", ""), ("Missing", "new")].map { key, text in
          (
            UnitID(catalog: "App/Localizable.xcstrings", key: UnitKey(key)),
            UnitComment(text: text, sourceLanguage: "en")
          )
        })
    }
    try await scene.make().update(comments("a note"))
    #expect(scene.content() == content)
    try await scene.make().update(comments("another note"))
    #expect(scene.content().contains("another note"))
    try await scene.make().update(comments("a note"))
    #expect(scene.content() == content)
    let work = Self.outstanding([(shipment, receipt)])
    #expect(try await scene.make().pull(work).bundles.first?.files.first?.units.count == 7)
  }

  /// Checks that a length limit in the comment is sent to the platform once, changes with the comment, and is removed with the comment.
  private func sendsLimits() async throws {
    let scene = try scene()
    guard let limits = scene.limits else { return }
    func limited(_ note: String) -> Shipment {
      var shipment = Self.shipment(language: "uk")
      for index in shipment.files[0].units.indices where shipment.files[0].units[index].key == "%lld of %@" {
        shipment.files[0].units[index].note = note
      }
      return shipment
    }
    func limit() -> Int? { limits().first { $0.key.hasSuffix("%lld of %@") }?.value }
    // A limit that is shorter than the source text is ignored.
    _ = try await scene.make().push(limited("dragoman:max-length 3"))
    #expect(limit() == 0)
    _ = try await scene.make().push(limited("A counter\ndragoman:max-length 30"))
    // Some platforms count the ten characters of the placeholders.
    #expect([30, 40].contains(limit()))
    let content = scene.content()
    #expect(try await scene.make().push(limited("A counter\ndragoman:max-length 30")).wasThere)
    #expect(scene.content() == content)
    _ = try await scene.make().push(limited("at most 20 characters"))
    #expect([20, 30].contains(limit()))
    _ = try await scene.make().push(limited("a note"))
    #expect(limit() == 0)
    #expect(limits().values.allSatisfy { $0 == 0 })
  }

  /// Checks that the final state and the returned units are the same if any request fails and the work is continued with new vendors.
  private func survivesFaults() async throws {
    let reference = try scene()
    let expected = try await play(reference)
    let content = reference.content()
    try await reference.bench.forEachFault { fault, request in
      let scene = try scene()
      scene.bench.fail(fault, at: request)
      let found = try await play(scene)
      #expect(found == expected, "\(fault) at request \(request)")
      #expect(scene.content() == content, "\(fault) at request \(request)")
    }
  }

  /// Runs a whole round and describes the returned units as text. A step that fails is repeated with a new vendor, as the worker does.
  private func play(_ scene: Scene) async throws -> [String] {
    let shipment = Self.shipment(language: "uk")
    let receipt = try await insist { try await scene.make().push(shipment) }
    scene.translate("uk")
    let work = Self.outstanding([(shipment, receipt)])
    var units: [String] = []
    for _ in 0..<3 where units.isEmpty {
      let found = try await insist { try await scene.make().pull(work) }
      units = found.bundles.flatMap(\.files).flatMap(\.units).map {
        "\($0.key.text) \($0.path.text): \($0.target.debugDescription)"
      }
    }
    return units
  }

  private func insist<Result>(_ body: () async throws -> Result) async throws -> Result {
    var last: (any Error)?
    for _ in 0..<4 {
      do { return try await body() } catch { last = error }
    }
    throw try #require(last)
  }
}
