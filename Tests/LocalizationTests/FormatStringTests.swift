import Localization
import Testing

@Suite("Format strings")
struct FormatStringTests {
  /// A text, and its arguments as `number:type`.
  static let texts: [(String, [String])] = [
    ("plain", []), ("", []), ("100%%", []),
    ("%@", ["1:object"]), ("%lld birds", ["1:int64"]), ("%d", ["1:int32"]), ("%u of %x", ["1:int32", "2:int32"]),
    ("%lf", ["1:double"]), ("%.2f", ["1:double"]), ("%05.1f", ["1:double"]), ("%Lf", ["1:longDouble"]),
    ("%ld %lu %qi %zd %td %jd", ["1:int64", "2:int64", "3:int64", "4:int64", "5:int64", "6:int64"]),
    ("%hd %hhu %c", ["1:int32", "2:int32", "3:int32"]),
    ("%s", ["1:cString"]), ("%S", ["1:unicharString"]), ("%p", ["1:pointer"]), ("%n", ["1:written"]),
    ("%2$@ %1$lld", ["2:object", "1:int64"]), ("%1$@ %1$@", ["1:object", "1:object"]),
    ("%*d", ["2:int32", "1:int32"]), ("%.*f", ["2:double", "1:int32"]), ("%2$*1$d", ["2:int32", "1:int32"]),
    ("%'d", ["1:int32"]), ("%-10@|", ["1:object"]), ("%#x", ["1:int32"]),
    ("%#@birds@ and %@", ["2:object"]), ("%2$#@birds@ %1$@", ["1:object"]),
    ("%arg birds", []), ("${name}", []),
    ("50% off", []), ("50%", []), ("% d", []), ("100%ige", []), ("%", []), ("%%%@", ["1:object"]), ("%!", []),
    ("é%@é", ["1:object"]),
    ("%0$@", []), ("%1$", []), ("%l", []), ("%99999999999999999999$@", []),
  ]

  @Test("arguments are read with their number and type", arguments: texts)
  func arguments(text: String, expected: [String]) {
    let format = FormatString(text)
    #expect(format.arguments.map { "\($0.number):\($0.type.rawValue)" } == expected)
    #expect(format.parts.map(\.text).joined() == text)
  }

  @Test("a lone % is reported; an escaped % is not")
  func stray() {
    #expect(["50% off", "50%", "100%ige", "% d", "%", "%@ 5%"].allSatisfy { FormatString($0).hasStrayPercent })
    #expect(["100%%", "%@", "%arg", "%#@a@", "$5"].allSatisfy { !FormatString($0).hasStrayPercent })
  }

  @Test("substitutions, %arg and placeholders such as ${applicationName} are read")
  func others() {
    let format = FormatString("%1$#@A.B@ %#@c@ %arg ${applicationName} ${not a name}")
    #expect(format.references.map(\.name) == ["A.B", "c"])
    #expect(format.references.map(\.number) == [1, 1])
    #expect(format.references.map(\.isNumbered) == [true, false])
    #expect(format.substitutionArguments == 1)
    #expect(format.names == ["applicationName"])
  }

  @Test(
    "placeholders are numbered exactly when Xcode numbers them (xcode-formats.md E4)",
    arguments: [
      ("%@ of %lld", "%1$@ of %2$lld"), ("%.2f · %@", "%1$.2f · %2$@"), ("%@ %% %@", "%1$@ %% %2$@"), ("%@", nil),
      ("plain", nil),
      ("%1$@ %2$@", nil), ("%#@a@ %@ %@", nil), ("%*d %@", nil),
    ] as [(String, String?)])
  func numbering(text: String, numbered: String?) {
    #expect(FormatString(text).numbered == numbered)
    if let numbered { #expect(FormatString(numbered).unnumbered == text) }
  }

  @Test(
    "numbers that are not consecutive are kept",
    arguments: ["%2$@ of %1$lld", "%1$@ %1$@", "%2$#@a@ %1$#@b@", "%*d", "no number"])
  func unnumbered(text: String) {
    #expect(FormatString(text).unnumbered == text)
  }

  /// Source text, translation, path, and whether the arguments match.
  static let pairs: [(String, String, String, Bool)] = [
    ("%@ of %lld", "%2$lld von %1$@", "", true),
    ("%@ of %lld", "%lld von %@", "", false),
    ("%@ of %lld", "%@ von", "", false),
    ("%@", "%@ %@", "", false),
    ("%@", "%1$@ %1$@", "", true),
    ("%lld", "%d", "", false), ("%lld", "%ld", "", true), ("%lld", "%llu", "", true), ("%f", "%.1f", "", true),
    ("%lf", "%f", "", true),
    ("%@", "%s", "", false), ("%@", "%n", "", false), ("plain", "%@", "", false), ("plain", "schlicht", "", true),
    ("%lld birds", "ein Vogel", "plural.one", true), ("%lld birds", "kein Vogel", "plural.zero", true),
    ("%lld birds", "kein Vogel", "plural.=0", true), ("%lld birds", "Vögel", "plural.few", false),
    ("%lld birds", "Vögel", "plural.other", false), ("%lld birds", "Vögel", "", false),
    ("%lld birds in %@", "ein Vogel in %2$@", "plural.one", true),
    ("%lld birds in %@", "ein Vogel in %@", "plural.one", false),
    ("%lld birds in %@", "ein Vogel", "plural.one", false),
    ("%lld birds", "ein Vogel", "device.mac.plural.one", true),
    ("50% off", "50% Rabatt", "", true), ("50% off", "50 % de réduction", "", true),
    ("100% safe", "100%ig sicher", "", true),
    ("50% off", "Rabatt: 50%!", "", true), ("50% off", "50% %@", "", false), ("50% off %@", "50% Rabatt %@", "", true),
    ("50% off %@", "50% Rabatt", "", false),
    ("%@ is 50%% off", "%@ ist 50%% billiger", "", true), ("%@ is 50%% off", "%@ ist 50 % billiger", "", false),
    ("100%%", "100%", "", true),
    ("Open ${applicationName}", "${applicationName} öffnen", "", true),
    ("Open ${applicationName}", "Öffnen", "", false),
    ("Open", "${applicationName} öffnen", "", false),
  ]

  @Test("arguments are compared by number and type, and not by their text", arguments: pairs)
  func comparison(source: String, translation: String, at place: String, matches: Bool) {
    let forms = SourceForms(
      key: "key", entry: CatalogEntry(translations: ["en": Translation(source)]), sourceLanguage: "en")
    let fault = PlaceholderCheck(source: forms).difference(of: .text(translation), at: path(place))
    #expect((fault == nil) == matches, "\(fault?.message ?? "nothing found")")
  }

  @Test(
    "forms of a substitution may reference their argument in any equivalent way",
    arguments: [
      ("%arg Vögel", "substitutions.birds.plural.other", true),
      ("%1$lld Vögel", "substitutions.birds.plural.other", true),
      ("%lld Vögel", "substitutions.birds.plural.other", true), ("ein Vogel", "substitutions.birds.plural.one", true),
      ("Vögel", "substitutions.birds.plural.other", false), ("%2$lld Vögel", "substitutions.birds.plural.other", false),
      ("%1$@ Vögel", "substitutions.birds.plural.other", false),
      ("%arg in %2$@", "substitutions.birds.plural.other", true),
      ("%1$#@birds@ in %2$@", "", true), ("%#@birds@ in %@", "", true), ("In %2$@: %#@birds@", "", true),
      ("%#@cats@ in %2$@", "", false), ("in %2$@", "", false), ("%1$lld in %2$@", "", true),
    ])
  func substitutions(text: String, at place: String, matches: Bool) {
    let source = substituted("%#@birds@ in %@", "birds", ["one": "%arg bird", "other": "%arg birds"])
    let forms = SourceForms(key: "key", entry: CatalogEntry(translations: ["en": source]), sourceLanguage: "en")
    let fault = PlaceholderCheck(source: forms).difference(of: .text(text), at: path(place))
    #expect((fault == nil) == matches, "\(fault?.message ?? "nothing found")")
  }

  @Test(
    "a substitution that the translation declares itself must show the same argument with the same type",
    arguments: [
      (1, "lld", true), (nil, "lld", true), (1, nil, true), (1, "d", true), (1, "@", false), (1, "s", false),
      (1, "lf", false), (2, "lld", false), (3, "lld", false),
    ] as [(Int?, String?, Bool)])
  func declaredSubstitutions(number: Int?, specifier: String?, matches: Bool) {
    let source = substituted("%#@birds@ in %2$@", "birds", ["one": "%arg bird", "other": "%arg birds"])
    let forms = SourceForms(
      key: "%lld birds in %@", entry: CatalogEntry(translations: ["en": source]), sourceLanguage: "en")
    let text = "In %2$@: %#@birds@"
    let own = substituted(
      text, "birds", number: number, ["one": "%arg Vogel", "other": "%arg Vögel"], specifier: specifier)
    let fault = PlaceholderCheck(source: forms).difference(of: .text(text), at: .root, present: own)
    #expect((fault == nil) == matches, "\(fault?.message ?? "nothing found")")
  }

  @Test("a translation may use an argument that only the key names")
  func keyArguments() {
    let entry = CatalogEntry(translations: ["en": Translation("mentioned you")])
    let check = PlaceholderCheck(source: SourceForms(key: "mention %lld", entry: entry, sourceLanguage: "en"))
    #expect(check.difference(of: .text("hat dich %lld-mal erwähnt"), at: .root) == nil)
    #expect(check.difference(of: .text("hat dich erwähnt"), at: .root) == nil)
    #expect(check.difference(of: .text("%@ hat dich erwähnt"), at: .root) != nil)
  }

  @Test("each phrase of a shortcut needs the arguments that all source phrases have")
  func phrases() {
    let source = Translation(
      leaf: VariedLeaf(.phrases(["Show ${applicationName}", "Open ${applicationName} in ${place}"]), state: .new))
    let forms = SourceForms(
      key: "Show ${applicationName}", entry: CatalogEntry(translations: ["en": source]), sourceLanguage: "en")
    let check = PlaceholderCheck(source: forms)
    #expect(check.difference(of: .phrases(["Zeige ${applicationName}"]), at: .root) == nil)
    #expect(check.difference(of: .phrases(["Zeige ${applicationName}", "Zeige"]), at: .root) != nil)
    #expect(check.difference(of: .phrases(["${applicationName} ${who}"]), at: .root) != nil)
    #expect(check.difference(of: .text("Zeige ${applicationName}"), at: .root) != nil)
  }

  @Test("a pin depends on source texts and placeholder types, not on comments, states or numbering")
  func pins() {
    let pin = { (source: Translation, comment: String?) in
      SourcePin(key: "key", entry: CatalogEntry(comment: comment, translations: ["en": source]), sourceLanguage: "en")
    }
    let base = pin(Translation("%@ of %lld"), nil)
    #expect(base == pin(Translation("%1$@ of %2$lld", state: .new), "a comment"))
    #expect(base != pin(Translation("%@ of %d"), nil))
    #expect(base != pin(Translation("%2$lld of %1$@"), nil))
    #expect(base != pin(plurals(["one": "%@ of %lld", "other": "%@ of %lld"]), nil))
    let birds = substituted("%#@b@", "b", ["other": "%arg"])
    #expect(pin(birds, nil) != pin(substituted("%#@b@", "b", ["other": "%arg"], specifier: "d"), nil))
    #expect(
      SourcePin(key: "a", entry: CatalogEntry(), sourceLanguage: "en")
        == SourcePin(key: "b", entry: CatalogEntry(translations: ["en": Translation("a")]), sourceLanguage: "en"))
  }
}
