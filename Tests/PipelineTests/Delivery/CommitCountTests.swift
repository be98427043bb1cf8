import Foundation
import Localization
import Testing

@testable import Pipeline

/// The number of units that a commit changes.
struct CommitCountTests {
  private func unit(_ key: UnitKey, in catalog: TreePath) -> ReturnedUnit {
    ReturnedUnit(
      id: ReturnedUnitID(rawValue: 1), unit: UnitID(catalog: catalog, key: key), language: "de", units: [], pin: nil,
      source: nil, vendor: "v", bundle: "b", received: Date(timeIntervalSince1970: 0), round: 1, export: nil,
      outcome: nil, standing: nil)
  }

  private func counted(
    at path: TreePath, _ old: [UnitKey: Translation], _ new: [UnitKey: Translation]
  ) -> [UnitKey] {
    func catalog(_ texts: [UnitKey: Translation]) -> Catalog {
      Catalog(
        path: path, sourceLanguage: "en",
        entries: texts.mapValues { CatalogEntry(translations: ["de": $0]) })
    }
    let change = CatalogEdits.Change(
      old: catalog(old), files: CatalogFiles(path: path, sourceLanguage: "en"), new: catalog(new), translations: [])
    return DeliveryComposition.changing(
      new.keys.sorted().map { unit($0, in: path) }, from: [path: catalog(old)], to: [path: change]
    ).map(\.unit.key)
  }

  @Test("translations that differ from the catalog on the branch are counted")
  func texts() {
    let old: [UnitKey: Translation] = ["a": Translation("A"), "b": Translation("B")]
    for path: TreePath in ["App/Localizable.xcstrings", "App/en.lproj/Localizable.strings"] {
      let new: [UnitKey: Translation] = ["a": Translation("A"), "b": Translation("C"), "c": Translation("D")]
      #expect(counted(at: path, old, new) == ["b", "c"])
    }
  }

  @Test("a changed state counts only if the format can store states")
  func states() {
    let old: [UnitKey: Translation] = ["a": Translation("A"), "b": Translation("B")]
    let new: [UnitKey: Translation] = ["a": Translation("A", state: .needsReview), "b": Translation("C")]
    #expect(counted(at: "App/en.lproj/Localizable.strings", old, new) == ["b"])
    #expect(counted(at: "App/Localizable.xcstrings", old, new) == ["a", "b"])
  }
}
