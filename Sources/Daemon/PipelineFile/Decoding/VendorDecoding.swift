internal import Localization
internal import Pipeline

/// The vendors that pipeline files may name.
enum VendorKinds {
  static let built = ["folder", "pseudo"]
  /// Those of which a file may be written, and is refused, until there is an adapter.
  static let planned = ["crowdin", "lokalise", "phrase", "smartling", "transifex", "weblate"]

  /// The keys that mean something to a vendor, besides `vendor`, `languages` and `units`.
  static func keys(of kind: String) -> [VendorKey] {
    switch kind {
    case "pseudo": []
    case "folder": [.settle, .path, .credentials, .locales]
    default: VendorKey.allCases
    }
  }
}

/// A vendor as it was read, with the fields that are compared with those of other vendors.
struct VendorDraft {
  var field: Field
  var definition: VendorDefinition
  /// `nil`: none were given.
  var languages: [Located<LocaleIdentifier>]?
  var path: Located<String>?
}

extension Section<VendorKey> {
  /// - Returns: `nil` where no kind of vendor was given; the draft holds defaults for what could not be read.
  func vendor() -> VendorDraft? {
    let kind = kind()
    let languages = self[.languages].map { $0.languages() ?? [] }
    let path = self[.path].flatMap { field in field.folderPath(of: kind).map { Located(value: $0, field: field) } }
    let draft = VendorDraft(
      field: field,
      definition: VendorDefinition(
        kind: kind ?? "", languages: languages.map { $0.map(\.value) },
        units: self[.units].flatMap { $0.choice() } ?? .round,
        settle: self[.settle].flatMap { $0.duration() } ?? .seconds(2),
        path: path?.value, url: self[.url].flatMap { $0.serverAddress() },
        project: self[.project].flatMap { $0.text() },
        credentials: self[.credentials].flatMap { $0.credential() } ?? .none, locales: locales(of: kind, languages)),
      languages: languages, path: path)
    guard let kind else { return draft }
    for key in VendorKey.allCases where ![.vendor, .languages, .units].contains(key) {
      guard let field = self[key], !VendorKinds.keys(of: kind).contains(key) else { continue }
      let known = ([.languages, .units] + VendorKinds.keys(of: kind)).map(\.rawValue).joined(separator: ", ")
      field.report("means nothing to the vendor \(kind)", hint: "take it out; \(kind) knows \(known)")
    }
    if kind == "folder", self[.path] == nil {
      field.report("the key `path` is missing", hint: "give the vendor folder a directory, dav:// or davs://")
    }
    return draft
  }

  /// - Returns: `nil` where there is none that is known; reported.
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

  private func locales(of kind: String?, _ languages: [Located<LocaleIdentifier>]?) -> [LocaleIdentifier: String] {
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
    if let kind, VendorKinds.built.contains(kind), !pairs.isEmpty {
      field.reportNotBuilt("a mapping of languages", hint: "take it out; bundles carry the project's own names")
    }
    return locales
  }
}

extension Field {
  /// A vendor's own address.
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

  /// Read as a folder's address only where the vendor has a folder.
  fileprivate func folderPath(of kind: String?) -> String? { kind == "folder" ? folderAddress() : text() }
}
