import Localization
import StructuredText
import Testing

@testable import CatalogFormats

/// Tests of substitutions, and of plural forms whose number is not the first argument.
extension CompileRulesTests {
  static func rule(_ type: String, _ forms: [(String, String)]) -> TextDictionary {
    .dictionary(
      [
        .init("NSStringFormatSpecTypeKey", .text("NSStringPluralRuleType")),
        .init("NSStringFormatValueTypeKey", .text(type)),
      ] + forms.map { .init($0, .text($1)) })
  }

  /// A text with its substitutions (name, argument number, format specifier, form `other`), and the compiled entry: a dictionary for the
  /// .stringsdict, or a text for the .strings if the text references no substitution.
  static let substitutionTable: [(String, [(String, Int?, String?, String)], TextDictionary)] = [
    (
      "%#@birds@", [("birds", nil, nil, "%arg birds")],
      .dictionary([
        .init("NSStringLocalizedFormatKey", .text("%#@birds@")), .init("birds", rule("lld", [("other", "%lld birds")])),
      ])
    ),
    (
      "%#@birds@ in %2$@", [("birds", 1, "d", "%arg birds near %@")],
      .dictionary([
        .init("NSStringLocalizedFormatKey", .text("%1$#@birds@ in %2$@")),
        .init("birds", rule("d", [("other", "%1$d birds near %@")])),
      ])
    ),
    ("%lld ready", [("birds", 1, "lld", "%arg birds")], .text("%lld ready")),
    (
      "%#@鳥@ and %2$#@a-b@", [("鳥", 1, "lld", "%lld tori"), ("a-b", 2, "%ld", "%ld x")],
      .dictionary([
        .init("NSStringLocalizedFormatKey", .text("%1$#@value@ and %2$#@ab@")),
        .init("ab", rule("ld", [("other", "%ld x")])),
        .init("value", rule("lld", [("other", "%lld tori")])),
      ])
    ),
    (
      "%#@a@", [("a", 1, "lld", "%arg in %#@b@"), ("b", 2, "lld", "%arg")],
      .dictionary([
        .init("NSStringLocalizedFormatKey", .text("%1$#@a@")),
        .init("a", rule("lld", [("other", "%1$lld in %2$#@b@")])),
        .init("b", rule("lld", [("other", "%2$lld")])),
      ])
    ),
    (
      "%#@a@", [("a", 2, "lld", "%arg, %#@b@ of %@"), ("b", 1, "d", "%d")],
      .dictionary([
        .init("NSStringLocalizedFormatKey", .text("%2$#@a@")),
        .init("a", rule("lld", [("other", "%2$lld, %1$#@b@ of %3$@")])), .init("b", rule("d", [("other", "%d")])),
      ])
    ),
    (
      "%@ has %#@birds@", [("birds", 2, "lld", "%arg birds")],
      .dictionary([
        .init("NSStringLocalizedFormatKey", .text("%1$@ has %2$#@birds@")),
        .init("birds", rule("lld", [("other", "%2$lld birds")])),
      ])
    ),
  ]

  @Test(
    "substitutions become variables with safe names, and unused substitutions are omitted", arguments: substitutionTable
  )
  func substitutions(text: String, substitutions: [(String, Int?, String?, String)], expected: TextDictionary) throws {
    var translation = Translation(text)
    for (name, number, specifier, form) in substitutions {
      translation.substitutions[name] = Substitution(
        argumentNumber: number, formatSpecifier: specifier,
        forms: .plural([.other: .text(StringUnit(state: .translated, value: form))]))
    }
    var form = VariedForm(
      translation, source: SourceForms(key: "k", entry: CatalogEntry(), sourceLanguage: "en"))
    let entries = form.compiled()
    #expect(entries.plain == nil)
    #expect(entries.varied?.xml == expected.xml)
  }

  @Test("a plural that counts a later argument has the argument's number in the rule and in its forms")
  func laterArgument() throws {
    let compiled = try Self.compile(Self.entry(#""en":{\#(Self.plural([("other", "%@ has %d birds")]))}"#))
    #expect(
      compiled.languages["en"]?.varied == [
        .init(
          "k",
          .dictionary([
            .init("NSStringLocalizedFormatKey", .text("%2$#@value@")),
            .init("value", Self.rule("d", [("other", "%1$@ has %2$d birds")])),
          ]))
      ])
  }
}
