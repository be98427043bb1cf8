import FoundationEssentials
package import Localization
import Workspace

/// Rebuilds a shipment from its record, which lists the units and the commits that contain them.
struct ShipmentPacker {
  private struct Place: Hashable {
    var commit: CommitID
    var catalog: TreePath
  }

  let context: PipelineContext
  /// The name of the vendor that receives the shipments.
  let vendor: String
  private let withUses: Bool
  /// Whether the shipments contain the additional data for vendors that keep strings by key.
  private let withStrings: Bool
  private var sources: [Place: [UInt8]] = [:]
  private var heads: [Run]?
  private var renames: [TreePath: TreePath]?
  private var outdated: OutdatedTranslations?
  /// The heads whose source texts ``rivals(of:in:_:_:)`` compares.
  var watched: [WatchedHead]?
  var variants: [UnitID: Set<String>]?
  /// The existing translations that earlier shipments contained.
  var offered: Set<UnitInLanguage> = []
  /// The screenshots of the most recently read commit.
  private var pictures: (commit: CommitID, folders: [ScreenshotFolder])?
  /// Faults in screenshot folders.
  private(set) var diagnostics: [Diagnostic] = []

  /// - Parameters:
  ///   - vendor: the vendor that receives the shipments.
  ///   - sends: whether the shipments will be sent. If `false`, they are only used for queries.
  init(_ context: PipelineContext, for vendor: any TranslationVendor, sends: Bool = false) {
    self.context = context
    self.vendor = vendor.name
    withStrings = sends && vendor.keepsStrings
    withUses = vendor.takesUses
  }

  /// Packs the units of a record.
  /// - Returns: `nil` if no readable commit has any of the units with its source text. The next diff closes these units.
  mutating func shipment(_ record: ShipmentRecord) async throws -> Shipment? {
    var units: [TreePath: [ExchangeUnit]] = [:]
    var contents: [TreePath: [UInt8]] = [:]
    var uses: [UnitID: Set<TreePath>] = [:]
    var existing: [LocaleIdentifier: [TreePath: [ExchangeUnit]]] = [:]
    var rivals: [UnitID: TextRivals] = [:]
    let places = try await places(of: record)
    let drafts =
      context.routes.haveSteps ? try await DraftTexts(for: record, knownRenames(), context) : DraftTexts()
    for (place, pins) in places {
      let keys = Set(pins.keys)
      let snapshot = try await context.snapshots.snapshot(of: place.commit)
      guard let catalog = snapshot.synced[place.catalog] else { continue }
      let marked = try await knownOutdated().marked(catalog, keys, in: record.language)
      let found = try await withoutFormerForms(marked, keys, in: record.language).units(keys, for: record.language)
      units[place.catalog, default: []] += drafts.filled(found, of: place.catalog)
      contents[place.catalog] = try source(place, snapshot: snapshot, catalog: catalog)
      if withStrings {
        let renames = try await knownRenames()
        let found = try await translations(
          of: keys, in: catalog, snapshot.languages, besides: record.language, renames)
        for (language, units) in found {
          existing[language, default: [:]][place.catalog, default: []] += units
        }
        rivals.merge(try await self.rivals(of: pins, in: place.catalog, record.language, renames)) { first, _ in first }
      }
      guard withUses else { continue }
      uses.merge(snapshot.uses(of: Set(keys.map { UnitID(catalog: place.catalog, key: $0) }))) { $0.union($1) }
    }
    guard !units.isEmpty else { return nil }
    let files = units.sorted { $0.key < $1.key }.map {
      ExchangeFile(
        original: $0.key.text, sourceLanguage: record.sourceLanguage, targetLanguage: record.language, units: $0.value)
    }
    var shipment = Shipment(
      pipeline: context.name, round: String(record.round), language: record.language,
      sourceLanguage: record.sourceLanguage, files: files, sourceContents: contents)
    shipment.uses = uses
    shipment.rivals = rivals
    for (language, units) in existing {
      shipment.existing[language] = units.sorted { $0.key < $1.key }.map {
        ExchangeFile(
          original: $0.key.text, sourceLanguage: record.sourceLanguage, targetLanguage: language, units: $0.value)
      }
    }
    if let commit = places.first?.0.commit { shipment.screenshots = try await screenshots(of: files, at: commit) }
    return shipment
  }

  /// Returns the screenshots that show units of the files. A folder that cannot be read is reported, and the strings are sent without its
  /// screenshots.
  private mutating func screenshots(of files: [ExchangeFile], at commit: CommitID) async throws -> [Screenshot] {
    guard let read = context.readScreenshots else { return [] }
    let folders: [ScreenshotFolder]
    if let pictures, pictures.commit == commit {
      folders = pictures.folders
    } else {
      folders = try await read(commit)
      pictures = (commit, folders)
      for fault in folders.flatMap(\.diagnostics) where !diagnostics.contains(fault) { diagnostics.append(fault) }
    }
    guard folders.contains(where: { !$0.pictures.isEmpty }) else { return [] }
    return ScreenshotMatch(files).screenshots(folders.flatMap(\.pictures))
  }

  /// Returns the places from which to read the units, in a fixed order: the recorded commit, or any head that has the unit with the same
  /// source text, under any name of the unit's catalog. Heads are used if the recorded commit is missing after a force-push or in a new
  /// mirror, or does not have the source text.
  private mutating func places(of record: ShipmentRecord) async throws -> [(Place, [UnitKey: PinDigest])] {
    var found: [Place: [UnitKey: PinDigest]] = [:]
    var isHeld: [CommitID: Bool] = [:]
    for (unit, pin, commit) in record.units {
      if isHeld[commit] == nil { isHeld[commit] = try await context.mirror.holds(commit) }
      var place = Place(commit: commit, catalog: unit.catalog)
      let standing = isHeld[commit] == true ? try await self.pin(of: unit.key, in: place) : nil
      if standing != pin {
        guard let other = try await head(with: unit, pin) else { continue }
        place = other
      }
      found[place, default: [:]][unit.key] = pin
    }
    return found.sorted { ($0.key.catalog, $0.key.commit) < ($1.key.catalog, $1.key.commit) }
  }

  mutating func knownRenames() async throws -> [TreePath: TreePath] {
    if let renames { return renames }
    let found = try await context.store.renames(of: context.name)
    renames = found
    return found
  }

  mutating func knownOutdated() async throws -> OutdatedTranslations {
    if let outdated { return outdated }
    let rows = try await context.store.outdatedTranslations(of: context.name)
    let found = OutdatedTranslations(rows, renames: rows.isEmpty ? [:] : try await knownRenames())
    outdated = found
    return found
  }

  private func pin(of key: UnitKey, in place: Place) async throws -> PinDigest? {
    try await context.snapshots.snapshot(of: place.commit).synced[place.catalog]?.pin(of: key)
  }

  private mutating func head(with unit: UnitID, _ pin: PinDigest) async throws -> Place? {
    let heads: [Run]
    if let known = self.heads { heads = known } else { heads = try await context.store.heads(of: context.name) }
    self.heads = heads
    let renames = try await knownRenames()
    for head in heads {
      for catalog in renames.allNames(of: unit.catalog) {
        let place = Place(commit: head.commit, catalog: catalog)
        if try await self.pin(of: unit.key, in: place) == pin { return place }
      }
    }
    return nil
  }

  /// Returns the file of the synced catalog, reduced to the source language. This file is the same for all target languages.
  private mutating func source(_ place: Place, snapshot: Snapshot, catalog: Catalog) throws -> [UInt8] {
    if let known = sources[place] { return known }
    guard let format = context.formats(place.catalog) else {
      throw PipelineError(
        .inconsistent, operation: "pack \(place.catalog)", detail: "Dragoman cannot write this file format",
        disposition: .permanent)
    }
    var copy: [UInt8]
    if let files = snapshot.files[place.catalog] {
      copy = try format.sourceCopy(of: files)
      if snapshot.changed.contains(place.catalog) {
        // The file is reduced before it is changed, so the whole file is read only once, even with many languages.
        let reduced = CatalogFiles(copy, at: files.path, sourceLanguage: files.sourceLanguage)
        copy = try format.write(catalog.inSourceLanguage, over: reduced)[files.path] ?? copy
      }
    } else {
      var files = CatalogFiles(nil, at: place.catalog, sourceLanguage: catalog.sourceLanguage)
      files.bytes = try format.write(catalog.inSourceLanguage, over: files)
      copy = try format.sourceCopy(of: files)
    }
    sources[place] = copy
    return copy
  }
}

extension Catalog {
  /// Returns the units to send to a vendor for these keys, in the shape of the catalog's format.
  ///
  /// A translation is left out if its forms differ from the current forms of the source text: the units always have the source text's forms
  /// (``SourceShape``). Xcode's export keeps the translation's own forms, for which no translation can be returned.
  package func units(_ keys: Set<UnitKey>, for language: LocaleIdentifier) -> [ExchangeUnit] {
    var shaped = self
    for key in keys where entries[key].map({ !keepsShape(of: $0, key, language) }) ?? false {
      shaped.entries[key]?.translations[language] = nil
    }
    if path.holdsAllLanguages { return ExportShape.units(of: shaped, for: language, keys: keys) }
    shaped.entries = shaped.entries.filter { keys.contains($0.key) }
    return ClassicExport.units(of: shaped, for: language)
  }

  private func keepsShape(of entry: CatalogEntry, _ key: UnitKey, _ language: LocaleIdentifier) -> Bool {
    guard let translation = entry.translations[language] else { return true }
    let source = SourceForms(key: key, entry: entry, sourceLanguage: sourceLanguage)
    return SourceShape(source, from: sourceLanguage, for: language).isKept(by: translation)
  }

  /// The catalog with only the texts of the source language.
  fileprivate var inSourceLanguage: Catalog {
    var reduced = self
    reduced.entries = entries.mapValues { entry in
      var entry = entry
      entry.translations = entry.translations[sourceLanguage].map { [sourceLanguage: $0] } ?? [:]
      return entry
    }
    return reduced
  }
}
