import Localization
import Testing
import TextEvaluation

@Suite("Shown texts")
struct EvaluationTests {
  static let english = TextEvaluator(language: "en")

  static func shown(_ text: String, _ arguments: [FormatArgument]) -> String {
    do { return try english.text(of: Translation(text), arguments: arguments) } catch { return "! \(error.sentence)" }
  }

  /// Texts, their arguments, and the output of C's `printf` and of Foundation (Apple, String Format Specifiers), or `!` and the fault. Both round the
  /// exact value, and ties to the even digit.
  static let formats: [(String, [FormatArgument], String)] = [
    ("%lld", [.integer(-5)], "-5"), ("%d", [.integer(7)], "7"), ("%+d", [.integer(7)], "+7"),
    ("%5d|", [.integer(42)], "   42|"),
    ("%-5d|", [.integer(42)], "42   |"), ("%05d", [.integer(-42)], "-0042"), ("%.3d", [.integer(7)], "007"),
    ("%6.3d|", [.integer(7)], "   007|"), ("%.0d|", [.integer(0)], "|"), ("%i", [.integer(3)], "3"),
    ("%D", [.integer(3)], "3"),
    ("%d", [.integer(4_294_967_297)], "1"), ("%hd", [.integer(70_000)], "4464"), ("%hhd", [.integer(200)], "-56"),
    ("%lld", [.integer(4_294_967_297)], "4294967297"), ("%u", [.integer(-1)], "4294967295"),
    ("%llu", [.unsigned(.max)], "18446744073709551615"), ("%lld", [.unsigned(.max)], "-1"),
    ("%x", [.integer(255)], "ff"), ("%X", [.integer(255)], "FF"), ("%#x", [.integer(255)], "0xff"),
    ("%#x", [.integer(0)], "0"),
    ("%#08x", [.integer(255)], "0x0000ff"), ("%o", [.integer(8)], "10"), ("%#o", [.integer(8)], "010"),
    ("%llx", [.integer(4_294_967_296)], "100000000"), ("%c", [.integer(65)], "A"), ("%C", [.integer(0x444)], "ф"),
    ("%f", [.real(1.5)], "1.500000"), ("%.2f", [.real(0.125)], "0.12"), ("%.2f", [.real(1.005)], "1.00"),
    ("%.1f", [.real(0.25)], "0.2"), ("%.1f", [.real(0.35)], "0.3"), ("%.0f", [.real(2.5)], "2"),
    ("%.0f", [.real(3.5)], "4"),
    ("%.0f", [.real(0.5)], "0"), ("%.3f", [.real(999.9996)], "1000.000"), ("%5.1f|", [.real(-2.25)], " -2.2|"),
    ("%06.2f", [.real(-1.5)], "-01.50"), ("%+.1f", [.real(1)], "+1.0"), ("%lf", [.real(3)], "3.000000"),
    ("%.20f", [.real(0.1)], "0.10000000000000000555"), ("%.1f", [.real(-0.04)], "-0.0"),
    ("%f", [.real(1e15)], "1000000000000000.000000"),
    ("%e", [.real(12345.678)], "1.234568e+04"), ("%.0e", [.real(95000)], "1e+05"),
    ("%E", [.real(0.00012)], "1.200000E-04"),
    ("%.1e", [.real(0)], "0.0e+00"), ("%.2e", [.real(9.999e100)], "1.00e+101"),
    ("%g", [.real(1)], "1"), ("%g", [.real(100)], "100"), ("%g", [.real(1e-4)], "0.0001"),
    ("%g", [.real(1e-5)], "1e-05"),
    ("%g", [.real(123_456_789)], "1.23457e+08"), ("%g", [.real(0.25)], "0.25"), ("%#g", [.real(1)], "1.00000"),
    ("%.3g", [.real(1234)], "1.23e+03"), ("%G", [.real(1e-7)], "1E-07"), ("%g", [.real(999999.5)], "1e+06"),
    ("%f", [.real(.infinity)], "inf"), ("%F", [.real(-.infinity)], "-INF"), ("%f", [.real(.nan)], "nan"),
    ("%f", [.real(.leastNonzeroMagnitude)], "0.000000"),
    (
      "%.0f", [.real(1.7976931348623157e308)],
      "179769313486231570814527423731704356798070567525844996598917476803157260780028538760589558632766878171540458953514382464234321326889464182768467546703537516986049910576551282076245490090389328944075868508455133942304583236903222948165808559332123348274797826204144723168738177180919299881250404026184124858368"
    ),
    ("%.2f", [.decimal("1.005")], "1.00"), ("%.2f", [.decimal("1.015")], "1.02"), ("%.1f", [.decimal("-0.25")], "-0.2"),
    ("%@ of %@", [.text("1"), .text("2")], "1 of 2"), ("%2$@ %1$@", [.text("a"), .text("b")], "b a"),
    ("%1$@ %1$@", [.text("a")], "a a"), ("%@", [.integer(3)], "3"), ("%@", [.real(1)], "1"),
    ("%@", [.real(1e21)], "1000000000000000000000"),
    ("%@", [.decimal("1.50")], "1.50"), ("%s|", [.text("é")], "é|"), ("%5s|", [.text("ab")], "   ab|"),
    ("%-4s|", [.text("ab")], "ab  |"),
    ("%.1s", [.text("ab")], "a"), ("%*d|", [.integer(4), .integer(7)], "   7|"),
    ("%.*f", [.integer(1), .real(2)], "2.0"),
    ("%2$*1$d", [.integer(3), .integer(7)], "  7"), ("%n%@", [.integer(0), .text("x")], "x"),
    ("%@%n", [.text("x")], "x"),
    ("%%%@%%", [.text("x")], "%x%"),
    ("%@ %n %@", [.text("a"), .integer(0), .text("b")], "a  b"), ("%@ 5%", [.text("x")], "x 5"),
    ("${app} %@", [.text("x")], "${app} x"),
    ("100%%", [], "100%%"), ("50% off", [], "50% off"), ("", [], ""),
    ("%999999999d", [.integer(1)], String(repeating: " ", count: 999) + "1"),
    ("%lld", [], "%lld"),
    ("%@ %@", [.text("a")], "! the text needs argument 2, which is missing"),
    ("%d", [.text("a")], "! %d cannot take argument 1"),
    ("%2$lf", [.text("a"), .integer(1)], "! %2$lf cannot take argument 2"),
    ("%lld", [.real(1)], "! %lld cannot take argument 1"),
    ("%p", [.integer(1)], "! %p cannot take argument 1"),
    ("50% off %@", [.text("a")], "! it has a single % instead of %%"),
    ("%arg", [.integer(1)], "! %arg is allowed only in the forms of a substitution"),
    ("%#@x@", [.integer(1)], "! the text has no substitution %#@x@"),
  ]

  @Test("a specifier formats its argument as Foundation formats it", arguments: formats)
  func formatting(text: String, arguments: [FormatArgument], expected: String) {
    #expect(Self.shown(text, arguments) == expected)
  }

  static let birds: [PluralCategory: VariedText] = [
    .one: .text(StringUnit(state: .translated, value: "%lld bird in %@")),
    .other: .text(StringUnit(state: .translated, value: "%lld birds in %@")),
  ]

  @Test("the number determines the form, and zero uses its own form if it exists")
  func plural() throws {
    var forms = Self.birds
    let translation = Translation(text: .plural(forms))
    let evaluator = Self.english
    #expect(try evaluator.text(of: translation, arguments: [.integer(1), .text("x")]) == "1 bird in x")
    #expect(try evaluator.text(of: translation, arguments: [.integer(0), .text("x")]) == "0 birds in x")
    forms[.zero] = .text(StringUnit(state: .translated, value: "no birds in %2$@"))
    #expect(
      try evaluator.text(of: Translation(text: .plural(forms)), arguments: [.integer(0), .text("x")]) == "no birds in x"
    )
    forms[.other] = nil
    #expect(throws: EvaluationFault.missingForm([.plural(.other)])) {
      try evaluator.text(of: Translation(text: .plural(forms)), arguments: [.integer(5), .text("x")])
    }
  }

  @Test("a plural depends on the argument in its forms, or else in the source's forms or in the key")
  func counted() throws {
    let forms: VariedText = .plural([
      .one: .text(StringUnit(state: .translated, value: "one")),
      .other: .text(StringUnit(state: .translated, value: "many")),
    ])
    let source = SourceForms(
      key: "k",
      entry: CatalogEntry(translations: [
        "en": Translation(text: .plural([.other: .text(StringUnit(state: .translated, value: "%1$@ has %2$lld"))]))
      ]), sourceLanguage: "en")
    let key = SourceForms(key: "%@ has %lld", entry: CatalogEntry(), sourceLanguage: "en")
    for source in [source, key] {
      #expect(
        try Self.english.text(of: Translation(text: forms), source: source, arguments: [.text("x"), .integer(1)])
          == "one")
    }
  }

  @Test("a device shows its own form, or the fallback if it has none")
  func devices() throws {
    let forms: [Device: VariedText] = [
      Device(rawValue: "mac"): .text(StringUnit(state: .translated, value: "Click")), .other: .plural(Self.birds),
    ]
    let translation = Translation(text: .device(forms))
    let mac = TextEvaluator(language: "en", device: Device(rawValue: "mac"))
    #expect(try mac.text(of: translation, arguments: [.integer(1), .text("x")]) == "Click")
    #expect(try Self.english.text(of: translation, arguments: [.integer(1), .text("x")]) == "1 bird in x")
    #expect(throws: EvaluationFault.missingForm([.device(.other)])) {
      try Self.english.text(of: Translation(text: .device([Device(rawValue: "mac"): .plural(Self.birds)])))
    }
  }

  /// A text, its substitutions (name, number, forms one and other), the arguments, and the shown text, or `!` and the fault.
  static let substitutions: [(String, [(String, Int?, String, String)], [FormatArgument], String)] = [
    ("%#@b@", [("b", nil, "%arg bird", "%arg birds")], [.integer(1)], "1 bird"),
    (
      "%#@b@ in %#@t@", [("b", 1, "a bird", "%arg birds"), ("t", 2, "a tree", "%arg trees")],
      [.integer(1), .integer(3)], "a bird in 3 trees"
    ),
    (
      "%#@t@: %#@b@", [("b", 1, "a bird", "%arg birds"), ("t", 2, "a tree", "%arg trees")], [.integer(1), .integer(3)],
      "3 trees: a bird"
    ),
    ("%2$#@b@ in %1$@", [("b", nil, "%lld bird", "%lld birds")], [.text("x"), .integer(2)], "2 birds in x"),
    (
      "%1$@ has %#@b@", [("b", 2, "%lld bird near %@", "%lld birds near %@")], [.text("x"), .integer(2), .text("y")],
      "x has 2 birds near y"
    ),
    ("%#@b@ by %@", [("b", nil, "%arg bird", "%arg birds")], [.integer(2), .text("y")], "2 birds by y"),
    ("%#@b@", [("b", 1, "%3$@ has %1$lld", "%3$@ have %1$lld")], [.integer(2), .integer(0), .text("y")], "y have 2"),
    (
      "%#@b@", [("b", nil, "%arg bird %#@s@", "%arg birds %#@s@"), ("s", nil, "left", "right")],
      [.integer(1), .integer(2)], "1 bird right"
    ),
    ("%#@b@ %#@b@", [("b", 1, "%arg bird", "%arg birds")], [.integer(1)], "1 bird 1 bird"),
    ("%#@b@", [("b", 1, "%#@b@", "%#@b@%#@b@")], [.integer(2)], "! the substitution “b” refers to itself"),
    ("%#@b@", [("b", 3, "%arg bird", "%arg birds")], [.integer(2)], "! the text needs argument 3, which is missing"),
    ("%#@b@", [], [], "! the text has no substitution %#@b@"),
  ]

  @Test(
    "substitutions are inserted, and arguments after a substitution are counted from its argument",
    arguments: substitutions)
  func substitution(
    text: String, parts: [(String, Int?, String, String)], arguments: [FormatArgument], expected: String
  ) {
    var translation = Translation(text)
    for (name, number, one, other) in parts {
      translation.substitutions[name] = Substitution(
        argumentNumber: number, formatSpecifier: "lld",
        forms: .plural([
          .one: .text(StringUnit(state: .translated, value: one)),
          .other: .text(StringUnit(state: .translated, value: other)),
        ]))
    }
    do { #expect(try Self.english.text(of: translation, arguments: arguments) == expected) } catch {
      #expect("! \(error.sentence)" == expected)
    }
  }

  @Test("whole millions use the form `many` if a file has it, but no file needs it")
  func millions() {
    let million = FormatArgument.integer(1_000_000)
    for language in ["fr", "es", "it", "pt", "pt-PT", "pt-BR", "ca"] as [LocaleIdentifier] {
      let evaluator = TextEvaluator(language: language)
      #expect(evaluator.category(of: million, among: [.one, .many, .other]) == .many, "\(language)")
      #expect(evaluator.category(of: million, among: [.one, .other]) == .other, "\(language)")
      #expect(!PluralRules.categories(of: language).contains(.many), "\(language)")
    }
    #expect(Self.english.category(of: million, among: [.one, .many, .other]) == .other)
  }

  /// A number as code passes it, the language, and the category.
  static let numbers: [(FormatArgument, LocaleIdentifier, PluralCategory)] = [
    (.integer(-1), "en", .one), (.unsigned(1), "en", .one), (.real(1), "en", .one), (.decimal("1.0"), "en", .other),
    (.real(1.5), "en", .other),
    (.decimal("1"), "en", .one), (.integer(.min), "uk", .many), (.unsigned(.max), "uk", .many),
    (.real(1e300), "uk", .other),
    (.real(.nan), "uk", .other), (.text("1"), "uk", .other), (.real(0), "uk", .zero), (.decimal("0.00"), "uk", .zero),
    (.real(2), "uk", .few), (.decimal("2.0"), "uk", .other), (.real(2), "ja", .other), (.integer(0), "ja", .zero),
  ]

  @Test("the visible digits determine the plural category", arguments: numbers)
  func category(number: FormatArgument, language: LocaleIdentifier, expected: PluralCategory) {
    #expect(TextEvaluator(language: language).category(of: number, among: PluralCategory.all) == expected)
  }

  @Test("a width without a text shows the text of the next smaller width")
  func widths() {
    #expect(WidthVariants.width(fitting: 22, among: [1, 22, 53]) == 22)
    #expect(WidthVariants.width(fitting: 30, among: [1, 22, 53]) == 22)
    #expect(WidthVariants.width(fitting: 0, among: [1, 22, 53]) == 1)
    #expect(WidthVariants.width(fitting: nil, among: [1, 22, 53]) == 53)
    #expect(WidthVariants.width(fitting: 5, among: []) == nil)
  }
}
