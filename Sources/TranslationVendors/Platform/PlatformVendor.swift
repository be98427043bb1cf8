internal import HTTPTransport
package import Localization
internal import Logging

/// A vendor that keeps strings by key, built on any ``TranslationPlatform``.
///
/// A push requests the platform's strings, adds missing strings, updates changed strings, and uploads the project's existing translations,
/// screenshots and glossary terms. A repeated push sends nothing twice. If the platform refuses a string, the other strings are still sent. A pull
/// requests the translations of outstanding units and returns those whose state the option `take` accepts, as one bundle for each shipment. A pull
/// often returns only some of the units. A pull also sends refused strings again if the platform may accept them now, and pending glossary terms.
package struct PlatformVendor<Platform: TranslationPlatform>: TranslationVendor {
  package let kind = Platform.kind
  package let name: String
  let platform: Platform
  private let locales: VendorLocales
  let settings: PlatformSettings
  let environment: VendorEnvironment
  let refusals: StringRefusals
  let older: OlderAnswers

  package init(
    name: String, platform: Platform, locales: VendorLocales, settings: PlatformSettings, environment: VendorEnvironment
  ) {
    self.name = name
    self.platform = platform
    self.locales = locales
    self.settings = settings
    self.environment = environment
    refusals = StringRefusals(
      folder: environment.stateFolder, vendor: name, fingerprint: settings.fingerprint)
    older = OlderAnswers(folder: environment.stateFolder, vendor: name)
  }

  package func push(_ shipment: Shipment) async throws -> ShipmentReceipt {
    let code = try await code(of: shipment.language)
    try await checkSource(of: shipment)
    let variants = try await variants(of: shipment)
    let own = strings(of: shipment)
    let all = Self.named(own, as: variants)
    let refusedBefore = try refusals.all()
    let strings = all.filter { string in
      !(refusedBefore[string.id].map { refusals.stands($0, for: string, at: environment.now()) } ?? false)
    }
    let sent = try await deliver(strings, former: former(among: own, besides: Set(shipment.rivals.keys)))
    try await putAway(sent.former)
    let missing = Set(all.map(\.id)).subtracting(strings.map(\.id)).union(sent.refused.keys)
    if !strings.isEmpty { try await platform.open(code, for: Set(strings.map(\.catalog))) }
    let names = Dictionary(zip(own, all).map { ($0.id, $1.id) }) { first, _ in first }
    let seeds = try await enterExisting(of: shipment, code: code, names: names, missing: missing)
    for refusal in try await attach(shipment.screenshots, to: strings, again: true) {
      environment.logger.warning(
        "a screenshot was refused", metadata: ["vendor": "\(name)", "reason": "\(refusal.withVisibleControls)"])
    }
    for finding in try await bring(
      readGlossary(), from: shipment.sourceLanguage, to: shipment.language, code: code)
    {
      environment.logger.warning("\(finding.message)", metadata: ["vendor": "\(name)"])
    }
    environment.logger.debug(
      "pushed strings",
      metadata: ["vendor": "\(name)", "new": "\(sent.new)", "changed": "\(sent.changed)", "seeds": "\(seeds)"])
    let units = Set(all.filter { missing.contains($0.id) }.map { UnitID(catalog: $0.catalog, key: $0.unit) })
    var receipt = receipt(of: shipment, without: units.count, wasThere: sent.new + sent.changed == 0)
    receipt.variants = Self.records(of: variants, among: all)
    return receipt
  }

  package func find(_ shipment: Shipment) async throws -> ShipmentReceipt? {
    let own = strings(of: shipment)
    let varied = Self.named(own, as: shipment.rivals.mapValues(\.text))
    let known = try await platform.strings(Set((own + varied).map(\.id)))
    guard !known.isEmpty else { return nil }
    var receipt = receipt(of: shipment, wasThere: true)
    let variants = zip(own, varied).filter { $0.id != $1.id && known[$1.id] != nil }.map { string, _ in
      UnitID(catalog: string.catalog, key: string.unit)
    }
    receipt.variants = Self.records(
      of: shipment.rivals.mapValues(\.text).filter { variants.contains($0.key) }, among: varied)
    return receipt
  }

  package func withdraw(_ units: [UnitID], of shipment: ShipmentReceipt, language: LocaleIdentifier) async throws {
    guard settings.removal != .keep else { return }
    try await retire(environment.unused(Set(units), name))
  }

  package var retiresUnits: Bool { settings.removal != .keep }

  package let isAskedAgain = true
  package let takesComments = true
  package var takesUses: Bool { settings.namesFiles }

  /// Updates the comments of strings, also of refused strings. The comments of variants, and of forms that are separate strings, are not updated.
  package func update(_ comments: [UnitID: UnitComment]) async throws {
    let ids = Dictionary(comments.keys.map { (PlatformID($0), $0) }) { first, _ in first }
    try refusals.note(
      comments: ids.compactMapValues { unit in
        comments[unit].map { settings.comment($0.text, uses: $0.uses) }
      })
    let changed = try await platform.strings(Set(ids.keys)).sorted { $0.key < $1.key }.compactMap {
      id, stored -> PlatformString? in
      guard let unit = ids[id], let comment = comments[unit], !stored.isArchived, !stored.source.isEmpty else {
        return nil
      }
      var string = PlatformString(
        catalog: id.catalog, name: id.name, unit: unit.key, path: .root, source: stored.source,
        comment: settings.comment(comment.text, uses: comment.uses), sourceLanguage: comment.sourceLanguage)
      prepare(&string, over: stored)
      return (string.comment ?? "") == (stored.comment ?? "") ? nil : string
    }
    try await describe(changed)
  }

  package func pull(_ outstanding: OutstandingWork) async throws -> PullResult {
    var result = PullResult(bundles: [])
    lazy var glossary = readGlossary()
    let all = try await outstanding.parts()
    try await refused(of: all, &result)
    var isAnswered = false
    var fault: (any Error)?
    for (language, parts) in Dictionary(grouping: all, by: \.shipment.language)
      .sorted(by: { $0.key < $1.key })
    {
      try Task.checkCancellation()
      do {
        let code = try await code(of: language)
        let translations = try await translations(of: parts, code, &result.diagnostics)
        let translators = try await translators(of: Array(translations.values), code, &result.diagnostics)
        for part in parts { answer(part, with: translations, by: translators, into: &result) }
        for source in Set(parts.map(\.shipment.sourceLanguage)).sorted() {
          result.diagnostics += try await bring(glossary, from: source, to: language, code: code)
        }
        isAnswered = true
      } catch let error as VendorError where error.kind == .unknownLanguage {
        result.diagnostics.append(Diagnostic(path: name, severity: .warning, message: error.description))
        result.refusals += parts.map { $0.refusal(error.description) }
      } catch  where LanguageFault.isPossible(error) {
        fault = fault ?? error
        result.diagnostics.append(
          Diagnostic(
            path: name, severity: .warning, message: "translations into \(language) cannot be read: \(error)",
            hint: "translations into other languages are still accepted"))
      }
    }
    if !isAnswered, let fault { throw fault }
    if !environment.isReadOnly {
      try older.retain(Set(all.flatMap { strings(of: $0).map(\.id) }), at: environment.now())
    }
    return result
  }

  package func probe(_ languages: [LocaleIdentifier]) async throws -> VendorProbe {
    let known = try await platform.languages()
    let sources = try await platform.sourceFacts()
    let access = VendorAccess(try environment.secret(), isChecked: Platform.checksTokens)
    var probe = locales.probe(
      languages, among: known, at: Platform.kind, access: access.sentence("token"),
      addsLanguages: Platform.addsLanguages)
    probe.facts.insert(contentsOf: sources, at: 2)
    if let code = try await platform.sourceLanguage(), let source = locales.language(of: code),
      let target = languages.first(where: { $0 == source })
    {
      probe.faults.append(
        "The vendor's source texts are in \(code), but the pipeline translates into \(target). Use a project with the "
          + "source language of the repository. If this language is \(target), remove it from `languages`.")
    }
    return probe
  }

  /// Does nothing, because the strings stay at the platform, where translators work.
  package func acknowledge(_ bundle: ReturnedBundle, verdict: BundleVerdict) async throws {}

  /// Returns the translators of the accepted translations; empty if the pipeline does not name translators. If the token may not read the
  /// translators, this is reported, and the translations are accepted without their names.
  func translators(
    of found: [PlatformTranslation], _ code: String, _ diagnostics: inout [Diagnostic]
  ) async throws -> [PlatformID: Translator] {
    let taken = found.filter { settings.state(of: $0.state) != nil }.sorted { $0.id < $1.id }
    guard environment.namesTranslators, !taken.isEmpty else { return [:] }
    do {
      return try await platform.translators(of: taken, code: code)
    } catch let error as TransportError where [.status(401), .status(403), .status(404)].contains(error.kind) {
      diagnostics.append(
        Diagnostic(
          path: name, severity: .warning, message: "the token may not see who translated into \(code): \(error)",
          hint: "give the token this permission, or remove deliver.co_authors"))
      return [:]
    }
  }

  func strings(of shipment: Shipment) -> [PlatformString] {
    var strings = strings(of: shipment.files)
    for index in strings.indices {
      let unit = UnitID(catalog: strings[index].catalog, key: strings[index].unit)
      strings[index].comment = settings.comment(strings[index].comment, uses: shipment.uses[unit] ?? [])
    }
    return strings
  }

  func strings(of files: [ExchangeFile]) -> [PlatformString] {
    files.flatMap { PlatformPacking.strings(of: $0, keepsPlurals: Platform.keepsPlurals) }
  }

  /// Prepares a string for sending. Sets the string's length limit, cuts the comment to the length that the platform keeps, and keeps forms of the
  /// source text that were sent for another language. A string without a comment gets the platform's comment.
  /// - Parameter stored: the string at the platform; `nil` if the platform does not have the string.
  func prepare(_ string: inout PlatformString, over stored: StoredString?) {
    if let stored, !Self.sourceDiffers(stored.source, string.source) { string.keepForms(of: stored.source) }
    PlatformLimits.set(&string, over: stored, at: Platform.self)
    if (string.comment ?? "").isEmpty { string.comment = stored?.comment }
    if let limit = Platform.commentLimit { string.comment = string.comment?.prefix(utf16: limit) }
  }

  func code(of language: LocaleIdentifier) async throws -> String {
    try locales.checkOwnCode(of: language, at: Platform.kind)
    let known = try await platform.languages()
    if Platform.addsLanguages { return locales.code(of: language, preferring: known) }
    return try locales.code(of: language, among: known, at: Platform.kind)
  }

  /// Checks that the platform has the repository's source language. A platform with another source language would treat our texts as texts in that
  /// language.
  private func checkSource(of shipment: Shipment) async throws {
    let language = shipment.sourceLanguage
    let catalogs = Set(shipment.files.map { TreePath(trusted: $0.original) })
    for source in try await platform.sources(of: catalogs) {
      guard let there = locales.language(of: source.code),
        there.language != language.language
          || (there.script != nil && language.script != nil && there.script != language.script)
      else { continue }
      throw VendorError(
        kind: .configuration, at: "\(Platform.kind): language of the source texts",
        detail: "\(source.owner)'s source texts are in \(source.code), and those of the repository in \(language). "
          + "\(source.step) \(language), or change its source language. If \(source.code) is \(language), map it with "
          + "locales: { \(language): \(source.code) }")
    }
  }

  private func receipt(of shipment: Shipment, without refused: Int = 0, wasThere: Bool) -> ShipmentReceipt {
    ShipmentReceipt(
      reference: "\(shipment.pipeline)-\(shipment.round)-\(shipment.language)", units: shipment.unitIDs.count - refused,
      wasThere: wasThere, refused: refused)
  }

  static func differs(_ stored: StoredString, from string: PlatformString) -> Bool {
    stored.isArchived || (string.comment ?? "") != (stored.comment ?? "")
      || PlatformLimits.differs(stored, from: string) || lacksSource(stored, of: string)
  }

  /// Returns whether the platform has another source text, or lacks some of the text's forms.
  static func lacksSource(_ stored: StoredString, of string: PlatformString) -> Bool {
    sourceDiffers(stored.source, string.source) || string.completes(stored.source)
  }

  /// Returns whether the platform's source text differs from the sent source text. Languages differ in the plural forms that they need, so only forms
  /// that both texts have are compared. If the stored text has none of the sent forms, the texts differ.
  static func sourceDiffers(_ stored: PlatformText, _ sent: PlatformText) -> Bool {
    switch (stored, sent) {
    case (.plain(let a), .plain(let b)): return !a.isKept(as: b)
    case (.plural(let a), .plural(let b)):
      let common = a.keys.filter { b[$0] != nil }
      return common.isEmpty || common.contains { !(a[$0] ?? "").isKept(as: b[$0] ?? "") }
    default: return true
    }
  }
}
