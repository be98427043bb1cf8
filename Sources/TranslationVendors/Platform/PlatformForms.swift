internal import Localization

/// The JSON in which several platforms exchange a text: a string, or an object with a string for each plural category.
enum FormsInJSON: Codable, Hashable, Sendable {
  case text(String)
  /// The forms by the names of their categories.
  case forms([String: String])

  init(_ text: PlatformText) {
    switch text {
    case .plain(let plain): self = .text(plain)
    case .plural(let forms): self = .forms(forms.named)
    }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .text("")
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else {
      self = .forms(try container.decode([String: String?].self).compactMapValues(\.self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .forms(let forms): try container.encode(forms)
    }
  }

  /// Returns the text, with plural forms if the string has them.
  /// - Parameter isPlural: whether the string has plural forms. Even then, a platform may return the text without forms, for example if the text is
  ///   empty.
  func content(isPlural: Bool) -> PlatformText {
    switch self {
    case .text(let text): isPlural ? .plural(text.isEmpty ? [:] : [.other: text]) : .plain(text)
    case .forms(let forms): .plural([PluralCategory: String](named: forms))
    }
  }
}

extension [PluralCategory: String] {
  init(named forms: [String: String]) {
    self = Self(forms.map { (PluralCategory(rawValue: $0.key), $0.value) }) { first, _ in first }
  }

  var named: [String: String] { [String: String](map { ($0.key.rawValue, $0.value) }) { first, _ in first } }
}

extension PlatformText {
  var isPlural: Bool { if case .plural = self { true } else { false } }

  /// Returns the forms that a platform stores for a language: one for each CLDR category of the language. Missing forms get the text of `other` or,
  /// without `other`, of the first form. Plain texts and texts without forms are unchanged.
  func limited(to language: LocaleIdentifier) -> PlatformText { limited(to: PluralRules.categories(of: language)) }

  /// Returns exactly the forms of these categories. Missing forms get the text of `other` or, without `other`, of the first form. Plain texts and
  /// texts without forms are unchanged.
  func limited(to categories: [PluralCategory]) -> PlatformText {
    guard case .plural(let forms) = self else { return self }
    guard let other = forms[.other] ?? forms.min(by: { PluralCategory.precedes($0.key, $1.key) })?.value else {
      return self
    }
    return .plural(Dictionary(categories.map { ($0, forms[$0] ?? other) }) { first, _ in first })
  }

  /// The text with a form for every plural category, as the source of translations into any language. Missing categories get the text of `other`.
  /// Plain texts and texts without `other` are unchanged.
  var asSource: PlatformText {
    guard case .plural(let forms) = self, let other = forms[.other] else { return self }
    var filled = forms
    for category in PluralCategory.all where filled[category] == nil { filled[category] = other }
    return .plural(filled)
  }
}

extension PlatformString {
  /// The plural categories that the source language needs. The string may lack some of them, because a shipment has only the categories of its target
  /// language, such as only `other` for Japanese.
  private var sourceCategories: [PluralCategory] { PluralRules.neededCategories(of: sourceLanguage) }

  /// Returns whether this string has forms of the source text that the platform lacks because no earlier language needed them.
  func completes(_ stored: PlatformText) -> Bool {
    guard case .plural(let forms) = source, case .plural(let there) = stored else { return false }
    // Platforms do not keep empty texts.
    return sourceCategories.contains { forms[$0]?.isEmpty == false && there[$0] == nil }
  }

  /// Replaces the source text with the platform's copy of the same text. The copy may have forms that this string lacks. Only plural forms that the
  /// source language needs are replaced.
  /// - Parameter stored: the platform's copy of the source text.
  mutating func keepForms(of stored: PlatformText) {
    switch (source, stored) {
    case (.plain, .plain): source = stored
    case (.plural(var forms), .plural(let there)):
      for category in sourceCategories { forms[category] = there[category] ?? forms[category] }
      source = .plural(forms)
    default: break
    }
  }
}

extension String {
  /// Returns the longest prefix of at most this many UTF-16 code units that does not split a Unicode scalar.
  func prefix(utf16 limit: Int) -> String {
    guard utf16.count > limit else { return self }
    var (units, kept) = (0, UnicodeScalarView())
    for scalar in unicodeScalars {
      units += UTF16.width(scalar)
      guard units <= limit else { break }
      kept.append(scalar)
    }
    return String(kept)
  }
}

extension Array {
  /// Returns the elements in batches. All batches except the last have the given size.
  func batches(of size: Int) -> [[Element]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}
