internal import CatalogFormats
package import Localization

/// A vendor that answers immediately with readable texts that look foreign. With this vendor, people can try a pipeline, find texts that are not
/// localizable, and test layouts with longer texts and from right to left.
///
/// The answers to a shipment are kept as an XLIFF file in `<state folder>/pseudo` until they are acknowledged, so a round survives a restart. If
/// answers are held, their file is then moved to the folder `held`, with the review beside it. If the file is missing, because another worker wrote
/// it to its own folder or the folder was deleted, a pull writes the answers again. Every form of the shipment gets a text, so all plural forms of
/// the language exist.
package struct PseudoVendor: TranslationVendor {
  package let kind = "pseudo"
  package let isInStore = true
  package let name: String
  private let prefix: String
  private let styles: Set<PseudoStyle>
  private let storage: DirectoryStorage

  private static let waiting: TreePath = "pseudo"
  private static let held: TreePath = "pseudo/held"

  /// - Parameters:
  ///   - name: the vendor's name.
  ///   - slot: the prefix of the answers' file names, which separates vendors that share the folder: letters, digits and `-`. By default, the slot is
  ///     the name. The slot `pseudo` adds no prefix, so its vendor returns all answers in the folder. A vendor with another slot finds only the
  ///     answers of this slot.
  ///   - stateFolder: an absolute path. The folder is created if it is missing.
  package init(
    name: String = "pseudo", slot: String? = nil, styles: Set<PseudoStyle> = [.accented, .lengthened],
    stateFolder: String
  ) {
    self.name = name
    let slot = slot ?? name
    prefix = slot == "pseudo" ? "" : slot.filter { $0.isLetter || $0.isNumber || $0 == "-" } + "."
    self.styles = styles
    storage = DirectoryStorage(root: stateFolder, mode: 0o600)
  }

  package func push(_ shipment: Shipment) async throws -> ShipmentReceipt {
    let stem = try ShipmentName.stem(of: shipment)
    let file = TreePath(trusted: "\(prefix)\(stem).xliff")
    let path = Self.waiting.appending(file)
    let bytes = XLIFF.write(XLIFFDocument(files: shipment.files.map(answer)))
    let units = shipment.unitIDs.count
    try storage.makeFolder(Self.waiting)
    let there = try storage.list(Self.waiting)?.entries.first { $0.path == path }
    if let there, there.kind == .file, try storage.read(path, limit: XLIFF.largestFile) == bytes {
      return ShipmentReceipt(reference: file.text, units: units, wasThere: true)
    }
    try storage.replace(path, with: bytes)
    return ShipmentReceipt(reference: file.text, units: units, wasThere: false)
  }

  /// Does nothing, because the answers already exist. The review of returns holds unwanted answers.
  package func withdraw(_ units: [UnitID], of shipment: ShipmentReceipt, language: LocaleIdentifier) async throws {}

  package func pull(_ outstanding: OutstandingWork) async throws -> PullResult {
    var bundles: [ReturnedBundle] = []
    let present = Set(try storage.list(Self.waiting)?.entries.map(\.path.name) ?? [])
    for part in try await outstanding.parts() where !present.contains(part.receipt.reference) {
      _ = try await push(part.shipment)
    }
    for entry in try storage.list(Self.waiting)?.entries ?? [] where isOurs(entry) {
      let bytes = try storage.read(entry.path, limit: XLIFF.largestFile)
      do {
        let document = try XLIFF.read(bytes, at: storage.fullPath(entry.path))
        bundles.append(
          ReturnedBundle(
            reference: entry.path.name, digest: ContentDigest.hexadecimal(of: bytes), files: document.files,
            diagnostics: document.diagnostics))
      } catch {
        bundles.append(
          ReturnedBundle(
            reference: entry.path.name, digest: ContentDigest.hexadecimal(of: bytes), files: [],
            diagnostics: error.diagnostics))
      }
    }
    return PullResult(bundles: bundles)
  }

  package func acknowledge(_ bundle: ReturnedBundle, verdict: BundleVerdict) async throws {
    let path = Self.waiting.appending(bundle.reference)
    guard let entry = try storage.list(Self.waiting)?.entries.first(where: { $0.path == path }), isOurs(entry) else {
      return
    }
    let bytes = try storage.read(path, limit: XLIFF.largestFile)
    // A newer answer under the same name is pulled later.
    guard ContentDigest.hexadecimal(of: bytes) == bundle.digest else { return }
    if case .held(let review) = verdict {
      try storage.makeFolder(Self.held)
      try storage.replace(Self.held.appending(bundle.reference), with: bytes)
      try storage.replace(Self.held.appending(bundle.reference + ".review.txt"), with: Array(review.utf8))
    }
    try storage.remove(path)
  }

  private func isOurs(_ entry: DropEntry) -> Bool {
    let file = entry.path.name
    return entry.kind == .file && entry.path.ending == "xliff" && !file.hasPrefix(".") && file.hasPrefix(prefix)
  }

  private func answer(_ file: ExchangeFile) -> ExchangeFile {
    var answered = file
    answered.units = file.units.compactMap { unit in
      guard unit.isTranslatable, let source = unit.source else { return nil }
      var unit = unit
      unit.target = ExchangeTarget(change(source), state: "translated")
      return unit
    }
    return answered
  }

  private func change(_ text: ExchangeText) -> ExchangeText {
    switch text {
    case .text(let text): .text(PseudoStyle.apply(styles, to: text))
    case .phrases(let phrases): .phrases(phrases.map { PseudoStyle.apply(styles, to: $0) })
    }
  }
}
