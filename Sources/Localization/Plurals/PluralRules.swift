/// The plural categories of languages and which one a number takes.
package enum PluralRules {
  /// The categories that Xcode offers for a language (formats.md H), in CLDR's order, `other` always among them.
  package static func categories(of language: LocaleIdentifier) -> [PluralCategory] { [.other] }
}
