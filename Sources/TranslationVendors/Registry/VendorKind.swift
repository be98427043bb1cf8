package import Localization

/// A kind of vendor. Each vendor's folder in `TranslationVendors` has a type that conforms to this protocol, and ``VendorRegistry`` lists
/// these types. The decoder of pipeline files, the schema, the reference and `dragoman vendors` use only this protocol.
package protocol VendorKind: Sendable {
  /// The name of the kind in pipeline files: `folder`.
  static var name: String { get }
  /// A one-sentence description of the kind.
  static var summary: String { get }
  static var capabilities: VendorCapabilities { get }
  /// The options of vendors of this kind in pipeline files, in addition to the options that all vendors have.
  static var options: [VendorOption] { get }

  /// Whether the vendor returns texts in the requested language. Pseudo-localized texts are not in that language.
  static var translates: Bool { get }

  /// The method by which a webhook request proves that the vendor sent it; `nil` if the vendor has no webhook that can be verified. A kind
  /// with a webhook has the option ``VendorOption/webhook``.
  static var webhook: VendorWebhook? { get }

  /// Returns the place that a vendor with these settings uses, such as a folder or a project. Two vendors must not share a place.
  /// - Returns: the canonical spelling of the place; `nil` if the vendor has no place that must not be shared.
  static func place(of settings: VendorSettings) -> String?

  /// Returns the places that no other vendor may use, because a vendor there would treat the files of the vendor at `place` as its own. If a
  /// component of `place` is a folder such as `to-translate`, the folder above `to-translate` is such a place.
  /// - Parameter place: the place of a vendor, as ``place(of:)`` returns it.
  static func outerPlaces(of place: String) -> [String]

  /// Returns the vendor's language codes, if the vendor stores each language under a code. Two languages must then not have the same code.
  /// - Returns: `nil` if the vendor does not store languages under codes.
  static func locales(of settings: VendorSettings) -> VendorLocales?

  /// Returns the name of a vendor with these settings: the name in the pipeline file or, without one, a name that consists of the kind and the
  /// project, folder or address or, for a kind without places, of the kind and the number. No two vendors of a pipeline may have the same name.
  /// - Returns: `nil` if an option that is part of the name is missing.
  static func vendorName(of settings: VendorSettings) -> String?

  /// Returns further names that the ledger may contain for the vendor, in addition to the names in the pipeline file.
  static func formerNames(of settings: VendorSettings) -> [String]

  /// Checks that settings do not contradict each other. The check reads no files and sends no requests, so `dragoman pipelines check` can run it.
  /// - Throws: `VendorError` of kind `configuration`, whose message names the option.
  static func check(_ settings: VendorSettings) throws(VendorError)

  /// Creates a vendor.
  /// - Throws: `VendorError` of kind `configuration` if settings are missing or contradict each other; `TransportError` if a URL is invalid.
  static func vendor(_ settings: VendorSettings, in environment: VendorEnvironment) throws -> any TranslationVendor
}

extension VendorKind {
  package static var translates: Bool { true }
  package static var webhook: VendorWebhook? { nil }
  package static func place(of settings: VendorSettings) -> String? { nil }
  package static func outerPlaces(of place: String) -> [String] { [] }
  package static func locales(of settings: VendorSettings) -> VendorLocales? { nil }
  package static func vendorName(of settings: VendorSettings) -> String? {
    guard options.contains(where: { $0.name == "project" }) else { return settings.defaultName(of: name) }
    return settings.givenName ?? settings.options.text("project").map { "\(name):\($0)" }
  }
  package static func formerNames(of settings: VendorSettings) -> [String] { [] }
  package static func check(_ settings: VendorSettings) throws(VendorError) {}
}

/// The capabilities of a kind of vendor, for information: `dragoman vendors list` prints them as JSON. They do not decide what is sent to a vendor.
package struct VendorCapabilities: Hashable, Sendable, Codable {
  package enum Exchange: String, Hashable, Sendable, Codable { case files, strings, texts }

  /// Whether the vendor exchanges .xcloc bundles, stores strings by key, or translates texts immediately.
  package var exchange: Exchange
  /// Whether the vendor can translate texts with plural forms.
  package var plurals = false
  package var comments = false
  /// Whether the vendor distinguishes reviewed translations.
  package var reviewStates = false
  package var lengthLimits = false
  package var screenshots = false
  package var glossary = false
  package var webhooks = false
  /// Whether removed units can be hidden or archived instead of deleted.
  package var archive = false

  package init(
    exchange: Exchange, plurals: Bool = false, comments: Bool = false, reviewStates: Bool = false,
    lengthLimits: Bool = false, screenshots: Bool = false, glossary: Bool = false, webhooks: Bool = false,
    archive: Bool = false
  ) {
    self.exchange = exchange
    self.plurals = plurals
    self.comments = comments
    self.reviewStates = reviewStates
    self.lengthLimits = lengthLimits
    self.screenshots = screenshots
    self.glossary = glossary
    self.webhooks = webhooks
    self.archive = archive
  }
}

/// An option of a vendor: a key in a pipeline file.
package struct VendorOption: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case text
    /// An https URL, or an http URL on this machine.
    case url
    /// A directory, or a URL with one of these schemes.
    case place(schemes: [String])
    case flag
    case number(ClosedRange<Int>)
    /// A number of 0 or more, such as `2.50`. The option's value is the text of the number.
    case decimal
    /// A mapping from these names, which are all required, to decimals. The option's value maps the names to the texts of the numbers.
    case decimals([String])
    case duration
    /// `env:NAME`, `file:PATH`, `credential:NAME` or `none`, and for `credentials` also `agent`. Vendors read `credentials` through
    /// ``VendorEnvironment/secret``.
    case secret
    case choice([String])
    case list
    /// A mapping from names to texts.
    case names
    /// A mapping from languages to the vendor's codes.
    case languages
    /// A mapping from terms to translations. A language may have its own mapping.
    case terms

    /// The values of a choice; `nil` for other kinds.
    package var choices: [String]? { if case .choice(let values) = self { values } else { nil } }
  }

  package var name: String
  package var kind: Kind
  /// One or two sentences for the reference and the schema.
  package var documentation: String
  package var isRequired: Bool
  /// The default value, written as in a pipeline file; `nil` if there is no default value to document.
  package var defaultText: String?

  package init(
    _ name: String, _ kind: Kind, _ documentation: String, isRequired: Bool = false, default defaultText: String? = nil
  ) {
    self.name = name
    self.kind = kind
    self.documentation = documentation
    self.isRequired = isRequired
    self.defaultText = defaultText
  }

  /// Creates the option `credentials`.
  /// - Parameter documentation: a description of the secret.
  package static func credentials(_ documentation: String, isRequired: Bool = false) -> VendorOption {
    VendorOption("credentials", .secret, documentation, isRequired: isRequired, default: "none")
  }

  /// The option `webhook` of all vendors that can report changes.
  package static let webhook = VendorOption(
    "webhook", .secret,
    "The location of the webhook's secret: env:NAME, file:PATH or credential:NAME. A webhook request makes Dragoman check the vendor at once.",
    default: "none: requests are refused")

  /// The option `locales` of all vendors that have their own language codes.
  package static let locales = VendorOption(
    "locales", .languages, "The vendor's codes for languages that Dragoman would map to a wrong code: `pt: pt_BR`.")
}

/// The settings of one vendor in a pipeline file.
package struct VendorSettings: Sendable {
  /// The vendor's name in the file; if it is `nil`, ``VendorKind/vendorName(of:)`` returns the name.
  package var givenName: String?
  package var options: [String: VendorOptionValue]
  /// The vendor's number among the vendors of its kind in the pipeline, starting with 1.
  package var number: Int

  /// Returns the name of a vendor whose kind has no place. The name is the given name, if there is one. Otherwise the name is the kind, followed by
  /// the vendor's number unless the number is 1.
  func defaultName(of kind: String) -> String { givenName ?? (number == 1 ? kind : "\(kind)-\(number)") }

  package init(givenName: String? = nil, options: [String: VendorOptionValue] = [:], number: Int = 1) {
    self.givenName = givenName
    self.options = options
    self.number = number
  }
}
