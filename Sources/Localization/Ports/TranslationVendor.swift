/// The units of a round for one language, on their way to a vendor.
package struct Shipment: Sendable {
  package var pipeline: String
  package var round: String
  package var language: LocaleIdentifier
  package var sourceLanguage: LocaleIdentifier
  package var files: [ExchangeFile]
  /// The catalogs of the files, reduced to the source language.
  package var sourceContents: [TreePath: [UInt8]]

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

/// What a vendor says it took.
package struct ShipmentReceipt: Hashable, Sendable, Codable {
  /// The vendor's own name for it: a file name, a job id.
  package var reference: String
  /// How many units the vendor now has of this shipment.
  package var units: Int
  /// Whether the vendor had it already, so that nothing was sent this time.
  package var wasThere: Bool

  package init(reference: String, units: Int, wasThere: Bool) {
    self.reference = reference
    self.units = units
    self.wasThere = wasThere
  }
}

/// Something that came back: read as far as it can be read, not yet reviewed.
package struct ReturnedBundle: Sendable {
  /// The vendor's name for it; `acknowledge` takes it back.
  package var reference: String
  /// A digest of its bytes (SHA-256, lower-case hexadecimal), for provenance and for telling it from one that came before.
  package var digest: String
  package var files: [ExchangeFile]
  /// What could not be read in it; with `files` empty, the bundle as a whole.
  package var diagnostics: [Diagnostic]

  package init(reference: String, digest: String, files: [ExchangeFile], diagnostics: [Diagnostic] = []) {
    self.reference = reference
    self.digest = digest
    self.files = files
    self.diagnostics = diagnostics
  }
}

/// What became of a returned bundle, for the vendor to put away.
package enum BundleVerdict: Hashable, Sendable {
  /// Every unit was taken, or was there already.
  case taken
  /// Something was held: a text for people that says which units, and why.
  case held(review: String)
}

/// Someone who translates: the port that a folder of `TranslationVendors` meets.
///
/// Every call is harmless when it is repeated: a shipment of the same pipeline, round and language is looked up before it is sent.
package protocol TranslationVendor: Sendable {
  /// As the pipeline file names it: `folder`.
  var kind: String { get }
  /// Tells this vendor from another of the same kind in one pipeline; stable over restarts (kind and place).
  var name: String { get }

  func push(_ shipment: Shipment) async throws -> ShipmentReceipt

  /// Looks a shipment up that may have arrived although no answer came, without sending it: it is not wanted any more.
  /// - Parameter shipment: all that it can have held.
  /// - Returns: `nil` where the vendor has nothing of it.
  func find(_ shipment: Shipment) async throws -> ShipmentReceipt?

  /// Takes units back that are no longer wanted, as far as the vendor can. A drop folder leaves the bundle where it is
  /// and lists the units in `<bundle>.withdrawn.txt` beside it.
  func withdraw(_ units: [UnitID], of shipment: ShipmentReceipt, language: LocaleIdentifier) async throws

  /// Whether the vendor hides or deletes units that no branch has any more, although it returned them: see ``retire(_:)``.
  var retiresUnits: Bool { get }

  /// Hides or deletes units that no branch has any more.
  func retire(_ units: Set<UnitID>) async throws

  /// Whether the vendor shows translators the comments of units that it keeps: see ``update(_:)``.
  var takesComments: Bool { get }

  /// Changes the comments of units that the vendor has, where they differ. Nothing is added, and no text is changed.
  func update(_ comments: [UnitID: UnitComment]) async throws

  /// Everything that has come back, is settled, and was not acknowledged.
  /// - Parameter outstanding: what the vendor has not returned yet. A vendor with units of its own asks for these only.
  func pull(_ outstanding: OutstandingWork) async throws -> PullResult

  /// Puts a bundle away after its units are safely in the store.
  func acknowledge(_ bundle: ReturnedBundle, verdict: BundleVerdict) async throws

  /// Asks the vendor something cheap that shows whether address, token, project and languages are right.
  /// - Parameter languages: the target languages that the vendor is to get.
  func probe(_ languages: [LocaleIdentifier]) async throws -> VendorProbe

  /// Compares what is outstanding with what the vendor has. Nothing is changed.
  /// - Returns: `nil` where the vendor cannot tell: a drop folder after translators took the bundle out, an engine that keeps nothing.
  func stock(of part: OutstandingWork.Part) async throws -> VendorStock?

  /// Something may have come back: a look is worth while. Without it the vendor is looked at now and then.
  ///
  /// - Returns: `nil` where the vendor cannot tell. The stream ends when it no longer can; it may be asked again then.
  func changes() -> AsyncStream<Void>?
}

extension TranslationVendor {
  package func find(_ shipment: Shipment) async throws -> ShipmentReceipt? { nil }

  package func probe(_ languages: [LocaleIdentifier]) async throws -> VendorProbe { VendorProbe() }

  package func stock(of part: OutstandingWork.Part) async throws -> VendorStock? { nil }
  package var retiresUnits: Bool { false }
  package func retire(_ units: Set<UnitID>) async throws {}
  package var takesComments: Bool { false }
  package func update(_ comments: [UnitID: UnitComment]) async throws {}

  /// A look at a vendor that returns bundles whatever is outstanding.
  package func pull() async throws -> PullResult { try await pull(OutstandingWork()) }
  package func changes() -> AsyncStream<Void>? { nil }
}

/// The developer's comment on a unit.
package struct UnitComment: Hashable, Sendable {
  /// `nil` for none.
  package var text: String?
  /// The language of the unit's source text.
  package var sourceLanguage: LocaleIdentifier

  package init(text: String?, sourceLanguage: LocaleIdentifier) {
    self.text = text
    self.sourceLanguage = sourceLanguage
  }
}

/// How a vendor's own record of outstanding units differs from the books.
package struct VendorStock: Hashable, Sendable {
  /// Units that the vendor does not have.
  package var missing: Set<UnitID>
  /// Units that the vendor has with another source text than the one that was sent.
  package var changed: Set<UnitID>

  package init(missing: Set<UnitID> = [], changed: Set<UnitID> = []) {
    self.missing = missing
    self.changed = changed
  }
}

/// What a cheap look at a vendor showed.
package struct VendorProbe: Hashable, Sendable, Codable {
  /// What is right: short sentences for people.
  package var facts: [String]
  /// What is wrong, each with the next step.
  package var faults: [String]

  package init(facts: [String] = [], faults: [String] = []) {
    self.facts = facts
    self.faults = faults
  }
}

/// The shipments of which a vendor has not returned everything.
package struct OutstandingWork: Sendable {
  /// A shipment that the vendor has: what it still holds, and the vendor's receipt.
  package struct Part: Sendable {
    /// Only the units that are outstanding, with the source texts that were sent.
    package var shipment: Shipment
    package var receipt: ShipmentReceipt

    package init(shipment: Shipment, receipt: ShipmentReceipt) {
      self.shipment = shipment
      self.receipt = receipt
    }

    /// A refusal of all its units.
    package func refusal(_ reason: String) -> VendorRefusal {
      let units = shipment.files.flatMap { file in
        file.units.map { UnitID(catalog: TreePath(trusted: file.original), key: $0.key) }
      }
      return VendorRefusal(
        reference: receipt.reference, units: Dictionary(units.map { ($0, reason) }) { first, _ in first })
    }
  }

  private let read: @Sendable () async throws -> [Part]

  /// - Parameter read: reads the parts, oldest first. It is called when a vendor asks, because it reads commits.
  package init(_ read: @escaping @Sendable () async throws -> [Part] = { [] }) { self.read = read }

  package func parts() async throws -> [Part] { try await read() }
}

/// Units of a shipment that the vendor answered it cannot translate.
package struct VendorRefusal: Hashable, Sendable {
  /// The receipt of the shipment.
  package var reference: String
  /// The units under the names that the vendor knows, each with the reason for people.
  package var units: [UnitID: String]

  package init(reference: String, units: [UnitID: String]) {
    self.reference = reference
    self.units = units
  }
}

/// What a look at the vendor found.
package struct PullResult: Sendable {
  package var bundles: [ReturnedBundle]
  /// How long until something that is there already will have settled; `nil` where nothing is waiting.
  package var settlesIn: Duration?
  /// Whether more is there than one look takes: after these bundles are acknowledged, the next look should follow at once.
  package var hasMore: Bool
  /// What lies at the vendor and is not taken, and why; each is told once while the process runs.
  package var diagnostics: [Diagnostic]
  /// What the vendor will not translate. It stays outstanding unless another vendor can take it.
  package var refusals: [VendorRefusal]

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
