internal import Localization

/// Plural forms ↔ the numbered forms of a gettext file.
///
/// A source text has the forms of its own language: `one` and `other` in English. Any other form, such as `zero` in English, becomes a
/// separate string, `KEY|==|plural.zero`, if its text differs from `other`.
struct WeblateForms: Sendable {
  let language: LocaleIdentifier
  let plurals: GettextPlurals

  init(_ language: LocaleIdentifier) {
    self.language = language
    plurals = PluralRules.gettext(of: language)
  }

  /// The key of a form that is a separate string.
  static func key(of name: String, _ category: PluralCategory) -> String {
    "\(name)\(ExchangeIdentifier.separator)plural.\(category.rawValue)"
  }

  /// Updates a string in a template for `language`. Other forms are kept as far as they are still valid.
  /// - Parameter old: the entries with the string's keys.
  /// - Returns: the entries that the template must have, the string's own first.
  func entries(of string: PlatformString, replacing old: [String: GettextEntry]) -> [GettextEntry] {
    let key = WeblateText.encode(key: string.name)
    func entry(_ key: String, _ texts: [String], isPlural: Bool) -> GettextEntry {
      var entry = old[key] ?? GettextEntry(id: key, texts: [])
      entry.note = string.comment.flatMap { $0.isEmpty ? nil : WeblateText.encode($0) }
      entry.isReadOnly = false
      if let limit = string.maxLength { entry.maxLength = limit > 0 ? limit : nil }
      entry.isPlural = isPlural
      entry.texts = texts.map { WeblateText.encode($0) }
      return entry
    }
    var (main, separate): (GettextEntry, [PluralCategory: String]) = (GettextEntry(id: key, texts: []), [:])
    switch string.source {
    case .plain(let text): main = entry(key, [text], isPlural: false)
    case .plural(let forms):
      let other = Self.other(forms)
      let known = old[key].flatMap { $0.isPlural ? self.forms($0.texts) : nil } ?? [:]
      let texts = plurals.categories.map { category in
        if let text = forms[category] { return text }
        // A copy of the old `other` is replaced too.
        return known[category].flatMap { $0 == known[.other] ? nil : $0 } ?? other
      }
      main = entry(key, texts, isPlural: true)
      separate = forms.filter { !plurals.categories.contains($0.key) && $0.value != other }
    }
    let added = separate.sorted { PluralCategory.precedes($0.key, $1.key) }.map {
      entry(WeblateText.encode(key: Self.key(of: string.name, $0.key)), [$0.value], isPlural: false)
    }
    let kept = Set(added.map(\.id))
    // A form that the source text has no more.
    let gone = old.values.filter { $0.id != key && !kept.contains($0.id) }.sorted { $0.id < $1.id }.map { entry in
      var entry = entry
      entry.isReadOnly = true
      return entry
    }
    return [main] + added + gone
  }

  /// The forms of a string in a template, one for each category. Missing categories have the text of `other`.
  /// - Parameter separate: forms that are separate strings.
  func source(_ entry: GettextEntry, separate: [PluralCategory: String]) -> PlatformText {
    guard entry.isPlural else { return .plain(WeblateText.decode(entry.texts.first ?? "")) }
    return .plural(whole(forms(entry.texts), separate: separate))
  }

  /// Source forms with a text for every category.
  func whole(_ forms: [PluralCategory: String], separate: [PluralCategory: String]) -> [PluralCategory: String] {
    var whole = forms
    let other = Self.other(forms)
    for category in PluralCategory.all where whole[category] == nil { whole[category] = other }
    return whole.merging(separate) { _, own in own }
  }

  /// A translation into `language`. A category without a form gets the form that is shown for it.
  /// - Parameter separate: forms that are separate strings.
  func translated(_ texts: [String], separate: [PluralCategory: String]) -> [PluralCategory: String] {
    var whole = forms(texts)
    for category in PluralCategory.all where !plurals.categories.contains(category) {
      let shown = category == .zero ? PluralRules.category(of: 0, in: language) : .other
      whole[category] = whole[shown]
    }
    return whole.merging(separate) { _, own in own }
  }

  /// The numbered forms by category; empty ones are left out.
  func forms(_ texts: [String]) -> [PluralCategory: String] {
    var forms: [PluralCategory: String] = [:]
    for (category, text) in zip(plurals.categories, texts) where !text.isEmpty {
      forms[category] = WeblateText.decode(text)
    }
    return forms
  }

  /// The numbered forms of a translation; `nil` if one is missing.
  func texts(_ forms: [PluralCategory: String]) -> [String]? {
    let texts = plurals.categories.compactMap { forms[$0] }
    return texts.count == plurals.categories.count ? texts.map { WeblateText.encode($0) } : nil
  }

  private static func other(_ forms: [PluralCategory: String]) -> String {
    forms[.other] ?? forms.sorted { PluralCategory.precedes($0.key, $1.key) }.last?.value ?? ""
  }
}
