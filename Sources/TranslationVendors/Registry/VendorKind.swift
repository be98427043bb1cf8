package import Localization

/// A kind of vendor. Each folder of `TranslationVendors` has one, and ``VendorRegistry`` lists them. Decoding of pipeline files, the
/// schema, the reference and `dragoman vendors` use nothing else.
package protocol VendorKind: Sendable {
  /// As pipeline files name it: `folder`.
  static var name: String { get }
  /// One sentence for people.
  static var summary: String { get }
  static var capabilities: VendorCapabilities { get }
  /// The options of this vendor in pipeline files, in addition to those of all vendors.
  static var options: [VendorOption] { get }

  /// Whether its answers are in the requested language. Pseudo-localized texts are not.
  static var translates: Bool { get }

  /// How the vendor proves that a request to a webhook is its own; `nil` if it has none that can be verified. A kind with a webhook has the
  /// option ``VendorOption/webhook``.
  static var webhook: VendorWebhook? { get }

  /// Resources that two vendors must not share, such as a folder or a project; `nil` if they may share everything.
  /// - Returns: one spelling for one place.
  static func place(of settings: VendorSettings) -> String?

  /// The places at which a vendor of this kind would mistake the files of another vendor, which is at `place`, for its own.
  /// - Parameter place: as from ``place(of:)``.
  static func outerPlaces(of place: String) -> [String]

  /// The vendor's codes of languages, if it keeps each language under a code, so that two languages must not have the same; `nil` if it
  /// does not.
  static func locales(of settings: VendorSettings) -> VendorLocales?

  /// Names by which the ledger may know the vendor, in addition to those in the pipeline file.
  static func formerNames(of settings: VendorSettings) -> [String]

  /// Checks that settings fit together, without looking at files or the network: what `dragoman pipelines check` can say.
  /// - Throws: `VendorError`. Its operation names the option.
  static func check(_ settings: VendorSettings) throws(VendorError)

  /// - Throws: `VendorError` of kind `configuration` if the settings do not fit together.
  static func vendor(_ settings: VendorSettings, in environment: VendorEnvironment) throws -> any TranslationVendor
}

extension VendorKind {
  package static var translates: Bool { true }
  package static var webhook: VendorWebhook? { nil }
  package static func place(of settings: VendorSettings) -> String? { nil }
  package static func outerPlaces(of place: String) -> [String] { [] }
  package static func locales(of settings: VendorSettings) -> VendorLocales? { nil }
  package static func formerNames(of settings: VendorSettings) -> [String] { [] }
  package static func check(_ settings: VendorSettings) throws(VendorError) {}
}

/// The capabilities of a vendor, for people and for checks. A vendor is only sent data that it supports.
package struct VendorCapabilities: Hashable, Sendable, Codable {
  package enum Exchange: String, Hashable, Sendable, Codable { case files, strings, texts }

  /// Whether the vendor exchanges .xcloc bundles, stores strings by key, or translates texts immediately.
  package var exchange: Exchange
  /// Whether plural forms of one text stay together at the vendor.
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

/// A key that a vendor takes in a pipeline file.
package struct VendorOption: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case text
    /// An https URL, or http on this machine.
    case url
    /// A directory, or a URL with one of these schemes.
    case place(schemes: [String])
    case flag
    case number(ClosedRange<Int>)
    /// A number of 0 or more, such as `2.50`; the value is its text.
    case decimal
    /// A mapping of these names, all required, to decimals; the value is a mapping of texts.
    case decimals([String])
    case duration
    /// `env:NAME`, `file:PATH`, `credential:NAME` or `none`; read through ``VendorEnvironment/secret``.
    case secret
    case choice([String])
    case list
    /// A mapping of texts.
    case names
    /// The vendor's own spelling of languages.
    case languages
    /// A mapping of terms to translations. A language may have its own mapping.
    case terms

    /// The values of a choice; `nil` for other kinds.
    package var choices: [String]? { if case .choice(let values) = self { values } else { nil } }
  }

  package var name: String
  package var kind: Kind
  /// One or two sentences for the reference and the schema.
  package var documentation: String
  package var isRequired: Bool
  /// As a pipeline file would write it; `nil` if leaving the key out means nothing special.
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

  /// `credentials`.
  /// - Parameter documentation: a description of the secret.
  package static func credentials(_ documentation: String, isRequired: Bool = false) -> VendorOption {
    VendorOption("credentials", .secret, documentation, isRequired: isRequired, default: "none")
  }

  /// `webhook`, an option of all vendors that can report changes.
  package static let webhook = VendorOption(
    "webhook", .secret,
    "The location of the webhook's secret: env:NAME or file:PATH. Its requests make Dragoman check the vendor at once.",
    default: "none: requests are refused")

  /// `locales`, an option of all vendors with their own language codes.
  package static let locales = VendorOption(
    "locales", .languages, "The vendor's codes of languages for which Dragoman's own mapping is wrong: `pt: pt_BR`.")
}

/// The settings of one vendor in a pipeline file.
package struct VendorSettings: Sendable {
  /// The name that the file gives; `nil`: the vendor makes one from kind and place.
  package var givenName: String?
  package var options: [String: VendorOptionValue]
  /// The target languages; `nil`: all that no other vendor has.
  package var languages: [LocaleIdentifier]?
  /// 1 for the first vendor of its kind in the pipeline.
  package var number: Int

  /// The name of a vendor whose kind has no place: the given one, or the kind with a number from the second of the pipeline on.
  func defaultName(of kind: String) -> String { givenName ?? (number == 1 ? kind : "\(kind)-\(number)") }

  package init(
    givenName: String? = nil, options: [String: VendorOptionValue] = [:], languages: [LocaleIdentifier]? = nil,
    number: Int = 1
  ) {
    self.givenName = givenName
    self.options = options
    self.languages = languages
    self.number = number
  }
}
