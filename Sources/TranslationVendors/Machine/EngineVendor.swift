internal import CatalogFormats
package import Localization
internal import Logging

/// A vendor that translates by machine, over any ``TranslationEngine``.
///
/// A push notes the shipment and sends nothing. A pull translates outstanding units batch by batch. Each batch of answers is written to
/// the state folder before the next is asked for, so a restart pays for nothing twice. Answers are `needs_review` unless the pipeline
/// file says otherwise, and marked as machine translation.
package struct EngineVendor<Engine: TranslationEngine>: TranslationVendor {
  package let kind = Engine.kind
  package let name: String
  private let engine: Engine
  private let locales: VendorLocales
  private let settings: EngineSettings
  private let environment: VendorEnvironment
  private let answers: EngineAnswers

  package init(
    name: String, engine: Engine, locales: VendorLocales, settings: EngineSettings, environment: VendorEnvironment
  ) {
    self.name = name
    self.engine = engine
    self.locales = locales
    self.settings = settings
    self.environment = environment
    answers = EngineAnswers(folder: environment.stateFolder, vendor: name)
  }

  package func push(_ shipment: Shipment) async throws -> ShipmentReceipt {
    let stem = try ShipmentName.stem(of: shipment)
    _ = try await code(of: shipment.language)
    let wasThere = try answers.note(stem)
    return ShipmentReceipt(reference: stem, units: shipment.unitIDs.count, wasThere: wasThere)
  }

  package func find(_ shipment: Shipment) async throws -> ShipmentReceipt? {
    let stem = try ShipmentName.stem(of: shipment)
    guard try answers.holds(stem) else { return nil }
    return ShipmentReceipt(reference: stem, units: shipment.unitIDs.count, wasThere: true)
  }

  /// Nothing is asked of the engine before a pull, and a pull asks for outstanding units only.
  package func withdraw(_ units: [UnitID], of shipment: ShipmentReceipt, language: LocaleIdentifier) async throws {}

  package func pull(_ outstanding: OutstandingWork) async throws -> PullResult {
    var result = PullResult(bundles: [])
    for part in try await outstanding.parts() {
      try Task.checkCancellation()
      do {
        let code = try await code(of: part.shipment.language)
        var files: [ExchangeFile] = []
        for file in part.shipment.files {
          if let answered = try await answer(to: file, code: code, &result.diagnostics) { files.append(answered) }
        }
        guard !files.isEmpty else { continue }
        let bytes = XLIFF.write(XLIFFDocument(files: files))
        result.bundles.append(
          ReturnedBundle(
            reference: part.receipt.reference, digest: ContentDigest.hexadecimal(of: bytes), files: files))
      } catch let error as VendorError where error.kind == .unknownLanguage || error.kind == .limitReached {
        result.diagnostics.append(Diagnostic(path: name, severity: .warning, message: error.description))
      }
    }
    return result
  }

  package func probe(_ languages: [LocaleIdentifier]) async throws -> VendorProbe {
    try locales.probe(languages, among: try await engine.languages(), at: Engine.kind)
  }

  package func acknowledge(_ bundle: ReturnedBundle, verdict: BundleVerdict) async throws {
    try answers.forget(bundle.reference)
  }

  private func answer(
    to file: ExchangeFile, code: String, _ diagnostics: inout [Diagnostic]
  ) async throws -> ExchangeFile? {
    let catalog = TreePath(trusted: file.original)
    var texts: [Int: String] = [:]
    var missing: [Int] = []
    for (index, unit) in file.units.enumerated() where unit.isTranslatable {
      guard case .text(let source)? = unit.source, !source.isEmpty else { continue }
      if let known = try answers.text(
        for: source, context: ExchangeIdentifier.text(key: unit.key, path: unit.path), in: code)
      {
        texts[index] = known
      } else {
        missing.append(index)
      }
    }
    for batch in stride(from: 0, to: missing.count, by: engine.batchSize) {
      try Task.checkCancellation()
      let indices = Array(missing[batch..<min(batch + engine.batchSize, missing.count)])
      let requests = indices.map { index -> EngineRequest in
        let unit = file.units[index]
        guard case .text(let source)? = unit.source else { preconditionFailure("only units with a source are missing") }
        return EngineRequest(
          unit: UnitID(catalog: catalog, key: unit.key), path: unit.path, source: source, comment: unit.note)
      }
      let found: [EngineAnswer]
      do {
        found = try await engine.translate(requests, from: file.sourceLanguage, to: code)
      } catch let error as VendorError where error.kind == .limitReached {
        // What was translated so far is taken; the rest waits for a person.
        diagnostics.append(Diagnostic(path: name, severity: .warning, message: error.description))
        break
      }
      guard found.count == requests.count else {
        throw VendorError(
          kind: .protocolFault, operation: "\(Engine.kind): translate",
          detail: "\(requests.count) texts were sent and \(found.count) came back")
      }
      for (index, (request, answer)) in zip(indices, zip(requests, found)) {
        switch answer {
        case .text(let text):
          try answers.keep(
            text, for: request.source, context: ExchangeIdentifier.text(key: request.unit.key, path: request.path),
            in: code)
          texts[index] = text
        case .refused(let reason):
          diagnostics.append(
            Diagnostic(
              path: name, severity: .warning,
              message: "\(request.unit.key.text.debugDescription) was not translated: \(reason)"))
        }
      }
      try answers.sync()
    }
    var answered = file
    answered.units = texts.sorted { $0.key < $1.key }.map { index, text in
      var unit = file.units[index]
      unit.target = ExchangeTarget(
        .text(text), state: settings.arrivesTranslated ? "translated" : "needs-review-translation",
        stateQualifier: "leveraged-mt")
      return unit
    }
    return answered.units.isEmpty ? nil : answered
  }

  private func code(of language: LocaleIdentifier) async throws -> String {
    try locales.code(of: language, among: try await engine.languages(), at: Engine.kind)
  }
}

/// What a pipeline file says about any engine.
package struct EngineSettings: Hashable, Sendable {
  /// Whether answers count as translated; otherwise they are `needs_review`.
  package var arrivesTranslated: Bool

  package static let options = [
    VendorOption(
      "state", .choice(["needs_review", "translated"]), "The state in which machine translations arrive.",
      default: "needs_review")
  ]

  package init(_ settings: VendorSettings) { arrivesTranslated = settings.options.text("state") == "translated" }
}
