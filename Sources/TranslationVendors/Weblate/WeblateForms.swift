internal import Localization

/// A converter between plural forms by category and the numbered forms of a gettext file. A source text has the forms of the source language:
/// `one` and `other` in English.
struct WeblateForms: Sendable {
  let language: LocaleIdentifier
  let plurals: GettextPlurals

  init(_ language: LocaleIdentifier) {
    self.language = language
    plurals = PluralRules.gettext(of: language)
  }

  /// Returns the template's entry for a string. A form of the old entry that the string does not have is kept, unless it is equal to the old `other`.
  /// - Parameter old: the existing entry with the string's key; `nil` if there is none.
  func entry(of string: PlatformString, replacing old: GettextEntry?) -> GettextEntry {
    var entry = old ?? GettextEntry(id: WeblateText.encode(key: string.name), texts: [])
    entry.note = string.comment.flatMap { $0.isEmpty ? nil : WeblateText.encode($0) }
    entry.isReadOnly = false
    if let limit = string.maxLength { entry.maxLength = limit > 0 ? limit : nil }
    entry.isPlural = string.source.isPlural
    switch string.source {
    case .plain(let text): entry.texts = [WeblateText.encode(text)]
    case .plural(let forms):
      let other = Self.other(forms)
      let known = old.flatMap { $0.isPlural ? self.forms($0.texts) : nil } ?? [:]
      entry.texts = plurals.categories.map { category in
        // A form that is equal to the old `other` gets the new text of `other`.
        let kept = known[category].flatMap { $0 == known[.other] ? nil : $0 }
        return WeblateText.encode(forms[category] ?? kept ?? other)
      }
    }
    return entry
  }

  /// Returns the source text of a template's entry. Missing categories get the text of `other`.
  func source(_ entry: GettextEntry) -> PlatformText {
    guard entry.isPlural else { return .plain(WeblateText.decode(entry.texts.first ?? "")) }
    return .plural(whole(forms(entry.texts)))
  }

  /// Returns the forms of a source text with a text for every category. Missing categories get the text of `other`.
  func whole(_ forms: [PluralCategory: String]) -> [PluralCategory: String] {
    var whole = forms
    let other = Self.other(forms)
    for category in PluralCategory.all where whole[category] == nil { whole[category] = other }
    return whole
  }

  /// Returns the forms of a translation into `language`. A category that the language does not have gets the form that apps show for this category.
  func translated(_ texts: [String]) -> [PluralCategory: String] {
    var whole = forms(texts)
    for category in PluralCategory.all where !plurals.categories.contains(category) {
      let shown = category == .zero ? PluralRules.category(of: 0, in: language) : .other
      whole[category] = whole[shown]
    }
    return whole
  }

  /// Returns the numbered forms by category. Empty forms are left out.
  func forms(_ texts: [String]) -> [PluralCategory: String] {
    var forms: [PluralCategory: String] = [:]
    for (category, text) in zip(plurals.categories, texts) where !text.isEmpty {
      forms[category] = WeblateText.decode(text)
    }
    return forms
  }

  /// Returns the numbered forms of a translation; `nil` if a form is missing.
  func texts(_ forms: [PluralCategory: String]) -> [String]? {
    let texts = plurals.categories.compactMap { forms[$0] }
    return texts.count == plurals.categories.count ? texts.map { WeblateText.encode($0) } : nil
  }

  private static func other(_ forms: [PluralCategory: String]) -> String {
    forms[.other] ?? forms.sorted { PluralCategory.precedes($0.key, $1.key) }.last?.value ?? ""
  }
}
