internal import CatalogFormats
internal import Foundation
internal import Localization

/// A text of a page, not yet in a language.
package struct PageText: Sendable {
  let key: StaticString
  let arguments: [any PageArgument]
}

/// An argument of a text: another text, or a whole number.
protocol PageArgument: Sendable {
  var pageText: String { get }
  var pageNumber: Int? { get }
}

extension String: PageArgument {
  var pageText: String { self }
  var pageNumber: Int? { nil }
}

extension Int: PageArgument {
  var pageText: String { String(self) }
  var pageNumber: Int? { self }
}

/// A text of a page. Dragoman finds these calls in its own code (`extract.macros`), and keeps their translations in this target's catalog.
/// - Parameters:
///   - key: the English text with `%@` for texts and `%lld` for numbers.
///   - comment: what a translator needs to know.
func message(_ key: StaticString, _ arguments: any PageArgument..., comment: StaticString) -> PageText {
  PageText(key: key, arguments: arguments)
}

/// The language in which pages are written.
package struct PageLanguage: Sendable {
  /// As BCP 47 spells it.
  package let tag: String
  private let language: LocaleIdentifier
  private let isSource: Bool

  private init(_ language: LocaleIdentifier, isSource: Bool) {
    self.language = language
    self.isSource = isSource
    tag = language.rawValue
  }

  package static let english = PageLanguage("en", isSource: true)

  /// The best language for a reader.
  /// - Parameter accepted: the header field Accept-Language; `nil` if there is none.
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

  /// Whether the language is written from right to left.
  package var isRightToLeft: Bool { Self.rightToLeft.contains(language.language) }

  private static let rightToLeft: Set<String> = ["ar", "fa", "he", "ur", "yi", "ps", "dv", "ckb"]

  /// Whether a language of translations is written from right to left.
  static func isRightToLeft(_ language: LocaleIdentifier) -> Bool { rightToLeft.contains(language.language) }

  /// The text in this language, in English where it is not translated.
  package func callAsFunction(_ text: PageText) -> String {
    let english = "\(text.key)"
    if !isSource, let translated = PageCatalog.text(for: english, in: language, text.arguments),
      let filled = PageCatalog.fill(translated, with: text.arguments)
    {
      return filled
    }
    return PageCatalog.fill(english, with: text.arguments) ?? english
  }

  /// A count with the text for one or for several.
  func counted(_ number: Int, one: PageText, other: PageText) -> String { self(number == 1 ? one : other) }
}

/// The translations of the texts of pages.
private enum PageCatalog {
  /// The catalog is part of the program, so it is there wherever the program is copied to.
  private static let catalog: Catalog? = try? StringCatalogFormat().read(
    PackageResources.Localizable_xcstrings, at: TreePath(trusted: "Localizable.xcstrings"))

  static let languages: [LocaleIdentifier] = (catalog?.languages ?? []).filter { $0 != "en" }.sorted()

  static func text(for english: String, in language: LocaleIdentifier, _ arguments: [any PageArgument]) -> String? {
    guard let translation = catalog?.entries[UnitKey(english)]?.translations[language] else { return nil }
    switch translation.text {
    case .text(let unit) where unit.state != .new: return unit.value
    case .plural(let forms):
      let number = arguments.lazy.compactMap(\.pageNumber).first ?? 0
      let category = PluralRules.category(of: number, in: language)
      guard case .text(let unit)? = forms[category] ?? forms[.other] else { return nil }
      return unit.value
    default: return nil
    }
  }

  /// Fills the placeholders of a text: `%@`, `%lld`, with positions (`%2$@`), and `%%`.
  /// - Returns: `nil` if a placeholder has no argument.
  static func fill(_ text: String, with arguments: [any PageArgument]) -> String? {
    guard !arguments.isEmpty else { return text }
    var result = ""
    var rest = Substring(text)
    var next = 0
    while let percent = rest.firstIndex(of: "%") {
      result += rest[..<percent]
      rest = rest[rest.index(after: percent)...]
      if rest.first == "%" {
        result += "%"
        rest = rest.dropFirst()
        continue
      }
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      if let position = Int(digits), rest.dropFirst(digits.count).first == "$" {
        next = position - 1
        rest = rest.dropFirst(digits.count + 1)
      }
      guard let specifier = ["@", "lld"].first(where: { rest.hasPrefix($0) }), arguments.indices.contains(next) else {
        return nil
      }
      result += arguments[next].pageText
      next += 1
      rest = rest.dropFirst(specifier.count)
    }
    return result + String(rest)
  }
}
