internal import Localization

/// A Smartling project as a platform. Each catalog is a gettext file. In the file, a string's context is our name for the string, and the string's
/// `msgid` is the source text. An upload replaces the whole file. Therefore, only one task of the process at a time reads, changes and uploads a
/// file.
struct SmartlingPlatform: TranslationPlatform {
  static let kind = "smartling"
  static let keepsPlurals = true

  let client: SmartlingClient
  let locales: VendorLocales
  /// The project's place at the vendor, which is part of the keys for ``KeyedTurns``.
  let place: String
  /// The name of the pipeline's glossary.
  let glossary: String

  func languages() async throws -> [String] { try await client.details().targetLocales.map(\.localeId) }

  func sourceLanguage() async throws -> String? { try await client.details().sourceLocaleId }

  func strings(_ ids: Set<PlatformID>) async throws -> [PlatformID: StoredString] {
    var found: [PlatformID: StoredString] = [:]
    for catalog in try await client.files(Set(ids.map(\.catalog))).sorted() {
      try Task.checkCancellation()
      for entry in try await client.source(catalog).entries {
        let id = PlatformID(catalog: catalog, name: entry.context ?? "")
        guard ids.contains(id) else { continue }
        found[id] = StoredString(source: Self.source(entry), comment: entry.note)
      }
    }
    return found
  }

  func add(_ strings: [PlatformString]) async throws { try await put(strings) }
  func change(_ strings: [PlatformString]) async throws { try await put(strings) }

  private func put(_ strings: [PlatformString]) async throws {
    let groups = Dictionary(grouping: strings, by: \.catalog).sorted { $0.key < $1.key }
    for (catalog, strings) in groups {
      try await edit(catalog) { file in
        var places: [String: Int] = [:]
        for (index, entry) in file.entries.enumerated() { places[entry.context ?? ""] = index }
        for string in strings {
          let entry = Self.entry(string)
          if let place = places[string.name] {
            file.entries[place] = entry
          } else {
            places[string.name] = file.entries.count
            file.entries.append(entry)
          }
        }
      }
    }
  }

  /// Adds missing translations. Existing translations never have to be replaced, because Smartling treats a string with another source text as
  /// another string with its own translations.
  func seed(_ translations: [PlatformTranslation], code: String) async throws {
    let plurals = PluralRules.gettext(of: locales.language(of: code) ?? LocaleIdentifier(code))
    let wanted = Dictionary(translations.map { ($0.id, $0.text) }) { first, _ in first }
    var refused: [PlatformID: String] = [:]
    for catalog in try await client.files(Set(translations.map(\.id.catalog))).sorted() {
      try Task.checkCancellation()
      var file = GettextFile(code: code, plurals: plurals)
      for entry in try await client.translated(catalog, code).entries where entry.texts.allSatisfy(\.isEmpty) {
        guard let text = wanted[PlatformID(catalog: catalog, name: entry.context ?? "")] else { continue }
        var entry = entry
        switch text.limited(to: plurals.categories) {
        case .plain(let text): entry.texts = [text]
        case .plural(let forms): entry.texts = plurals.categories.map { forms[$0] ?? "" }
        }
        file.entries.append(entry)
      }
      guard !file.entries.isEmpty else { continue }
      for fault in try await client.importTranslations(file, catalog, code) {
        let key = fault.importKey ?? ""
        // Smartling does not document whether the key is the context or the source text.
        let entry = file.entries.first { $0.context == key } ?? file.entries.first { $0.id == key }
        refused[PlatformID(catalog: catalog, name: entry?.context ?? key)] =
          fault.messages?.joined(separator: "; ") ?? "no reason given"
      }
    }
    if !refused.isEmpty { throw StringsRefused(reasons: refused) }
  }

  func translations(_ ids: Set<PlatformID>, code: String) async throws -> [PlatformTranslation] {
    let language = locales.language(of: code) ?? LocaleIdentifier(code)
    var found: [PlatformTranslation] = []
    for catalog in try await client.files(Set(ids.map(\.catalog))).sorted() {
      try Task.checkCancellation()
      for entry in try await client.translated(catalog, code).entries {
        let id = PlatformID(catalog: catalog, name: entry.context ?? "")
        guard ids.contains(id), !entry.texts.allSatisfy(\.isEmpty) else { continue }
        // Only published translations are requested. Published translations have passed every step of their workflow.
        var translation = PlatformTranslation(
          id: id, source: Self.source(entry).asSource, text: .plain(""), state: .reviewed)
        do { translation.text = try Self.text(entry, language, catalog) } catch {
          translation.fault = error.description
        }
        found.append(translation)
      }
    }
    return found
  }

  func archive(_ ids: Set<PlatformID>) async throws { try await delete(ids) }

  /// Removes strings from their files. Smartling marks removed strings as inactive, and restores a removed string with its translations if a later
  /// upload contains the string.
  func delete(_ ids: Set<PlatformID>) async throws {
    for catalog in try await client.files(Set(ids.map(\.catalog))).sorted() {
      try await edit(catalog) { file in
        file.entries.removeAll { ids.contains(PlatformID(catalog: catalog, name: $0.context ?? "")) }
      }
    }
  }

  /// Reads the file of a catalog, applies a change, and uploads the file if its contents differ. Only one task of the process edits the file at a
  /// time.
  private func edit(_ catalog: TreePath, _ change: @escaping @Sendable (inout GettextFile) -> Void) async throws {
    try await KeyedTurns.shared.run("\(place) \(catalog)") {
      let isThere = try await !client.files([catalog]).isEmpty
      let code = try await client.details().sourceLocaleId
      let plurals = PluralRules.gettext(of: locales.language(of: code) ?? LocaleIdentifier(code))
      let old = isThere ? try await client.source(catalog) : GettextFile(code: code, plurals: plurals)
      var file = old
      change(&file)
      if file != old { try await client.upload(file, catalog) }
    }
  }

  private static func entry(_ string: PlatformString) -> GettextEntry {
    var entry = GettextEntry(context: string.name, id: "", texts: [""])
    entry.note = string.comment.flatMap { $0.isEmpty ? nil : $0 }
    switch string.source {
    case .plain(let text): entry.id = text
    case .plural(let forms):
      let other = forms[.other] ?? forms.values.max() ?? ""
      entry.id = forms[.one] ?? other
      entry.plural = other == entry.id ? nil : other
      entry.isPlural = true
      entry.texts = ["", ""]
    }
    return entry
  }

  private static func source(_ entry: GettextEntry) -> PlatformText {
    entry.isPlural ? .plural([.one: entry.id, .other: entry.plural ?? entry.id]) : .plain(entry.id)
  }

  /// Returns the text of a translation. Gettext's usual plural rules have no separate forms for fractions (`other`) and for millions (`many`). If
  /// such a form is missing, the last form is used for it.
  static func text(
    _ entry: GettextEntry, _ language: LocaleIdentifier, _ catalog: TreePath
  ) throws(VendorError) -> PlatformText {
    guard entry.isPlural else { return .plain(entry.texts.first ?? "") }
    let all = PluralRules.gettext(of: language).categories
    let whole = all.filter { $0 != .other }
    let plain = all.filter { $0 != .many }
    func forms(_ categories: [PluralCategory]) -> [PluralCategory: String] {
      Dictionary(zip(categories, entry.texts)) { first, _ in first }
    }
    switch entry.texts.count {
    case all.count: return .plural(forms(all))
    case whole.count where whole.contains(.few):
      return .plural(forms(whole).merging([.other: entry.texts.last ?? ""]) { first, _ in first })
    case plain.count: return .plural(forms(plain).merging([.many: entry.texts.last ?? ""]) { first, _ in first })
    default:
      throw VendorError(
        kind: .protocolFault, at: "smartling: file \(catalog) in \(language)",
        detail: "“\(entry.context ?? "")” has \(entry.texts.count) plural forms; \(language) has \(all.count)")
    }
  }
}
