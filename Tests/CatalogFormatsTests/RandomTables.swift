import Foundation
import Localization
import StructuredText
import TestSupport
import Testing
import TextEvaluation

@testable import CatalogFormats

/// Random catalogs with plain texts, plural forms, device forms and substitutions, most of them with arguments.
enum RandomTables {
  static let languages: [LocaleIdentifier] = ["ar", "de", "en", "fr", "ja", "lv", "pt-BR", "uk"]

  static func catalog(using generator: inout some RandomNumberGenerator) -> Catalog {
    var catalog = Catalog(path: "App/Localizable.xcstrings", sourceLanguage: "en")
    for number in 0..<8 {
      var entry = CatalogEntry(extractionState: [nil, .manual, .stale].randomElement(using: &generator) ?? nil)
      for language in languages where Bool.random(using: &generator) {
        entry.translations[language] = translation(using: &generator)
      }
      let key =
        ["%lld birds", "%@ & <b> %lld", "plain", "é 😀 \"q\"\n", "%1$@ %2$lf"].randomElement(using: &generator) ?? ""
      catalog.entries[UnitKey("\(key)\(number)")] = entry
    }
    return catalog
  }

  private static func translation(using generator: inout some RandomNumberGenerator) -> Translation {
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: return Translation(words(using: &generator))
    case 1: return Translation(text: plural("%lld", using: &generator))
    case 2:
      var translation = Translation(
        ["%#@n@ – %#@m@", "%#@m@, %#@n@", "%#@n@ %3$@ %#@m@ %#@n@"].randomElement(using: &generator) ?? "")
      translation.substitutions["n"] = Substitution(
        argumentNumber: 1, formatSpecifier: "lld", forms: plural("%arg", using: &generator))
      translation.substitutions["m"] = Substitution(
        argumentNumber: 2, formatSpecifier: "d", forms: plural("%d", using: &generator))
      return translation
    case 3:
      var translation = Translation("%#@n@!")
      translation.substitutions["n"] = Substitution(
        argumentNumber: nil, formatSpecifier: nil, forms: plural("%arg", using: &generator))
      return translation
    default:
      return Translation(
        text: .device([
          Device(rawValue: "mac"): plural("%lld", using: &generator),
          Device(rawValue: "iphone"): .text(StringUnit(state: .translated, value: words(using: &generator))),
          .other: .text(StringUnit(state: .translated, value: words(using: &generator))),
        ]))
    }
  }

  private static func words(using generator: inout some RandomNumberGenerator) -> String {
    ["Bird", "%1$@", "50% off", "100%%", "%@", "e\u{301}\n\t", "\u{200B}", "& < > \" '", "%2$lld of %1$@", "—"]
      .randomElement(using: &generator) ?? ""
  }

  private static func plural(_ number: String, using generator: inout some RandomNumberGenerator) -> VariedText {
    var forms: [PluralCategory: VariedText] = [
      .other: .text(StringUnit(state: .translated, value: "\(number) birds, 100%%"))
    ]
    for category in PluralCategory.all.dropLast() where Bool.random(using: &generator) {
      let text = ["\(number) \(category.rawValue)", "a \(category.rawValue)"].randomElement(using: &generator) ?? ""
      forms[category] = .text(StringUnit(state: .translated, value: text))
    }
    return .plural(forms)
  }
}
