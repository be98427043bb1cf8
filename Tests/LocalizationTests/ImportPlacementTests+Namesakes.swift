import Testing

@testable import Localization

extension ImportPlacementTests {
  @Test(
    "among hundreds of catalogs with the same name, a part of the path decides, but the texts do not",
    arguments: [200, 201])
  func manyNamesakes(count: Int) throws {
    let catalogs = Self.catalogs(
      Dictionary(
        uniqueKeysWithValues: (0..<count).map { (TreePath(trusted: "Kits/Kit\($0)/L.xcstrings"), ["key \($0)"]) }))
    func placed(_ original: String) -> (catalog: String?, message: String?) {
      let result = ImportReview(catalogs: catalogs, policy: .asXcode).review([Self.file(original, ["key 7"])])
      return (result.catalogs.keys.first?.text, result.diagnostics.first?.message)
    }
    for original in ["Kits/Kit7/L.xcstrings", "kit7/l.xcstrings", "Old/Kits/Kit7/L.xcstrings"] {
      #expect(placed(original).catalog == "Kits/Kit7/L.xcstrings")
    }
    let undecided = placed("L.xcstrings")
    if count == 200 {
      #expect(undecided.catalog == "Kits/Kit7/L.xcstrings")
    } else {
      #expect(undecided.catalog == nil)
      let message = try #require(undecided.message)
      #expect(message.hasPrefix("several catalogs match this path: Kits/Kit0/L.xcstrings, "))
      #expect(message.hasSuffix(" and others") && message.utf8.count < 300)
    }
  }
}
