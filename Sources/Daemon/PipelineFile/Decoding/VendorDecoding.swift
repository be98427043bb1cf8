internal import Localization
internal import Pipeline
internal import TranslationVendors

/// A vendor as read from the file, with the values that must be compared with other vendors.
struct VendorDraft {
  var field: Field
  var definition: VendorDefinition
  var name: Located<String>?
  var formerly: [Located<String>] = []
  /// The vendor's languages; `nil` if the key is missing.
  var languages: [Located<LocaleIdentifier>]?
  /// The vendor's location in a normalized form, which no other vendor may have; `nil` if the vendor has no location that must not be shared.
  var place: Located<String>?
  /// The locations that contain this vendor's location. A vendor at one of them would take this vendor's files.
  var outerPlaces: [String] = []
  /// The vendor's language codes, which must differ between its languages; `nil` if the vendor does not store languages under codes.
  var locales: VendorLocales?
  /// The name of the vendor that gets the units that this vendor refuses, and all units of this vendor when it fails for too long.
  var fallback: Located<String>?
  /// The name of the vendor that gets the units that this vendor has translated.
  var then: Located<String>?
}

extension Section<VendorKey> {
  /// Reads a vendor.
  /// - Returns: a draft with defaults for values that could not be read.
  func vendor() -> VendorDraft {
    let kind = kind()
    let languages = self[.languages].map { $0.languages() ?? [] }
    let name = self[.name].flatMap { field in field.pipelineName().map { Located(value: $0, field: field) } }
    let formerly = self[.formerly]?.oneOrMore { $0.formerVendorName() } ?? []
    var definition = VendorDefinition(
      kind: kind?.name ?? "", languages: languages.map { $0.map(\.value) },
      units: self[.units].flatMap { $0.choice() } ?? .round, name: name?.value, formerly: formerly.map(\.value),
      unchanged: self[.unchanged].flatMap { $0.choice() } ?? .report, scope: scope())
    definition.checksTexts = kind?.translates ?? true
    definition.otherLanguage =
      self[.otherLanguage].flatMap { $0.choice() } ?? (kind?.translates == false ? .take : .hold)
    definition.repair = Set(
      self[.repair]?.items("a list of repairs", example: "[spaces]")?
        .distinct({ $0.choice() as TransferCheck.Repair? }, sameAs: { $0 }).map(\.value) ?? [])
    let fallback = self[.fallback].flatMap(Self.follower)
    let then = self[.then].flatMap(Self.follower)
    (definition.fallback, definition.then) = (fallback?.value, then?.value)
    definition.wordPrice = self[.wordPrice].flatMap { field in
      guard let text = field.text("a price such as 0.12 EUR") else { return nil }
      if let price = WordPrice(text) { return price }
      field.report(
        "\(field.shown) is not a price", hint: "write it as 0.12 EUR: at most 1000, with at most six decimals")
      return nil
    }
    if let patience = self[.patience] {
      definition.patience = patience.duration(atLeast: .seconds(60), "1m") ?? definition.patience
      if fallback == nil {
        patience.report("has no effect without `fallback`", hint: "add the name of a vendor, or remove the key")
      }
    }
    var draft = VendorDraft(
      field: field, definition: definition, name: name, formerly: formerly, languages: languages, fallback: fallback,
      then: then)
    for old in formerly where old.value == name?.value {
      old.field.report("\(old.field.shown) is the vendor's current name", hint: "remove it")
    }
    guard let kind else { return draft }
    read(kind.options, of: kind, languages, into: &definition)
    draft.definition = definition
    let settings = VendorSettings(givenName: name?.value, options: definition.options)
    check(settings, of: kind, definition)
    draft.locales = kind.locales(of: settings)
    if let place = kind.place(of: settings) {
      let field = kind.options.lazy.filter(\.isRequired).compactMap { others[$0.name] }.first ?? field
      draft.place = Located(value: "\(kind.name) \(place)", field: field)
      draft.outerPlaces = kind.outerPlaces(of: place).map { "\(kind.name) \($0)" }
    }
    return draft
  }

  /// Reports options that contradict each other, although each of them alone is valid.
  private func check(_ settings: VendorSettings, of kind: any VendorKind.Type, _ definition: VendorDefinition) {
    let isRead = kind.options.allSatisfy { option in
      if case .secret = option.kind { return true }
      return (definition.options[option.name] != nil) == (others[option.name] != nil || option.isRequired)
    }
    guard isRead else { return }
    do { try kind.check(settings) } catch {
      let given = kind.options.map(\.name).filter { others[$0] != nil }
      let mentions = given.compactMap { name in
        error.detail.firstRange(of: "`\(name)`").map { (name: name, place: $0.lowerBound) }
      }
      let name = mentions.min { $0.place < $1.place }?.name ?? given.first { error.operation.contains($0) }
      (name.flatMap { others[$0] } ?? field).report(error.detail)
    }
  }

  private static func follower(_ field: Field) -> Located<String>? {
    field.text("a vendor's name").map { Located(value: $0, field: field) }
  }

  private func scope() -> CatalogScope {
    for field in [self[.catalogs], self[.tables]] {
      guard let field, case .list(let list) = field.value.content, list.isEmpty else { continue }
      field.report("is an empty list, so the vendor would get nothing", hint: "omit the key to send it everything")
    }
    return CatalogScope(
      catalogs: self[.catalogs]?.items("a list of path patterns", example: "[\"App/**\"]")?
        .distinct({ $0.pathPattern() }, sameAs: { $0 }).compactMap { PathPattern($0.value) } ?? [],
      tables: self[.tables]?.items("a list of table names", example: "[Localizable]")?
        .distinct({ $0.table() }, sameAs: { $0 }).map(\.value) ?? [])
  }

  private func read(
    _ options: [VendorOption], of kind: any VendorKind.Type, _ languages: [Located<LocaleIdentifier>]?,
    into definition: inout VendorDefinition
  ) {
    let known = Set(options.map(\.name))
    let names = (VendorKey.allCases.map(\.rawValue).filter { $0 != VendorKey.vendor.rawValue } + options.map(\.name))
      .joined(separator: ", ")
    for (name, field) in others.sorted(by: { $0.key < $1.key }) where !known.contains(name) {
      field.report("the vendor \(kind.name) has no such key", hint: "remove it; the keys of \(kind.name): \(names)")
    }
    for option in options {
      guard let field = others[option.name] else {
        if option.isRequired {
          self.field.report("the key `\(option.name)` is missing", hint: "add it: \(option.documentation)")
        }
        continue
      }
      if option.name == VendorOption.webhook.name {
        definition.webhook = field.secretReference() ?? .none
      } else if case .secret = option.kind {
        let credentials = field.credential()
        if option.isRequired, let credentials, case .none = credentials {
          field.report("the vendor \(kind.name) needs credentials", hint: "name them: \(option.documentation)")
        }
        definition.credentials = credentials ?? .none
      } else if let value = field.value(of: option, languages) {
        definition.options[option.name] = value
      }
    }
    for option in options {
      guard let address = definition.options.text(option.name) else { continue }
      others["credentials"]?.reportClearText(to: address, definition.credentials)
    }
    let addresses = options.compactMap { definition.options.text($0.name) }
    if !addresses.contains(where: { Address($0).isSSH }) {
      others["credentials"]?.reportAgent(for: addresses.first ?? "", definition.credentials)
    }
  }

  /// Reads the kind of the vendor.
  /// - Returns: `nil` if the kind is missing or unknown, which is reported.
  private func kind() -> (any VendorKind.Type)? {
    guard let field = self[.vendor], let name = field.text("a vendor's name") else { return nil }
    if let kind = VendorRegistry.kind(named: name) { return kind }
    field.report(
      "unknown vendor \(field.shown)" + NearestName.suffix(name, VendorRegistry.names),
      hint: "use one of \(VendorRegistry.names.joined(separator: ", "))")
    return nil
  }
}

extension Field {
  /// Reads the value of a vendor's option. Faults are reported.
  fileprivate func value(
    of option: VendorOption, _ languages: [Located<LocaleIdentifier>]?
  ) -> VendorOptionValue? {
    switch option.kind {
    case .text: text().map { .text($0) }
    case .url: serverAddress().map { .text($0) }
    case .place(let schemes): folderAddress(schemes: schemes).map { .text($0) }
    case .flag: flag().map { .flag($0) }
    case .number(let range): number(in: range).map { .number($0) }
    case .decimal: decimal().map { .text($0) }
    case .decimals(let names): decimals(names).map { .names($0) }
    case .duration: duration().map { .duration($0) }
    case .choice(let words): word(of: words).map { .text($0) }
    case .list: items("a list", example: option.defaultText ?? "[…]").map { .list($0.compactMap { $0.text() }) }
    case .names: names().map { .names($0) }
    case .languages: .languages(locales(languages))
    case .terms: terms()
    case .secret: nil
    }
  }

  func flag() -> Bool? {
    switch text("true or false") {
    case "true": return true
    case "false": return false
    case nil: return nil
    default:
      report("\(shown) is neither true nor false", hint: "write true or false")
      return nil
    }
  }

  func number(in range: ClosedRange<Int>) -> Int? {
    guard let text = text("a number") else { return nil }
    guard let number = Int(text), range.contains(number) else {
      report(
        "\(shown) is not a number from \(range.lowerBound) to \(range.upperBound)",
        hint: "write a number such as \(range.upperBound)")
      return nil
    }
    return number
  }

  private func word(of words: [String]) -> String? {
    guard let text = text("one of \(words.joined(separator: ", "))") else { return nil }
    if words.contains(text) { return text }
    report(
      "\(shown) is not known" + NearestName.suffix(text, words), hint: "use one of \(words.joined(separator: ", "))")
    return nil
  }

  private func locales(_ languages: [Located<LocaleIdentifier>]?) -> [LocaleIdentifier: String] {
    guard let pairs = pairs("a mapping of languages to the vendor's names") else { return [:] }
    var locales: [LocaleIdentifier: String] = [:]
    for (key, value) in pairs {
      guard let language = key.language(), let name = value.text("the vendor's name of the language") else { continue }
      if let languages, !languages.isEmpty, !languages.contains(where: { $0.value == language }) {
        key.report("\(language) is not one of the vendor's `languages`", hint: "add it there, or remove it here")
      }
      locales[language] = name
    }
    return locales
  }
}

extension Field {
  fileprivate func table() -> String? {
    guard let text = text("a table name") else { return nil }
    guard !text.contains("/"), !text.isEmpty else {
      report("\(shown) is not a table name", hint: "write the file's name without folder and ending: Localizable")
      return nil
    }
    let path = TreePath(trusted: text)
    if let kind = path.catalogKind, kind != .interface {
      report("\(shown) has an ending", hint: "write \(path.stem)")
      return nil
    }
    return text
  }

  /// Reads a former name of a vendor. Any single line of text is accepted, because default names contain paths and URLs.
  fileprivate func formerVendorName() -> String? {
    guard let text = text("a vendor's earlier name") else { return nil }
    guard text.utf8.count <= 4096, text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
      report("\(shown) is not a valid vendor name", hint: "write it as `dragoman rounds` shows it")
      return nil
    }
    return text
  }
}
