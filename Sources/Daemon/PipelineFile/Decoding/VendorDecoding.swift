internal import Localization
internal import Pipeline

/// The kinds of vendors in pipeline files.
enum VendorKinds {
  static let built = ["folder", "pseudo"]
  /// Kinds that are recognized but rejected until there is an adapter.
  static let planned = ["crowdin", "lokalise", "phrase", "smartling", "transifex", "weblate"]

  /// The keys that every vendor has.
  static let common: [VendorKey] = [.name, .formerly, .languages, .units, .unchanged]

  /// Returns the keys of a kind of vendor, without the common ones.
  static func keys(of kind: String) -> [VendorKey] {
    switch kind {
    case "pseudo": []
    case "folder": [.settle, .path, .credentials]
    default: VendorKey.allCases
    }
  }
}

/// A vendor in the file, with the fields that are compared with those of other vendors.
struct VendorDraft {
  var field: Field
  var definition: VendorDefinition
  var name: Located<String>?
  var formerly: [Located<String>] = []
  /// `nil` if the key is missing.
  var languages: [Located<LocaleIdentifier>]?
  var path: Located<String>?
}

extension Section<VendorKey> {
  /// - Returns: a draft with defaults for values that could not be read.
  func vendor() -> VendorDraft? {
    let kind = kind()
    let languages = self[.languages].map { $0.languages() ?? [] }
    let name = self[.name].flatMap { field in field.pipelineName().map { Located(value: $0, field: field) } }
    let formerly = self[.formerly]?.oneOrMore { $0.formerVendorName() } ?? []
    let path = self[.path].flatMap { field in field.folderPath(of: kind).map { Located(value: $0, field: field) } }
    let draft = VendorDraft(
      field: field,
      definition: VendorDefinition(
        kind: kind ?? "", languages: languages.map { $0.map(\.value) },
        units: self[.units].flatMap { $0.choice() } ?? .round,
        settle: self[.settle].flatMap { $0.duration() } ?? .seconds(2),
        path: path?.value, url: self[.url].flatMap { $0.serverAddress() },
        project: self[.project].flatMap { $0.text() },
        credentials: self[.credentials].flatMap { $0.credential() } ?? .none, locales: locales(languages),
        name: name?.value, formerly: formerly.map(\.value),
        unchanged: self[.unchanged].flatMap { $0.choice() } ?? .report),
      name: name, formerly: formerly, languages: languages, path: path)
    for old in formerly where old.value == name?.value {
      old.field.report("\(old.field.shown) is the vendor's name now", hint: "take it out")
    }
    guard let kind else { return draft }
    let keys = VendorKinds.common + VendorKinds.keys(of: kind)
    for key in VendorKey.allCases where key != .vendor && !keys.contains(key) {
      guard let field = self[key] else { continue }
      let known = keys.map(\.rawValue).joined(separator: ", ")
      field.report("means nothing to the vendor \(kind)", hint: "take it out; \(kind) knows \(known)")
    }
    if let path { self[.credentials]?.reportClearText(to: path.value, draft.definition.credentials) }
    if kind == "folder", self[.path] == nil {
      field.report("the key `path` is missing", hint: "give the vendor folder a directory, dav:// or davs://")
    }
    return draft
  }

  /// - Returns: `nil` if the kind is missing or unknown, which is reported.
  private func kind() -> String? {
    guard let field = self[.vendor], let kind = field.text("a vendor's name") else { return nil }
    let names = VendorKinds.built + VendorKinds.planned
    if VendorKinds.planned.contains(kind) {
      field.reportNotBuilt(hint: "there are \(VendorKinds.built.joined(separator: " and "))")
    } else if !VendorKinds.built.contains(kind) {
      field.report(
        "there is no vendor \(field.shown)" + NearestName.suffix(kind, names),
        hint: "there are \(VendorKinds.built.joined(separator: " and "))")
      return nil
    }
    return kind
  }

  private func locales(_ languages: [Located<LocaleIdentifier>]?) -> [LocaleIdentifier: String] {
    guard let field = self[.locales], let pairs = field.pairs("a mapping of languages to the vendor's names") else {
      return [:]
    }
    var locales: [LocaleIdentifier: String] = [:]
    for (key, value) in pairs {
      guard let language = key.language(), let name = value.text("the vendor's name of the language") else { continue }
      if let languages, !languages.isEmpty, !languages.contains(where: { $0.value == language }) {
        key.report("the vendor's `languages` do not have \(language)", hint: "add it there, or take it out here")
      }
      locales[language] = name
    }
    return locales
  }
}

extension Field {
  /// Reads a former name of a vendor. Default names contain paths and URLs, so any single line of text is accepted.
  fileprivate func formerVendorName() -> String? {
    guard let text = text("a vendor's earlier name") else { return nil }
    guard text.utf8.count <= 4096, text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
      report("\(shown) is no name that a vendor had", hint: "write it as `dragoman rounds` shows it")
      return nil
    }
    return text
  }

  /// Reads the address of a vendor's server.
  fileprivate func serverAddress() -> String? {
    guard let text = text("a URL") else { return nil }
    guard !Address.holdsCredentials(text) else {
      report(
        "the address holds a user or a password, and a secret must not stand in a pipeline file",
        hint: "say under `credentials` where the secret is")
      return nil
    }
    guard case .url("https", let host) = Address(text), !host.isEmpty else {
      report("\(shown) is not an https URL", hint: "write https://host")
      return nil
    }
    return text
  }

  /// Reads the path as the address of a folder, but only for the vendor `folder`.
  fileprivate func folderPath(of kind: String?) -> String? { kind == "folder" ? folderAddress() : text() }
}
