// The members have the API's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Localization

/// A Phrase Strings project as a platform. The name of a key is `<catalog>::<name>`, which is unique over all catalogs of the project. The
/// source text is the translation into the project's default locale.
struct PhrasePlatform: TranslationPlatform {
  static let kind = "phrase"
  static let keepsPlurals = true
  /// The tag of keys that are no longer on any branch. Phrase has no archive.
  static let goneTag = "dragoman-gone"

  let client: PhraseClient
  let locales: VendorLocales
  /// The name of the pipeline's glossary.
  let glossary: String

  func languages() async throws -> [String] {
    var codes: [String] = []
    for locale in try await client.locales() where !locale.default {
      // Two locales may have the same code, so the option `locales` may also contain a locale's name.
      for code in [locale.code, locale.name] where !codes.contains(code) { codes.append(code) }
    }
    return codes
  }

  func sourceLanguage() async throws -> String? { try await source().code }

  func strings(_ ids: Set<PlatformID>) async throws -> [PlatformID: StoredString] {
    let source = try await source()
    let texts = try await client.texts(source.id)
    let wanted = Set(categories(source))
    return try await keys(ids).mapValues { key in
      var text = texts[key.id]?.text(isPlural: key.plural) ?? .plain("")
      // Forms are added by separate requests. If a form is missing, an empty text is returned, so the string is sent again.
      if case .plural(let forms) = text, !wanted.isSubset(of: forms.keys) { text = .plain("") }
      return StoredString(
        source: text, comment: key.description.flatMap { $0.isEmpty ? nil : $0 },
        isArchived: key.tags?.contains(Self.goneTag) ?? false)
    }
  }

  /// Sends one request for each key and for each plural form, because the API cannot add several keys or forms at once.
  func add(_ strings: [PlatformString]) async throws {
    let source = try await source()
    for string in strings {
      try Task.checkCancellation()
      var plain: String?
      if case .plain(let text) = string.source { plain = text }
      let key = try await client.add(
        PhraseMessages.NewKey(
          branch: client.branch, name: string.id.text(), description: string.comment ?? "",
          plural: string.source.isPlural, original_file: string.catalog.text, default_translation_content: plain,
          max_characters_allowed: string.maxLength))
      if plain == nil { try await enter(string.source, key, source, over: PhraseTexts(translations: [])) }
    }
  }

  func change(_ strings: [PlatformString]) async throws {
    let source = try await source()
    let known = try await keys(Set(strings.map(\.id)))
    let texts = try await client.texts(source.id)
    for string in strings {
      try Task.checkCancellation()
      guard let key = known[string.id] else { continue }
      let isGone = key.tags?.contains(Self.goneTag) ?? false
      var stored = texts[key.id] ?? PhraseTexts(translations: [])
      let old = stored.text(isPlural: key.plural)
      let isChanged = old != string.source.limited(to: categories(source))
      // Lists of keys do not contain the limit. It depends on the comment and on the source text.
      let mayChangeLimit = isChanged && string.maxLength != nil
      if isGone || mayChangeLimit || key.plural != string.source.isPlural
        || (key.description ?? "") != (string.comment ?? "")
      {
        try await client.change(
          key.id,
          PhraseMessages.KeyChange(
            branch: client.branch, description: string.comment ?? "", plural: string.source.isPlural,
            tags: isGone ? (key.tags ?? []).filter { $0 != Self.goneTag }.joined(separator: ",") : nil,
            max_characters_allowed: string.maxLength))
      }
      guard isChanged else { continue }
      let all = try await client.texts(ofKey: key.id)
      // The translations are marked as unverified before the text changes. Otherwise, a translation of the old text could be mistaken for a
      // translation of the new text.
      if !old.isEmpty { try await unverify(all.filter { $0.locale.id != source.id }) }
      if key.plural != string.source.isPlural {
        stored = PhraseTexts(translations: all.filter { $0.locale.id == source.id })
      }
      try await enter(string.source, key.id, source, over: stored)
    }
  }

  /// Sends one request for each plural form, because the API cannot enter several forms at once.
  func seed(_ translations: [PlatformTranslation], code: String) async throws {
    guard let locale = try await locale(code) else { return }
    let known = try await keys(Set(translations.map(\.id)))
    let texts = try await client.texts(locale.id)
    for translation in translations {
      try Task.checkCancellation()
      guard let key = known[translation.id], key.plural == translation.text.isPlural else { continue }
      let stored = texts[key.id] ?? PhraseTexts(translations: [])
      let wanted = translation.text.limited(to: categories(locale))
      let text = stored.text(isPlural: key.plural)
      let isReplaced = !text.isEmpty && translation.mayReplace(text)
      guard isReplaced || Self.isPart(text, of: wanted) else { continue }
      try await enter(wanted, key.id, locale, over: stored, verifies: isReplaced)
    }
  }

  func translations(_ ids: Set<PlatformID>, code: String) async throws -> [PlatformTranslation] {
    guard let locale = try await locale(code) else { return [] }
    let source = try await source()
    let sources = try await client.texts(source.id)
    let texts = try await client.texts(locale.id)
    return try await keys(ids).sorted { $0.key < $1.key }.compactMap { id, key in
      guard let stored = texts[key.id], let state = stored.state else { return nil }
      let text = stored.text(isPlural: key.plural)
      guard !text.isEmpty else { return nil }
      return PlatformTranslation(
        id: id, source: sources[key.id]?.text(isPlural: key.plural).asSource, text: text, state: state,
        reference: stored.translations.first { !($0.content ?? "").isEmpty }?.id)
    }
  }

  /// Sends one request for each text, because lists of translations do not contain the authors.
  func translators(of translations: [PlatformTranslation], code: String) async throws -> [PlatformID: Translator] {
    var found: [PlatformID: Translator] = [:]
    for translation in translations {
      try Task.checkCancellation()
      guard let reference = translation.reference, let user = try await client.translator(of: reference) else {
        continue
      }
      found[translation.id] = Translator(name: user.name, account: user.username)
    }
    return found
  }

  func archive(_ ids: Set<PlatformID>) async throws {
    for key in try await keys(ids).values.sorted(by: { $0.id < $1.id }) {
      try Task.checkCancellation()
      let tags = (key.tags ?? []).filter { $0 != Self.goneTag } + [Self.goneTag]
      try await client.change(
        key.id, PhraseMessages.KeyTags(branch: client.branch, tags: tags.joined(separator: ",")))
    }
  }

  func delete(_ ids: Set<PlatformID>) async throws {
    for key in try await keys(ids).values.map(\.id).sorted() {
      try Task.checkCancellation()
      try await client.delete(key)
    }
  }

  /// Stores the forms of a text that differ from the stored forms.
  /// - Parameter verifies: whether existing forms are marked as verified, even if their text does not change.
  private func enter(
    _ text: PlatformText, _ key: String, _ locale: PhraseMessages.Locale, over stored: PhraseTexts,
    verifies: Bool = false
  ) async throws {
    let forms: [(suffix: String, content: String)]
    switch text.limited(to: categories(locale)) {
    case .plain(let plain): forms = [("", plain)]
    case .plural(let all): forms = all.named.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
    for (suffix, content) in forms where !content.isEmpty {
      let plural = suffix.isEmpty ? nil : suffix
      if let old = stored[suffix] {
        guard old.content != content || verifies else { continue }
        try await client.change(
          old.id,
          .init(
            branch: client.branch, content: content, plural_suffix: plural, unverified: verifies ? false : nil))
      } else {
        try await client.add(
          .init(branch: client.branch, locale_id: locale.id, key_id: key, content: content, plural_suffix: plural))
      }
    }
  }

  private func unverify(_ translations: [PhraseMessages.Translation]) async throws {
    for translation in translations where !translation.unverified && !(translation.content ?? "").isEmpty {
      try Task.checkCancellation()
      try await client.unverify(translation.id)
    }
  }

  /// Returns whether the stored text is empty, or has only forms that are equal to forms of the wanted text. An interrupted push may have entered
  /// these forms.
  private static func isPart(_ stored: PlatformText, of wanted: PlatformText) -> Bool {
    guard case .plural(let forms) = stored, case .plural(let all) = wanted else { return stored.isEmpty }
    return forms.allSatisfy { all[$0] == $1 }
  }

  /// Returns the plural categories that the locale's language has and that Phrase offers for the locale; if there are none, all categories of the
  /// language. Phrase may offer the category `zero` in every language. In a language without this category, the form stays empty.
  private func categories(_ locale: PhraseMessages.Locale) -> [PluralCategory] {
    let language = locales.language(of: locale.code) ?? LocaleIdentifier(locale.code)
    let all = PluralRules.categories(of: language)
    guard let offered = locale.categories else { return all }
    let common = all.filter(offered.contains)
    return common.isEmpty ? all : common
  }

  /// Returns the default locale.
  private func source() async throws -> PhraseMessages.Locale {
    guard let source = try await client.locales().first(where: \.default) else {
      throw VendorError(
        kind: .configuration, at: "phrase: project \(client.project)",
        detail: "the project has no default locale. Add the language of the source texts and make it the default.")
    }
    return source
  }

  func locale(_ code: String) async throws -> PhraseMessages.Locale? {
    let all = try await client.locales().filter { !$0.default }
    return all.first { $0.code == code } ?? all.first { $0.name == code }
  }

  func keys(_ ids: Set<PlatformID>) async throws -> [PlatformID: PhraseMessages.Key] {
    let names = Dictionary(ids.map { ($0.text(), $0) }) { first, _ in first }
    var found: [PlatformID: PhraseMessages.Key] = [:]
    for key in try await client.keys() {
      if let id = names[key.name] { found[id] = key }
    }
    return found
  }
}
