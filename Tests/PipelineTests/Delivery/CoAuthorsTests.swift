import FoundationEssentials
import Localization
import Testing

@testable import Pipeline

struct CoAuthorsTests {
  private func units(_ translators: [Translator?]) -> [ReturnedUnit] {
    translators.enumerated().map { number, translator in
      var unit = Made.unit(UnitKey("key \(number)"), "Text")
      unit.target?.translator = translator
      return ReturnedUnit(
        id: ReturnedUnitID(rawValue: Int64(number)), unit: UnitID(catalog: Made.catalog, key: unit.key), language: "de",
        units: [unit], pin: nil, source: nil, vendor: "v", bundle: "b", received: Date(timeIntervalSince1970: 0),
        round: 1, export: nil, outcome: nil, standing: nil)
    }
  }

  private func text(_ translators: [Translator?], addresses: [String: String] = [:], isOn: Bool = true) -> String {
    CoAuthors(
      of: units(translators),
      DeliverSettings(authorEmail: "l10n@example.com", namesTranslators: isOn, addresses: addresses)
    ).text
  }

  private let ada = Translator(name: "Ada", account: "ada_l", address: "ada@example.com")
  private let bob = Translator(name: "Bob", account: "bob")

  @Test("each translator with an address is listed once, sorted by number of units")
  func trailers() {
    let zoe = Translator(name: "Zoe", address: "zoe@example.com")
    let adele = Translator(name: "Adele", address: "ADA@example.com")
    #expect(text([ada, bob, nil]) == "Co-authored-by: Ada <ada@example.com>\n")
    let wanted = "Co-authored-by: Zoe <zoe@example.com>\nCo-authored-by: Ada <ADA@example.com>\n"
    #expect(text([ada, zoe, zoe, adele, zoe]) == wanted)
    #expect(text([adele, zoe, zoe, ada, zoe]) == wanted)
    #expect(text([ada], isOn: false).isEmpty && text([]).isEmpty)
  }

  @Test("the pipeline's addresses take precedence over the vendor's, and the commit's author is not listed again")
  func addresses() {
    #expect(text([bob], addresses: ["bob": "b@example.com"]) == "Co-authored-by: Bob <b@example.com>\n")
    #expect(text([ada], addresses: ["ada_l": "a@example.com"]) == "Co-authored-by: Ada <a@example.com>\n")
    #expect(text([ada], addresses: ["ada@example.com": "b@example.com"]) == "Co-authored-by: Ada <b@example.com>\n")
    #expect(text([Translator(name: "Bot", address: "L10N@example.com")]).isEmpty)
  }

  @Test("a commit has at most 20 Co-authored-by trailers")
  func most() {
    let many = (0..<500).map { Translator(name: "T\($0)", address: "t\($0)@example.com") }
    #expect(text(many).split(separator: "\n").count == CoAuthors.most)
  }

  @Test("translators are stored in the ledger; texts without a translator use no space for one")
  func coding() throws {
    let units = units([ada, nil])
    let all = units.flatMap(\.units)
    let stored = try LedgerCoding.encode(all)
    #expect(try LedgerCoding.decodeUnits(stored) == all)
    #expect(stored.components(separatedBy: "translator").count == 2, "a missing form uses no space")
  }

  @Test("a pull request shows translators' names as code, with their languages and counts")
  func proposal() {
    let eve = Translator(name: "@everyone | [x](https://example.com)", address: "eve@example.com")
    let items = units([ada, ada, eve]).map { Proposal.Item($0, named: true) }
    func body(_ items: [Proposal.Item]) -> String {
      Proposal(
        pipeline: "p", branch: "main", delivered: items, held: [], bringsCatalogs: false, waiting: [], content: "c"
      ).body(limit: 10_000)
    }
    let text = body(items)
    #expect(text.contains("### Translated by\n"))
    #expect(text.contains("| `Ada` | de | 2 |\n| `@everyone \\| [x](https://example.com)` | de | 1 |\n"))
    #expect(!text.contains("ada@example.com"), "addresses are used only in commits")
    #expect(!body(units([ada]).map { Proposal.Item($0) }).contains("Translated by"))
  }
}
