/// The units of a round that are sent to a vendor for one language.
package struct Shipment: Sendable {
  package var pipeline: String
  package var round: String
  package var language: LocaleIdentifier
  package var sourceLanguage: LocaleIdentifier
  package var files: [ExchangeFile]
  /// The catalogs of the files, reduced to the source language.
  package var sourceContents: [TreePath: [UInt8]]
  /// Pictures that show units of the files, as context for translators. Vendors treat two shipments that differ only in their pictures as
  /// the same shipment.
  package var screenshots: [Screenshot] = []
  /// The source files that use each unit, as context for translators.
  package var uses: [UnitID: Set<TreePath>] = [:]
  /// The finished translations of the units in other languages, for vendors that keep strings (``TranslationVendor/keepsStrings``).
  package var existing: [LocaleIdentifier: [ExchangeFile]] = [:]
  /// For vendors that keep strings: the source texts of each unit whose key has, or had, another source text on another watched branch.
  package var rivals: [UnitID: TextRivals] = [:]

  package init(
    pipeline: String, round: String, language: LocaleIdentifier, sourceLanguage: LocaleIdentifier,
    files: [ExchangeFile], sourceContents: [TreePath: [UInt8]]
  ) {
    self.pipeline = pipeline
    self.round = round
    self.language = language
    self.sourceLanguage = sourceLanguage
    self.files = files
    self.sourceContents = sourceContents
  }
}

/// The vendor's confirmation of a shipment.
package struct ShipmentReceipt: Hashable, Sendable, Codable {
  /// The vendor's own id for the shipment, such as a file name or the id of a vendor job.
  package var reference: String
  /// The number of units of this shipment that the vendor has.
  package var units: Int
  /// Whether the vendor already had the shipment. If so, nothing was sent this time.
  package var wasThere: Bool
  /// The number of units that the vendor refused. The number applies to one push and is not stored.
  package var refused = 0
  /// The units that the vendor keeps as variants; `nil` if there are none.
  package var variants: [UnitVariant]?

  private enum CodingKeys: String, CodingKey { case reference, units, wasThere, variants }

  package init(reference: String, units: Int, wasThere: Bool, refused: Int = 0) {
    self.refused = refused
    self.reference = reference
    self.units = units
    self.wasThere = wasThere
  }
}

/// A returned bundle that is parsed as far as possible and not yet reviewed.
package struct ReturnedBundle: Sendable {
  /// The vendor's id for the bundle, which `acknowledge` uses.
  package var reference: String
  /// The SHA-256 digest of the bundle's bytes or texts in lower-case hexadecimal, recorded as provenance and used to recognize repeated bundles.
  package var digest: String
  package var files: [ExchangeFile]
  /// Problems in the bundle. If `files` is empty, the whole bundle could not be read.
  package var diagnostics: [Diagnostic]

  package init(reference: String, digest: String, files: [ExchangeFile], diagnostics: [Diagnostic] = []) {
    self.reference = reference
    self.digest = digest
    self.files = files
    self.diagnostics = diagnostics
  }
}

/// The outcome of a returned bundle.
package enum BundleVerdict: Hashable, Sendable {
  /// No unit was held, or all units of the bundle were already recorded.
  case taken
  /// Some units were held. The text lists these units with the reasons.
  case held(review: String)
}

/// A source of translations: a service, an in-house system, a person with a drop folder, the translation memory or pseudo-localization. Most kinds
/// of vendors are in `TranslationVendors`. All calls can be repeated safely. A shipment is identified by pipeline, round and language, and is looked
/// up before it is sent.
package protocol TranslationVendor: Sendable {
  /// The name of this kind of vendor in pipeline files, such as `folder`.
  var kind: String { get }
  /// A name that distinguishes this vendor from others of its kind in one pipeline, for example the kind and the location. It is the same after a
  /// restart.
  var name: String { get }

  func push(_ shipment: Shipment) async throws -> ShipmentReceipt

  /// Looks up a shipment that may have arrived although no response was received. Does not send it, because it is no longer wanted.
  /// - Parameter shipment: all units that may have been sent.
  /// - Returns: `nil` if the vendor has no part of the shipment.
  func find(_ shipment: Shipment) async throws -> ShipmentReceipt?

  /// Cancels units that are no longer wanted, as far as the vendor supports it. A drop folder keeps the bundle and lists the units in
  /// `<bundle>.withdrawn.txt` next to it.
  func withdraw(_ units: [UnitID], of shipment: ShipmentReceipt, language: LocaleIdentifier) async throws

  /// Whether the vendor hides or deletes units that no branch has any more, even if the vendor already returned these units: see ``retire(_:)``.
  var retiresUnits: Bool { get }

  /// Hides or deletes units that no branch has any more.
  /// - Parameter units: the units, each with the paths of all its forms that were ever sent.
  func retire(_ units: [UnitID: Set<VariationPath>]) async throws

  /// Whether the vendor keeps strings by key, each with one source text and its translations into all languages. Such a vendor receives
  /// ``Shipment/existing`` and ``Shipment/rivals``, and receives source texts again if its own source texts differ.
  var keepsStrings: Bool { get }

  /// Restores source texts that changed back to an already translated text, together with their translations. Hides or deletes forms that the
  /// source texts no longer have. Called only for vendors that keep strings.
  func settle(_ texts: StandingTexts) async throws

  /// Returns the given variants that the vendor has and shows to translators.
  func shown(_ variants: Set<UnitVariant>) async throws -> Set<UnitVariant>

  /// Hides or deletes variants whose text no branch has any more.
  func retire(_ variants: Set<UnitVariant>) async throws

  /// Whether the vendor keeps the comments of units and shows them to translators: see ``update(_:)``.
  var takesComments: Bool { get }

  /// Whether the vendor shows translators which source files use a unit. For other vendors, ``Shipment/uses`` and ``UnitComment/uses`` are empty.
  var takesUses: Bool { get }

  /// Updates the comments that differ from those at the vendor, for units that the vendor already has. No unit is added, and no text is changed.
  func update(_ comments: [UnitID: UnitComment]) async throws

  /// Whether the vendor keeps one text for each unit, which people may correct after it was returned. The pipeline requests units that are held
  /// because of their texts from such a vendor again with ``pull(_:)``, and checks all returned units with ``corrections(of:)``. Other vendors
  /// return a corrected unit without a request, or not at all.
  var isAskedAgain: Bool { get }

  /// Whether the vendor keeps no data outside the state folder and uses no other system. A dry run uses such a vendor directly.
  var isInStore: Bool { get }

  /// Whether the vendor accepts screenshots for units that it already has: see ``attach(_:to:)``.
  var takesScreenshots: Bool { get }

  /// Adds pictures that the vendor does not have, and connects them with the units of these files. No picture is removed, and no text is
  /// changed.
  /// - Returns: a message about each picture that the vendor refused permanently, with the vendor's reason.
  func attach(_ screenshots: [Screenshot], to files: [ExchangeFile]) async throws -> [String]

  /// Returns the bundles that are complete and not yet acknowledged.
  /// - Parameter outstanding: the outstanding units; with ``isAskedAgain``, also held units. A vendor that stores single units requests only these.
  func pull(_ outstanding: OutstandingWork) async throws -> PullResult

  /// Returns the units whose text or state at the vendor differs from the text or state that the vendor returned.
  /// - Parameter parts: the units that the vendor returned, each with its newest returned text. The `sourceContents` of their shipments are empty.
  func corrections(of parts: [OutstandingWork.Part]) async throws -> PullResult

  /// Acknowledges a bundle whose units are durably stored. Afterwards, `pull` returns only units that are requested again (``isAskedAgain``).
  func acknowledge(_ bundle: ReturnedBundle, verdict: BundleVerdict) async throws

  /// Checks with a small request whether the address, token, project and languages are valid.
  /// - Parameter languages: the target languages that the vendor will receive.
  func probe(_ languages: [LocaleIdentifier]) async throws -> VendorProbe

  /// Compares the outstanding units with the vendor's units. Changes nothing.
  /// - Returns: `nil` if the vendor cannot list its units: a drop folder from which translators took the bundle, or an engine that stores
  ///   nothing.
  func stock(of part: OutstandingWork.Part) async throws -> VendorStock?

  /// Returns the stocks of several parts, in the order of the parts.
  func stocks(of parts: [OutstandingWork.Part]) async throws -> [VendorStock?]

  /// Returns a stream that emits whenever a bundle may have been returned. In any case, the vendor is also polled at intervals.
  /// - Returns: `nil` if the vendor has no such stream or, for now, no folder. If watching fails, the stream ends, and another may be requested.
  func changes() -> AsyncStream<Void>?
}

extension TranslationVendor {
  package func find(_ shipment: Shipment) async throws -> ShipmentReceipt? { nil }

  package func probe(_ languages: [LocaleIdentifier]) async throws -> VendorProbe { VendorProbe() }

  package func stock(of part: OutstandingWork.Part) async throws -> VendorStock? { nil }

  package func stocks(of parts: [OutstandingWork.Part]) async throws -> [VendorStock?] {
    var stocks: [VendorStock?] = []
    for part in parts { stocks.append(try await stock(of: part)) }
    return stocks
  }

  package var keepsStrings: Bool { false }
  package func shown(_ variants: Set<UnitVariant>) async throws -> Set<UnitVariant> { [] }
  package func retire(_ variants: Set<UnitVariant>) async throws {}
  package var retiresUnits: Bool { false }
  package func retire(_ units: [UnitID: Set<VariationPath>]) async throws {}
  package func settle(_ texts: StandingTexts) async throws {}
  package var takesComments: Bool { false }
  package var takesUses: Bool { false }
  package func update(_ comments: [UnitID: UnitComment]) async throws {}
  package var isAskedAgain: Bool { false }

  package func corrections(of parts: [OutstandingWork.Part]) async throws -> PullResult { PullResult(bundles: []) }

  package var isInStore: Bool { false }
  package var takesScreenshots: Bool { false }
  package func attach(_ screenshots: [Screenshot], to files: [ExchangeFile]) async throws -> [String] { [] }

  /// Pulls from a vendor that returns all bundles, whichever units are outstanding.
  package func pull() async throws -> PullResult { try await pull(OutstandingWork()) }
  package func changes() -> AsyncStream<Void>? { nil }
}

/// The developer's comment on a unit, and the source files that use the unit.
package struct UnitComment: Hashable, Sendable {
  /// The text of the comment; `nil` if there is none.
  package var text: String?
  /// The source files that use the unit.
  package var uses: Set<TreePath>
  /// The language of the unit's source text.
  package var sourceLanguage: LocaleIdentifier

  package init(text: String?, uses: Set<TreePath> = [], sourceLanguage: LocaleIdentifier) {
    self.text = text
    self.uses = uses
    self.sourceLanguage = sourceLanguage
  }
}

/// The units that a pull requests from a vendor, by shipment: outstanding units, and held units that are requested again.
package struct OutstandingWork: Sendable {
  /// Some units of a shipment at the vendor, with its receipt.
  package struct Part: Sendable {
    /// The shipment reduced to these units, with the source texts that were sent.
    package var shipment: Shipment
    package var receipt: ShipmentReceipt

    package init(shipment: Shipment, receipt: ShipmentReceipt) {
      self.shipment = shipment
      self.receipt = receipt
    }

    /// Returns a refusal of all units in the part.
    package func refusal(_ reason: String) -> VendorRefusal {
      let units = shipment.files.flatMap { file in
        file.units.map { UnitID(catalog: TreePath(trusted: file.original), key: $0.key) }
      }
      return VendorRefusal(
        reference: receipt.reference, units: Dictionary(units.map { ($0, reason) }) { first, _ in first })
    }
  }

  private let read: @Sendable () async throws -> [Part]

  /// - Parameter read: reads the parts, the outstanding ones first. The closure reads commits and is slow, so it is called only when needed.
  package init(_ read: @escaping @Sendable () async throws -> [Part] = { [] }) { self.read = read }

  package func parts() async throws -> [Part] { try await read() }
}

/// Units of a shipment that the vendor refused to translate.
package struct VendorRefusal: Hashable, Sendable {
  /// The vendor's id for the shipment, from its receipt.
  package var reference: String
  /// The reason for the refusal of each unit, by the unit's id at the vendor.
  package var units: [UnitID: String]

  package init(reference: String, units: [UnitID: String]) {
    self.reference = reference
    self.units = units
  }
}

/// The result of a pull.
package struct PullResult: Sendable {
  package var bundles: [ReturnedBundle]
  /// The time after which a bundle that is still being written can be read; `nil` if there is no such bundle.
  package var settlesIn: Duration?
  /// Whether the vendor has more bundles than one pull returns. After these bundles are acknowledged, pull again at once.
  package var hasMore: Bool
  /// Reports of files, texts and languages at the vendor that were not read, with the reasons. A drop folder reports each file only once.
  package var diagnostics: [Diagnostic]
  /// The diagnostics of this and earlier pulls that still require a person's action.
  package var lasting: [Diagnostic] = []
  /// The units that the vendor will not translate. They stay outstanding unless another vendor can take them.
  package var refusals: [VendorRefusal]
  /// The number of units that lack the translation of some plural forms. These units stay outstanding.
  package var partlyTranslated = 0
  /// By language, the units whose corrections were not accepted because the vendor has another source text for the unit.
  package var otherSources: [LocaleIdentifier: Set<UnitID>] = [:]

  package init(
    bundles: [ReturnedBundle], settlesIn: Duration? = nil, hasMore: Bool = false, diagnostics: [Diagnostic] = [],
    refusals: [VendorRefusal] = []
  ) {
    self.refusals = refusals
    self.bundles = bundles
    self.settlesIn = settlesIn
    self.hasMore = hasMore
    self.diagnostics = diagnostics
  }
}
