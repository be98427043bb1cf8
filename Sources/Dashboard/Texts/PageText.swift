internal import CatalogFormats
internal import Foundation
internal import Localization

/// A text of a page, before it is translated.
package struct PageText: Sendable {
  let key: StaticString
  let arguments: [any MessageArgument]
}

/// Returns a text of a page. Dragoman extracts the keys and comments of the calls of this function from its own code (`extract.macros`). The
/// translations are in this target's catalog.
/// - Parameters:
///   - key: the English text, with `%@` for texts and `%lld` for numbers.
///   - comment: the explanation for translators.
func message(_ key: StaticString, _ arguments: any MessageArgument..., comment: StaticString) -> PageText {
  PageText(key: key, arguments: arguments)
}

/// The language in which pages are written.
package struct PageLanguage: Sendable {
  /// The language's BCP 47 tag.
  package let tag: String
  private let language: LocaleIdentifier
  private let isSource: Bool

  private init(_ language: LocaleIdentifier, isSource: Bool) {
    self.language = language
    self.isSource = isSource
    tag = language.rawValue
  }

  package static let english = PageLanguage("en", isSource: true)

  /// Chooses the language that the reader prefers among those with translations; English if there is none.
  /// - Parameter accepted: the header field Accept-Language; `nil` if the request has no such field.
  package init(accepted: String?) {
    let wanted = (accepted ?? "").prefix(500).split(separator: ",").prefix(20).enumerated().compactMap { place, part in
      let parts = part.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
      let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
      return parts.first.map { (language: LocaleIdentifier($0), quality: quality, place: place) }
    }.filter { $0.quality > 0 }.sorted { ($1.quality, $0.place) < ($0.quality, $1.place) }
    for (wanted, _, _) in wanted {
      if wanted.language == "en" { break }
      if let found = PageCatalog.languages.first(where: { $0.language == wanted.language }) {
        self.init(found, isSource: false)
        return
      }
    }
    self = .english
  }

  /// The text direction of the pages, as a value of HTML's `dir`.
  var direction: String { Self.direction(of: language) }

  /// Returns the text direction of a language, as a value of HTML's `dir`.
  static func direction(of language: LocaleIdentifier) -> String { language.isRightToLeft ? "rtl" : "ltr" }

  /// Returns the text in this language, or in English if it is not translated.
  package func callAsFunction(_ text: PageText) -> String {
    let english = "\(text.key)"
    if !isSource, let translated = PageCatalog.catalog?.message(english, in: language, text.arguments) {
      return translated
    }
    return MessageText.filled(english, with: text.arguments) ?? english
  }

  /// Returns the text `one` for the number 1, and the text `other` for all other numbers.
  func counted(_ number: Int, one: PageText, other: PageText) -> String { self(number == 1 ? one : other) }
}

/// The translations of the texts of pages.
private enum PageCatalog {
  /// The catalog is embedded in the program, so it needs no other file.
  static let catalog: Catalog? = try? StringCatalogFormat().read(
    PackageResources.Localizable_xcstrings, at: TreePath(trusted: "Localizable.xcstrings"))

  static let languages: [LocaleIdentifier] = (catalog?.languages ?? []).filter { $0 != "en" }.sorted()
}
