import Localization
import TestSupport
import Testing
import TranslationVendors

@testable import VendorServers

/// Tests of every machine translation engine with a test double that counts the texts that were paid for.
struct EngineConformance: Sendable {
  struct Scene: Sendable {
    var bench: VendorBench
    var server: LoopbackHTTPServer
    var machine: MachineServer
    /// A function that makes a new vendor on the same server and state folder, as after a restart.
    var make: @Sendable () throws -> any TranslationVendor
  }

  var scene: @Sendable () throws -> Scene

  private static let shipment = VendorConformance.shipment(language: "uk")
  private static let odd: UnitKey = "q\"<&>\u{301}\n\t"

  private static func outstanding(_ receipt: ShipmentReceipt) -> OutstandingWork {
    OutstandingWork { [OutstandingWork.Part(shipment: shipment, receipt: receipt)] }
  }

  func check() async throws {
    try await translates()
    try await paysOnce()
    try await holdsWhatLostItsPlaceholders()
    try await refusesAnswersThatDoNotFit()
    try await asksAgainForMissingAnswers()
    try await stopsAtTheLimit()
    try await survivesFaults()
  }

  private func translates() async throws {
    let scene = try scene()
    let vendor = try scene.make()
    let receipt = try await vendor.push(Self.shipment)
    #expect(receipt.units == 5)
    #expect(scene.machine.texts.isEmpty, "a push translates nothing")
    let found = try await vendor.pull(Self.outstanding(receipt))
    #expect(found.diagnostics == [])
    let file = try #require(found.bundles.first?.files.first)
    let targets = Dictionary(
      file.units.map { ("\($0.key.text) \($0.path.text)", $0.target) }, uniquingKeysWith: { first, _ in first })
    #expect(targets.count == 7, "all units except the ones that must not be translated")
    #expect(targets["Bird "]??.text == .text("⟦Bird⟧"))
    #expect(targets["%lld of %@ "]??.text == .text("⟦%1$lld of %2$@⟧"))
    #expect(targets["\(Self.odd.text) "]??.text == .text("⟦Two\nlines & <b>bold</b> “quotes” \"it's\"⟧"))
    #expect(file.units.allSatisfy { $0.target?.state == "needs-review-translation" })
    #expect(
      file.units.allSatisfy { $0.target?.finishedState == .needsReview }, "translations are accepted as needs_review")
    // Forms are translated with example numbers, and are returned with the placeholder.
    let forms = file.units.filter { $0.key == "%lld birds" }
    #expect(forms.count == 4)
    for form in forms { #expect(form.target?.text == form.source.map { .text("⟦\($0.plain)⟧") }) }
    #expect(scene.machine.texts.contains { $0.contains("21 bird") }, "one in Ukrainian")
    #expect(scene.machine.texts.contains { $0.contains("2 birds") }, "few in Ukrainian")
    #expect(scene.machine.texts.contains { $0.contains("5 birds") }, "many in Ukrainian")
  }

  private func paysOnce() async throws {
    let scene = try scene()
    let receipt = try await scene.make().push(Self.shipment)
    let first = try await scene.make().pull(Self.outstanding(receipt))
    let count = scene.machine.texts.count
    let second = try await scene.make().pull(Self.outstanding(receipt))
    #expect(scene.machine.texts.count == count, "no text is paid for twice after a restart")
    #expect(second.bundles.map(\.digest) == first.bundles.map(\.digest))
  }

  private func holdsWhatLostItsPlaceholders() async throws {
    let scene = try scene()
    scene.machine.behaviour = .losesPlaceholders
    let vendor = try scene.make()
    let receipt = try await vendor.push(Self.shipment)
    let found = try await vendor.pull(Self.outstanding(receipt))
    let keys = Set(found.bundles.flatMap(\.files).flatMap(\.units).map(\.key))
    #expect(keys == ["Bird"], "a valid unit is not held")
    #expect(found.diagnostics.filter { $0.message.contains("placeholders or markup changed") }.count >= 2)
    let count = scene.machine.texts.count
    _ = try await scene.make().pull(Self.outstanding(receipt))
    #expect(scene.machine.texts.count == count, "refused texts are not paid for again")
  }

  private func refusesAnswersThatDoNotFit() async throws {
    let scene = try scene()
    scene.machine.behaviour = .forgetsOne
    let receipt = try await scene.make().push(Self.shipment)
    await #expect(throws: VendorError.self) { try await scene.make().pull(Self.outstanding(receipt)) }
  }

  private func asksAgainForMissingAnswers() async throws {
    func pull(_ behaviour: MachineServer.Behaviour) async throws -> (found: PullResult, scene: Scene) {
      let scene = try scene()
      scene.machine.behaviour = behaviour
      let receipt = try await scene.make().push(Self.shipment)
      return (try await scene.make().pull(Self.outstanding(receipt)), scene)
    }
    let whole = try await pull(.good).scene.machine.texts
    for behaviour in [MachineServer.Behaviour.forgetsOneOfSeveral, .nullOfSeveral] {
      let (found, played) = try await pull(behaviour)
      #expect(found.bundles.flatMap(\.files).flatMap(\.units).count == 7, "\(behaviour)")
      #expect(found.diagnostics == [], "\(behaviour)")
      #expect(played.machine.texts.count > whole.count && played.machine.texts.count <= 2 * whole.count, "\(behaviour)")
      #expect(Set(played.machine.texts) == Set(whole), "\(behaviour)")
    }
    let (found, last) = try await pull(.nullFor("Two"))
    #expect(found.bundles.flatMap(\.files).flatMap(\.units).count == 6, "the other units are accepted")
    #expect(found.diagnostics.map(\.message).count { $0.contains("answered twice without a translation") } == 1)
    #expect(last.machine.texts.count { $0.contains("Two") } == 2)
    try await givesUpOnSilence()
  }

  /// Checks that texts are refused after an engine has translated nothing in three polls, even if Dragoman restarts between the polls.
  private func givesUpOnSilence() async throws {
    let scene = try scene()
    scene.machine.behaviour = .nullFor("")
    let receipt = try await scene.make().push(Self.shipment)
    for look in 1...4 {
      let before = scene.machine.texts.count
      let found = try await scene.make().pull(Self.outstanding(receipt))
      #expect(found.bundles.isEmpty)
      #expect((scene.machine.texts.count > before) == (look <= 3), "look \(look)")
      #expect(found.refusals.isEmpty == (look < 3), "look \(look)")
    }
    scene.machine.behaviour = .good
    #expect(try await scene.make().pull(Self.outstanding(receipt)).bundles.isEmpty, "the units are refused already")
  }

  private func stopsAtTheLimit() async throws {
    let scene = try scene()
    guard scene.machine.hasAccounts else { return }
    scene.machine.behaviour = .spends(0)
    let receipt = try await scene.make().push(Self.shipment)
    let found = try await scene.make().pull(Self.outstanding(receipt))
    #expect(found.bundles.isEmpty)
    #expect(found.diagnostics.contains { $0.message.contains("used up") || $0.message.contains("limit") })
    scene.machine.behaviour = .good
    let later = try await scene.make().pull(Self.outstanding(receipt))
    #expect(later.bundles.flatMap(\.files).flatMap(\.units).count == 7)
  }

  /// Checks that the same units are returned if any request fails and the work is continued with new vendors.
  private func survivesFaults() async throws {
    let reference = try scene()
    let expected = try await play(reference)
    let requests = reference.bench.requests
    #expect(requests >= 2 && expected.count == 7)
    try await reference.bench.forEachFault { fault, request in
      let scene = try scene()
      scene.bench.fail(fault, at: request)
      #expect(try await play(scene) == expected, "\(fault) at request \(request)")
      // Only texts whose response was lost are paid for twice.
      #expect(scene.machine.texts.count <= reference.machine.texts.count * 2, "\(fault) at request \(request)")
    }
  }

  private func play(_ scene: Scene) async throws -> [String] {
    var last: (any Error)?
    for _ in 0..<5 {
      do {
        let receipt = try await scene.make().push(Self.shipment)
        let found = try await scene.make().pull(Self.outstanding(receipt))
        let units = found.bundles.flatMap(\.files).flatMap(\.units)
        if units.count == 7 { return units.map { "\($0.key.text) \($0.path.text): \($0.target.debugDescription)" } }
      } catch { last = error }
    }
    throw try #require(last, "not all units were returned")
  }
}
