import Localization
import Pipeline
import Testing

struct RoundPlannerTests {
  private static let catalog: TreePath = "L.xcstrings"

  /// Returns a branch that has these keys with their source texts and no translations. With `nil`, the branch has no readable commit.
  private func head(
    _ branch: String, _ texts: [UnitKey: String]?, broken: Set<TreePath> = [], unread: Set<LocaleIdentifier> = []
  ) -> RoundPlanner.Head {
    let index = texts.map { texts in
      let entries = texts.mapValues { CatalogEntry(translations: ["en": Translation($0)]) }
      var catalog = Catalog(path: Self.catalog, sourceLanguage: "en", entries: broken.isEmpty ? entries : [:])
      let fault = InputFault(Diagnostic(path: "x", severity: .error, message: "odd"))
      catalog.unread = Dictionary(uniqueKeysWithValues: unread.map { ($0, fault) })
      let info = CommitInfo(
        id: CommitID(rawValue: branch), tree: "", parents: [], author: CommitSignature(name: "", email: "", seconds: 0),
        committer: CommitSignature(name: "", email: "", seconds: 0), message: "")
      return CommitIndex(
        Snapshot(
          commit: info, project: ProjectDescription(sourceLanguage: "en"), tree: InMemoryTree([:]),
          committed: [Self.catalog: catalog], files: [:], synced: [Self.catalog: catalog], changed: [],
          broken: Dictionary(uniqueKeysWithValues: broken.map { ($0, fault) }),
          isComplete: true, diagnostics: [], languages: ["de", "uk"], parsedFiles: 0, found: []))
    }
    return RoundPlanner.Head(branch: branch, index: index, isUncertain: { broken.contains($0) || index == nil })
  }

  private func pin(_ key: UnitKey, _ text: String) -> PinDigest {
    PinDigest(
      SourcePin(key: key, entry: CatalogEntry(translations: ["en": Translation(text)]), sourceLanguage: "en"))
  }

  private func ledger(_ sent: [(UnitKey, String)], state: SentUnitState = .outstanding) -> SentLedger {
    var ledger = SentLedger()
    for (number, (key, text)) in sent.enumerated() {
      let id = SourceID(rawValue: Int64(number))
      ledger.sources.append(
        SourceRecord(
          id: id, unit: UnitID(catalog: Self.catalog, key: key), pin: pin(key, text), commit: CommitID(rawValue: "c")))
      ledger.units.append(
        SentUnit(
          id: SentUnitID(rawValue: Int64(number)), source: id, vendor: "v", language: "de", state: state))
    }
    return ledger
  }

  private var routes: VendorRoutes { VendorRoutes([("v", VendorDefinition(kind: "folder", languages: ["de"]))]) }

  private func plan(_ heads: [RoundPlanner.Head], _ ledger: SentLedger = SentLedger()) -> RoundPlanner.Plan {
    RoundPlanner(heads: heads, routes: routes).plan(against: ledger)
  }

  @Test("units of several branches are sent once, for the languages that have a vendor")
  func shared() {
    let plan = plan([head("main", ["a": "A", "b": "B"]), head("release/1", ["a": "A"])])
    #expect(plan.candidates.map(\.unit.key) == ["a", "b"])
    #expect(plan.candidates.allSatisfy { $0.language == "de" && $0.head == 0 })
  }

  @Test("units that a branch lacks are listed if they were sent for another branch or are outstanding")
  func lacking() {
    let heads = [head("main", ["a": "A", "b": "B"]), head("release/1", ["a": "A", "new": "N"])]
    let out = plan(heads, ledger([("a", "A")]))
    #expect(out.candidates.map(\.unit.key) == ["b", "new"])
    #expect(out.lacking.map(\.unit.key) == ["a", "a"] && out.lacking.map(\.head) == [0, 1])
    let back = plan(heads, ledger([("a", "A")], state: .returned))
    #expect(back.sources.map(\.rawValue) == [0])
  }

  @Test("units of a renamed catalog are also outstanding under its former name if a branch has that name again")
  func olderName() {
    let newer: TreePath = "New.xcstrings"
    var ledger = ledger([("a", "A")])
    ledger.sources[0].unit = UnitID(catalog: newer, key: "a")
    var main = head("main", ["a": "A", "b": "B"])
    main.ledgerNames = [Self.catalog: newer]
    let plan = plan([main], ledger)
    #expect(plan.candidates.map(\.unit.key) == ["b"])
    #expect(plan.withdrawn.isEmpty && plan.superseded.isEmpty)
  }

  @Test("outstanding units with the same source text are not sent again")
  func outstanding() {
    let plan = plan([head("main", ["a": "A", "b": "B"])], ledger([("a", "A")]))
    #expect(plan.candidates.map(\.unit.key) == ["b"])
    #expect(plan.superseded.isEmpty && plan.withdrawn.isEmpty)
  }

  @Test("a changed source text supersedes the outstanding unit unless another branch still has the old text")
  func superseded() {
    let out = ledger([("a", "Old")])
    let changed = plan([head("main", ["a": "New"])], out)
    #expect(changed.superseded.map(\.rawValue) == [0])
    #expect(changed.candidates.map(\.unit.key) == ["a"])
    let kept = plan([head("main", ["a": "New"]), head("release/1", ["a": "Old"])], out)
    #expect(kept.superseded.isEmpty)
    #expect(kept.candidates.map(\.pin) == [pin("a", "New")])
  }

  @Test("a unit that no branch has any more is withdrawn")
  func withdrawn() {
    let out = ledger([("gone", "G")])
    #expect(plan([head("main", ["a": "A"])], out).withdrawn.map(\.rawValue) == [0])
    #expect(plan([head("main", ["a": "A"]), head("release/1", ["gone": "G"])], out).withdrawn.isEmpty)
  }

  @Test("no unit is reported as removed if a catalog or a commit cannot be read")
  func uncertain() {
    let out = ledger([("gone", "G")])
    for head in [head("main", ["a": "A"], broken: [Self.catalog]), head("main", nil)] {
      let plan = plan([head], out)
      #expect(plan.withdrawn.isEmpty && plan.superseded.isEmpty && plan.candidates.isEmpty)
    }
  }

  @Test(
    "no unit is sent or withdrawn for a language whose file cannot be read, even with a vendor for all languages")
  func unread() {
    let out = ledger([("b", "B")])
    let head = head("main", ["a": "A", "b": "B"], unread: ["de"])
    for units in [VendorDefinition.Units.round, .all] {
      let routes = VendorRoutes([("v", VendorDefinition(kind: "folder", languages: ["de", "uk"], units: units))])
      let plan = RoundPlanner(heads: [head], routes: routes).plan(against: out)
      #expect(plan.withdrawn.isEmpty && plan.superseded.isEmpty)
      #expect(plan.candidates.map { "\($0.unit.key) \($0.language)" } == ["a uk", "b uk"])
    }
  }

  @Test("units of a language without a vendor are withdrawn, and a cancelled unit is not sent again")
  func routesAndCancelled() {
    let others = VendorRoutes([("v", VendorDefinition(kind: "folder", languages: ["uk"]))])
    let plan = RoundPlanner(heads: [head("main", ["a": "A"])], routes: others).plan(against: ledger([("a", "A")]))
    #expect(plan.withdrawn.map(\.rawValue) == [0])
    #expect(plan.candidates.map(\.language) == ["uk"])
    let cancelled = self.plan([head("main", ["a": "A"])], ledger([("a", "A")], state: .withdrawn))
    #expect(cancelled.candidates.isEmpty && cancelled.withdrawn.isEmpty)
  }

  @Test("a vendor that lists a language takes precedence over one without a list")
  func routing() {
    let routes = VendorRoutes([
      ("rest", VendorDefinition(kind: "folder")),
      ("german", VendorDefinition(kind: "folder", languages: ["de"], units: .all)),
    ])
    #expect(routes.route(for: "de", of: Self.catalog)?.first == "german")
    #expect(routes.route(for: "uk", of: Self.catalog)?.first == "rest")
    #expect(routes.wantsAll("german") && !routes.wantsAll("rest"))
    let german = VendorRoutes([("german", VendorDefinition(kind: "folder", languages: ["de"]))])
    #expect(german.route(for: "uk", of: Self.catalog)?.first == nil)
    #expect(!german.leavesOut(Self.catalog, in: "uk"))
  }

  @Test("a unit goes to the first vendor that accepts its catalog, and vendors that list its language come first")
  func catalogs() throws {
    let app = CatalogScope(catalogs: [try #require(PathPattern("App/**"))])
    let legal = CatalogScope(tables: ["Legal"])
    let routes = VendorRoutes([
      ("lawyers", VendorDefinition(kind: "folder", languages: ["de"], scope: legal)),
      ("german", VendorDefinition(kind: "folder", languages: ["de"], scope: app)),
      ("any", VendorDefinition(kind: "folder", scope: app)),
    ])
    #expect(routes.route(for: "de", of: "App/Legal.xcstrings")?.first == "lawyers")
    #expect(routes.route(for: "de", of: "Kit/en.lproj/Legal.strings")?.first == "lawyers")
    #expect(routes.route(for: "de", of: "App/Localizable.xcstrings")?.first == "german")
    #expect(routes.route(for: "uk", of: "App/Legal.xcstrings")?.first == "any")
    #expect(routes.route(for: "uk", of: "Kit/Legal.xcstrings")?.first == nil)
    #expect(routes.leavesOut("Kit/Localizable.xcstrings", in: "de"))
    #expect(!routes.leavesOut("Kit/Legal.xcstrings", in: "de"))
  }

  @Test("units are planned by catalog, and units of a catalog that was moved to another vendor are withdrawn")
  func plannedByCatalog() throws {
    let elsewhere = CatalogScope(catalogs: [try #require(PathPattern("Other"))])
    let routes = VendorRoutes([
      ("v", VendorDefinition(kind: "folder", languages: ["de"], scope: elsewhere)),
      ("new", VendorDefinition(kind: "folder", languages: ["de"])),
    ])
    let heads = [head("main", ["a": "A", "b": "B"])]
    let plan = RoundPlanner(heads: heads, routes: routes).plan(against: ledger([("a", "A")]))
    #expect(plan.withdrawn.map(\.rawValue) == [0])
    #expect(plan.candidates.map { "\($0.unit.key) \($0.vendor)" } == ["a new", "b new"])
    // If a branch has the catalog under its older name, the units go to the vendor that takes the newest name.
    var old = heads[0]
    old.ledgerNames = [Self.catalog: "Other/L.xcstrings"]
    let renamed = RoundPlanner(heads: [old], routes: routes).plan(against: SentLedger())
    #expect(Set(renamed.candidates.map(\.vendor)) == ["v"])
  }
}
