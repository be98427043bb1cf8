import Localization
import Testing

@testable import Pipeline

struct ReturnedBundleKeyTests {
  private func keys(_ came: UnitKey..., among texts: [UnitKey: String]) -> [UnitKey] {
    let file = ExchangeFile(
      original: Made.catalog.text, sourceLanguage: "en", targetLanguage: "de", units: came.map { Made.unit($0, "A") })
    let bundle = ReturnedBundle(reference: "b", digest: "d", files: [file])
    return bundle.withKeys(of: [Made.snapshot(texts), Made.snapshot(texts)]).files[0].units.map(\.key)
  }

  @Test("a returned key with a control character that XML does not allow has the catalog's spelling again")
  func keys() {
    let (escape, carried): (UnitKey, UnitKey) = ("a\u{1B}[1m", "a\u{FFFD}[1m")
    #expect(keys(carried, "b", among: [escape: "", "b": ""]) == [escape, "b"])
    // The returned key is not replaced if a catalog has it too, or if it may stand for more than one key.
    #expect(keys(carried, among: [escape: "", carried: ""]) == [carried])
    #expect(keys(carried, among: [escape: "", "a\u{3}[1m": ""]) == [carried])
    #expect(keys(carried, among: ["b": ""]) == [carried])
  }
}
