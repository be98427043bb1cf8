internal import CatalogFormats
package import Localization

/// A vendor that translates with any ``TranslationEngine``.
///
/// A push only checks the language and records the shipment. A pull translates outstanding units batch by batch. The answers to a request are written
/// to the state folder before the next request is sent, so no answer is paid for again after a restart. A text that the engine refuses is reported,
/// and is not sent again with the same settings. Answers are `needs_review` unless the option `state` in the pipeline file is `translated`.
package struct EngineVendor<Engine: TranslationEngine>: TranslationVendor {
  package let kind = Engine.kind
  package let name: String
  let engine: Engine
  private let locales: VendorLocales
  let settings: EngineSettings
  let answers: EngineAnswers
  let refusals: EngineRefusals

  package init(
    name: String, engine: Engine, locales: VendorLocales, settings: EngineSettings, environment: VendorEnvironment
  ) {
    self.name = name
    self.engine = engine
    self.locales = locales
    self.settings = settings
    answers = EngineAnswers(folder: environment.stateFolder, vendor: name)
    refusals = EngineRefusals(folder: environment.stateFolder, vendor: name)
  }

  package func push(_ shipment: Shipment) async throws -> ShipmentReceipt {
    let stem = try ShipmentName.stem(of: shipment)
    let code = try code(of: shipment.language, among: try await engine.languages())
    let texts = shipment.files.flatMap { file in file.units.compactMap { Self.source(of: $0, in: file) } }
    let wasThere = try answers.note(stem, texts: texts, in: code)
    return ShipmentReceipt(reference: stem, units: shipment.unitIDs.count, wasThere: wasThere)
  }

  package func find(_ shipment: Shipment) async throws -> ShipmentReceipt? {
    let stem = try ShipmentName.stem(of: shipment)
    guard try answers.holds(stem) else { return nil }
    return ShipmentReceipt(reference: stem, units: shipment.unitIDs.count, wasThere: true)
  }

  /// Does nothing, because the engine is called only in pulls, and a pull requests only outstanding units.
  package func withdraw(_ units: [UnitID], of shipment: ShipmentReceipt, language: LocaleIdentifier) async throws {}

  package func pull(_ outstanding: OutstandingWork) async throws -> PullResult {
    var result = PullResult(bundles: [])
    let parts = try await outstanding.parts()
    guard !parts.isEmpty else { return result }
    let known = try await engine.languages()
    var wanted: Set<EngineRefusals.Key> = []
    var fault: (any Error)?
    for part in parts {
      try Task.checkCancellation()
      do {
        let code = try code(of: part.shipment.language, among: known)
        var files: [ExchangeFile] = []
        for file in part.shipment.files {
          let job = EngineJob(
            file: file, code: code, round: part.shipment.round,
            content: part.shipment.sourceContents[TreePath(trusted: file.original)])
          let answered = try await answer(job, &result.diagnostics, &wanted)
          if let file = answered.file { files.append(file) }
          if !answered.refused.isEmpty {
            result.refusals.append(VendorRefusal(reference: part.receipt.reference, units: answered.refused))
          }
        }
        guard !files.isEmpty else { continue }
        let bytes = XLIFF.write(XLIFFDocument(files: files))
        result.bundles.append(
          ReturnedBundle(
            reference: part.receipt.reference, digest: ContentDigest.hexadecimal(of: bytes), files: files))
      } catch let error as VendorError where error.kind == .unknownLanguage || error.kind == .limitReached {
        warn(error.description, &result.diagnostics)
        if error.kind == .unknownLanguage { result.refusals.append(part.refusal(error.description)) }
      } catch  where LanguageFault.isPossible(error) {
        fault = fault ?? error
        warn("texts are not translated into \(part.shipment.language): \(error)", &result.diagnostics)
      }
    }
    if let fault {
      if result.bundles.isEmpty, result.refusals.isEmpty { throw fault }
    } else {
      try refusals.retain(wanted)
    }
    return result
  }

  package func probe(_ languages: [LocaleIdentifier]) async throws -> VendorProbe {
    let own = try await engine.probe()
    let known = try await engine.languages()
    guard var probe = own else {
      return locales.probe(
        languages, among: known, at: Engine.kind, access: VendorAccess.accepted.sentence("key"))
    }
    if !known.isEmpty { locales.look(for: languages, among: known, at: Engine.kind, into: &probe) }
    return probe
  }

  package func acknowledge(_ bundle: ReturnedBundle, verdict: BundleVerdict) async throws {
    let texts = bundle.files.flatMap { file in
      file.units.compactMap { unit -> (source: EngineAnswers.Source, text: String)? in
        guard let source = Self.source(of: unit, in: file), let text = Self.words(unit.target?.text) else { return nil }
        return (source, text)
      }
    }
    try answers.forget(bundle.reference, texts: texts)
  }

  private static func source(of unit: ExchangeUnit, in file: ExchangeFile) -> EngineAnswers.Source? {
    words(unit.source).map {
      EngineAnswers.Source(
        $0, catalog: file.original, context: ExchangeIdentifier.text(key: unit.key, path: unit.path))
    }
  }

  private static func words(_ text: ExchangeText?) -> String? {
    if case .text(let words)? = text { words } else { nil }
  }

  /// Adds a warning, unless this pull already has a warning with the same message.
  func warn(_ message: String, _ diagnostics: inout [Diagnostic]) {
    guard !diagnostics.contains(where: { $0.message == message }) else { return }
    diagnostics.append(Diagnostic(path: name, severity: .warning, message: message))
  }

  private func code(of language: LocaleIdentifier, among known: [String]) throws(VendorError) -> String {
    known.isEmpty ? locales.code(of: language) : try locales.code(of: language, among: known, at: Engine.kind)
  }
}

/// The settings in pipeline files that all engines share.
package struct EngineSettings: Hashable, Sendable {
  /// Whether answers count as translated; otherwise answers are `needs_review`.
  package var arrivesTranslated: Bool

  package static let options = [
    VendorOption(
      "state", .choice(["needs_review", "translated"]), "The state in which machine translations arrive.",
      default: "needs_review")
  ]

  package init(_ settings: VendorSettings) { arrivesTranslated = settings.options.text("state") == "translated" }
}
