import FoundationEssentials
import Localization
import Testing

@testable import Pipeline

struct VendorRouteTests {
  private static let catalog: TreePath = "App/Localizable.xcstrings"

  private func definition(
    _ languages: [LocaleIdentifier]? = nil, fallback: String? = nil, then: String? = nil,
    scope: CatalogScope = CatalogScope()
  ) -> VendorDefinition {
    VendorDefinition(kind: "folder", languages: languages, scope: scope, fallback: fallback, then: then)
  }

  @Test("a unit goes through the steps of its first vendor, each with its fallbacks")
  func steps() {
    let routes = VendorRoutes([
      ("machine", definition(["de"], fallback: "spare", then: "agency")),
      ("spare", definition(fallback: "last")), ("last", definition()), ("agency", definition(["uk"], fallback: "desk")),
      ("desk", definition()), ("rest", definition()),
    ])
    #expect(
      routes.route(for: "de", of: Self.catalog)
        == VendorRoute(steps: [["machine", "spare", "last"], ["agency", "desk"]]))
    #expect(routes.route(for: "uk", of: Self.catalog)?.steps == [["agency", "desk"]])
    // No route begins with a vendor that lists no languages and is named as a fallback.
    #expect(routes.route(for: "fr", of: Self.catalog)?.steps == [["rest"]])
    #expect(routes.haveSteps)
  }

  @Test("a vendor of a later step gets the languages of the vendors before it in the route")
  func reach() throws {
    let kit = CatalogScope(catalogs: [try #require(PathPattern("Kit/**"))])
    let routes = VendorRoutes([
      ("machine", definition(["fr"], then: "agency")), ("agency", definition(["uk"], fallback: "desk")),
      ("desk", definition()), ("kit", definition(["de"], scope: kit)), ("rest", definition()),
      ("unused", definition()),
    ])
    let languages: [LocaleIdentifier] = ["de", "fr", "ja"]
    #expect(routes.languages(of: "machine", among: languages) == ["fr"])
    #expect(routes.languages(of: "agency", among: languages) == ["fr", "uk"])
    #expect(routes.languages(of: "desk", among: languages) == ["fr", "uk"])
    #expect(routes.languages(of: "kit", among: languages) == ["de"])
    #expect(routes.languages(of: "rest", among: languages) == ["de", "ja"])
    #expect(routes.languages(of: "unused", among: languages).isEmpty)
  }

  @Test("a fallback takes over only catalogs in its scope, and a cycle of fallbacks ends at its first vendor")
  func scopes() throws {
    let kit = CatalogScope(catalogs: [try #require(PathPattern("Kit/**"))])
    let routes = VendorRoutes([
      ("a", definition(["de"], fallback: "b", then: "c")), ("b", definition(fallback: "a")),
      ("c", definition(then: "a", scope: kit)),
    ])
    #expect(routes.route(for: "de", of: Self.catalog)?.steps == [["a", "b"]])
    #expect(routes.route(for: "de", of: "Kit/Localizable.xcstrings")?.steps == [["a", "b"], ["c"]])
  }

  @Test("later steps are preferred; within a step, the vendor listed first is preferred")
  func preference() {
    let route = VendorRoute(steps: [["machine", "spare"], ["agency", "spare2"]])
    #expect(route.prefers("agency", to: "machine") == true && route.prefers("machine", to: "agency") == false)
    #expect(route.prefers("machine", to: "spare") == true && route.prefers("spare", to: "machine") == false)
    #expect(route.prefers("machine", to: "machine") == nil && route.prefers("stranger", to: "other") == nil)
    // This vendor was in the route of an earlier pipeline file.
    #expect(route.prefers("machine", to: "former") == false && route.prefers("former", to: "machine") == true)
    #expect(route.prefers("agency", to: "former") == true && route.prefers("former", to: "agency") == false)
    #expect(route.isDraft(from: "spare") && !route.isDraft(from: "agency") && !route.isDraft(from: "stranger"))
    #expect(route.leadsOn(from: "machine") && route.leadsOn(from: "spare"))
    #expect(route.leadsOn(from: "agency") && !route.leadsOn(from: "spare2") && !route.leadsOn(from: "stranger"))
  }

  @Test("a vendor that failed for too long is skipped if another vendor can replace it")
  func absent() {
    let now = Date(timeIntervalSince1970: 100_000)
    func job(_ stage: Stage, _ vendor: String, _ since: Double?) -> Job {
      Job(
        id: JobID(rawValue: 1), pipeline: "p", stage: stage, scope: vendor, state: .succeeded, attempts: 0, version: 0,
        armed: now, inputs: "", failingSince: since.map { Date(timeIntervalSince1970: $0) })
    }
    let failing = FailingVendors(
      [
        job(.push, "a", 90_000), job(.pull, "a", 80_000), job(.push, "b", nil), job(.pull, "c", 99_000),
        job(.merge, "d", 0),
      ], now: now)
    #expect(failing.since.keys.sorted() == ["a", "c"])
    #expect(failing.since["a"] == Date(timeIntervalSince1970: 80_000))
    var patient = definition(fallback: "z")
    patient.patience = .seconds(20_000)
    #expect(failing.absent(among: [("a", patient), ("c", patient)]) == ["a"])
    patient.patience = .seconds(20_001)
    #expect(failing.absent(among: [("a", patient)]).isEmpty)
    #expect(failing.absent(among: [("a", definition())]).isEmpty)
  }

  @Test("a unit goes to the first working vendor that did not refuse it, or else to any vendor that did not refuse it")
  func choice() {
    let unit = SourceInLanguage(source: SourceID(rawValue: 1), language: "de")
    let refused = SentUnit(
      id: SentUnitID(rawValue: 1), source: unit.source, vendor: "a", language: "de", state: .withdrawn, isRefused: true)
    let choice = VendorChoice(absent: ["b"], ledger: SentLedger(units: [refused]))
    #expect(choice.vendor(of: ["a", "b", "c"], for: unit) == "c")
    #expect(choice.vendor(of: ["a", "b"], for: unit) == "b")
    #expect(choice.vendor(of: ["a"], for: unit) == nil)
    #expect(choice.vendor(of: ["a", "b"], for: nil) == "a")
    let route = VendorRoute(steps: [["b", "a", "c"]])
    #expect(choice.successor(of: "b", on: route, for: unit) == "c")
    #expect(choice.successor(of: "b", on: VendorRoute(steps: [["b", "a"]]), for: unit) == nil)
    #expect(choice.successor(of: "c", on: route, for: unit) == nil)
  }
}
