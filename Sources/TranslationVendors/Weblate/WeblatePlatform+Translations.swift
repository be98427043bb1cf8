// Properties have the names of the API.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import HTTPTransport
internal import Localization
internal import Logging

extension WeblatePlatform {
  func translations(_ ids: Set<PlatformID>, code: String) async throws -> [PlatformTranslation] {
    var found: [PlatformTranslation] = []
    for (catalog, ids) in Dictionary(grouping: ids, by: \.catalog).sorted(by: { $0.key < $1.key }) {
      try Task.checkCancellation()
      let slug = WeblateComponent(of: catalog).slug
      guard let source = try await sourceCode(slug), let units = try await units(slug, code, ids, source) else {
        continue
      }
      let forms = (source: WeblateForms(language(of: source)), target: WeblateForms(language(of: code)))
      var uneven = 0
      for id in ids {
        guard let unit = units[WeblateText.encode(key: id.name)], let state = unit.platformState else { continue }
        if unit.isPlural, unit.target.texts.count != forms.target.plurals.categories.count {
          uneven += 1
          continue
        }
        if let translation = translation(id, unit, state, forms) { found.append(translation) }
      }
      if uneven > 0 {
        environment.logger.warning(
          "Weblate has the wrong number of plural forms for a language; the next push corrects it",
          metadata: ["component": "\(slug)", "language": "\(code)", "strings": "\(uneven)"])
      }
    }
    return found
  }

  /// Returns the strings of a component in a language by key; `nil` if the component does not have the language. If strings are in use again but
  /// still archived at Weblate, first makes Weblate read the component's files again.
  private func units(
    _ slug: String, _ code: String, _ ids: [PlatformID], _ source: String
  ) async throws -> [String: WeblateMessages.Unit]? {
    func read() async throws -> [String: WeblateMessages.Unit] {
      Dictionary(try await client.units(slug, code).map { ($0.context, $0) }) { first, _ in first }
    }
    do {
      let units = try await read()
      // These strings are in use again, but still archived at Weblate, because Weblate has not read the changed file yet (see `put`).
      let stuck = ids.map { WeblateText.encode(key: $0.name) }.filter { key in
        units[key].map { $0.state == WeblateMessages.State.readOnly && !$0.isMarkedReadOnly } ?? false
      }
      guard !stuck.isEmpty else { return units }
      let marked = Set(try await client.units(slug, source).filter(\.isMarkedReadOnly).map(\.context))
      guard stuck.contains(where: { !marked.contains($0) }) else { return units }
      try await client.scan(slug)
      return try await read()
    } catch let error as TransportError where error.kind == .status(404) {
      return nil
    }
  }

  /// Returns the translation of a string; `nil` if the string is not translated yet, or if the source text of the translation is unknown.
  private func translation(
    _ id: PlatformID, _ unit: WeblateMessages.Unit, _ state: PlatformState,
    _ forms: (source: WeblateForms, target: WeblateForms)
  ) -> PlatformTranslation? {
    guard let sourceTexts = unit.translatedSource else { return nil }
    guard unit.isPlural else {
      let text = WeblateText.decode(unit.target.texts.first ?? "")
      guard !text.isEmpty else { return nil }
      let source = PlatformText.plain(WeblateText.decode(sourceTexts.first ?? ""))
      return PlatformTranslation(
        id: id, source: source, text: .plain(text), state: state, reference: String(unit.id))
    }
    let text = forms.target.translated(unit.target.texts)
    guard !text.isEmpty else { return nil }
    let source = forms.source.whole(forms.source.forms(sourceTexts))
    return PlatformTranslation(
      id: id, source: .plural(source), text: .plural(text), state: state, reference: String(unit.id))
  }

  func seed(_ translations: [PlatformTranslation], code: String) async throws {
    let forms = WeblateForms(language(of: code))
    for (catalog, seeds) in Dictionary(grouping: translations, by: \.id.catalog).sorted(by: { $0.key < $1.key }) {
      try Task.checkCancellation()
      let slug = WeblateComponent(of: catalog).slug
      guard let source = try await sourceCode(slug) else { continue }
      let sourceForms = WeblateForms(language(of: source))
      let units = try await listed(Set(seeds.map { WeblateText.encode(key: $0.id.name) }), slug, code)
      var file = GettextFile(code: code, plurals: forms.plurals)
      for seed in seeds.sorted(by: { $0.id < $1.id }) {
        if let entry = Self.entry(seed, units, forms, sourceForms) { file.entries.append(entry) }
      }
      guard !file.entries.isEmpty else { continue }
      try await client.upload(file, slug, code, .translate)
    }
  }

  /// Returns the gettext entry of a translation to upload. The string at Weblate must have the same source text, and either no translation or the
  /// translation that may be replaced. Weblate does not replace finished translations with this kind of upload.
  /// - Returns: `nil` if the translation must not be uploaded.
  private static func entry(
    _ seed: PlatformTranslation, _ units: [String: WeblateMessages.Unit], _ forms: WeblateForms, _ source: WeblateForms
  ) -> GettextEntry? {
    let key = WeblateText.encode(key: seed.id.name)
    guard let unit = units[key] else { return nil }
    let stored: PlatformText =
      unit.isPlural
      ? .plural(forms.translated(unit.target.texts)) : .plain(WeblateText.decode(unit.target.texts.first ?? ""))
    guard unit.state == WeblateMessages.State.empty || seed.replaces == stored else { return nil }
    switch (seed.text, seed.source) {
    case (.plain(let text), .plain(let original)?):
      guard !unit.isPlural, WeblateText.decode(unit.source.texts.first ?? "") == original else { return nil }
      return GettextEntry(id: key, texts: [WeblateText.encode(text)])
    case (.plural(let texts), .plural(let originals)?):
      let known = source.whole(source.forms(unit.source.texts))
      guard originals.allSatisfy({ known[$0.key] == $0.value }), let numbered = forms.texts(texts) else { return nil }
      return GettextEntry(id: key, isPlural: true, texts: numbered)
    default: return nil
    }
  }

  /// Waits until all these strings are listed in a language, but at most about ``patience`` seconds, and returns the listed strings. A server with
  /// background workers lists new strings late.
  private func listed(
    _ keys: Set<String>, _ slug: String, _ code: String
  ) async throws -> [String: WeblateMessages.Unit] {
    var units: [String: WeblateMessages.Unit] = [:]
    for _ in 0..<Self.patience / 2 {
      units = Dictionary(try await client.units(slug, code).map { ($0.context, $0) }) { first, _ in first }
      if keys.allSatisfy({ units[$0] != nil }) { return units }
      try await environment.sleep(.seconds(2))
    }
    environment.logger.warning(
      "Weblate does not list all strings yet; some existing translations were not uploaded",
      metadata: ["component": "\(slug)", "language": "\(code)"])
    return units
  }
}

extension WeblateMessages.Unit {
  fileprivate var isPlural: Bool { source.texts.count > 1 || target.texts.count > 1 }

  /// The state of the translation; `nil` for untranslated and for read-only strings.
  fileprivate var platformState: PlatformState? {
    switch state {
    case WeblateMessages.State.needsEditing, WeblateMessages.State.needsRewriting: .needsReview
    case WeblateMessages.State.translated: .translated
    case WeblateMessages.State.approved: .reviewed
    default: nil
    }
  }

  /// The source text for which the translation was made; `nil` if Weblate does not return this source text.
  fileprivate var translatedSource: [String]? {
    guard state == WeblateMessages.State.needsRewriting else { return source.texts }
    guard let previous_source, !previous_source.isEmpty else { return nil }
    return WeblateMessages.Forms.split(previous_source)
  }
}
