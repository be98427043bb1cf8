import Localization
import Testing

@Suite("Variation paths and unit ids")
struct VariationPathTests {
  static let texts: [(String, VariationPath)] = [
    ("", .root),
    ("plural.one", [.plural(.one)]),
    ("device.iphone", [.device(Device(rawValue: "iphone"))]),
    ("device.iphone.plural.other", [.device(Device(rawValue: "iphone")), .plural(.other)]),
    ("substitutions.birds.plural.few", [.substitution("birds"), .plural(.few)]),
    ("substitutions.birds.device.mac", [.substitution("birds"), .device(Device(rawValue: "mac"))]),
    ("substitutions.@A.B@.plural.one", [.substitution("A.B"), .plural(.one)]),
    ("substitutions.@A..B@.plural.one", [.substitution("A..B"), .plural(.one)]),
    ("substitutions.@@x@.plural.one", [.substitution("@x"), .plural(.one)]),
    ("substitutions.é.plural.other", [.substitution("é"), .plural(.other)]),
    ("plural.=0", [.plural(PluralCategory(rawValue: "=0"))]),
  ]

  @Test("a path is printed and read in the notation of XLIFF (xcode-formats.md B2.5)", arguments: texts)
  func roundTrip(text: String, path: VariationPath) {
    #expect(path.text == text)
    #expect(VariationPath(text: text) == path)
  }

  @Test(
    "texts that are not paths are rejected",
    arguments: [
      "plural", "plural.", "plural.one.", ".plural.one", "plural.a b", "width.20", "substitutions.birds",
      "substitutions..plural.one",
      "substitutions.@A.B.plural.one", "device.iphone.plural", "text",
    ])
  func refused(text: String) {
    #expect(VariationPath(text: text) == nil)
  }

  @Test(
    "an id is split at its last separator, and only if a path follows (xcode-formats.md B2.5)",
    arguments: [
      ("plain", "plain", ""), ("birds|==|plural.one", "birds", "plural.one"),
      ("literal|==|text", "literal|==|text", ""),
      ("varied|==|key|==|plural.one", "varied|==|key", "plural.one"), ("|==|", "|==|", ""), ("", "", ""),
      ("|==|device.mac", "", "device.mac"),
    ])
  func ids(id: String, key: String, path: String) {
    let parsed = ExchangeIdentifier.parse(id)
    #expect(parsed.key == UnitKey(key))
    #expect(parsed.path.text == path)
    #expect(ExchangeIdentifier.text(key: parsed.key, path: parsed.path) == id)
  }

  @Test("plural forms have CLDR's order, and substitutions follow the text")
  func order() {
    let paths = [
      "substitutions.a.plural.one", "plural.other", "plural.=0", "plural.few", "device.mac", "plural.zero", "",
    ]
    .compactMap { VariationPath(text: $0) }
    #expect(
      paths.sorted().map(\.text)
        == ["", "plural.zero", "plural.few", "plural.other", "plural.=0", "device.mac", "substitutions.a.plural.one"])
  }
}
